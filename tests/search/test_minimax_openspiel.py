"""Equal to OpenSpiel's minimax and expectiminimax on 2,000 random positions of four games."""

import random
import zlib

import pytest

from dicezero import _native
from dicezero.rules import register_with_pyspiel
from dicezero.search.minimax import MinimaxConfig, minimax_search

pyspiel = pytest.importorskip("pyspiel")
openspiel_minimax = pytest.importorskip("open_spiel.python.algorithms.minimax")

POSITIONS = 500


def spread(state, player):
    """Any number in [-1, 1] that depends on the printed position alone, the same for both libraries."""
    value = zlib.crc32(str(state).strip().encode()) / 2**31 - 1.0
    return value if player == 0 else -value


def positions(game, most_plies, seed):
    rng = random.Random(seed)
    found = 0
    while found < POSITIONS:
        state = game.new_initial_state()
        for _ in range(rng.randint(0, most_plies)):
            if state.is_terminal():
                break
            state.apply_action(rng.choice(state.legal_actions()))
        while state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_terminal():
            found += 1
            yield state


def replay(game, history):
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


def test_tic_tac_toe_to_the_end():
    theirs = pyspiel.load_game("tic_tac_toe")
    ours = _native.TicTacToe()
    known, to_the_end = {}, MinimaxConfig(depth=None)
    for state in positions(theirs, 9, seed=1):
        key = str(state)
        if key not in known:
            known[key] = openspiel_minimax.alpha_beta_search(theirs, state=state)[0]
        mine = replay(ours, state.history())
        assert minimax_search(ours, mine, to_the_end).value == known[key]
        if state.move_number() >= 3:  # OpenSpiel's own rules, searched by us
            assert minimax_search(theirs, state, to_the_end).value == known[key]


def test_connect_four_to_a_depth():
    theirs = pyspiel.load_game("connect_four")
    ours = _native.ConnectFour()
    config = MinimaxConfig(depth=3)
    for i, state in enumerate(positions(theirs, 36, seed=2)):
        me = state.current_player()
        expected, _ = openspiel_minimax.alpha_beta_search(
            theirs, state=state, value_function=lambda s, me=me: spread(s, me), maximum_depth=3
        )
        mine = replay(ours, state.history())
        assert minimax_search(ours, mine, config, evaluate=spread).value == pytest.approx(expected, abs=1e-12)
        if i % 5 == 0:
            assert minimax_search(theirs, state, config, evaluate=spread).value == pytest.approx(
                expected, abs=1e-12
            )


def test_pig_where_a_player_moves_many_times_running():
    game = pyspiel.load_game("pig(winscore=15)")
    for state in positions(game, 12, seed=3):
        me = state.current_player()
        expected, _ = openspiel_minimax.expectiminimax(state, 2, lambda s, me=me: spread(s, me), me)
        for pruning in ("star1", "star2"):
            config = MinimaxConfig("expectiminimax", depth=2, chance_pruning=pruning)
            assert minimax_search(game, state, config, evaluate=spread).value == pytest.approx(
                expected, abs=1e-9
            )


def test_nannon_through_pyspiel():
    register_with_pyspiel()
    theirs = pyspiel.load_game("nannon")
    ours = _native.Nannon()
    config = MinimaxConfig("expectiminimax", depth=2)
    for i, state in enumerate(positions(theirs, 40, seed=4)):
        me = state.current_player()
        expected, _ = openspiel_minimax.expectiminimax(state, 2, lambda s, me=me: spread(s, me), me)
        mine = replay(ours, state.history())
        assert minimax_search(ours, mine, config, evaluate=spread).value == pytest.approx(expected, abs=1e-9)
        if i % 5 == 0:
            found = minimax_search(theirs, state, config, evaluate=spread)
            assert found.value == pytest.approx(expected, abs=1e-9)
