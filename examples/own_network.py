"""A network of your own, trained by dicezero's loop: residual layers that judge positions and propose moves.

python examples/own_network.py
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, ClassVar

import jax
import numpy as np

from dicezero.learner.loop import train
from dicezero.model.jax_player import jax_player
from dicezero.model.network import Kind, Player
from dicezero.model.weights import Shapes, Weights, check_weights
from dicezero.presets.registry import PRESETS
from dicezero.rules import load_game


@dataclass(frozen=True)
class ResidualEvaluator:
    """Frozen, so that compiled functions can be kept by it; ``model.network.Network`` explains every name."""

    observation: int  # numbers in an observation; it comes flat
    actions: int  # columns of the policy
    width: int = 32  # of the layers between
    blocks: int = 2
    kind: ClassVar[Kind] = "evaluator"  # a "model" has more parts, hidden states and, with dice, identities
    hidden, identities, support = 0, 0, None  # support: where the value is a distribution, not a number

    def shapes(self) -> Shapes:
        blocks = {f"block.{i}": (self.width, self.width) for i in range(self.blocks)}
        ends = {"first": (self.observation, self.width), "policy": (self.width, self.actions)}
        return {**ends, **blocks, "value": (self.width, 1)}

    def init(self, *, seed: int) -> Weights:
        draw = np.random.default_rng(seed).standard_normal
        return {name: draw(s, np.float32) / np.float32(s[0] ** 0.5) for name, s in self.shapes().items()}

    def check(self, weights: Mapping[str, Any]) -> Weights:
        return check_weights(self.shapes(), weights)

    def apply(self, params: Mapping[str, jax.Array], part: str, x: jax.Array) -> dict[str, jax.Array]:
        x = x @ params["first"]
        for i in range(self.blocks):
            x += jax.nn.relu(x @ params[f"block.{i}"])
        return {"policy": x @ params["policy"], "value": x @ params["value"]}

    def player(self, weights: Mapping[str, Any], *, threads: int | None = None) -> Player:
        return jax_player(self, weights)  # or anything (observations, legal) -> (logits, value)


if __name__ == "__main__":
    game, folder = load_game("tic_tac_toe"), Path(mkdtemp()) / "run"
    network = ResidualEvaluator(observation=18, actions=game.num_distinct_actions())
    print(train(PRESETS["gumbel-alphazero"], game, folder, rounds=3, network=network))
