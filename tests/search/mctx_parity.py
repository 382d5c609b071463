"""Is a planner equal to mctx? The same random model, the same noise, then visit for visit."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import jax
import jax.numpy as jnp
import mctx
import numpy as np
from table_model import TableModel, jax_recurrent_fn, random_legal, random_model

from dicezero.search.config import Dirichlet, Puct, SearchConfig

_STATES = 4096


@dataclass(frozen=True)
class ParityCase:
    """A batch of searches for both; the first five fields decide what mctx has to compile."""

    policy: Literal["gumbel", "muzero"]
    actions: int
    simulations: int
    considered: int = 16
    batch: int = 4
    players: Literal["single", "alternate"] = "single"
    masked: bool = False
    discount: float = 1.0
    c_visit: float = 50.0
    c_scale: float = 0.1
    fraction: float = 0.0
    seed: int = 0


def check_parity(plan: Callable[..., Any], case: ParityCase) -> None:
    """Asserts that ``plan`` finds what mctx finds: equal visits and actions, weights to 1e-5.

    mctx runs in double precision, so that rounding decides no comparison.
    """
    rng = np.random.default_rng(case.seed)
    model = random_model(rng, states=_STATES, actions=case.actions)
    start = rng.integers(0, _STATES, case.batch)
    legal = (
        random_legal(rng, case.batch, case.actions)
        if case.masked
        else np.ones((case.batch, case.actions), bool)
    )
    with jax.enable_x64(True):
        expected, noise = _run_mctx(case, model, start, legal)
    result = plan(model, model.root(start, legal), _config(case), seed=case.seed, **noise)

    visited = expected.visits > 0
    np.testing.assert_array_equal(result.visits, expected.visits, err_msg=f"visits of {case}")
    np.testing.assert_allclose(result.policy, expected.weights, atol=1e-5, rtol=0)
    np.testing.assert_allclose(result.value, expected.value, atol=1e-5, rtol=0)
    np.testing.assert_allclose(result.q[visited], expected.q[visited], atol=1e-5, rtol=0)
    assert np.isnan(result.q[~visited]).all()
    if case.policy == "gumbel":
        np.testing.assert_array_equal(result.action, expected.action)
        return
    # Of equally visited actions mctx takes one by lot, we the one with the greatest Q.
    most = expected.visits == expected.visits.max(axis=1, keepdims=True)
    assert most[np.arange(case.batch), expected.action].all()
    np.testing.assert_array_equal(result.action, np.where(most, expected.q, -np.inf).argmax(axis=1))


@dataclass(frozen=True)
class Expected:
    """What mctx found, as NumPy arrays, and the noise it drew."""

    action: np.ndarray
    weights: np.ndarray
    visits: np.ndarray
    q: np.ndarray
    value: np.ndarray
    noise: np.ndarray


def _config(case: ParityCase) -> SearchConfig:
    is_gumbel = case.policy == "gumbel"
    return SearchConfig(
        simulations=case.simulations,
        root="gumbel" if is_gumbel else "puct",
        interior="improved" if is_gumbel else "puct",
        players=case.players,
        discount=case.discount,
        max_considered_actions=case.considered,
        c_visit=case.c_visit,
        c_scale=case.c_scale,
        puct=Puct(form="muzero"),
        dirichlet=Dirichlet(fraction=case.fraction),
        temperature=0.0,
    )


def _run_mctx(
    case: ParityCase, model: TableModel, start: np.ndarray, legal: np.ndarray
) -> tuple[Expected, dict[str, np.ndarray]]:
    sign = 1.0 if case.players == "single" else -1.0
    params = {
        "following": jnp.asarray(model.following, jnp.int32),
        "reward": jnp.asarray(model.reward, jnp.float64),
        "policy_logits": jnp.asarray(model.policy_logits, jnp.float64),
        "value": jnp.asarray(model.value, jnp.float64),
        "discount": jnp.asarray(sign * case.discount),
        "c_visit": jnp.asarray(case.c_visit),
        "c_scale": jnp.asarray(case.c_scale),
        "fraction": jnp.asarray(case.fraction),
    }
    root = mctx.RootFnOutput(
        prior_logits=params["policy_logits"][start],
        value=params["value"][start],
        embedding=jnp.asarray(model.hidden(start)),
    )
    key = jax.random.PRNGKey(case.seed)
    run = _compiled(case.policy, case.simulations, case.considered)
    expected = Expected(*map(np.asarray, run(params, key, root, jnp.asarray(~legal))))
    if case.policy == "gumbel":
        return expected, {"gumbel": expected.noise}
    if case.fraction == 0.0:
        return expected, {}
    # mctx mixes before it masks: the noise that has the same effect on the legal actions alone.
    prior = np.asarray(jax.nn.softmax(root.prior_logits))
    noisy = np.where(legal, (1 - case.fraction) * prior + case.fraction * expected.noise, 0.0)
    noisy /= noisy.sum(axis=1, keepdims=True)
    prior = np.where(legal, prior, 0.0)
    prior /= prior.sum(axis=1, keepdims=True)
    return expected, {"dirichlet": (noisy - (1 - case.fraction) * prior) / case.fraction}


@functools.cache
def _compiled(policy: str, simulations: int, considered: int) -> Callable[..., Any]:
    def gumbel(params: dict[str, Any], key: Any, root: Any, invalid: Any) -> Any:
        qtransform = functools.partial(
            mctx.qtransform_completed_by_mix_value,
            value_scale=params["c_scale"],
            maxvisit_init=params["c_visit"],
        )
        output = mctx.gumbel_muzero_policy(
            params,
            key,
            root,
            jax_recurrent_fn,
            simulations,
            invalid_actions=invalid,
            qtransform=qtransform,
            max_num_considered_actions=considered,
        )
        shape = root.prior_logits.shape  # the Gumbel vectors, as mctx draws them from the key
        noise = jax.random.gumbel(jax.random.split(key)[1], shape, root.prior_logits.dtype)
        return _found(output, noise)

    def muzero(params: dict[str, Any], key: Any, root: Any, invalid: Any) -> Any:
        output = mctx.muzero_policy(
            params,
            key,
            root,
            jax_recurrent_fn,
            simulations,
            invalid_actions=invalid,
            dirichlet_fraction=params["fraction"],
            temperature=0.0,
        )
        batch, actions = root.prior_logits.shape
        noise = jax.random.dirichlet(jax.random.split(key, 3)[1], jnp.full(actions, 0.3), (batch,))
        return _found(output, noise)

    return jax.jit(gumbel if policy == "gumbel" else muzero)


def _found(output: Any, noise: Any) -> tuple[Any, ...]:
    """The fields of Expected, in order."""
    summary = output.search_tree.summary()
    visits = summary.visit_counts.astype(jnp.int32)
    return output.action, output.action_weights, visits, summary.qvalues, summary.value, noise
