"""Random play-outs a second, one thread: the speed of the rules, beside OpenSpiel's C++."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dicezero import _native
from dicezero.bench.row import Row
from dicezero.rules import load_game
from dicezero.rules.openspiel import installed
from dicezero.rules.protocol import is_chance, outcomes_of

_REPETITIONS = 7


@dataclass(frozen=True)
class _Workload:
    game: str
    ours: int  # play-outs a repetition, about a twentieth of a second
    peer: int | None = None  # None: OpenSpiel has no such game in C++


_WORKLOADS = (
    _Workload("tic_tac_toe", ours=1_000_000, peer=40_000),
    _Workload("connect_four", ours=300_000, peer=5_000),
    _Workload("nannon", ours=150_000),
    _Workload("2048(max_tile=2048)", ours=6_000, peer=100),
    _Workload("backgammon", ours=1_500, peer=60),
    _Workload("einstein_wurfelt_nicht", ours=30_000, peer=2_000),
    _Workload("banqi", ours=600, peer=200),
    _Workload("go(board_size=9)", ours=2_000, peer=50),
    _Workload("go(board_size=19)", ours=400, peer=5),
    _Workload("chess", ours=700, peer=5),
    _Workload("gardner_chess", ours=4_000),
)


def rows(against: frozenset[str]) -> Iterator[Row]:
    """A row a game; OpenSpiel's figure beside it if ``against`` names "openspiel" and it is installed.

    Ours and the peer's repetitions alternate, so that both see the same machine; medians are reported.
    """
    for workload in _WORKLOADS:
        name = f"playouts/{workload.game}"
        ours = _ours(workload)
        if workload.peer is None or "openspiel" not in against or not installed():
            yield Row(
                name, "playouts/s", statistics.median(_rate(workload.ours, ours) for _ in range(_REPETITIONS))
            )
            continue
        peer = _openspiel(workload.game, workload.peer)
        pairs = [(_rate(workload.ours, ours), _rate(workload.peer, peer)) for _ in range(_REPETITIONS)]
        yield Row(
            name,
            "playouts/s",
            statistics.median(mine for mine, _ in pairs),
            peer="openspiel",
            peer_value=statistics.median(theirs for _, theirs in pairs),
        )


def _ours(workload: _Workload) -> Callable[[], object]:
    game = load_game(workload.game)
    return lambda: _native.random_playouts(game, workload.ours, seed=1)


def _openspiel(name: str, count: int) -> Callable[[], object]:
    """OpenSpiel's C++ loop of random games: one visit of its MCTS runs the evaluator's roll-outs, no more."""
    import pyspiel

    game = pyspiel.load_game(name)
    if game.get_type().reward_model == pyspiel.GameType.RewardModel.REWARDS:  # not for its MCTS
        bots = [pyspiel.make_uniform_random_bot(0, 1)]
        return lambda: [pyspiel.evaluate_bots(game.new_initial_state(), bots, seed) for seed in range(count)]
    state = game.new_initial_state()
    while is_chance(state):  # its MCTS cannot begin with one
        state.apply_action(outcomes_of(state)[0][0])
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=count, seed=1)
    bot = pyspiel.MCTSBot(
        game,
        evaluator,
        uct_c=2.0,
        max_simulations=1,
        max_memory_mb=100,
        solve=False,
        seed=1,
        verbose=False,
    )
    return lambda: bot.mcts_search(state)


def _rate(count: int, run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return count / (time.perf_counter() - begin)
