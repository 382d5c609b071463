"""When a Monte Carlo search stops: budgets, metareasoning, Ctrl-C; and its play-out policies."""

import random
import signal
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uct_positions import played, search

from dicezero.rules import load_game
from dicezero.search.explicit import ExplicitGame
from dicezero.search.uct import UctConfig, uct_search


def random_position(name, seed, moves):
    generator = random.Random(seed)
    state = load_game(name).new_initial_state()
    for _ in range(moves):
        if state.is_terminal():
            break
        state.apply_action(generator.choice(state.legal_actions()))
    return state


class TestMetareasoning:
    def test_one_legal_move(self):
        state = ExplicitGame.parse([[1.0, -1.0]]).new_initial_state()
        found = search(state, simulations=1000, stop_forced=True)
        assert (found.action, found.stopped) == (0, "one legal move")
        assert found.details["simulations"] + found.details["saved"] == 1000
        assert search(state, simulations=1000).stopped == "simulations"

    @settings(max_examples=40, deadline=None)
    @given(
        st.sampled_from(["tic_tac_toe", "nannon", "connect_four"]),
        st.integers(0, 10_000),
        st.integers(0, 8),
        st.sampled_from(["visits", "mean"]),
        st.sampled_from([40, 300, 2000]),
    )
    def test_decided_never_changes_the_move(self, name, seed, moves, final, simulations):
        state = random_position(name, seed, moves)
        if state.is_terminal() or state.is_chance_node():
            return
        early = search(state, seed, simulations=simulations, final=final, stop_decided=True)
        full = search(state, seed, simulations=simulations, final=final)
        assert early.action == full.action
        assert early.details["simulations"] + early.details["saved"] == simulations

    def test_decided_saves_where_a_win_is_at_hand(self):
        found = search(played("tic_tac_toe", 0, 3, 1, 4), simulations=10_000, c=0.5, stop_decided=True)
        assert found.stopped == "decided"
        assert found.action == 2
        assert found.details["saved"] > 1000

    def test_tied(self):
        tree = [[0.1, 0.1], [0.1, 0.1]]
        state = ExplicitGame.parse([*tree, [-1.0, 1.0]]).new_initial_state()
        found = search(state, simulations=100_000, tie_bound=0.1)
        assert found.stopped == "tied"
        assert found.action in (0, 1)
        assert found.details["saved"] > 0
        assert search(state, simulations=3000).stopped == "simulations"

    def test_a_clear_leader_is_not_a_tie(self):
        state = ExplicitGame.parse([1.0, -1.0]).new_initial_state()
        found = search(state, simulations=3000, tie_bound=0.1)
        # Surely worse moves are out of the race, so the winner alone remains.
        assert found.action == 0


class TestBudgets:
    def test_seconds(self):
        start = time.perf_counter()
        found = search(played("connect_four"), seconds=0.2)
        assert found.stopped == "time"
        assert 0.15 < time.perf_counter() - start < 2.0
        assert found.details["simulations"] > 1000

    def test_whichever_ends_first(self):
        assert search(played("connect_four"), simulations=10, seconds=60.0).stopped == "simulations"

    def test_nodes(self):
        found = search(played("connect_four"), seconds=60.0, max_nodes=5000)
        assert found.stopped == "nodes"
        assert 5000 <= found.nodes < 5100

    @pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs signals")
    @pytest.mark.parametrize("native", [True, False])
    def test_ctrl_c_gives_the_best_so_far(self, native):
        if native:
            state = played("connect_four", 3)
        else:
            state = pytest.importorskip("pyspiel").load_game("connect_four").new_initial_state()

        def press(*_):
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, press)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try:
            found = search(state, seconds=60.0)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before)
        assert found.stopped == "interrupted"
        assert found.details["simulations"] > 0
        assert found.action in state.legal_actions()


class TestPlayouts:
    def test_the_users_own(self):
        """A policy that always takes the lowest square makes play-outs certain."""
        state = played("tic_tac_toe")
        calls = []

        def lowest(position, generator):
            calls.append(generator.random())
            return position.legal_actions()[0]

        found = uct_search(state.get_game(), state, UctConfig(simulations=20), seed=1, playout=lowest)
        again = calls.copy()
        calls.clear()
        assert (
            uct_search(state.get_game(), state, UctConfig(simulations=20), seed=1, playout=lowest).visits
            == found.visits
        )
        assert calls == again  # the generator is named by the seed

    @pytest.mark.parametrize("playout", ["greedy", "softmax"])
    @pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "nannon"])
    def test_evaluation_biased(self, playout, name):
        state = played(name)
        if state.is_chance_node():
            state.apply_action(2)
        found = search(state, simulations=200, playout=playout)
        assert sum(found.visits.values()) == 200
        assert found.visits != search(state, simulations=200).visits

    def test_greedy_follows_the_evaluation(self):
        """With epsilon 0 and an evaluation that knows the answer every play-out is perfect."""
        tree = [[[1.0, -1.0], [1.0, -1.0]], [[-1.0, -1.0], [-1.0, -1.0]]]
        game = ExplicitGame.parse(tree)
        state = game.new_initial_state()

        def knows(_, player):
            return 1.0 if player == 0 else -1.0

        config = UctConfig(simulations=2, playout="greedy", playout_epsilon=0.0, order="id")
        found = uct_search(game, state, config, seed=1, evaluate=knows)
        assert found.action_values == {0: 1.0, 1: -1.0}

    def test_softmax_follows_the_temperature(self):
        game = ExplicitGame.parse({"player": 0, "children": [{"player": 0, "children": [0.5, -0.5]}]})
        config = {"simulations": 1, "playouts": 4000, "playout": "softmax"}
        for temperature, wins in ((1.0, 1 / (1 + 2.718281828**-1.0)), (0.25, 1 / (1 + 2.718281828**-4.0))):
            found = uct_search(
                game,
                game.new_initial_state(),
                UctConfig(**config, playout_temperature=temperature),
                seed=1,
                evaluate=lambda *_: 0.0,
            )
            assert found.value == pytest.approx(wins - 0.5, abs=0.03)
