"""The bandit part of the Gumbel paper: closed forms, the planner and mctx say the same."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero.experiments.gumbel.bandit import METHODS, Bandits, random_bandits, search, won
from dicezero.experiments.gumbel.bandit_claims import judge
from dicezero.experiments.gumbel.bandit_study import EXAMPLE, SIGMA, Sizes, completion, halving, study
from dicezero.experiments.gumbel.exact import (
    best_of_top,
    best_with_replacement,
    best_without_replacement,
    gumbel_choice,
    ordered_subsets,
)

ARMS = 5
BANDITS = random_bandits(12, ARMS, knowledge=0.4, seed=3)


def frequencies(prior, sigma, n, draws=40_000):
    """Algorithm 1 as the paper writes it."""
    g = np.random.default_rng(0).gumbel(size=(draws, len(prior))) + np.log(prior)
    top = np.argsort(-g, axis=1)[:, :n]
    chosen = top[np.arange(draws), np.take_along_axis(g + sigma, top, axis=1).argmax(axis=1)]
    return np.bincount(chosen, minlength=len(prior)) / draws


@pytest.mark.parametrize("n", range(1, ARMS + 1))
@pytest.mark.parametrize("scale", [1.0, 8.0, SIGMA])
def test_the_choice_of_algorithm_1_is_what_sampling_says(n, scale):
    prior, q = BANDITS.prior[0], BANDITS.q[0]
    exact = gumbel_choice(prior, scale * q, n)[0]
    error = np.sqrt(exact * (1 - exact) / 40_000)
    assert (np.abs(frequencies(prior, scale * q, n) - exact) <= 4.5 * error + 1e-9).all()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_limits_of_the_choice(data):
    """It sums to 1; with all actions it is the softmax; without sigma the prior; a great sigma is greedy."""
    k = data.draw(st.integers(2, 6))
    numbers = st.lists(st.floats(-3, 3), min_size=k, max_size=k)
    logits, q = np.array(data.draw(numbers)), np.array(data.draw(numbers))
    prior = np.exp(logits) / np.exp(logits).sum()
    n = data.draw(st.integers(1, k))
    found = gumbel_choice(prior, 5.0 * q, n)[0]
    assert found.sum() == pytest.approx(1.0, abs=1e-8)
    assert found.min() > -1e-9
    assert found @ q >= prior @ q - 1e-8  # inequality 6
    raised = prior * np.exp(5.0 * (q - q.max()))
    np.testing.assert_allclose(gumbel_choice(prior, 5.0 * q, k)[0], raised / raised.sum(), atol=1e-8)
    np.testing.assert_allclose(gumbel_choice(prior, np.zeros(k), n)[0], prior, atol=1e-8)
    spaced = np.argsort(np.argsort(q)) / k  # no two alike
    greedy = gumbel_choice(prior, 300.0 * spaced, n)[0] @ spaced
    assert greedy == pytest.approx(best_without_replacement(prior, spaced, n), abs=1e-6)


def test_orders_of_plackett_and_luce():
    prior = np.array([0.5, 0.3, 0.2])
    found = dict(ordered_subsets(prior, 2))
    assert sum(found.values()) == pytest.approx(1.0)
    assert found[0, 1] == pytest.approx(0.5 * 0.3 / 0.5)
    assert found[1, 2] == pytest.approx(0.3 * 0.2 / 0.7)
    drawn = np.random.default_rng(1)
    sample = [drawn.choice(3, 2, replace=False, p=prior) for _ in range(4000)]
    for order, chance in found.items():
        share = np.mean([tuple(s) == order for s in sample])
        assert abs(share - chance) < 4 * np.sqrt(chance * (1 - chance) / 4000)


def test_the_planner_wins_what_the_closed_forms_say():
    rows = BANDITS.repeated(800)
    forms = {
        "top-n": best_of_top,
        "with replacement": best_with_replacement,
        "without replacement": best_without_replacement,
    }
    for name in ("Gumbel", *forms):
        for n in (1, 3, ARMS):
            if name == "Gumbel":
                exact = (gumbel_choice(BANDITS.prior, SIGMA * BANDITS.q, n) * BANDITS.q).sum(axis=1)
            else:
                pairs = zip(BANDITS.prior, BANDITS.q, strict=True)
                exact = np.array([forms[name](p, q, n) for p, q in pairs])
            found = won(search(name, rows, n, seed=5), rows, name).reshape(len(BANDITS.q), -1)
            error = np.sqrt(found.var(axis=1).mean() / found.size)
            assert abs(found.mean() - exact.mean()) <= 4.5 * error + 2e-5, (name, n)


def test_every_order_that_can_be_drawn_weighed_by_its_chance():
    """The planner's greedy choice, listed over all Gumbel-Top-k orders: no sampling at all."""
    prior, q = BANDITS.prior[1], BANDITS.q[1]
    orders = ordered_subsets(prior, 3)
    gumbel = np.full((len(orders), ARMS), -50.0)
    for row, (order, _) in enumerate(orders):
        for place, action in enumerate(order):
            gumbel[row, action] = 50.0 - place - BANDITS.logits[1, action]
    rows = Bandits(BANDITS.logits[1:2], BANDITS.q[1:2]).repeated(len(orders))
    result = search("without replacement", rows, 3, seed=0, gumbel=gumbel)
    chances = np.array([chance for _, chance in orders])
    assert chances @ q[result.action] == pytest.approx(best_without_replacement(prior, q, 3), abs=1e-12)


