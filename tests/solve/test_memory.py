"""What takes gigabytes says so before it takes them, and is refused in one line where they are not there."""

from __future__ import annotations

import logging
import subprocess
import sys

import numpy as np
import pytest

from dicezero import _native, load_game
from dicezero.rules.memory import claim_weights, require_rows
from dicezero.solve import TooLargeError

# In a process that may take two gigabytes of addresses; each says what it would take, and takes nothing.
LARGE = {
    "hypergammon": "_native.HyperTable(3)",
    "races": "_native.bearoff_two_sided(14)",
    "races with a cube": "_native.bearoff_two_sided_cube(12)",
    "a ranked game": "solve(load_game('nannon(points=18,checkers=5)'), max_states=2**31)",
    "tables of tuples": (
        "_native.Tuples(rows=4, columns=4, values=16, places=list(range(16)), symmetries=[list(range(16))],"
        " tuples=[[0, 1, 2, 3, 4, 5, 6]] * 2, weight=0.0, coherent=True)"
    ),
    "wide learners": (
        "_native.TdLearner(load_game('nannon'), widths=[65536, 65536], activation='relu', phases=1,"
        " results=[], value_lambda=0.5, discount=1.0, scale=1.0, epsilon=0.0, max_moves=10, block=1,"
        " batch=64, epochs=1, weight_decay=0.0, threads=1)"
    ),
}
# What grows while it is worked out: refused when there is no more.
GROWING = {
    "a tree": (
        "make_agent('uct(simulations=10000000)', game).search(game.new_initial_state(), seed=1)",
        "more room for the tree of this search",
    ),
    "states": ("solve(load_game('connect_four(rows=5,columns=5)'), max_states=2**31)", "states found so far"),
}
PROGRAM = """
import resource, sys
from dicezero import _native, load_game, make_agent
from dicezero.solve import TooLargeError, solve
game = load_game("connect_four")
resource.setrlimit(resource.RLIMIT_AS, ({limit}, -1))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    {work}
except TooLargeError as error:
    print(error)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def refused(work: str, limit: int) -> tuple[str, int]:
    """The line, and how many kilobytes it had taken by then."""
    pytest.importorskip("resource")
    words = [sys.executable, "-c", PROGRAM.format(work=work, limit=limit)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert done.stderr == ""
    line, taken = done.stdout.splitlines()
    return line, int(taken)


@pytest.mark.parametrize("name", LARGE)
def test_what_is_not_there_is_refused_before_any_of_it_is_taken(name):
    line, taken = refused(LARGE[name], 2_000_000_000)
    assert "GB of memory, and 1." in line
    assert "are free; " in line
    assert taken < 100_000


@pytest.mark.parametrize("name", GROWING)
def test_what_grows_is_refused_when_there_is_no_more(name):
    work, said = GROWING[name]
    line, _ = refused(work, 700_000_000)
    assert said in line
    assert "are free; " in line


def test_a_gigabyte_is_told_before_it_is_taken(caplog):
    _native.claim_memory(1.5e9, "a table", "take less")
    assert [record.getMessage() for record in caplog.records] == ["a table takes 1.5 GB of memory"]
    assert caplog.records[0].name == "dicezero"
    _native.claim_memory(0.9e9, "a table", "take less")
    _native.require_memory(1.5e9, "a table", "take less")
    assert len(caplog.records) == 1


def test_ctrl_c_while_it_is_told_is_not_lost():
    def press(_):
        raise KeyboardInterrupt

    logger = logging.getLogger("dicezero")
    logger.addFilter(press)
    try:
        with pytest.raises(KeyboardInterrupt):
            _native.claim_memory(1.5e9, "a table", "take less")
    finally:
        logger.removeFilter(press)


def test_the_python_side_asks_at_the_same_place():
    for call in (
        lambda: claim_weights(10**15, "give smaller sizes"),
        lambda: require_rows(10**9, 10**6),
    ):
        with pytest.raises(TooLargeError, match=r"of memory, and .* are free; "):
            call()
    assert _native.available_memory() > 0


def test_a_batch_beyond_all_memory_is_refused_by_the_planner():
    from dicezero.search.config import SearchConfig
    from dicezero.search.plan import plan_states

    game = load_game("tic_tac_toe")

    class Wide:
        """Its states are the game's; it says that it has as many actions as there are."""

        def __getattr__(self, name):
            return getattr(game, name)

        def num_distinct_actions(self):
            return 2**31 - 1

    def judge(_, legal):
        return np.zeros(legal.shape), np.zeros(len(legal))

    with pytest.raises(TooLargeError, match="1,000 positions at a time"):
        plan_states(judge, [game.new_initial_state()] * 1000, SearchConfig(), game=Wide(), seed=1)
