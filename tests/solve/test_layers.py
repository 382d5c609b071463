"""Solving layer by layer, against value iteration over a table of all positions."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dicezero.cli.app import main
from dicezero.evaluation.policies import planned_policy
from dicezero.evaluation.yardstick import Yardstick
from dicezero.model.ntuple import TupleJudge
from dicezero.rules import load_game
from dicezero.rules.spec import spec_of
from dicezero.selfplay.making import make_planner
from dicezero.selfplay.planners import Units
from dicezero.solve import solve
from dicezero.solve.layers import has_layers, solve_layers


@pytest.mark.parametrize(
    "name",
    [
        "2048(rows=2,columns=2)",
        "2048(rows=2,columns=3)",
        "2048(rows=3,columns=2)",
        "2048(rows=2,columns=3,max_tile=32)",
        "2048(rows=3,columns=3,max_tile=16)",
    ],
)
def test_layers_have_the_values_of_the_table(name: str) -> None:
    game = load_game(name)
    found, table = solve_layers(game), solve(game)
    assert found.value == pytest.approx(table.initial_value, rel=1e-12)
    assert found.policy_value is None
    assert 0 < found.states < table.states  # symmetric positions are one, and those of chance are none


def test_a_judge_is_valued_as_the_table_values_it() -> None:
    game = load_game("2048(rows=2,columns=3)")
    spec = spec_of(game)
    assert spec.observation is not None
    assert spec.cells is not None
    network = TupleJudge(spec.observation.size, spec.cells)
    rng = np.random.default_rng(3)
    bits = np.packbits(np.ones(network.entries, np.uint8), bitorder="little")
    weights = {"touched": bits, "weights": rng.normal(0.0, 20.0, network.entries).astype(np.float32)}
    found = solve_layers(game, tables=network.player(weights).native)
    solution = solve(game)
    planner = make_planner(network, weights, spec, Units())
    exact = Yardstick(solution).played(planned_policy(planner, solution.positions, None))["mean_return"]
    assert found.policy_value == pytest.approx(exact, rel=1e-9)
    assert found.policy_value is not None
    assert found.policy_value < found.value


def test_what_has_no_layers_or_too_many_states_is_refused() -> None:
    assert not has_layers(load_game("tic_tac_toe"))
    with pytest.raises(ValueError, match="has no layers of positions; use solve"):
        solve_layers(load_game("tic_tac_toe"))
    with pytest.raises(ValueError, match="more than 1000 positions"):
        solve_layers(load_game("2048(rows=3,columns=3)"), max_states=1000)


def test_the_command_goes_layer_by_layer_where_a_table_is_too_large(capsys, monkeypatch) -> None:
    import dicezero.cli.solve as command
    from dicezero.solve import TooLargeError

    def too_large(*_: object, **__: object) -> None:
        raise TooLargeError("more states")

    monkeypatch.setattr(command, "solve_with_progress", too_large)
    assert main(["solve", "2048(rows=2,columns=3)", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["value"] == pytest.approx(480.258271776)
    assert data["states"] == 21_752
    assert data["first_player_win"] is None
    assert main(["solve", "tic_tac_toe"]) == 2


def test_boards_beyond_reach_are_refused_at_once(capsys):
    from dicezero.cli import main

    assert main(["solve", "2048"]) == 2
    assert "take a smaller game" in capsys.readouterr().err
