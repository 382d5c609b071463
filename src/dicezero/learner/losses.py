"""What training minimises: pure functions of parameters and a batch, each term by name.

Every term is a mean over the batch and a sum over the steps of the unroll, as in eq. 1 of the NDMZ paper.
"""

from __future__ import annotations

from typing import TypeAlias

import jax
import jax.numpy as jnp

from dicezero.model.network import Network
from dicezero.model.unroll import scale_gradient, unrolled
from dicezero.presets.loss_weights import LossWeights
from dicezero.replay.targets import TERMINAL_IDENTITY

Params: TypeAlias = dict[str, jax.Array]  # a network's weights, by name
Arrays: TypeAlias = dict[str, jax.Array]  # a Batch, by the names of its fields
Terms: TypeAlias = dict[str, jax.Array]

_OF_THE_ROOT = ("observation", "legal", "following")  # arrays of a batch that have no step in front


def total(weights: LossWeights, terms: Terms) -> jax.Array:
    """The weighted sum of the terms."""
    return sum((getattr(weights, name) * term for name, term in terms.items()), jnp.zeros(()))


def cross_entropy(logits: jax.Array, target: jax.Array) -> jax.Array:
    """-sum target log softmax(logits), [...] for [..., A]; the target may be any distribution."""
    return -jnp.sum(target * jax.nn.log_softmax(logits), axis=-1)


def pick_entropy(logits: jax.Array, target: jax.Array) -> jax.Array:
    """The same for a target [...] that is one action."""
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), target[..., None], axis=-1)[..., 0]


def number_loss(network: Network, head: jax.Array, target: jax.Array) -> jax.Array:
    """[...], of a head of values or rewards: the squared error, or cross-entropy with the two-hot code."""
    if network.support is None:
        return jnp.square(head[..., 0] - target)
    return cross_entropy(head, network.support.encode(target))


def squared_norm(params: Params) -> jax.Array:
    """||theta||^2."""
    return sum((jnp.sum(jnp.square(array)) for array in params.values()), jnp.zeros(()))


def network_terms(network: Network, params: Params, batch: Arrays, weights: LossWeights) -> Terms:
    """The terms of the loss of any network."""
    if network.kind == "evaluator":
        return evaluator_terms(network, params, batch)
    if network.kind == "judge":
        return judge_terms(network, params, batch)
    return model_terms(network, params, batch, scaled=weights.gradient_scaling == "muzero")


def evaluator_terms(network: Network, params: Params, batch: Arrays) -> Terms:
    """AlphaZero: the policy over the legal actions, and the value."""
    heads = network.apply(params, "evaluator", batch["observation"])
    logits = jnp.where(batch["legal"], heads["policy"], -1e9)
    target = batch["policy"][:, 0, : network.actions]
    terms = {
        "policy": jnp.mean(cross_entropy(logits, target)),
        "value": jnp.mean(number_loss(network, heads["value"], batch["value"][:, 0])),
        "l2": squared_norm(params),
    }
    if "auxiliary" in batch:
        terms["auxiliary"] = auxiliary_loss(heads["planes"], heads["numbers"], batch["auxiliary"])
    return terms


def auxiliary_loss(planes: jax.Array, numbers: jax.Array, target: jax.Array) -> jax.Array:
    """The squared error of a plane's cells on average and of the numbers in sum; NaN in target: not known."""
    is_known = ~jnp.isnan(target)
    error = jnp.where(
        is_known, jnp.concatenate([planes, numbers], axis=1) - jnp.where(is_known, target, 0.0), 0.0
    )
    squares, cells = jnp.square(error), planes.shape[1]
    return jnp.mean(jnp.sum(squares[:, :cells], axis=1) / max(1, cells) + jnp.sum(squares[:, cells:], axis=1))


def judge_terms(network: Network, params: Params, batch: Arrays) -> Terms:
    """TD(lambda): the value of an afterstate, for the player who moved."""
    head = network.apply(params, "judge", batch["observation"])["value"]
    return {"value": jnp.mean(number_loss(network, head, batch["value"][:, 0])), "l2": squared_norm(params)}


