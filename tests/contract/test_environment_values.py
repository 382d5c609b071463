"""Environments by hand: values with and without truncation, policies by discount, what breaks half-way."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dicezero import load_game
from dicezero.cli import main
from dicezero.evaluation.alone import play_episodes
from dicezero.learner.loop import train
from dicezero.presets.settings import with_settings
from dicezero.presets.suited import preset_for
from dicezero.replay.values import ValueTarget, value_targets
from dicezero.rules import spec_of
from dicezero.runs.manifest import Manifest
from dicezero.search.config import SearchConfig
from dicezero.selfplay.planners import Decisions
from dicezero.selfplay.play import play_games

sys.path.append(str(Path(__file__).parents[1] / "learner"))
from tiny import contents

gymnasium = pytest.importorskip("gymnasium")
DISCOUNT = 0.9


class Annuity:
    """Pays 1 a step; after five steps it is over, or cut off although it would go on for ever."""

    discount = DISCOUNT

    def __init__(self, *, ends: bool) -> None:
        self.observation_space = gymnasium.spaces.Box(0.0, 5.0, (1,))
        self.action_space = gymnasium.spaces.Discrete(2)
        self.ends, self.time = ends, 0

    def reset(self, seed: int | None = None) -> tuple[Any, dict[str, Any]]:
        del seed
        self.time = 0
        return self.seen(), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        del action
        self.time += 1
        last = self.time == 5
        return self.seen(), 1.0, last and self.ends, last and not self.ends, {}

    def seen(self) -> Any:
        return np.array([self.time], np.float32)


class Knowing:
    """A planner that knows what an annuity is worth, and moves left."""

    afterstates = False

    def __init__(self, *, ends: bool) -> None:
        self.ends = ends

    def predict(self, positions: Any) -> tuple[Any, Any]:
        return np.zeros(positions.legal.shape, np.float32), self.worth(positions.observation[:, 0])

    def search(self, positions: Any, config: Any, seeds: Any, *, noise: bool) -> Decisions:
        del config, seeds, noise
        count = len(positions.legal)
        value = self.worth(positions.observation[:, 0])
        policy = np.tile(np.array([1.0, 0.0], np.float32), (count, 1))
        return Decisions(np.zeros(count, np.int32), policy, value, policy.astype(np.int32), policy)

    def worth(self, time: Any) -> Any:
        """1 + 0.9 + 0.81 ... of the steps that are left, or of infinitely many."""
        left = 5 - time if self.ends else np.inf
        return ((1.0 - DISCOUNT**left) / (1.0 - DISCOUNT) * np.ones_like(time)).astype(np.float32)


@pytest.mark.parametrize("ends", [True, False])
@pytest.mark.parametrize(
    "target",
    [
        ValueTarget("outcome", discount=DISCOUNT),
        ValueTarget("n_step", td_steps=2, discount=DISCOUNT),
        ValueTarget("n_step", td_steps=9, discount=DISCOUNT),
        ValueTarget("lambda", value_lambda=0.7, discount=DISCOUNT),
    ],
)
def test_the_value_of_an_annuity_to_six_digits(ends: bool, target: ValueTarget):
    """Over after five steps it is 4.0951, then 3.439, ...; cut off there it is 10 at every step."""
    game = load_game(Annuity(ends=ends))  # type: ignore[arg-type]
    search = SearchConfig(simulations=2, discount=DISCOUNT)
    (episode,) = play_games(game, Knowing(ends=ends), search, games=[0], seed=0, round_index=0)
    assert episode.truncated == (not ends)
    found = value_targets(episode, target)[:5]
    assert found == pytest.approx([4.0951, 3.439, 2.71, 1.9, 1.0] if ends else [10.0] * 5, rel=1e-6)
    # Were a cut taken for an end, the first value would be wrong by a factor of more than two.
    assert episode.value[-1] == pytest.approx(0.0 if ends else 10.0, rel=1e-6)


CORRIDOR = """
import gymnasium
import numpy as np


class Corridor:
    '''Leave at once for 0.9, or walk three steps for 1.'''

    discount = DISCOUNT
    observation_space = gymnasium.spaces.Box(0.0, 1.0, (3,))
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, seed=None):
        self.place = 0
        return np.eye(3, dtype=np.float32)[0], {}

    def step(self, action):
        if action == 0:
            return np.eye(3, dtype=np.float32)[self.place], 0.9 if self.place == 0 else 0.0, True, False, {}
        self.place += 1
        over = self.place == 3
        return np.eye(3, dtype=np.float32)[min(self.place, 2)], float(over), over, False, {}
