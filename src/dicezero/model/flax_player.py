"""Board networks that play: compiled once, always asked with the same number of rows.

A matrix product may round differently at another size. So every call has ``batch_rows`` rows, the last one
repeated where there are fewer: what is said of a position does not depend on what else is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from dicezero.model.config import BoardEvaluatorConfig, BoardModelConfig
from dicezero.model.flax_board import apply_board, observation_columns
from dicezero.model.weights import Floats, check_weights
from dicezero.search.simulator import Step

ROWS = 64


@cache
def _root(config: BoardModelConfig) -> Callable[..., Any]:
    def root(params: Any, observation: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
        hidden = apply_board(config, params, "representation", observation)["hidden"]
        heads = apply_board(config, params, "prediction", hidden)
        return hidden, heads["policy"], heads["value"][:, 0]

    return jax.jit(root)


@cache
def _step(config: BoardModelConfig) -> Callable[..., Any]:
    def step(params: Any, hidden: jax.Array, action: jax.Array) -> tuple[Any, ...]:
        taken = jax.nn.one_hot(action, config.actions)
        dynamics = apply_board(config, params, "dynamics", jnp.concatenate([hidden, taken], axis=1))
        heads = apply_board(config, params, "prediction", dynamics["hidden"])
        said = dynamics["hidden"], dynamics["reward"][:, 0], heads["policy"], heads["value"][:, 0]
        return *said, dynamics.get("identity"), heads.get("chance")

    return jax.jit(step)


@cache
def _evaluate(config: BoardEvaluatorConfig) -> Callable[..., Any]:
    def evaluate(params: Any, observation: jax.Array) -> tuple[jax.Array, jax.Array]:
        heads = apply_board(config, params, "evaluator", observation)
        return heads["policy"], heads["value"][:, 0]

    return jax.jit(evaluate)


class FlaxModel:
    """The learned model of MuZero or NDMZ on planes: ``root`` and ``step``, as the planner asks for them."""

    def __init__(
        self, config: BoardModelConfig, weights: Mapping[str, Any], *, batch_rows: int = ROWS
    ) -> None:
        self.config = config
        self.batch_rows = batch_rows
        self.num_identities = config.identities
        self._params = {name: jnp.asarray(array) for name, array in check_weights(config, weights).items()}

    def root(self, observations: npt.ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Observations [B, O] to hidden [B, H], policy logits [B, A] and value [B], for the mover."""
        rows = _flat(observations, observation_columns(self.config))
        hidden, policy, value = _in_parts(_root(self.config), self._params, (rows,), self.batch_rows)
        return hidden, policy, value

    def step(self, hidden: npt.ArrayLike, action: npt.ArrayLike) -> Step:
        """Takes ``action`` [M] in ``hidden`` [M, H]."""
        inputs = np.asarray(hidden, np.float32), np.asarray(action, np.int32)
        found = _in_parts(_step(self.config), self._params, inputs, self.batch_rows)
        return Step(*found)


class FlaxEvaluator:
    """AlphaZero's evaluator of true positions on planes."""

    def __init__(
        self, config: BoardEvaluatorConfig, weights: Mapping[str, Any], *, batch_rows: int = ROWS
    ) -> None:
        self.config = config
        self.batch_rows = batch_rows
        self._params = {name: jnp.asarray(array) for name, array in check_weights(config, weights).items()}

    def __call__(self, observations: npt.ArrayLike, legal: npt.ArrayLike) -> tuple[Floats, Floats]:
        """Observations [M, ...] to policy logits [M, A], not masked, and value [M], for the mover."""
        del legal  # the search looks at legal actions only
        rows = _flat(observations, observation_columns(self.config))
        policy, value = _in_parts(_evaluate(self.config), self._params, (rows,), self.batch_rows)
        return policy, value


def _flat(observations: npt.ArrayLike, columns: int) -> Floats:
    array = np.asarray(observations, np.float32)
    flat = array.reshape(len(array), -1) if array.ndim > 1 else array
    if flat.ndim != 2 or flat.shape[1] != columns:
        raise ValueError(f"observations has shape {array.shape}; give [rows, ...] of {columns} numbers each")
    return flat


def _in_parts(
    function: Callable[..., Any], params: Any, inputs: tuple[npt.NDArray[Any], ...], size: int
) -> tuple[Any, ...]:
    """The answers of ``function``, asked with exactly ``size`` rows each time."""
    rows = len(inputs[0])
    parts = []
    for start in range(0, rows, size):
        index = np.minimum(np.arange(start, start + size), rows - 1)
        said = function(params, *(array[index] for array in inputs))
        parts.append([None if array is None else np.asarray(array)[: rows - start] for array in said])
    return tuple(None if part[0] is None else np.concatenate(part) for part in zip(*parts, strict=True))
