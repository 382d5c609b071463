"""What a search reports, why it stops, and what it says to bad input."""

import math
import os
import signal
import threading
import time

import pytest

from dicezero import _native
from dicezero.search.explicit import ExplicitGame, ExplicitState
from dicezero.search.minimax import MinimaxConfig, ProbCut, Recording, minimax_search


def connect_four(moves=""):
    game = _native.ConnectFour()
    state = game.new_initial_state()
    for column in moves:
        state.apply_action(int(column))
    return game, state


def test_the_value_is_for_whoever_is_to_move():
    game, state = connect_four("011223")  # x has three stones in no line; o too
    first = minimax_search(game, state, MinimaxConfig(depth=3)).value
    state.apply_action(6)
    assert state.current_player() == 1
    assert minimax_search(game, state, MinimaxConfig("minimax", depth=1)).value != first
    win, mover = connect_four("3434340")  # o completes nothing yet, x threatens column 3
    assert mover.current_player() == 1
    assert minimax_search(win, mover, MinimaxConfig(depth=2)).action == 4


def test_reports_a_win_in_one():
    game, state = connect_four("343434")
    result = minimax_search(game, state, MinimaxConfig(depth=4))
    assert (result.action, result.value, result.principal_variation) == (3, 1.0, (3,))
    assert result.stopped == "complete"  # proved, whatever the depth
    assert result.action_values == {3: 1.0}
    assert sum(result.visits.values()) == result.nodes - 1


def test_a_depth_is_reported():
    game, state = connect_four()
    result = minimax_search(game, state, MinimaxConfig(depth=5))
    assert (result.stopped, result.details["depth"]) == ("depth", 5)
    assert len(result.principal_variation) >= 1
    assert 0 < result.leaves < result.nodes
    assert result.cutoffs > 0
    assert result.details["evaluation"] == "the game's"


def test_a_node_budget_deepens_and_stops():
    game, state = connect_four()
    small = minimax_search(game, state, MinimaxConfig(max_nodes=200))
    large = minimax_search(game, state, MinimaxConfig(max_nodes=20_000))
    assert small.stopped == large.stopped == "nodes"
    assert (small.nodes, large.nodes) == (200, 20_000)
    assert 1 <= small.details["depth"] < large.details["depth"]
    assert large.action == 3  # the centre


def test_a_search_stopped_before_its_first_move_plays_the_first_in_order():
    game, state = connect_four()
    config = MinimaxConfig(algorithm="alphabeta", depth=42, max_nodes=20_000, iterative=False)
    result = minimax_search(game, state, config)
    assert result.stopped == "nodes"
    assert result.action == 3  # the centre


def test_one_node_is_enough_for_a_legal_move():
    game, state = connect_four()
    result = minimax_search(game, state, MinimaxConfig(max_nodes=1))
    assert result.action in state.legal_actions()
    assert result.stopped == "nodes"


def test_a_time_budget_stops():
    game, state = connect_four()
    start = time.perf_counter()
    result = minimax_search(game, state, MinimaxConfig(max_seconds=0.1))
    assert result.stopped == "time"
    assert 0.09 < time.perf_counter() - start < 5.0
    assert result.details["depth"] >= 4


def test_a_budget_that_is_not_needed_is_not_used():
    game = _native.TicTacToe()
    result = minimax_search(game, game.new_initial_state(), MinimaxConfig(max_nodes=10**9))
    assert (result.stopped, result.value, result.details["depth"]) == ("complete", 0.0, 9)


def test_one_legal_move_can_be_played_unsearched():
    game = ExplicitGame.parse([[3, 5, 1]])
    root = game.new_initial_state()
    result = minimax_search(game, root, MinimaxConfig(skip_forced=True, depth=None), record=Recording())
    assert (result.action, result.stopped, result.nodes) == (0, "one legal move", 0)
    assert result.tree is None
    assert minimax_search(game, root).value == 1


@pytest.mark.parametrize("foreign", [False, True])
def test_ctrl_c_returns_the_best_so_far(foreign):
    game = _native.ConnectFour()
    config = MinimaxConfig(iterative=True, depth=None)
    evaluate = (lambda _state, _player: 0.0) if foreign else None
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    result = minimax_search(game, game.new_initial_state(), config, evaluate=evaluate)
    timer.join()
    assert result.stopped == "interrupted"
    assert result.action in range(7)
    assert result.details["depth"] >= 1


def test_other_signals_raise_as_their_handler_says():
    class AlarmError(Exception):
        pass

    def handler(_number, _frame):
        raise AlarmError

    game, state = connect_four()
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(AlarmError):
            minimax_search(game, state, MinimaxConfig(depth=None))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("algorithm", "maximin"),
        ("depth", -1),
        ("depth", 0),
        ("depth", 2.5),
        ("depth", True),
        ("max_nodes", 0),
        ("max_seconds", 0.0),
        ("max_seconds", math.nan),
        ("ordering", "best"),
        ("table_entries", -1),
        ("chance_pruning", "star3"),
        ("quiescence", -1),
        ("beam", 0),
        ("singular_margin", -0.1),
        ("singular_extensions", -1),
        ("probcut", 3),
        ("iterative", 1),
    ],
)
def test_bad_settings_are_refused_by_name(field, value):
    with pytest.raises(ValueError, match=field):
        MinimaxConfig(**{field: value})


