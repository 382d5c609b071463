"""The losses beside plain NumPy, in double precision."""

from __future__ import annotations

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from dicezero.learner.losses import evaluator_terms, model_terms, total
from dicezero.model.dense import DenseEvaluator, DenseModel
from dicezero.model.reference import reference_heads, reference_root, reference_step
from dicezero.model.support import Support
from dicezero.presets.loss_weights import LossWeights
from dicezero.replay.buffer import Batch

MODEL = DenseModel(observation=5, actions=6, hidden=7, widths=(8,))
EVALUATOR = DenseEvaluator(observation=5, actions=3, widths=(8, 8))


def log_softmax(x):
    x = x - x.max(axis=-1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=-1, keepdims=True))


def random_batch(rows, unroll, actions, choices):
    rng = np.random.default_rng(5)
    policy = rng.random((rows, unroll + 1, actions)).astype(np.float32)
    policy[:, :, choices:] = 0.0
    return Batch(
        observation=rng.standard_normal((rows, 5)).astype(np.float32),
        legal=np.ones((rows, choices), np.bool_),
        action=rng.integers(actions, size=(rows, unroll)).astype(np.int32),
        policy=policy / policy.sum(axis=-1, keepdims=True),
        chance=rng.integers(actions, size=(rows, unroll + 1)).astype(np.int32),
        identity=rng.integers(4, size=(rows, unroll + 1)).astype(np.int32),
        value=rng.choice([-1.0, 1.0], size=(rows, unroll + 1)).astype(np.float32),
        reward=rng.standard_normal((rows, unroll)).astype(np.float32),
        mask=np.ones((rows, unroll + 1), np.float32),
    )


def test_the_loss_of_the_model_is_equation_1_term_by_term():
    weights = MODEL.init(seed=2)
    batch = random_batch(9, 3, MODEL.actions, choices=3)
    found = model_terms(MODEL, weights, batch.arrays())

    rows = np.arange(9)
    hidden, policy, value = reference_root(MODEL, weights, batch.observation)
    want = dict.fromkeys(("policy", "chance", "identity", "value", "reward"), 0.0)
    chance = reference_heads(MODEL, weights, "prediction", hidden)["chance"]
    want["chance"] -= log_softmax(chance)[rows, batch.chance[:, 0]].mean()
    for k in range(4):
        if k:
            step = reference_step(MODEL, weights, hidden, batch.action[:, k - 1])
            hidden, policy, value = step.hidden, step.policy_logits, step.value
            want["identity"] -= log_softmax(step.identity_logits)[rows, batch.identity[:, k]].mean()
            want["reward"] += np.square(step.reward - batch.reward[:, k - 1]).mean()
            want["chance"] -= log_softmax(step.chance_logits)[rows, batch.chance[:, k]].mean()
        want["policy"] -= (batch.policy[:, k] * log_softmax(policy)).sum(axis=1).mean()
        want["value"] += np.square(value - batch.value[:, k]).mean()
    for name, term in want.items():
        assert float(found[name]) == pytest.approx(term, rel=1e-4), name
    assert float(found["l2"]) == pytest.approx(
        sum(float(np.square(w).sum()) for w in weights.values()), rel=1e-4
    )


def test_the_loss_of_the_evaluator_looks_at_legal_actions_only():
    weights = EVALUATOR.init(seed=2)
    batch = random_batch(9, 0, 6, choices=3)
    batch.legal[:, 2] = False
    batch.policy[:, 0, :] = [0.25, 0.75, 0, 0, 0, 0]
    found = evaluator_terms(EVALUATOR, weights, batch.arrays())
    heads = reference_heads(EVALUATOR, weights, "evaluator", batch.observation)
    logits, value = heads["policy"], heads["value"][:, 0]
    policy = -(log_softmax(logits[:, :2]) * [0.25, 0.75]).sum(axis=1).mean()
    assert float(found["policy"]) == pytest.approx(policy, rel=1e-4)
    assert float(found["value"]) == pytest.approx(np.square(value - batch.value[:, 0]).mean(), rel=1e-4)


