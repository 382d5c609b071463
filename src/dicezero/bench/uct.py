"""Monte Carlo tree search: simulations a second, one thread, beside OpenSpiel's MCTSBot (C++)."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from dicezero.bench.row import Row
from dicezero.rules import load_game
from dicezero.rules.openspiel import installed
from dicezero.search.uct import UctConfig, UctSearcher

C = 1.4  # UCB1's constant for wins in [0, 1]
PEER_C = 2 * C  # the same in MCTSBot, whose returns are in [-1, 1]
_SIMULATIONS = 1000
_REPETITIONS = 9
_SEARCHES = {"tic_tac_toe": (100, 20), "connect_four": (40, 2), "nannon": (40, None)}  # ours, the peer's


def rows(against: frozenset[str]) -> Iterator[Row]:
    """A row a game: searches of 1000 simulations from the start, each with a new tree.

    Ours and the peer's repetitions alternate, so that both see the same machine; medians are reported.
    """
    for game, (mine, theirs) in _SEARCHES.items():
        beside = theirs is not None and "openspiel" in against and installed()
        ours = _ours(game)
        peer = _openspiel(game) if beside else None
        rates = []
        for _ in range(_REPETITIONS):
            own = _rate(ours, mine)
            rates.append((own, _rate(peer, theirs) if peer is not None and theirs is not None else None))
        yield Row(
            f"uct/{game} {_SIMULATIONS} simulations a search",
            "simulations/s",
            statistics.median(own for own, _ in rates),
            peer="openspiel" if beside else None,
            peer_value=statistics.median(rate for _, rate in rates if rate is not None) if beside else None,
        )


def mcts_bot(game: Any, simulations: int, *, c: float, seed: int) -> Any:
    """OpenSpiel's MCTS in C++ with one random roll-out a simulation, as near to ours as it can be set."""
    import pyspiel

    return pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed),
        uct_c=c,
        max_simulations=simulations,
        max_memory_mb=1000,
        solve=False,
        seed=seed,
        verbose=False,
    )


def _ours(name: str) -> Callable[[int], object]:
    game = load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    searcher = UctSearcher(game, UctConfig(simulations=_SIMULATIONS, c=C))
    return lambda seed: searcher.search(state, seed=seed)


def _openspiel(name: str) -> Callable[[int], object]:
    import pyspiel

    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    bot = mcts_bot(game, _SIMULATIONS, c=PEER_C, seed=1)
    return lambda _: bot.step(state)


def _rate(search: Callable[[int], object], searches: int) -> float:
    begin = time.perf_counter()
    for seed in range(searches):
        search(seed)
    return searches * _SIMULATIONS / (time.perf_counter() - begin)
