"""Alpha-beta: Connect Four positions solved and proved a second, and the peers' alpha-beta."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from typing import Any

from dicezero.bench.row import Row
from dicezero.bench.timing import best_rate
from dicezero.rules import load_game
from dicezero.rules.openspiel import installed
from dicezero.search.minimax import MinimaxConfig, minimax_search
from dicezero.search.proofs import prove_states

_POSITIONS = 60
_STONES = 16
_REPETITIONS = 7
_PROOF_STONES = 12
_PROOFS = 20
_PROOF_NODES = 10**8  # more than any of these positions takes


def balanced_positions(stones: int, count: int, *, seed: int) -> list[Any]:
    """Connect Four positions of so many stones, by random play, that four plies do not decide."""
    game = load_game("connect_four")
    rng = random.Random(seed)
    positions: list[Any] = []
    while len(positions) < count:
        state: Any = game.new_initial_state()
        while not state.is_terminal() and len(state.history()) < stones:
            state.apply_action(rng.choice(state.legal_actions()))
        if state.is_terminal():
            continue
        if abs(minimax_search(game, state, MinimaxConfig(depth=4)).value) < 1.0:
            positions.append(state)
    return positions


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
    yield _proofs("bitbully" in against)
    yield _tic_tac_toe("openspiel" in against and installed())


def _proofs(peer: bool) -> Row:
    """Positions proved to be won, drawn or lost, one thread, by the seconds of the process.

    The peer is asked the same by the window (-1, 1). It keeps its table from one position to the next, ours
    begins with an empty one.
    """
    game = load_game("connect_four")
    states = balanced_positions(_PROOF_STONES, _PROOFS, seed=_PROOF_STONES)

    def prove() -> object:
        return prove_states(game, states, nodes=_PROOF_NODES)

    ours = best_rate(prove, _PROOFS, runs=2, clock=time.process_time)
    name, unit = f"minimax/connect_four proofs from {_PROOF_STONES} stones", "positions/CPU s"
    if not peer:
        return Row(name, unit, ours)
    from bitbully import BitBully, Board

    boards = [Board.from_moves([int(move) for move in state.history()]) for state in states]

    def scores() -> list[int]:
        solver = BitBully()
        return [solver.negamax(board, -1, 1, 0) for board in boards]

    theirs = best_rate(scores, _PROOFS, runs=2, clock=time.process_time)
    return Row(name, unit, ours, "bitbully", theirs)


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
