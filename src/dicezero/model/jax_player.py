"""Players made of any network's ``apply``: jitted once, always called with the same number of rows.

A matrix product may round differently at another size. So every call has ``batch_rows`` rows, the last one
repeated where there are fewer: a position's evaluation does not depend on the rest of its batch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from dicezero.model.board_convolution import xla_convolutions
from dicezero.model.network import Kind, Network, Player
from dicezero.model.weights import Floats
from dicezero.search.simulator import Step

ROWS = 64


def jax_player(
    network: Network, weights: Mapping[str, Any], *, batch_rows: int = ROWS, native: bool = True
) -> Player:
    """The player of a network of any kind, as ``Network.player`` is to give it.

    ``native`` as in ``Trainer``: without it XLA alone computes, as on a device other than the CPU.
    """
    makers: dict[Kind, type[JaxModel | JaxEvaluator | JaxJudge]]
    makers = {"model": JaxModel, "evaluator": JaxEvaluator, "judge": JaxJudge}
    return makers[network.kind](network, weights, batch_rows=batch_rows, native=native)


def formulas(*, native: bool) -> AbstractContextManager[None]:
    """While it is open, what is traced calls the native kernels, or no function but XLA's own."""
    return nullcontext() if native else xla_convolutions()


def number(network: Network, head: jax.Array) -> jax.Array:
    """The numbers [M] that a head of values or rewards stands for."""
    return head[:, 0] if network.support is None else jnp.asarray(network.support.decode(head))


@cache
def _root(network: Network, native: bool) -> Callable[..., Any]:
    def root(params: Any, observation: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
        with formulas(native=native):
            hidden = network.apply(params, "representation", observation)["hidden"]
            heads = network.apply(params, "prediction", hidden)
        return hidden, heads["policy"], number(network, heads["value"])

    return jax.jit(root)


@cache
def _step(network: Network, native: bool) -> Callable[..., Any]:
    def step(params: Any, hidden: jax.Array, action: jax.Array) -> tuple[Any, ...]:
        taken = jax.nn.one_hot(action, network.actions)
        with formulas(native=native):
            dynamics = network.apply(params, "dynamics", jnp.concatenate([hidden, taken], axis=1))
            heads = network.apply(params, "prediction", dynamics["hidden"])
        reward, value = number(network, dynamics["reward"]), number(network, heads["value"])
        return (
            dynamics["hidden"],
            reward,
            heads["policy"],
            value,
            dynamics.get("identity"),
            heads.get("chance"),
        )

    return jax.jit(step)


@cache
def _evaluate(network: Network, native: bool) -> Callable[..., Any]:
    def evaluate(params: Any, observation: jax.Array) -> tuple[jax.Array, jax.Array]:
        with formulas(native=native):
            heads = network.apply(params, "evaluator", observation)
        return heads["policy"], number(network, heads["value"])

    return jax.jit(evaluate)


@cache
def _judge(network: Network) -> Callable[..., Any]:
    def judge(params: Any, observation: jax.Array) -> tuple[jax.Array]:
        return (number(network, network.apply(params, "judge", observation)["value"]),)

    return jax.jit(judge)


class _JaxPlayer:
    """A network and its weights on the device."""

    def __init__(
        self, network: Network, weights: Mapping[str, Any], *, batch_rows: int = ROWS, native: bool = True
    ) -> None:
        self.network = network
        self.batch_rows = batch_rows
        self.native_formulas = native
        self._params = {name: jnp.asarray(array) for name, array in network.check(weights).items()}

    def _flat(self, observations: npt.ArrayLike) -> Floats:
        array, columns = np.asarray(observations, np.float32), self.network.observation
        flat = array.reshape(len(array), -1) if array.ndim > 1 else array
        if flat.ndim != 2 or flat.shape[1] != columns:
            raise ValueError(
                f"observations has shape {array.shape}; give [rows, ...] of {columns} numbers each"
            )
        return flat

    def _ask(self, function: Callable[..., Any], *inputs: npt.NDArray[Any]) -> tuple[Any, ...]:
        """The outputs of ``function``, called with exactly ``batch_rows`` rows each time."""
        rows, size = len(inputs[0]), self.batch_rows
        parts = []
        for start in range(0, rows, size):
            index = np.minimum(np.arange(start, start + size), rows - 1)
            outputs = function(self._params, *(array[index] for array in inputs))
            parts.append([None if array is None else np.asarray(array)[: rows - start] for array in outputs])
        return tuple(None if part[0] is None else np.concatenate(part) for part in zip(*parts, strict=True))


class JaxModel(_JaxPlayer):
    """The learned model of MuZero or NDMZ: ``root`` and ``step``, as the planner asks for them."""

    @property
    def num_identities(self) -> int:
        """Whom it can name as next to act."""
        return self.network.identities

    def root(self, observations: npt.ArrayLike) -> tuple[Floats, Floats, Floats]:
        """Observations [B, O] to hidden [B, H], policy logits [B, A] and value [B], for the mover."""
        hidden, policy, value = self._ask(_root(self.network, self.native_formulas), self._flat(observations))
        return hidden, policy, value

    def step(self, hidden: npt.ArrayLike, action: npt.ArrayLike) -> Step:
        """Takes ``action`` [M] in ``hidden`` [M, H]."""
        inputs = np.asarray(hidden, np.float32), np.asarray(action, np.int32)
        return Step(*self._ask(_step(self.network, self.native_formulas), *inputs))


class JaxEvaluator(_JaxPlayer):
    """AlphaZero's evaluator of true positions."""

    def __call__(self, observations: npt.ArrayLike, legal: npt.ArrayLike) -> tuple[Floats, Floats]:
        """Observations [M, ...] to policy logits [M, A], not masked, and value [M], for the mover."""
        del legal  # the search looks at legal actions only
        policy, value = self._ask(_evaluate(self.network, self.native_formulas), self._flat(observations))
        return policy, value


class JaxJudge(_JaxPlayer):
    """TD(lambda)'s judge of afterstates."""

    def __call__(self, observations: npt.ArrayLike) -> Floats:
        """Observations [M, O] to value [M], each for the player whose view the observation is."""
        (value,) = self._ask(_judge(self.network), self._flat(observations))
        return np.asarray(value)