def test_the_total_weighs_each_term():
    weights = LossWeights(policy=2.0, chance=0.5, identity=3.0, value=4.0, reward=5.0, l2=0.1)
    terms = dict.fromkeys(("policy", "chance", "identity", "value", "reward", "l2"), np.float32(1.0))
    assert float(total(weights, terms)) == pytest.approx(14.6)


MUZERO = DenseModel(5, 3, hidden=8, identities=0, widths=(8,), hidden_scaling="minmax", skip="turned")


def test_with_a_skip_a_new_model_hardly_changes_the_state():
    hidden, rows = np.random.default_rng(0).standard_normal((50, 64)), np.zeros(50, np.int32)
    config = DenseModel(5, 3, hidden=64, identities=0, widths=(32,), skip="turned")
    near, far = (
        reference_step(c, c.init(seed=1), hidden, rows).hidden - np.roll(hidden, 32, axis=1)
        for c in (config, replace(config, skip="none"))
    )
    assert near.std() < 0.5 < far.std()


def test_the_loss_of_muzero_is_paid_rewards_and_asks_nothing_of_the_policy_past_the_end():
    weights = MUZERO.init(seed=2)
    batch = random_batch(9, 3, 8, choices=3)
    batch.identity[:] = [[0, 1, 3, 3]] * 9
    batch.action[:, :2] %= 3
    found = model_terms(MUZERO, weights, batch.arrays())
    assert set(found) == {"policy", "value", "reward", "l2"}

    rows = np.arange(9)
    hidden, policy, value = reference_root(MUZERO, weights, batch.observation)
    want = dict.fromkeys(("policy", "value", "reward"), 0.0)
    for k in range(4):
        if k:
            action = batch.action[:, k - 1] if k < 3 else (rows + 2) % 3
            step = reference_step(MUZERO, weights, hidden, action)
            hidden, policy, value = step.hidden, step.policy_logits, step.value
            want["reward"] += np.square(step.reward - batch.reward[:, k - 1]).mean()
        if k < 2:
            want["policy"] -= (batch.policy[:, k, :3] * log_softmax(policy)).sum(axis=1).mean()
        want["value"] += np.square(value - batch.value[:, k]).mean()
    for name, term in want.items():
        assert float(found[name]) == pytest.approx(term, rel=1e-4), name


def test_scaled_gradients_leave_the_loss_and_shrink_what_the_unroll_teaches():
    weights = {name: jnp.asarray(array) for name, array in MODEL.init(seed=2).items()}
    batch = {name: jnp.asarray(array) for name, array in random_batch(9, 2, 6, choices=3).arrays().items()}

    def reward(params, scaled):
        return model_terms(MODEL, params, batch, scaled=scaled)["reward"]

    assert float(reward(weights, True)) == pytest.approx(float(reward(weights, False)))
    slope = jax.jit(jax.grad(reward), static_argnums=1)
    plain, scaled = (slope(weights, s) for s in (False, True))
    # A reward head hears 1 / K of its gradient; each state further back halves it once more.
    head = "dynamics.reward.bias"
    np.testing.assert_allclose(scaled[head], plain[head] / 2, rtol=1e-4)

    def first_step_only(params, scaled):
        short = {
            k: v[:, :1] if k in ("action", "reward") else v[:, :2] if v.ndim > 1 and k not in ROOT else v
            for k, v in batch.items()
        }
        return model_terms(MODEL, params, short, scaled=scaled)["reward"]

    back = "representation.0.weight"
    one = np.asarray(jax.jit(jax.grad(first_step_only), static_argnums=1)(weights, False)[back])
    two = np.asarray(plain[back]) - one
    np.testing.assert_allclose(scaled[back], one / 2 + two / 4, rtol=1e-3, atol=1e-6)


ROOT = ("observation", "legal")


def test_bad_options_of_the_loss_are_named():
    with pytest.raises(ValueError, match=r"loss.weight_decay=-1.0 must be in"):
        LossWeights(weight_decay=-1.0)
    with pytest.raises(ValueError, match=r"loss.gradient_scaling='half' must be none or muzero"):
        LossWeights(gradient_scaling="half")


