"""Value targets beside their definitions, written out decision by decision."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_episodes import END, made

from dicezero.replay.values import ValueTarget, mover_rewards, value_targets
from dicezero.selfplay.episode import CHANCE, TERMINAL


@st.composite
def episodes(draw):
    """Chance and two players in any order, a player perhaps twice running; rewards anywhere, stray moves."""
    actors = [*draw(st.lists(st.sampled_from([CHANCE, 0, 1]), max_size=12)), TERMINAL]
    count = len(actors)
    number = st.floats(-3, 3, width=32)
    rewards = [*draw(st.lists(number, min_size=count - 1, max_size=count - 1)), 0.0]
    values = draw(st.lists(number, min_size=count, max_size=count))
    truncated = draw(st.booleans())
    values = [
        v if actor >= 0 or (actor == TERMINAL and truncated) else 0.0
        for v, actor in zip(values, actors, strict=True)
    ]
    stray = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    actions = [
        int(s) if actor >= 0 else 2 if actor == CHANCE else END
        for s, actor in zip(stray, actors, strict=True)
    ]
    return made(actors, actions, values, rewards, policy=(1.0, 0.0), truncated=truncated)


def n_step(episode, decisions, i, steps, *, discount, cut):
    """The return of the i-th decision with so many decisions before the bootstrap, for player 0."""
    start = decisions[i]
    end = decisions[i + 1] if i + 1 < len(decisions) else len(episode)
    paid = float(episode.reward[start:end].sum())
    if i + 1 == len(decisions):
        following = float(episode.value[-1]) if episode.truncated else 0.0
    else:
        later = decisions[i + 1]
        stray = cut and episode.action[later] == 1
        if steps == 1 or stray:
            following = float(episode.value[later]) * (1 if episode.actor[later] == 0 else -1)
        else:
            following = n_step(episode, decisions, i + 1, steps - 1, discount=discount, cut=cut)
    return paid + discount * following


def at_decisions(episode, target):
    """The decisions, and their targets for player 0."""
    decisions = episode.decisions
    sign = np.where(episode.actor[decisions] == 0, 1.0, -1.0)
    return decisions, value_targets(episode, target)[decisions] * sign


DISCOUNTS = st.sampled_from([1.0, 0.9, 0.5])


@settings(max_examples=80, deadline=None)
@given(episodes(), st.integers(1, 6), DISCOUNTS, st.booleans())
def test_n_step_is_rewards_and_the_value_so_many_decisions_later(episode, steps, discount, cut):
    target = ValueTarget("n_step", td_steps=steps, discount=discount, cut=cut)
    decisions, found = at_decisions(episode, target)
    want = [n_step(episode, decisions, i, steps, discount=discount, cut=cut) for i in range(len(decisions))]
    np.testing.assert_allclose(found, want, atol=1e-4)


@settings(max_examples=40, deadline=None)
@given(episodes(), DISCOUNTS, st.booleans())
def test_the_outcome_is_the_n_step_target_without_an_end(episode, discount, cut):
    decisions, found = at_decisions(episode, ValueTarget("outcome", discount=discount, cut=cut))
    want = [n_step(episode, decisions, i, 99, discount=discount, cut=cut) for i in range(len(decisions))]
    np.testing.assert_allclose(found, want, atol=1e-4)


@settings(max_examples=60, deadline=None)
@given(episodes(), st.floats(0, 1), DISCOUNTS, st.booleans())
def test_the_lambda_return_is_the_mean_of_all_n_step_targets(episode, lam, discount, cut):
    """Forward view: weights (1 - lambda) lambda^(n-1), all that is left on the last."""
    target = ValueTarget("lambda", value_lambda=lam, discount=discount, cut=cut)
    decisions, found = at_decisions(episode, target)
    for i in range(len(decisions)):
        terms = [
            n_step(episode, decisions, i, n, discount=discount, cut=cut)
            for n in range(1, len(decisions) - i + 1)
        ]
        weights = [(1 - lam) * lam**n for n in range(len(terms) - 1)]
        want = np.dot([*weights, lam ** (len(terms) - 1)], terms)
        assert found[i] == pytest.approx(want, abs=1e-4)


@settings(max_examples=60, deadline=None)
@given(episodes(), DISCOUNTS, st.booleans())
def test_between_decisions_a_step_is_worth_what_is_still_to_come(episode, discount, afterstates):
    """Chance's steps after a decision, and a decision itself in afterstates: what it paid has been paid.

    They belong to the decision's step: the next decision is discounted.
    """
    plain = ValueTarget("outcome", discount=discount)
    found = value_targets(episode, ValueTarget("outcome", discount=discount, afterstates=afterstates))
    decisions, returns = at_decisions(episode, plain)
    left = float(episode.value[-1]) if episode.truncated else 0.0
    for i, start in enumerate(decisions):
        sign = 1.0 if episode.actor[start] == 0 else -1.0
        end = decisions[i + 1] if i + 1 < len(decisions) else len(episode)
        following = float(returns[i + 1]) if i + 1 < len(decisions) else left
        for step in range(start if afterstates else start + 1, min(end, len(episode) - 1)):
            paid_later = episode.reward[max(step, start + 1) : end].sum()
            assert found[step] == pytest.approx(sign * (paid_later + discount * following), abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(episodes())
def test_the_final_step_is_worth_the_outcome_nothing_or_what_was_expected(episode):
    decisions = episode.decisions
    if not len(decisions):
        assert not value_targets(episode, ValueTarget()).any()
        return
    sign = 1.0 if episode.actor[decisions[-1]] == 0 else -1.0
    kept = value_targets(episode, ValueTarget(absorbing="outcome"))[-1]
    paid = value_targets(episode, ValueTarget(absorbing="zero"))[-1]
    if episode.truncated:
        assert kept == paid == pytest.approx(sign * episode.value[-1])
    else:
        assert kept == pytest.approx(sign * episode.outcome, abs=1e-5)
        assert paid == 0.0


def test_rewards_are_for_who_moved_last():
    episode = made([CHANCE, 0, CHANCE, 1, TERMINAL], [2, 0, 2, 0, END], [0] * 5, [1.0, 2.0, 3.0, 4.0, 0.0])
    assert mover_rewards(episode).tolist() == [1.0, 2.0, 3.0, -4.0, 0.0]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"kind": "mean"}, "value_target='mean' is unknown; give one of outcome, n_step, lambda"),
        ({"value_lambda": 1.5}, "value_lambda=1.5 is out of range"),
        ({"td_steps": 0}, "td_steps=0 must be at least 1"),
        ({"discount": 0.0}, "discount=0.0 is out of range"),
    ],
)
def test_what_does_not_fit_is_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        ValueTarget(**settings)
