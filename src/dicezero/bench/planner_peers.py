"""The searches of mctx over the same networks as ours, jitted, warmed and timed; XLA keeps its threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import jax
import jax.numpy as jnp
import mctx

from dicezero.bench.timing import best_rate
from dicezero.model.dense import DenseModel
from dicezero.model.weights import Weights

PeerName = Literal["gumbel_muzero_policy", "muzero_policy", "stochastic_muzero_policy"]
Heads = dict[str, jax.Array]
DIE_SIDES = 6  # outcomes of the stochastic search's chance nodes; fewer are cheaper for it


def peer_rate(
    name: PeerName,
    network: DenseModel,
    weights: Weights,
    *,
    batch: int,
    simulations: int = 100,
    seconds: float = 3.0,
    seed: int = 0,
) -> float:
    """Simulations a second of ``mctx.<name>`` over ``batch`` roots searched at once."""
    keys = jax.random.split(jax.random.key(seed))
    hidden = jax.random.normal(keys[0], (batch, network.hidden))
    search = jax.jit(_search(name, _Constant(network, weights), simulations))

    def run() -> object:
        return jax.block_until_ready(search(keys[1], hidden))  # type: ignore[no-untyped-call]

    return best_rate(run, batch * simulations, seconds=seconds)


class _Constant:
    """A network whose weights are constants of the search: what is made of them alone is made once."""

    def __init__(self, network: DenseModel, weights: Weights) -> None:
        self._network = network
        self._params = {name: jnp.asarray(array) for name, array in weights.items()}

    def predict(self, hidden: jax.Array) -> Heads:
        return self._network.apply(self._params, "prediction", hidden)

    def step(self, hidden: jax.Array, action: jax.Array) -> Heads:
        """The heads of dynamics and prediction together."""
        taken = jax.nn.one_hot(action, self._network.actions)
        heads = self._network.apply(self._params, "dynamics", jnp.concatenate([hidden, taken], axis=1))
        return heads | self.predict(heads["hidden"])


def _search(name: PeerName, network: _Constant, simulations: int) -> Callable[..., Any]:
    def search(key: jax.Array, hidden: jax.Array) -> Any:
        heads = network.predict(hidden)
        root = mctx.RootFnOutput(  # type: ignore[call-arg]
            prior_logits=heads["policy"], value=heads["value"][:, 0], embedding=hidden
        )
        if name == "stochastic_muzero_policy":
            functions: tuple[Any, ...] = (_decision(network), _chance(network))
        else:
            functions = (_recurrent(network),)
        output = getattr(mctx, name)(None, key, root, *functions, num_simulations=simulations)
        return output.action, output.action_weights  # the tree itself need not leave the device

    return search


def _recurrent(network: _Constant) -> Callable[..., Any]:
    def recurrent(_params: None, _key: jax.Array, action: jax.Array, hidden: jax.Array) -> Any:
        heads = network.step(hidden, action)
        value = heads["value"][:, 0]
        output = mctx.RecurrentFnOutput(  # type: ignore[call-arg]
            reward=heads["reward"][:, 0],
            discount=-jnp.ones_like(value),
            prior_logits=heads["policy"],
            value=value,
        )
        return output, heads["hidden"]

    return recurrent


def _decision(network: _Constant) -> Callable[..., Any]:
    def decision(_params: None, _key: jax.Array, action: jax.Array, hidden: jax.Array) -> Any:
        heads = network.step(hidden, action)
        output = mctx.DecisionRecurrentFnOutput(  # type: ignore[call-arg]
            chance_logits=heads["policy"][:, :DIE_SIDES], afterstate_value=heads["value"][:, 0]
        )
        return output, heads["hidden"]

    return decision


def _chance(network: _Constant) -> Callable[..., Any]:
    def chance(_params: None, _key: jax.Array, outcome: jax.Array, hidden: jax.Array) -> Any:
        heads = network.step(hidden, outcome)
        value = heads["value"][:, 0]
        output = mctx.ChanceRecurrentFnOutput(  # type: ignore[call-arg]
            action_logits=heads["policy"],
            value=value,
            reward=heads["reward"][:, 0],
            discount=-jnp.ones_like(value),
        )
        return output, heads["hidden"]

    return chance