def test_consistency_is_the_angle_to_what_the_representation_sees_and_moves_only_the_model():
    batch = random_batch(9, 3, MUZERO.actions, choices=3)
    rng = np.random.default_rng(1)
    seen = rng.standard_normal((9, 3, 5)).astype(np.float32)
    weights = MUZERO.init(seed=2)
    with_seen = replace(batch, following=seen)
    found = model_terms(MUZERO, weights, with_seen.arrays())

    over = batch.identity == 3
    hidden, want = reference_root(MUZERO, weights, batch.observation)[0], 0.0
    for k in range(3):
        # Past the end the action is that of the place in the batch; nothing is compared there.
        action = np.where(over[:, k], (np.arange(9) + k) % MUZERO.actions, batch.action[:, k])
        hidden = reference_step(MUZERO, weights, hidden, action).hidden
        target = reference_root(MUZERO, weights, seen[:, k])[0]
        lengths = np.linalg.norm(hidden, axis=1) * np.linalg.norm(target, axis=1)
        want += np.where(over[:, k + 1], 0.0, 1.0 - (hidden * target).sum(axis=1) / lengths).mean()
    np.testing.assert_allclose(found["consistency"], want, rtol=1e-5)
    assert over[:, 1:].any()
    assert want > 0.1

    # What is seen is a target: the term's gradient does not depend on it through the representation.
    params = {name: jnp.asarray(array) for name, array in weights.items()}
    alone = with_seen.arrays() | {"observation": np.zeros_like(batch.observation)}
    gradient = jax.grad(lambda p: model_terms(MUZERO, p, alone)["consistency"])(params)
    assert not np.asarray(gradient["representation.0.weight"]).any()  # a zero observation meets no weight
    assert np.asarray(gradient["dynamics.0.weight"]).any()
    assert not any(
        np.asarray(array).any() for name, array in gradient.items() if name.startswith("prediction")
    )


def test_without_what_follows_there_is_no_consistency_term():
    found = model_terms(MUZERO, MUZERO.init(seed=2), random_batch(4, 2, 3, choices=3).arrays())
    assert "consistency" not in found


def test_nothing_is_asked_past_a_cut_but_what_the_last_action_paid():
    weights, batch = MODEL.init(seed=2), random_batch(6, 2, MODEL.actions, choices=3)
    batch.mask[:] = [[1, 0, 0]] * 6
    cut = model_terms(MODEL, weights, batch.arrays())
    root = random_batch(6, 2, MODEL.actions, choices=3)
    hidden, policy, value = reference_root(MODEL, weights, root.observation)
    step = reference_step(MODEL, weights, hidden, root.action[:, 0])
    assert float(cut["value"]) == pytest.approx(np.square(value - root.value[:, 0]).mean(), rel=1e-4)
    want = -(root.policy[:, 0] * log_softmax(policy)).sum(axis=1).mean()
    assert float(cut["policy"]) == pytest.approx(want, rel=1e-4)
    assert float(cut["identity"]) == 0.0
    assert float(cut["reward"]) == pytest.approx(np.square(step.reward - root.reward[:, 0]).mean(), rel=1e-4)


def test_categorical_heads_learn_the_two_hot_code_of_values_and_rewards():
    model = replace(MODEL, support=Support.of(50.0))
    weights, batch = model.init(seed=2), random_batch(6, 1, MODEL.actions, choices=3)
    found = model_terms(model, weights, batch.arrays())
    hidden = reference_heads(model, weights, "representation", batch.observation)["hidden"]
    one_hot = np.eye(model.actions)[batch.action[:, 0]]
    dynamics = reference_heads(model, weights, "dynamics", np.hstack([hidden, one_hot]))
    code = model.support.encode(batch.reward[:, 0].astype(np.float64))
    want = -(code * log_softmax(dynamics["reward"])).sum(axis=1).mean()
    assert float(found["reward"]) == pytest.approx(want, rel=1e-4)
