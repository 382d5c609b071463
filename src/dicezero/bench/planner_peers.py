"""The searches of mctx over the same networks as ours, jitted, warmed and timed; XLA keeps its threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import jax
import jax.numpy as jnp
import mctx

from dicezero.bench.jax_network import Params, jax_dynamics, jax_params, jax_predict
from dicezero.bench.timing import best_rate
from dicezero.model.config import ModelConfig
from dicezero.model.weights import Weights

PeerName = Literal["gumbel_muzero_policy", "muzero_policy", "stochastic_muzero_policy"]
DIE_SIDES = 6  # outcomes of the stochastic search's chance nodes; fewer are cheaper for it


def peer_rate(
    name: PeerName,
    config: ModelConfig,
    weights: Weights,
    *,
    batch: int,
    simulations: int = 100,
    seconds: float = 3.0,
    seed: int = 0,
) -> float:
    """Simulations a second of ``mctx.<name>`` over ``batch`` roots searched at once."""
    params = jax_params(config, weights)
    keys = jax.random.split(jax.random.key(seed))
    hidden = jax.random.normal(keys[0], (batch, config.hidden))
    search = jax.jit(_search(name, config, simulations))

    def run() -> object:
        return jax.block_until_ready(search(params, keys[1], hidden))  # type: ignore[no-untyped-call]

    return best_rate(run, batch * simulations, seconds=seconds)


def _search(name: PeerName, config: ModelConfig, simulations: int) -> Callable[..., Any]:
    def search(params: Params, key: jax.Array, hidden: jax.Array) -> Any:
        policy_logits, _, value = jax_predict(config, params, hidden)
        root = mctx.RootFnOutput(prior_logits=policy_logits, value=value, embedding=hidden)  # type: ignore[call-arg]
        if name == "stochastic_muzero_policy":
            functions: tuple[Any, ...] = (_decision(config), _chance(config))
        else:
            functions = (_recurrent(config),)
        output = getattr(mctx, name)(params, key, root, *functions, num_simulations=simulations)
        return output.action, output.action_weights  # the tree itself need not leave the device

    return search


def _recurrent(config: ModelConfig) -> Callable[..., Any]:
    def recurrent(params: Params, _key: jax.Array, action: jax.Array, hidden: jax.Array) -> Any:
        after, reward, _ = jax_dynamics(config, params, hidden, action)
        policy_logits, _, value = jax_predict(config, params, after)
        output = mctx.RecurrentFnOutput(  # type: ignore[call-arg]
            reward=reward, discount=-jnp.ones_like(value), prior_logits=policy_logits, value=value
        )
        return output, after

    return recurrent


def _decision(config: ModelConfig) -> Callable[..., Any]:
    def decision(params: Params, _key: jax.Array, action: jax.Array, hidden: jax.Array) -> Any:
        after, _, _ = jax_dynamics(config, params, hidden, action)
        logits, _, value = jax_predict(config, params, after)
        output = mctx.DecisionRecurrentFnOutput(  # type: ignore[call-arg]
            chance_logits=logits[:, :DIE_SIDES], afterstate_value=value
        )
        return output, after

    return decision


def _chance(config: ModelConfig) -> Callable[..., Any]:
    def chance(params: Params, _key: jax.Array, outcome: jax.Array, hidden: jax.Array) -> Any:
        after, reward, _ = jax_dynamics(config, params, hidden, outcome)
        policy_logits, _, value = jax_predict(config, params, after)
        output = mctx.ChanceRecurrentFnOutput(  # type: ignore[call-arg]
            action_logits=policy_logits, value=value, reward=reward, discount=-jnp.ones_like(value)
        )
        return output, after

    return chance
