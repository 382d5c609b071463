"""Board networks on 9x9: evaluations a second beside JAX and ONNX Runtime, on one core and on two; training.

Batches of each size are asked by one thread, and by two at once. The peers may use as many cores, one call at
a time. The limit is what NumPy's matrix product would need for the products that are left after Winograd's
filtering, on as many cores. One thread is measured in seconds of its core, two by the clock. Ours and the
peers are measured in turns, and the best of each counts: what else runs on the machine only ever slows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from dicezero import _native
from dicezero.bench import board_training
from dicezero.bench.board_peers import (
    BATCHES,
    NETWORKS,
    PEERS,
    clock_of,
    make_network,
    measured_weights,
    peer_rates,
    positions,
)
from dicezero.bench.limits import all_cores, sgemm_gflops
from dicezero.bench.row import Row
from dicezero.bench.timing import best_rate
from dicezero.model.board import BoardEvaluator
from dicezero.model.board_player import NativeBoardEvaluator

UNIT = "evaluations/s"
TURNS = 3
TRAINED = ("4x32", "6x64")


def rows(against: frozenset[str]) -> Iterator[Row]:
    """A row for each network, batch, number of threads and installed peer; then the second thread's."""
    del against  # both peers are measured wherever they are installed
    for name in NETWORKS:
        yield from _rows(name)
    yield from board_training.training_rows({name: flops(make_network(name)) for name in TRAINED})


def _rows(name: str) -> Iterator[Row]:
    network = make_network(name)
    player = NativeBoardEvaluator(network, measured_weights(network))
    for threads in range(1, min(2, all_cores()) + 1):
        ours, peers = _in_turns(player, name, threads)
        limit = sgemm_gflops(threads) * 1e9 / flops(network)
        for i, batch in enumerate(BATCHES):
            workload = f"board {name}, batch {batch}, {threads} thread{'s' if threads > 1 else ''}"
            for peer, rates in peers.items():
                yield Row(workload, UNIT, ours[i], peer=peer, peer_value=rates[i], limit=limit)
            if not peers:
                yield Row(workload, UNIT, ours[i], limit=limit)
        if threads == 1:
            yield Row(f"board {name}, latency of one position", "microseconds", 1e6 / ours[0])
    for batch in BATCHES if all_cores() > 1 else ():
        turns = [[our_rate(player, batch, n, clock=time.perf_counter) for n in (1, 2)] for _ in range(TURNS)]
        one, two = (max(rates) for rates in zip(*turns, strict=True))
        yield Row(f"board {name}, batch {batch}, second thread", UNIT, two, peer="one thread", peer_value=one)


def _in_turns(
    player: NativeBoardEvaluator, name: str, threads: int
) -> tuple[list[float], dict[str, list[float]]]:
    """The best rate for each of BATCHES: ours, and each installed peer's."""
    ours, peers = [0.0] * len(BATCHES), dict[str, list[float]]()
    for _ in range(TURNS):
        own = [our_rate(player, batch, threads, clock=clock_of(threads)) for batch in BATCHES]
        ours = [max(pair) for pair in zip(ours, own, strict=True)]
        for peer in PEERS:
            rates = peer_rates(peer, name, threads)
            if rates is not None:
                peers[peer] = [max(pair) for pair in zip(peers.get(peer, rates), rates, strict=True)]
    return ours, peers


def our_rate(player: NativeBoardEvaluator, batch: int, threads: int, *, clock: Callable[[], float]) -> float:
    """Evaluations a second by ``threads`` threads, each with its own batches."""
    calls = 1 if threads == 1 else max(1, 256 // batch)  # that starting a thread does not count
    observations, legal = positions(batch), np.ones((batch, 82), np.bool_)

    def run(_: int) -> None:
        for _ in range(calls):
            player.native.evaluate(observations, legal)

    if threads == 1:
        return best_rate(lambda: run(0), batch, clock=clock)
    with ThreadPoolExecutor(threads) as pool:
        return best_rate(lambda: list(pool.map(run, range(threads))), threads * calls * batch, clock=clock)


def flops(network: BoardEvaluator) -> float:
    """Floating-point operations of one evaluation's matrix products, 3x3 convolutions as filtered."""
    height, width = network.shape[1:]
    points, filtered = height * width, _native.winograd_products(height, width)
    total = 0
    for name, shape in network.shapes().items():
        if len(shape) == 4:
            total += shape[2] * shape[3] * (filtered if shape[0] == 3 else points)
        elif len(shape) == 2:
            planes = network.board.channels if ".ops." in name else 1  # a broadcast, for every plane
            total += shape[0] * shape[1] * planes
    return 2.0 * total