def test_mctx_chooses_as_the_closed_form_says():
    jax, mctx = pytest.importorskip("jax"), pytest.importorskip("mctx")
    rows, n = 6000, 3
    q = jax.numpy.asarray(BANDITS.q[2], jax.numpy.float32)
    logits = jax.numpy.tile(jax.numpy.asarray(BANDITS.logits[2]), (rows, 1))

    def step(params, key, action, embedding):
        del params, key
        arm = jax.numpy.where(embedding < 0, action, embedding)
        zeros = jax.numpy.zeros(rows)
        policy = jax.numpy.zeros((rows, ARMS))
        found = mctx.RecurrentFnOutput(reward=zeros, discount=zeros + 1, prior_logits=policy, value=q[arm])
        return found, arm

    value, start = jax.numpy.full(rows, float(BANDITS.value[2])), jax.numpy.full(rows, -1)
    root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=start)
    output = mctx.gumbel_muzero_policy(
        (),
        jax.random.PRNGKey(0),
        root,
        step,
        n,
        qtransform=lambda tree, node: mctx.qtransform_completed_by_mix_value(
            tree, node, value_scale=1.0, maxvisit_init=50.0, rescale_values=False
        ),
        max_num_considered_actions=n,
    )
    exact = gumbel_choice(BANDITS.prior[2], SIGMA * BANDITS.q[2], n)[0]
    share = np.bincount(np.asarray(output.action), minlength=ARMS) / rows
    assert (np.abs(share - exact) <= 4.5 * np.sqrt(exact * (1 - exact) / rows) + 1e-6).all()


def test_puct_with_dirichlet_noise_falls_below_the_predictor_where_gumbel_does_not():
    rows = EXAMPLE.repeated(2000)
    assert won(search("PUCT", rows, 2, seed=0), rows, "PUCT").mean() < 0.15
    assert won(search("Gumbel", rows, 2, seed=0), rows, "Gumbel").mean() > 0.45


def test_appendix_c_and_figure_1():
    found = completion(Sizes(small=15), seed=1)
    assert found["sets"] == 63
    assert found["least_gain"] > -1e-12
    assert found["planner_off"] < 1e-5
    found = halving(seed=0)
    assert sum(found["visits"]) == 200
    assert [phase["actions"] for phase in found["phases"]] == [16, 8, 4, 2]


def test_v_mix_is_the_papers_equation():
    """Eq. 33 by hand, and the planner's policy made with it."""
    bandits = random_bandits(40, 8, knowledge=0.3, seed=2)
    model_error = 0.3
    result = search("Gumbel", bandits, 3, seed=4, value_error=model_error)
    error = np.random.default_rng([4, 2]).normal(0.0, 1.0, 40)
    visited = result.visits > 0
    weight = np.where(visited, bandits.prior, 0.0)
    seen = (weight * bandits.q).sum(axis=1) / weight.sum(axis=1)
    v_mix = (bandits.value + model_error * error + 3 * seen) / 4
    completed = np.where(visited, bandits.q, v_mix[:, None])
    raised = bandits.prior * np.exp(SIGMA * (completed - completed.max(axis=1, keepdims=True)))
    np.testing.assert_allclose(result.policy, raised / raised.sum(axis=1, keepdims=True), atol=1e-4)


def test_verdicts_follow_the_numbers_and_can_go_either_way():
    data = study(Sizes(small=20, draws=20, large=60, simulations=(2, 16)), seed=0)
    rulings = {claim["name"]: claim["verdict"] for claim in judge(data)}
    assert rulings["policy improvement"] == rulings["completed Q"] == rulings["figure 1"] == "confirmed"
    text = json.dumps(data)
    wrong = json.loads(text)
    for row in wrong["improvement"]:
        if row["method"] == "Gumbel":
            row["least_gain"] = -0.01
        row["made_worse"] = 0.0
    wrong["completion"]["least_gain"] = -0.01
    wrong["halving"]["phases"][0]["actions"] = 15
    wrong["example"]["planner"]["top-n"][0] = 0.3
    for row in wrong["regret"]:
        row["regret"] = [0.0 if "PUCT" in row["method"] else 1.0] * 3
        row["target"] = [1.0 if "PUCT" in row["method"] else 0.0] * 3
    for row in wrong["v_mix"]:
        row["mixed_over_raw"] = [-0.1, -0.2, -0.05]
    for row in wrong["optimal_predictor"]:
        row["gain"] = [0.1, 0.1, 0.1]
    rulings = {claim["name"]: claim["verdict"] for claim in judge(wrong)}
    still = {"without replacement", "the logits help with noisy values"}
    assert {name for name, ruling in rulings.items() if ruling != "refuted"} <= still
    assert set(METHODS) == {row["method"] for row in data["improvement"]}
    noisy = replace(METHODS["Gumbel"], c_scale=0.0)  # Q that counts for nothing: the predictor's own sample
    rows = BANDITS.repeated(300)
    sample = won(search("Gumbel", rows, 3, seed=1, config=noisy), rows, "Gumbel")
    assert sample.mean() == pytest.approx(BANDITS.value.mean(), abs=4 * sample.std() / np.sqrt(sample.size))
