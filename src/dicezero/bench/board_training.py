"""Training samples a second of board networks on one core: our convolutions beside XLA's, all else the same.

Both in a process of their own on one core, in seconds of that core:

    python -m dicezero.bench.board_training native 6x64
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from typing import Any

import numpy as np

from dicezero.bench.board_peers import make_network, measured_weights, positions
from dicezero.bench.limits import sgemm_gflops
from dicezero.bench.row import Row
from dicezero.bench.timing import best_rate

BATCH = 256
TURNS = 2


def training_rows(flops: Mapping[str, float]) -> Iterator[Row]:
    """A row for each network: a step of Adam on a batch of 256, in one call.

    ``flops`` is of one evaluation's matrix products, by network. Learning from a sample takes three times as
    many; the limit is what NumPy's matrix product would need for them on one core.
    """
    for name, forward in flops.items():
        turns = [[_rate(convolutions, name) for convolutions in ("native", "xla")] for _ in range(TURNS)]
        ours, theirs = (max(rates) for rates in zip(*turns, strict=True))
        yield Row(
            f"board {name}, training, batch {BATCH}, 1 thread",
            "samples/s",
            ours,
            peer="jax",
            peer_value=theirs,
            limit=sgemm_gflops(1) * 1e9 / (3.0 * forward),
        )


def _rate(convolutions: str, name: str) -> float:
    command = [sys.executable, "-m", "dicezero.bench.board_training", convolutions, name]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
    return float(json.loads(done.stdout))


def training_rate(convolutions: str, name: str, *, batch: int = BATCH, seconds: float = 4.0) -> float:
    """Samples a second of one jitted step; ``convolutions`` is native or xla."""
    import jax
    import jax.numpy as jnp
    import optax

    from dicezero.model.board_convolution import xla_convolutions

    network = make_network(name)
    rng, adam = np.random.default_rng(0), optax.adam(1e-3)
    policy = rng.dirichlet(np.ones(network.actions), batch).astype(np.float32)
    value = rng.choice([-1.0, 1.0], batch).astype(np.float32)
    observation = jnp.asarray(positions(batch))

    def loss(params: dict[str, jax.Array]) -> jax.Array:
        heads = network.apply(params, "evaluator", observation)
        cross_entropy = -(policy * jax.nn.log_softmax(heads["policy"])).sum(axis=1)
        return jnp.mean(cross_entropy + (heads["value"][:, 0] - value) ** 2)

    @jax.jit
    def step(state: tuple[Any, Any]) -> tuple[Any, Any]:
        params, moments = state
        updates, moments = adam.update(jax.grad(loss)(params), moments)
        return optax.apply_updates(params, updates), moments

    params = jax.device_put(measured_weights(network))
    state = params, adam.init(params)
    with xla_convolutions() if convolutions == "xla" else nullcontext():
        jax.block_until_ready(step(state))  # type: ignore[no-untyped-call]
    return best_rate(
        lambda: jax.block_until_ready(step(state)),  # type: ignore[no-untyped-call]
        batch,
        seconds=seconds,
        clock=time.process_time,
    )


if __name__ == "__main__":
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
    json.dump(training_rate(sys.argv[1], sys.argv[2]), sys.stdout)
