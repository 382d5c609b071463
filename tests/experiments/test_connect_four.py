"""Runs on Connect Four beside the solver: what is counted, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from dicezero.agents.learned import RunAgent
from dicezero.agents.learned_config import RunAgentConfig
from dicezero.cli import main
from dicezero.experiments.connect_four import own_games, won_games, won_openings
from dicezero.experiments.perfect import PerfectPlay, state_after
from dicezero.learner.loop import train
from dicezero.presets.registry import get_preset
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game


@pytest.fixture(scope="module")
def perfect() -> PerfectPlay:
    return PerfectPlay()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    settings = {"games": "4", "steps": "1", "batch": "8", "simulations": "2", "measure_every": "0"}
    folder = tmp_path_factory.mktemp("runs") / "c4"
    train(
        with_settings(get_preset("gumbel-alphazero"), settings), load_game("connect_four"), folder, rounds=1
    )
    return folder


def test_openings_are_won_but_not_with_the_next_stone(perfect: PerfectPlay) -> None:
    game = load_game("connect_four")
    lines = won_openings(perfect, count=8, seed=3)
    assert len({str(state_after(game, line)) for line in lines}) == 8
    for line in lines:
        state, scores = state_after(game, line), perfect.scores(line)
        assert scores.max() > 0
        for column in state.legal_actions():
            after = state.clone()
            after.apply_action(column)
            assert not after.is_terminal()


class _Solved(RunAgent):
    """The solver in the place of a network: what is measured of it must be perfect."""

    def __init__(self, perfect: PerfectPlay) -> None:
        self.name, self.game, self._perfect = "solved", load_game("connect_four"), perfect

    def actions(self, states, seeds):  # type: ignore[no-untyped-def]
        return self._perfect.actions(states, seeds)


def test_perfect_play_agrees_everywhere_and_wins_what_is_won(perfect: PerfectPlay) -> None:
    solved = _Solved(perfect)
    own = own_games(solved, perfect, games=9, seed=0)
    assert own["agreement"] == own["decisive_agreement"] == 1.0
    assert 0 < own["decisive_positions"] < own["positions"]
    assert won_games(solved, perfect, won_openings(perfect, count=4, seed=0))["wins"] == 4


def test_a_beginner_does_not(perfect: PerfectPlay, run: Path) -> None:
    agent = RunAgent("run", load_game("connect_four"), RunAgentConfig(str(run), 2))
    own = own_games(agent, perfect, games=9, seed=0)
    assert own["decisive_agreement"] < 0.95
    low, high = own["agreement_ci95"]
    assert low < own["agreement"] < high
    assert np.isclose(own["agreement"] * own["positions"], round(own["agreement"] * own["positions"]))


def test_the_command_writes_what_it_found(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["reproduce", "connect-four", "--runs", str(run), "--simulations", "0,2", "--scale", "0.02"]
    assert main([*words, "--out", str(tmp_path), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    kept = json.loads((tmp_path / "connect-four.json").read_text())
    assert [row["simulations"] for row in kept["measured"]] == [0, 2]
    assert kept["measured"] == printed["measured"]


def test_each_variant_is_measured(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["reproduce", "connect-four", "--runs", str(run), "--simulations", "2", "--scale", "0.02"]
    variants = ["proof_nodes=0", "proof_nodes=20000"]
    assert main([*words, "--out", str(tmp_path), "--variants", *variants, "--json"]) == 0
    without, proving = json.loads(capsys.readouterr().out)["measured"]
    assert [row["variant"] for row in (without, proving)] == variants
    assert without["decisive_agreement"] < proving["decisive_agreement"]  # late moves are proved
    assert main([*words, "--out", str(tmp_path), "--variants", "proof_node=1"]) == 2
    assert "did you mean proof_nodes?" in capsys.readouterr().err


def test_without_runs_it_says_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "connect-four"]) == 2
    assert "--runs" in capsys.readouterr().err
