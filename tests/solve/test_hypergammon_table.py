"""Hypergammon by positions before a roll, against the general solver on whole states."""

import threading
import time

import numpy as np
import pytest

from dicezero import _native, load_game
from dicezero.solve import solve
from dicezero.solve.hypergammon import hyper_number, solve_hypergammon


def test_every_state_is_worth_what_the_general_solver_says():
    game = load_game("backgammon(start=hyper1)")
    found, solution = solve_hypergammon(1, tolerance=1e-12), solve(game)
    assert found.first_player_value(game.new_initial_state()) == pytest.approx(
        solution.initial_value, abs=1e-10
    )
    rng, compared = np.random.default_rng(1), 0
    for _ in range(60):
        state = game.new_initial_state()
        while not state.is_terminal():
            value = solution.first_player_value(state)
            assert found.first_player_value(state) == pytest.approx(value, abs=1e-10)
            compared += 1
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert compared > 300


def test_two_checkers_are_solved_in_seconds():
    game = load_game("backgammon(start=hyper2)")
    heard = []
    found = solve_hypergammon(2, progress=heard.append)
    assert found.first_player_value(game.new_initial_state()) == pytest.approx(0.113330, abs=1e-6)
    assert (found.positions, len(found.sides)) == (106_552, 351)
    assert "positions" in heard[0]
    assert "sweep" in heard[-1]


def test_sides_have_numbers_and_wrong_ones_are_refused():
    for checkers in (1, 2):
        sides = solve_hypergammon(checkers, tolerance=1.0).sides
        assert [hyper_number(side) for side in sides.tolist()] == list(range(len(sides)))
    with pytest.raises(ValueError, match="no side of hypergammon"):
        hyper_number([4] + [0] * 25)
    with pytest.raises(ValueError, match=r"checkers=4 is out of range; give 1\.\.3"):
        solve_hypergammon(4)


def test_a_table_at_work_is_not_read_by_another_thread():
    table, refused = _native.HyperTable(2), 0
    worker = threading.Thread(target=table.build, args=(table.positions,))
    worker.start()
    time.sleep(0.05)  # by then it is at work, for about a second
    while worker.is_alive():
        try:
            table.equity()
        except RuntimeError as error:
            refused += "at work already" in str(error)
    worker.join()
    assert refused
    assert table.built == table.positions
