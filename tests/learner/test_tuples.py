"""Runs of TD(lambda) with n-tuple networks: they learn, resume, stay small on disk, and look further."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dicezero.agents import AgentError, make_agent
from dicezero.agents.learned import RunAgent
from dicezero.evaluation.policies import planned_policy
from dicezero.evaluation.yardstick import Yardstick
from dicezero.learner.loop import train
from dicezero.presets.fits import MisfitError
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.presets.suited import preset_for
from dicezero.rules import load_game
from dicezero.rules.spec import spec_of
from dicezero.runs.checkpoint import read_checkpoint, read_metrics
from dicezero.runs.config import RunConfig
from dicezero.runs.loading import load_run
from dicezero.selfplay.judged import JudgedConfig
from dicezero.selfplay.td import AfterstatePlanner
from dicezero.solve import solve

SMALL = load_game("2048(rows=2,columns=2)")


def small_preset(**settings: str):
    preset = preset_for("td-lambda", spec_of(SMALL))
    return with_settings(preset, {"games": "1500", "measure_every": "0", **settings})


@pytest.fixture(scope="module")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tuples") / "run"
    train(small_preset(), SMALL, folder, rounds=12, seed=1)
    return folder


def test_it_learns_a_solved_board(small_run: Path) -> None:
    solution = solve(SMALL)
    run = load_run(small_run)
    yardstick = Yardstick(solution)
    paid = yardstick.played(planned_policy(run.planner, solution.positions, None))["mean_return"]
    assert solution.initial_value == pytest.approx(66.964149, abs=1e-6)
    assert paid > 0.99 * solution.initial_value
    assert yardstick.random_return < 0.75 * solution.initial_value
    # And what it says of the first decision is about what it is paid.
    state = SMALL.new_initial_state("2.2/0.0")
    assert make_agent(f"run(path={small_run})", SMALL).search(state, seed=0).value == pytest.approx(
        solution.value(state), rel=0.1
    )


def test_looking_further_plays_better(small_run: Path) -> None:
    solution, run = solve(SMALL), load_run(small_run)
    assert isinstance(run.planner, AfterstatePlanner)
    yardstick = Yardstick(solution)
    paid = [
        yardstick.played(planned_policy(run.planner.deeper(JudgedConfig(plies)), solution.positions, None))
        for plies in (1, 6)
    ]
    assert paid[1]["mean_return"] >= paid[0]["mean_return"] - 1e-9
    assert paid[1]["mean_return"] > 0.998 * solution.initial_value


def test_a_run_resumes_to_the_same_tables(small_run: Path, tmp_path: Path) -> None:
    other = tmp_path / "run"
    train(small_preset(), SMALL, other, rounds=5, seed=1)
    train(small_preset(), SMALL, other, rounds=12, seed=1, resume=True)
    first, second = read_checkpoint(small_run), read_checkpoint(other)
    assert first is not None
    assert second is not None
    for name, array in first.weights.items():
        np.testing.assert_array_equal(second.weights[name], array)
    lines = [[line["mean_return"] for line in read_metrics(folder)] for folder in (small_run, other)]
    assert lines[0] == lines[1]
    assert len(lines[0]) == 12


def test_a_large_run_keeps_the_last_round_only_and_little_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game("2048(rows=2,columns=3)")
    preset = with_settings(preset_for("td-lambda", spec_of(game)), {"games": "3", "measure_every": "0"})
    monkeypatch.setattr("dicezero.learner.loop._LARGE", 100_000)  # 4x4 has 67 million
    train(preset, game, tmp_path / "run", rounds=2, seed=0)
    assert RunConfig.read(tmp_path / "run").keep_every == 0
    files = list((tmp_path / "run").glob("*.safetensors"))
    assert len(files) == 2
    assert sum(file.stat().st_size for file in files) < 60_000  # of a megabyte: what was reached
    assert preset_for("td-lambda", spec_of(load_game("2048"))).architecture == "ntuple"


def test_plies_belong_to_runs_that_judge(small_run: Path, tmp_path: Path) -> None:
    agent = make_agent(f"run(path={small_run},plies=2)", SMALL)
    state = SMALL.new_initial_state("2.4/2.0")
    result = agent.search(state, seed=0)
    assert result.stopped == "depth"
    assert result.nodes > 4
    assert isinstance(agent, RunAgent)
    assert agent.actions([state], [0]) == [result.action]
    with pytest.raises(AgentError, match=r"run: plies=0 must be in 1\.\.20"):
        make_agent(f"run(path={small_run},plies=0)", SMALL)
    game = load_game("tic_tac_toe")
    searching = with_settings(
        PRESETS["gumbel-alphazero"], {"games": "2", "steps": "1", "simulations": "2", "measure_every": "0"}
    )
    train(searching, game, tmp_path / "run", rounds=1, seed=0)
    with pytest.raises(AgentError, match=r"plies=2, but .* judges no moves but searches; give simulations"):
        make_agent(f"run(path={tmp_path / 'run'},plies=2)", game)


def test_tables_are_refused_where_they_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="architecture='ntuple' must be mlp or board"):
        with_settings(PRESETS["gumbel-alphazero"], {"architecture": "ntuple"})
    with pytest.raises(ValueError, match="updates='replay' must be online"):
        with_settings(PRESETS["td-lambda"], {"architecture": "ntuple"})
    tables = with_settings(PRESETS["td-lambda"], {"updates": "online"})
    tables = with_settings(tables, {"architecture": "ntuple"})
    with pytest.raises(MisfitError, match="cells: architecture=ntuple needs"):
        train(tables, load_game("tic_tac_toe"), tmp_path / "run", rounds=1)
    assert not (tmp_path / "run").exists()
    with pytest.raises(ValueError, match="lanes=0"):
        small_preset(**{"tuples.lanes": "0"})
