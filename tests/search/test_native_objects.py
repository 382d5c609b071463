"""Objects with native state: one caller at a time, every index checked, and seen by the garbage collector."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest
from paying_game import PayingGame

from dicezero import _native
from dicezero.agents import make_agent
from dicezero.rules import load_game
from dicezero.search.config import SearchConfig
from dicezero.search.plan import plan_states
from dicezero.search.uct import UctConfig, UctSearcher
from dicezero.solve import solve


def judge(observations, legal):
    return np.zeros(legal.shape, np.float32), np.zeros(len(observations), np.float32)


@pytest.mark.parametrize("name", ["uct(simulations=20000)", "flat_mc(simulations=20000)"])
def test_one_agent_in_several_threads_is_refused_with_one_line(name):
    game = load_game("connect_four")
    agent = make_agent(name, game)
    state = game.new_initial_state()
    errors, results = [], []

    def work() -> None:
        for _ in range(5):
            try:
                results.append(agent.search(state, seed=1))
            except RuntimeError as error:
                errors.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results, "one of them gets through"
    assert {result.action for result in results} == {agent.search(state, seed=1).action}
    assert all("is at work already" in error and "\n" not in error for error in errors)


def test_a_searcher_re_entered_from_its_play_out_is_refused():
    game = load_game("tic_tac_toe")
    found = []

    def playout(state, generator):
        for call in (
            lambda: searcher.search(game.new_initial_state(), seed=0),
            lambda: searcher.advance(0),
            lambda: searcher.tree(),
        ):
            with pytest.raises(RuntimeError, match="is at work already"):
                call()
        found.append(1)
        return generator.choice(state.legal_actions())

    searcher = UctSearcher(game, UctConfig(simulations=3), playout=playout)
    searcher.search(game.new_initial_state(), seed=0)
    assert found
    assert searcher.tree().visits == 3, "it works again afterwards"


def test_a_searcher_that_raised_is_free_again():
    game = load_game("tic_tac_toe")

    def playout(*_):
        raise KeyError("no idea")

    searcher = UctSearcher(game, UctConfig(simulations=3), playout=playout)
    for _ in range(2):
        with pytest.raises(KeyError):
            searcher.search(game.new_initial_state(), seed=0)


@pytest.mark.parametrize("row", [1, 2, 1000, 2**31, 2**63])
def test_rows_and_nodes_of_a_forest_are_checked(row):
    game = load_game("tic_tac_toe")
    result = plan_states(judge, [game.new_initial_state()], SearchConfig(simulations=8), game=game, seed=0)
    searcher = UctSearcher(game, UctConfig(simulations=8))
    searcher.search(game.new_initial_state(), seed=0)
    for trees in (result.tree.forest, searcher._native.forest):
        for call in (
            lambda trees=trees: trees.num_nodes(row),
            lambda trees=trees: trees.halving(row),
            lambda trees=trees: trees.node(row, 0),
            lambda trees=trees: trees.node(0, min(row, 2**30) + 100),
            lambda trees=trees: trees.node(0, -1),
        ):
            with pytest.raises(IndexError):
                call()
        assert trees.num_nodes(0) > 1


class Rooted(PayingGame):
    """A game that a searcher or a table can hang on, to close a circle."""

    held: object = None


def collected(make) -> bool:
    """Whether what ``make`` builds, in a circle of references, goes away."""
    game = Rooted(depth=3)
    alive = weakref.ref(game)
    game.held = make(game)
    del game
    gc.collect()
    return alive() is None


def searched(game, **options):
    searcher = UctSearcher(game, UctConfig(simulations=30, utility_range=(-20, 20)), **options)
    searcher.search(game.new_initial_state(), seed=0)
    return searcher


def test_circles_through_native_objects_are_collected():
    config = SearchConfig(simulations=10)
    assert collected(lambda game: searched(game))
    assert collected(lambda game: searched(game, playout=lambda *_: (game, 0)[1]))
    assert collected(lambda game: (searched(game), searched(game).tree())[0])
    assert collected(
        lambda game: plan_states(judge, [game.new_initial_state()], config, game=game, seed=0).tree
    )
    assert collected(lambda game: _native.make_table(game, 1000, None))
    assert collected(lambda game: solve(game))


def test_a_tree_that_is_still_held_stays_whole():
    game = Rooted(depth=3)
    searcher = searched(game)
    forest = searcher._native.forest
    game.held = searcher
    del game, searcher
    gc.collect()
    assert forest.num_nodes(0) > 1
    assert forest.node(0, 0)


def test_nothing_is_left_of_searchers_with_play_outs():
    """The report's case: a searcher at the level of a module, its play-out beside it."""
    code = """
import gc, random, weakref
from dicezero.rules import load_game
from dicezero.search.uct import UctConfig, UctSearcher
game = load_game("nannon")
state = game.new_initial_state(); state.apply_action(1)
alive = []
for i in range(50):
    def playout(state, generator, i=i):
        return kept and generator.choice(state.legal_actions())
    kept = [UctSearcher(game, UctConfig(simulations=20), playout=playout)]
    kept[0].search(state, seed=i)
    playout.kept = kept
    alive.append(weakref.ref(kept[0]))
searcher = kept[0]
del kept, playout
gc.collect()
print(sum(a() is not None for a in alive))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout == "1\n"
    assert done.stderr == "", "no word of a leak at exit"
