"""Ways to learn, each one small frozen record; docs/algorithms/learning.md explains the numbers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from dicezero.learner.losses import LossWeights
from dicezero.model.config import ActivationName, EvaluatorConfig, ModelConfig, NetworkConfig
from dicezero.rules.names import nearest, quote
from dicezero.rules.protocol import Game
from dicezero.search.config import Dirichlet, Puct, SearchConfig
from dicezero.selfplay.play import observation_size
from dicezero.selfplay.record import ActionSet


def _require(name: str, value: object, fine: bool, what: str) -> None:
    if not fine:
        raise ValueError(f"{name}={value!r} must be {what}")


@dataclass(frozen=True)
class Preset:
    """Everything that a run is but its game and its seed.

    Attributes:
        name: of the preset it began as.
        kind: ``rules`` searches the true rules (AlphaZero), ``model`` a learned model (NDMZ).
        search: of self-play.
        play: what is measured and what agents play with, without noise at the root.
        rounds: how many by default, and the length of the learning rate's way.
        games: of self-play a round.
        explore_moves: decisions of a game that are drawn from the search's policy.
        buffer_games: games kept to learn from.
        batch: samples a step.
        unroll: K, steps through the model a sample.
        steps: of training a round; 0 counts in epochs.
        epochs, early_epochs, early_rounds: passes over the buffer a round, and in the first rounds.
        learning_rate, final_learning_rate: of the first and the last round, geometric in between.
        value_lambda: of the value's target; 1 is the game's outcome.
        hidden, widths, activation: of the networks.
        loss: what each term counts for.
        measure_every: rounds between exact measurements on games small enough to be solved; 0 is never.
    """

    name: str
    kind: Literal["rules", "model"]
    search: SearchConfig
    play: SearchConfig
    rounds: int = 100
    games: int = 300
    explore_moves: int = 0
    buffer_games: int = 4000
    batch: int = 512
    unroll: int = 6
    steps: int = 0
    epochs: int = 1
    early_epochs: int = 5
    early_rounds: int = 20
    learning_rate: float = 1e-3
    final_learning_rate: float = 1e-3
    value_lambda: float = 1.0
    hidden: int = 256
    widths: tuple[int, ...] = (256, 256)
    activation: ActivationName = "selu"
    loss: LossWeights = field(default_factory=LossWeights)
    measure_every: int = 1

    def __post_init__(self) -> None:
        for name in ("rounds", "games", "buffer_games", "batch", "unroll", "epochs", "early_epochs"):
            _require(name, getattr(self, name), getattr(self, name) >= 1, "at least 1")
        for name in ("explore_moves", "steps", "early_rounds", "measure_every"):
            _require(name, getattr(self, name), getattr(self, name) >= 0, "at least 0")
        for name in ("learning_rate", "final_learning_rate"):
            _require(name, getattr(self, name), 0.0 < getattr(self, name) <= 1.0, "in (0, 1]")
        _require("value_lambda", self.value_lambda, 0.0 <= self.value_lambda <= 1.0, "in [0, 1]")
        _require("kind", self.kind, self.kind in ("rules", "model"), "rules or model")
        for name, weight in vars(self.loss).items():
            _require(f"loss.{name}", weight, 0.0 <= weight <= 1e6, "in [0, 1e6]")

    def network(self, game: Game) -> NetworkConfig:
        """The network for ``game``; checks the sizes."""
        size = observation_size(game)
        if self.kind == "rules":
            return EvaluatorConfig(size, game.num_distinct_actions(), self.widths, self.activation)
        return ModelConfig(size, ActionSet.of(game).size, self.hidden, 4, self.widths, self.activation)

    def learning_rate_at(self, round_index: int) -> float:
        """The learning rate of a round, counted from 0."""
        way = min(1.0, round_index / max(1, self.rounds - 1))
        return float(self.learning_rate * (self.final_learning_rate / self.learning_rate) ** way)

    def steps_at(self, round_index: int, decisions: int) -> int:
        """Training steps of a round, with that many decisions in the buffer."""
        if self.steps:
            return self.steps
        epochs = self.early_epochs if round_index < self.early_rounds else self.epochs
        return epochs * max(1, -(-decisions // self.batch))


_PUCT_SEARCH = SearchConfig(
    simulations=100,
    root="puct",
    interior="puct",
    chance="roulette",
    puct=Puct(form="ndmz", init=1.25),
    dirichlet=Dirichlet(fraction=0.25, alpha=1.0),
    q_normalisation="fixed",
)
_NDMZ_SEARCH = replace(_PUCT_SEARCH, budget="paper", terminal="ancestor", q_normalisation="siblings")
# In self-play over the rules dice fall by lot: the low-variance rule takes the rolls in one order, so a
# search of few simulations never meets the last ones. In play its small variance counts for more.
_GUMBEL_SEARCH = SearchConfig(simulations=16, c_scale=1.0, chance="roulette", q_normalisation="fixed")
_GUMBEL_MODEL_SEARCH = SearchConfig(simulations=16, c_scale=0.3, chance="low_variance")
_GUMBEL_PLAY = SearchConfig(simulations=16, c_scale=0.1, chance="low_variance", q_normalisation="fixed")

PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset("alphazero", "rules", _PUCT_SEARCH, _PUCT_SEARCH, explore_moves=1000),
        Preset(
            "gumbel-alphazero",
            "rules",
            _GUMBEL_SEARCH,
            _GUMBEL_PLAY,
            rounds=24,
            games=600,
            batch=256,
            steps=200,
            learning_rate=3e-3,
            final_learning_rate=2e-4,
            value_lambda=0.8,
            widths=(128, 128, 128),
            activation="relu",
        ),
        Preset(
            "ndmz",
            "model",
            _NDMZ_SEARCH,
            _NDMZ_SEARCH,
            explore_moves=1000,
        ),
        Preset(
            "gumbel-ndmz",
            "model",
            _GUMBEL_MODEL_SEARCH,
            _GUMBEL_PLAY,
            rounds=40,
            games=500,
            batch=128,
            unroll=4,
            steps=200,
            learning_rate=2e-3,
            final_learning_rate=2e-4,
            hidden=64,
            widths=(128, 128),
            loss=LossWeights(chance=0.2, l2=0.0),
        ),
    )
}


def get_preset(name: str) -> Preset:
    """The preset of that name; ValueError with a hint where there is none."""
    if name not in PRESETS:
        raise ValueError(
            f"unknown preset {quote(name)}; {nearest(name, PRESETS)}the presets are {', '.join(PRESETS)}"
        )
    return PRESETS[name]
