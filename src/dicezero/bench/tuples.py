"""N-tuple networks on 2048: moves learned from and moves chosen a second, beside what memory can do.

A move reads a few entries under every symmetry for each afterstate, in tables far larger than any cache, and
changes those of one. The limit is the rate at which this machine reads single numbers from random places of a
table of that size, divided by the reads of a move. Real games come back to the same entries, which caches
keep, so a share above 1 is possible.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from dicezero.bench.limits import all_cores
from dicezero.bench.row import Row
from dicezero.model.ntuple import TupleJudge, TupleLearner
from dicezero.model.online import OnlineSettings
from dicezero.rules import load_game
from dicezero.rules.protocol import State
from dicezero.rules.spec import spec_of
from dicezero.selfplay.judged import JudgedConfig, judged_moves
from dicezero.selfplay.planners import Units

_REPETITIONS = 5
_WARM_GAMES, _GAMES = 1_500, 150  # games that are learned from before the clock starts, and by it
_MOVES_A_DECISION = 3.5  # legal moves of 2048, on average
_READS = 1 << 22


def rows(against: frozenset[str]) -> Iterator[Row]:  # noqa: ARG001 - nobody else does this from Python
    """Learning with one thread and with all, then choosing moves at one and at two plies."""
    game = load_game("2048")
    spec = spec_of(game)
    assert spec.observation is not None  # noqa: S101 - 2048 has both
    assert spec.cells is not None  # noqa: S101
    network = TupleJudge(spec.observation.size, spec.cells)
    reads = len(network.tuples()) * len(spec.cells.symmetries)
    limit = _random_reads(network.entries) / (_MOVES_A_DECISION * reads)
    how, weights = OnlineSettings(value_lambda=0.0, max_moves=1_000_000), network.init(seed=0)
    for threads in sorted({1, all_cores()}):
        learner = TupleLearner(network, game, how, weights, None, threads=threads)
        learner.play_round(games=_WARM_GAMES, seed=0, learning_rate=1.0, on_progress=None)

        def learn(seed: int, learner: TupleLearner = learner) -> int:
            return learner.play_round(games=_GAMES, seed=seed, learning_rate=1.0, on_progress=None).decisions

        name = f"tuples/2048 learning, {threads} thread{'s' * (threads > 1)}"
        yield Row(name, "moves/s", _rate(learn), limit=limit * threads)
        weights = learner.weights()
    judge, states = network.player(weights), _states(50)
    for plies, count in ((1, 2_000), (2, 40)):

        def choose(seed: int, plies: int = plies, count: int = count) -> int:  # noqa: ARG001
            asked = (states * -(-count // len(states)))[:count]
            judged_moves(game, spec, asked, judge, Units(), JudgedConfig(plies), threads=1)
            return len(asked)

        yield Row(
            f"tuples/2048 choosing, {plies} {'ply' if plies == 1 else 'plies'}", "moves/s", _rate(choose)
        )


def _states(count: int) -> list[State]:
    """Choice nodes in the middle of random games."""
    rng, game = np.random.default_rng(0), load_game("2048")
    states: list[State] = []
    while len(states) < count:
        state = game.new_initial_state()
        for _ in range(160):
            legal = state.legal_actions()
            if legal:
                state.apply_action(int(rng.choice(legal)))
        if not state.is_terminal() and state.current_player() == 0:
            states.append(state)
    return states


@cache
def _random_reads(entries: int) -> float:
    """Numbers a second that are read from random places of a table, one thread."""
    table = np.ones(entries, np.float32)
    places = np.random.default_rng(0).integers(entries, size=_READS)
    out = np.empty(_READS, np.float32)

    def read(seed: int) -> int:  # noqa: ARG001
        np.take(table, places, out=out, mode="clip")
        return _READS

    return _rate(read)


def _rate(run: Callable[[int], int]) -> float:
    """The median over repetitions of what ``run(number)`` returns, a second."""
    rates = []
    for number in range(_REPETITIONS):
        begin = time.perf_counter()
        done = run(number + 1)
        rates.append(done / (time.perf_counter() - begin))
    return statistics.median(rates)