"""


@pytest.mark.parametrize(("discount", "paid", "steps"), [("0.99", 1.0, 3), ("0.8", 0.9, 1)])
def test_the_discount_decides_what_is_learned(discount: str, paid: float, steps: int, tmp_path):
    """Walking is worth 0.9801 or 0.64 against the 0.9 of leaving."""
    from dicezero.agents import make_agent

    (tmp_path / "corridor.py").write_text(CORRIDOR.replace("DISCOUNT", discount))
    game = load_game_file(tmp_path / "corridor.py", "Corridor")
    small = {"games": "40", "batch": "32", "steps": "60", "hidden": "16", "widths": "32", "unroll": "3"}
    preset = with_settings(
        preset_for("gumbel-muzero", spec_of(game)), small | {"measure_every": "0", "value_limit": "10"}
    )
    train(preset, game, tmp_path / "run", rounds=6)
    agent = make_agent(f'run(path="{tmp_path / "run"}")', game)
    found = play_episodes(game, agent, episodes=4, seed=0)
    assert found.mean_return == pytest.approx(paid)
    assert found.mean_length == steps


def load_game_file(path: Path, name: str) -> Any:
    from dicezero.cli.load import load

    return load(f"{path}:{name}")


FLAKY = """
import os

import gymnasium
import numpy as np


class Flaky:
    '''Four steps an episode; from its twentieth step on it does what FLAKY says.'''

    observation_space = gymnasium.spaces.Box(0.0, 1.0, (2,))
    action_space = gymnasium.spaces.Discrete(2)
    steps = 0

    def reset(self, seed=None):
        self.time = 0
        return np.zeros(2, np.float32), {}

    def step(self, action):
        self.time += 1
        Flaky.steps += 1
        seen, paid, what = np.full(2, self.time / 4, np.float32), float(action), ""
        if Flaky.steps > 20:
            what = os.environ.get("FLAKY", "")
        if what == "raises":
            raise RuntimeError("the rotor\\nis gone")
        if what == "nan reward":
            paid = float("nan")
        if what == "nan seen":
            seen[0] = np.nan
        if what == "shape":
            seen = np.zeros(3, np.float32)
        if what == "four":
            return seen, paid, False, {}
        return seen, paid, self.time == 4, False, {}
"""
TINY = {
    "games": "3",
    "batch": "8",
    "steps": "2",
    "simulations": "2",
    "hidden": "8",
    "widths": "8",
    "unroll": "2",
    "measure_every": "0",
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run of three rounds that nothing happened to."""
    folder = tmp_path_factory.mktemp("flaky")
    (folder / "flaky.py").write_text(FLAKY)
    assert main(words(folder, folder / "whole")) == 0
    return folder


def words(folder: Path, out: Path) -> list[str]:
    settings = [word for key, value in TINY.items() for word in ("--set", f"{key}={value}")]
    game = f"{folder / 'flaky.py'}:Flaky"
    return ["train", "gumbel-muzero", "--game", game, "--out", str(out), "--rounds", "3", *settings, "--json"]


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("raises", "step() raised RuntimeError: the rotor is gone"),
        ("nan reward", "a reward is nan"),
        ("nan seen", "not finite"),
        ("shape", "shape (3,)"),
        ("four", "that is Gymnasium's form"),
    ],
)
def test_what_breaks_half_way_leaves_the_last_round(
    what: str, said: str, whole, tmp_path, capsys, monkeypatch
):
    monkeypatch.setenv("FLAKY", what)
    capsys.readouterr()
    assert main(words(whole, tmp_path / "run")) == 2
    out, err = capsys.readouterr()
    assert out == ""
    told = [line for line in err.splitlines() if not line.startswith("round ")]  # progress aside
    assert len(told) == 1
    assert said in told[0]
    assert Manifest.read(tmp_path / "run").round == 1
    monkeypatch.delenv("FLAKY")
    assert main([*words(whole, tmp_path / "run"), "--resume"]) == 0
    assert contents(tmp_path / "run") == contents(whole / "whole")