def model_terms(network: Network, params: Params, batch: Arrays, *, scaled: bool = False) -> Terms:
    """K steps through the model along what was played; ``scaled`` as LossWeights.gradient_scaling says.

    With identities this is NDMZ: a step's value is for the player to move there (chance and the end: for the
    one who moved last). Without, it is MuZero: see ``muzero_targets``. Past the end of an episode that was
    cut off nothing is trained (``mask``). A batch with ``following`` has the consistency term, too.
    """
    targets = batch if network.identities else muzero_targets(batch, network.actions)

    heads = unrolled(network, params, batch["observation"], targets["action"], halved=scaled)
    along = {name: jnp.swapaxes(targets[name], 0, 1) for name in targets if name not in _OF_THE_ROOT}
    mask = along["mask"]  # [K + 1, B]
    losses = {  # each [K, B], or [K + 1, B] with the root's
        "policy": mask * cross_entropy(heads["policy"], along["policy"]),
        "value": mask * number_loss(network, heads["value"], along["value"]),
        # What an action pays is known even where it ends in a cut: the mask of the step it is taken at.
        "reward": mask[:-1] * number_loss(network, heads["reward"], along["reward"]),
    }
    if network.identities:
        losses["chance"] = mask * pick_entropy(heads["chance"], along["chance"])
        losses["identity"] = mask[1:] * pick_entropy(heads["identity"], along["identity"][1:])
    if "following" in batch:
        seen, going = _seen(network, params, batch)
        losses["consistency"] = mask[0] * going * cosine_distance(heads["hidden"][1:], seen)
    unroll = targets["action"].shape[1]
    terms = {}
    for name, values in losses.items():
        means = jnp.mean(values, axis=1)
        recurrent = jnp.sum(means[-unroll:])
        terms[name] = jnp.sum(means[:-unroll]) + (
            scale_gradient(recurrent, 1.0 / unroll) if scaled else recurrent
        )
    return terms | {"l2": squared_norm(params)}


def _seen(network: Network, params: Params, batch: Arrays) -> tuple[jax.Array, jax.Array]:
    """The representation's hidden state at each step after the root, [K, B, H], and where it is, [K, B].

    It is the target and gets no gradient. The view is that of the player to move, as in a model that takes
    turns; past the end nothing is seen.
    """
    rows, unroll, columns = batch["following"].shape
    flat = jnp.swapaxes(batch["following"], 0, 1).reshape(unroll * rows, columns)
    hidden = network.apply(params, "representation", flat)["hidden"]
    going = batch["identity"][:, 1:] != TERMINAL_IDENTITY
    seen = jax.lax.stop_gradient(hidden).reshape(unroll, rows, hidden.shape[1])
    return seen, jnp.swapaxes(going, 0, 1).astype(jnp.float32)


def cosine_distance(x: jax.Array, y: jax.Array) -> jax.Array:
    """1 - cos of the angle between rows, [...] for [..., H]."""
    floor = 1e-8  # under the root, where the gradient of a length is undefined
    lengths = jnp.sqrt(jnp.sum(x * x, axis=-1) + floor) * jnp.sqrt(jnp.sum(y * y, axis=-1) + floor)
    return 1.0 - jnp.sum(x * y, axis=-1) / lengths


def muzero_targets(batch: Arrays, choices: int) -> Arrays:
    """The targets of a model that knows the players' actions and nothing else.

    The absorbing states past the end of a game are worth 0, for either player: what the game
    paid, it paid as rewards. So the search's Q = reward + discount x value of what follows is right at the
    last move, and stays right where the search goes on beyond it. The policy has no target there, and
    any action may be taken: the one a sample gets is that of its place in the batch, which is random.
    """
    over = batch["identity"] == TERMINAL_IDENTITY  # [B, K + 1]
    rows, unroll = batch["action"].shape
    any_action = (jnp.arange(rows)[:, None] + jnp.arange(unroll)) % choices
    return {
        "policy": jnp.where(over[:, :, None], 0.0, batch["policy"][:, :, :choices]),
        "value": batch["value"],
        "reward": batch["reward"],
        "action": jnp.where(over[:, :-1], any_action, batch["action"]),
        "mask": batch["mask"],
    }