def test_bad_probcut_is_refused():
    with pytest.raises(ValueError, match=r"probcut\.shallow=4"):
        ProbCut(depth=4, shallow=4)
    with pytest.raises(ValueError, match=r"probcut\.slope"):
        ProbCut(depth=4, shallow=2, slope=0.0)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_a_game_with_chance_needs_expectiminimax(algorithm):
    game = _native.Nannon()
    state = game.new_initial_state()
    state.apply_action(0)
    with pytest.raises(ValueError, match="use expectiminimax"):
        minimax_search(game, state, MinimaxConfig(algorithm, depth=2))


def test_a_state_without_a_move_is_refused():
    game = _native.Nannon()
    with pytest.raises(ValueError, match="chance node"):
        minimax_search(game, game.new_initial_state(), MinimaxConfig("expectiminimax", depth=1))
    won, state = connect_four("3434343")
    with pytest.raises(ValueError, match="game is over"):
        minimax_search(won, state)


def test_a_game_without_an_end_asks_for_a_depth():
    game = _native.Nannon()
    state = game.new_initial_state()
    state.apply_action(0)
    with pytest.raises(ValueError, match="give a depth or a budget"):
        minimax_search(game, state, MinimaxConfig("expectiminimax", depth=None))


@pytest.mark.parametrize(
    ("name", "why"), [("kuhn_poker", "perfect information"), ("matrix_pd", "turn-based")]
)
def test_games_that_do_not_suit_are_refused(name, why):
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(name)
    with pytest.raises(ValueError, match=why):
        minimax_search(game, game.new_initial_state(), MinimaxConfig("expectiminimax", depth=None))


def test_an_evaluation_that_raises_keeps_its_exception_and_names_the_state():
    game, state = connect_four("33")

    def broken(_state, _player):
        raise ZeroDivisionError("no weights")

    with pytest.raises(ZeroDivisionError, match="no weights") as caught:
        minimax_search(game, state, MinimaxConfig(depth=2), evaluate=broken)
    assert any("raised by evaluate" in note and "...x..." in note for note in caught.value.__notes__)


@pytest.mark.parametrize("value", [math.nan, None, "0.5", True, 1.5, -math.inf])
def test_an_evaluation_that_is_no_utility_is_refused(value):
    game, state = connect_four("33")
    with pytest.raises(ValueError, match=r"evaluate returned .*\n.*\.\.\.") as caught:
        minimax_search(game, state, MinimaxConfig(depth=2), evaluate=lambda _state, _player: value)
    assert repr(value) in str(caught.value)


def test_is_quiet_that_raises_names_the_state():
    game, state = connect_four("33")

    def broken(_state):
        raise KeyError("x")

    with pytest.raises(KeyError) as caught:
        minimax_search(game, state, MinimaxConfig(depth=2, quiescence=2), is_quiet=broken)
    assert any("raised by is_quiet" in note for note in caught.value.__notes__)


class BrokenState(ExplicitState):
    """Raises on its third move."""

    def apply_action(self, action):
        """Raises on the third move."""
        if len(self.history()) == 2:
            raise RuntimeError("the dice fell off the table")
        super().apply_action(action)

    def clone(self):
        """A copy as broken as this one."""
        return BrokenState(self._game, self._path, self._at)


def test_a_python_game_that_raises_half_way_gives_one_clear_error():
    game = ExplicitGame.parse([[[1, 2], 3], 4])
    state = BrokenState(game)
    with pytest.raises(RuntimeError, match="the dice fell off the table") as caught:
        minimax_search(game, state)
    assert caught.value.__context__ is None
    assert state.history() == []


def test_the_state_is_left_as_it_was():
    game, state = connect_four("334")
    before = state.serialize()
    minimax_search(game, state, MinimaxConfig(depth=4))
    assert state.serialize() == before


def test_the_principal_variation_leads_to_the_value():
    game, state = connect_four("3333324156002255")
    result = minimax_search(game, state, MinimaxConfig(depth=None))
    assert result.stopped == "complete"
    for action in result.principal_variation:
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns()[0] == result.value


@pytest.mark.parametrize("name", ["TicTacToe", "ConnectFour", "Nannon"])
def test_native_evaluations_are_utilities_and_fair(name):
    """One ply from the start, seen by either player: within (-1, 1), and worth the opposite to the other."""
    game = getattr(_native, name)()
    for moves in range(12):
        state = game.new_initial_state()
        for i in range(moves):
            if not state.is_terminal():
                state.apply_action(state.legal_actions()[i % len(state.legal_actions())])
        if state.is_terminal() or state.is_chance_node():
            continue
        result = minimax_search(game, state, MinimaxConfig("expectiminimax", depth=1, chance_pruning="none"))
        undecided = [a for a in state.legal_actions() if not state.child(a).is_terminal()]
        assert all(-1.0 < result.action_values[a] < 1.0 for a in undecided)


def test_nannons_evaluation_counts_the_race():
    game = _native.Nannon()
    state = game.new_initial_state()
    for action in (4, 2):  # x rolls 5 and bears its foremost checker off
        state.apply_action(action)
    state.apply_action(0)
    behind = minimax_search(game, state, MinimaxConfig("expectiminimax", depth=1)).value
    assert state.current_player() == 1
    assert behind < 0.0
