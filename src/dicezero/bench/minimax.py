"""Alpha-beta: Connect Four positions solved a second, nodes a second, and OpenSpiel's alpha-beta."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from typing import Any

from dicezero.bench.row import Row
from dicezero.rules import load_game
from dicezero.rules.openspiel import installed
from dicezero.search.minimax import MinimaxConfig, minimax_search

_POSITIONS = 60
_STONES = 16
_REPETITIONS = 7


def balanced_positions(stones: int, count: int, *, seed: int) -> list[Any]:
    """Connect Four positions of so many stones, by random play, that four plies do not decide."""
    game = load_game("connect_four")
    rng = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        state: Any = game.new_initial_state()
        while not state.is_terminal() and len(state.history()) < stones:
            state.apply_action(rng.choice(state.legal_actions()))
        if state.is_terminal():
            continue
        if abs(minimax_search(game, state, MinimaxConfig(depth=4)).value) < 1.0:
            found.append(state)
    return found


def rows(against: frozenset[str]) -> Iterator[Row]:
    """Rates by the median position or repetition, one thread; OpenSpiel's alpha-beta is its Python one."""
    game = load_game("connect_four")
    full = MinimaxConfig(depth=None)
    results = [
        minimax_search(game, state, full) for state in balanced_positions(_STONES, _POSITIONS, seed=16)
    ]
    median = statistics.median(result.seconds for result in results)
    yield Row(f"minimax/connect_four solved from {_STONES} stones", "positions/s (median)", 1.0 / median)
    total = sum(result.seconds for result in results)
    yield Row("minimax/connect_four nodes", "nodes/s", sum(result.nodes for result in results) / total)
    yield _tic_tac_toe("openspiel" in against and installed())


def _tic_tac_toe(peer: bool) -> Row:
    """The whole game of tic-tac-toe by alpha-beta in the order of the rules, without a table."""
    game = load_game("tic_tac_toe")
    config = MinimaxConfig(depth=None, ordering="none", table_entries=0, utility_bounds=False)
    name, unit = "minimax/tic_tac_toe solved by plain alpha-beta", "games/s (median)"
    root = game.new_initial_state()
    ours = 1.0 / statistics.median(minimax_search(game, root, config).seconds for _ in range(_REPETITIONS))
    if not peer:
        return Row(name, unit, ours)
    import pyspiel
    from open_spiel.python.algorithms import minimax as openspiel_minimax

    theirs = pyspiel.load_game("tic_tac_toe")
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        openspiel_minimax.alpha_beta_search(theirs)  # type: ignore[no-untyped-call]
        seconds.append(time.perf_counter() - start)
    return Row(name, unit, ours, "openspiel (Python)", 1.0 / statistics.median(seconds))
