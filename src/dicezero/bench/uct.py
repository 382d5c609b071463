"""Monte Carlo tree search: simulations a second beside OpenSpiel's MCTSBot (C++), and a second core."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dicezero.bench.row import Row
from dicezero.rules import load_game
from dicezero.rules.openspiel import installed
from dicezero.rules.protocol import is_chance
from dicezero.search.uct import UctConfig, UctSearcher

C = 1.4  # UCB1's constant for wins in [0, 1]
PEER_C = 2 * C  # the same in MCTSBot, whose returns are in [-1, 1]
_REPETITIONS = 9


@dataclass(frozen=True)
class _Contest:
    """Searches from a game's start: simulations of each, how many of ours and of the peer's (or no peer)."""

    game: str
    simulations: int
    ours: int
    peers: int | None


_CONTESTS = (
    _Contest("tic_tac_toe", 1000, ours=100, peers=20),
    _Contest("tic_tac_toe", 100_000, ours=2, peers=1),
    _Contest("connect_four", 1000, ours=40, peers=2),
    _Contest("connect_four", 100_000, ours=1, peers=1),
    _Contest("nannon", 1000, ours=40, peers=None),
)
_SEVERAL = (("tic_tac_toe", 100_000), ("connect_four", 100_000))  # with a tree a core


def rows(against: frozenset[str]) -> Iterator[Row]:
    """A row a game and a size: searches from the start on one thread, each with a new tree.

    Ours and the peer's repetitions alternate, so that both see the same machine; medians are reported, of
    seconds of the core, so that other programs hardly count. Then two trees a search, on one thread and on
    two, by the clock: the same result, in half the time at best.
    """
    for contest in _CONTESTS:
        beside = contest.peers is not None and "openspiel" in against and installed()
        ours = _ours(contest.game, UctConfig(simulations=contest.simulations, c=C))
        peer = _openspiel(contest.game, contest.simulations) if beside else None
        rates = []
        for _ in range(_REPETITIONS):
            own = _rate(ours, contest.ours, contest.simulations, time.process_time)
            other = (
                _rate(peer, contest.peers or 1, contest.simulations, time.process_time)
                if peer is not None
                else None
            )
            rates.append((own, other))
        yield Row(
            f"uct/{contest.game} {contest.simulations} simulations a search",
            "simulations/s",
            statistics.median(own for own, _ in rates),
            peer="openspiel" if beside else None,
            peer_value=statistics.median(rate for _, rate in rates if rate is not None) if beside else None,
        )
    for game, simulations in _SEVERAL:
        yield second_core(game, simulations)


def second_core(game: str, simulations: int) -> Row:
    """Two trees on two threads beside the same two on one, in turns."""
    alone, both = (
        _ours(game, UctConfig(simulations=simulations, c=C, trees=2, threads=threads)) for threads in (1, 2)
    )
    clock = time.perf_counter
    rates = [
        (_rate(both, 2, simulations, clock), _rate(alone, 2, simulations, clock)) for _ in range(_REPETITIONS)
    ]
    return Row(
        f"uct/{game} {simulations} simulations in two trees, two threads",
        "simulations/s",
        statistics.median(rate for rate, _ in rates),
        peer="one thread",
        peer_value=statistics.median(rate for _, rate in rates),
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


def _ours(name: str, config: UctConfig) -> Callable[[int], object]:
    game = load_game(name)
    state = game.new_initial_state()
    while is_chance(state):
        state.apply_action(state.legal_actions()[0])
    searcher = UctSearcher(game, config)
    return lambda seed: searcher.search(state, seed=seed)


def _openspiel(name: str, simulations: int) -> Callable[[int], object]:
    import pyspiel

    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    bot = mcts_bot(game, simulations, c=PEER_C, seed=1)
    return lambda _: bot.step(state)


def _rate(
    search: Callable[[int], object], searches: int, simulations: int, clock: Callable[[], float]
) -> float:
    begin = clock()
    for seed in range(searches):
        search(seed)
    return searches * simulations / (clock() - begin)
