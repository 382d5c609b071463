"""One step of an NDMZ-sized model (dynamics and prediction): ours on one core, JAX, and the machine's limit.

The limit is one core's. JAX runs with its defaults and may use every core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec

import numpy as np
import numpy.typing as npt

from dicezero.bench.limits import sgemm_gflops
from dicezero.bench.row import Row
from dicezero.bench.timing import best_rate
from dicezero.model.config import ModelConfig
from dicezero.model.mlp import NativeModel
from dicezero.model.weights import Weights, random_weights

BATCHES = (1, 32, 128, 256)
CONFIG = ModelConfig(observation=64, actions=14)


def rows(against: frozenset[str]) -> Iterator[Row]:
    """Evaluations a second for each batch size; JAX beside them where it is asked for or installed."""
    weights = random_weights(CONFIG, seed=0)
    native = NativeModel(CONFIG, weights).native
    with_jax = "jax" in against or find_spec("jax") is not None
    limit = sgemm_gflops() * 1e9 / CONFIG.step_flops()
    for batch in BATCHES:
        rng = np.random.default_rng(batch)
        hidden = rng.standard_normal((batch, CONFIG.hidden)).astype(np.float32)
        action = rng.integers(0, CONFIG.actions, batch).astype(np.int32)
        yield Row(
            workload=f"network step, batch {batch}",
            unit="evaluations/s",
            ours=best_rate(lambda h=hidden, a=action: native.step(h, a), batch),  # type: ignore[misc]
            peer="jax" if with_jax else None,
            peer_value=best_rate(_jax_step(weights, hidden, action), batch) if with_jax else None,
            limit=limit,
        )


def _jax_step(
    weights: Weights, hidden: npt.NDArray[np.float32], action: npt.NDArray[np.int32]
) -> Callable[[], object]:
    import jax

    from dicezero.bench.jax_network import jax_params, jax_step

    params = jax_params(CONFIG, weights)
    jitted = jax.jit(lambda p, h, a: jax_step(CONFIG, p, h, a))
    on_device = jax.device_put((params, hidden, action))
    return lambda: jax.block_until_ready(jitted(*on_device))  # type: ignore[no-untyped-call]
