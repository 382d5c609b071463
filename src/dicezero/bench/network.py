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
from dicezero.model.dense import DenseModel
from dicezero.model.weights import Weights

BATCHES = (1, 32, 128, 256)
MODEL = DenseModel(observation=64, actions=14)


def rows(against: frozenset[str]) -> Iterator[Row]:
    """Evaluations a second for each batch size; JAX beside them where it is asked for or installed."""
    weights = MODEL.init(seed=0)
    native = MODEL.player(weights).native
    with_jax = "jax" in against or find_spec("jax") is not None
    limit = sgemm_gflops() * 1e9 / MODEL.step_flops()
    for batch in BATCHES:
        rng = np.random.default_rng(batch)
        hidden = rng.standard_normal((batch, MODEL.hidden)).astype(np.float32)
        action = rng.integers(0, MODEL.actions, batch).astype(np.int32)
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
    import jax.numpy as jnp

    params = {name: jnp.asarray(array) for name, array in weights.items()}

    @jax.jit
    def step(h: jax.Array, a: jax.Array) -> object:
        # The weights are constants here: what is made of them alone is made once.
        taken = jax.nn.one_hot(a, MODEL.actions)
        dynamics = MODEL.apply(params, "dynamics", jnp.concatenate([h, taken], axis=1))
        return dynamics, MODEL.apply(params, "prediction", dynamics["hidden"])

    on_device = jax.device_put((hidden, action))
    return lambda: jax.block_until_ready(step(*on_device))  # type: ignore[no-untyped-call]
