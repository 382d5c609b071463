"""Board networks in JAX and in ONNX Runtime, each in a process of its own that may use so many cores.

A process, because both choose their threads once, when they are loaded:

    python -m dicezero.bench.board_peers onnxruntime 6x64 1

prints the evaluations a second for each of BATCHES; on one core, a second of that core.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from dicezero.bench.timing import best_rate
from dicezero.model.board import BoardConfig, BoardEvaluator
from dicezero.model.weights import Floats, Weights

BATCHES = (1, 8, 64, 256)
PEERS = ("jax", "onnxruntime")
NETWORKS: dict[str, BoardConfig] = {
    "4x32": BoardConfig(32, 4, bottleneck=0, mixing="none"),
    "6x64": BoardConfig(64, 6, bottleneck=0, mixing="none"),
    "bottleneck 6x128": BoardConfig(128, 7, bottleneck=64, mixing="broadcast", mixing_every=4),
}


def make_network(name: str) -> BoardEvaluator:
    """One of NETWORKS for 9x9 Go as AlphaZero saw it: 17 planes, 82 actions."""
    return BoardEvaluator((17, 9, 9), 82, NETWORKS[name])


def measured_weights(network: BoardEvaluator) -> Weights:
    """Weights without the zeros of new ones, so that no engine can leave anything out."""
    rng = np.random.default_rng(0)
    return {
        name: (rng.standard_normal(shape) / np.sqrt(np.prod(shape[:-1]) if len(shape) > 1 else 100.0)).astype(
            np.float32
        )
        for name, shape in network.shapes().items()
    }


def positions(batch: int) -> Floats:
    """[batch, 17 * 9 * 9], zeros and ones."""
    return np.random.default_rng(batch).integers(0, 2, (batch, 17 * 81)).astype(np.float32)


def clock_of(threads: int) -> Callable[[], float]:
    """Seconds of the core where there is one thread, of the day where there are more."""
    return time.process_time if threads == 1 else time.perf_counter


def jax_evaluate(network: BoardEvaluator, weights: Weights) -> Callable[[Floats], Sequence[Any]]:
    """The Flax modules, jitted, with XLA's own convolutions."""
    import jax

    from dicezero.model.board_convolution import xla_convolutions

    params = jax.device_put(weights)
    jitted = jax.jit(lambda x: network.apply(params, "evaluator", x))

    def evaluate(observations: Floats) -> Sequence[Any]:
        with xla_convolutions():
            heads = jax.block_until_ready(jitted(observations))  # type: ignore[no-untyped-call]
        return heads["policy"], heads["value"]

    return evaluate


def onnx_evaluate(
    network: BoardEvaluator, weights: Weights, *, threads: int
) -> Callable[[Floats], Sequence[Any]]:
    """The same network in ONNX Runtime, with its graph optimised as far as it can."""
    import onnxruntime

    from dicezero.bench.board_onnx import onnx_model

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    session = onnxruntime.InferenceSession(
        onnx_model(network, weights).SerializeToString(), options, providers=["CPUExecutionProvider"]
    )

    def evaluate(observations: Floats) -> Sequence[Any]:
        outputs: Sequence[Any] = session.run(["policy", "value"], {"observation": observations})
        return outputs

    return evaluate


def peer_rates(peer: str, name: str, threads: int) -> list[float] | None:
    """Evaluations a second of ``peer`` for each of BATCHES, in a new process; None if it is not installed."""
    if find_spec(peer) is None or (peer == "onnxruntime" and find_spec("onnx") is None):
        return None
    command = [sys.executable, "-m", "dicezero.bench.board_peers", peer, name, str(threads)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
    rates: list[float] = json.loads(done.stdout)
    return rates


def _measure(peer: str, name: str, threads: int) -> list[float]:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    network = make_network(name)
    weights = measured_weights(network)
    evaluate = (
        jax_evaluate(network, weights) if peer == "jax" else onnx_evaluate(network, weights, threads=threads)
    )
    inputs = [positions(batch) for batch in BATCHES]
    clock = clock_of(threads)
    return [best_rate(lambda x=x: evaluate(x), len(x), clock=clock) for x in inputs]  # type: ignore[misc]


if __name__ == "__main__":
    json.dump(_measure(sys.argv[1], sys.argv[2], int(sys.argv[3])), sys.stdout)
