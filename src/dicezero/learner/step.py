"""One step of Adam, compiled once, over the flat weight dict."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from dicezero.learner.losses import Arrays, LossWeights, Terms, evaluator_terms, model_terms
from dicezero.learner.network import Params
from dicezero.model.config import EvaluatorConfig, NetworkConfig
from dicezero.model.weights import Weights
from dicezero.replay.buffer import Batch

_ADAM = optax.scale_by_adam()
_ONE_THREAD = "--xla_cpu_multi_thread_eigen=false"


def prefer_one_thread() -> None:
    """Small networks train faster on one thread; to be called before JAX runs its first computation.

    Leaves XLA_FLAGS alone where the user has set the same option.
    """
    flags = os.environ.get("XLA_FLAGS", "")
    if "xla_cpu_multi_thread_eigen" not in flags:
        os.environ["XLA_FLAGS"] = f"{flags} {_ONE_THREAD}".strip()


@cache
def _compiled(config: NetworkConfig, loss_weights: LossWeights) -> Callable[..., tuple[Params, Any, Terms]]:
    """(weights, moments, batch, learning rate) to the next weights and moments and the terms of the loss."""

    def objective(params: Params, batch: Arrays) -> tuple[jax.Array, Terms]:
        if isinstance(config, EvaluatorConfig):
            terms = evaluator_terms(config, params, batch)
        else:
            scaled = loss_weights.gradient_scaling == "muzero"
            terms = model_terms(config, params, batch, scaled=scaled)
        total = loss_weights.total(terms)
        return total, terms | {"total": total}

    def update(
        params: Params, moments: Any, batch: Arrays, learning_rate: jax.Array
    ) -> tuple[Params, Any, Terms]:
        gradient, terms = jax.grad(objective, has_aux=True)(params, batch)
        direction: Any
        direction, moments = _ADAM.update(gradient, moments, params)
        decay = loss_weights.weight_decay
        moved = {k: v - learning_rate * (direction[k] + decay * v) for k, v in params.items()}
        return moved, moments, terms

    return jax.jit(update)


class Trainer:
    """Weights and Adam's moments, and the step that changes them.

    The state is two flat dicts of arrays: ``weights()`` and ``optimiser()``; a new Trainer given both goes on
    exactly where this one stands.
    """

    def __init__(
        self,
        config: NetworkConfig,
        loss_weights: LossWeights,
        weights: Weights,
        optimiser: Mapping[str, np.ndarray[Any, Any]] | None = None,
    ) -> None:
        self._params: Params = {name: jnp.asarray(array) for name, array in weights.items()}
        self._moments: Any = _ADAM.init(self._params)  # optax types its states loosely
        if optimiser is not None:
            self._moments = optax.ScaleByAdamState(
                count=jnp.asarray(optimiser["count"]),
                mu={name: jnp.asarray(optimiser[f"mu.{name}"]) for name in weights},
                nu={name: jnp.asarray(optimiser[f"nu.{name}"]) for name in weights},
            )

        self._update = _compiled(config, loss_weights)

    def step(self, batch: Batch, *, learning_rate: float) -> Terms:
        """Learns from one batch; returns the terms of the loss, still on the device."""
        arrays = {name: jnp.asarray(array) for name, array in vars(batch).items()}
        rate = jnp.asarray(learning_rate, jnp.float32)
        self._params, self._moments, terms = self._update(self._params, self._moments, arrays, rate)
        return dict(terms)

    def weights(self) -> Weights:
        """The weights by name, as the native networks take them."""
        return {name: np.asarray(array) for name, array in self._params.items()}

    def optimiser(self) -> dict[str, np.ndarray[Any, Any]]:
        """Adam's count and moments by name."""
        state: dict[str, np.ndarray[Any, Any]] = {"count": np.asarray(self._moments.count)}
        for part in ("mu", "nu"):
            state |= {f"{part}.{k}": np.asarray(v) for k, v in getattr(self._moments, part).items()}
        return state
