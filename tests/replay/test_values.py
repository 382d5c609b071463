"""Value targets beside their definitions, written out step by step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero.replay.values import ValueTarget, value_targets
from dicezero.selfplay.record import CHANCE, TERMINAL, GameRecord


@st.composite
def games(draw):
    """A record: chance and two players in any order, a player perhaps twice running, some moves stray."""
    actors = [*draw(st.lists(st.sampled_from([CHANCE, 0, 1]), max_size=12)), TERMINAL]
    count = len(actors)
    actor = np.array(actors, np.int8)
    value = np.array(draw(st.lists(st.floats(-1, 1, width=32), min_size=count, max_size=count)), np.float32)
    stray = np.array(draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    policy = np.zeros((count, 2), np.float32)
    policy[:, 0] = actor >= 0
    return GameRecord(
        observation=np.zeros((count, 1), np.float32),
        actor=actor,
        action=np.where((actor >= 0) & stray, 1, 0).astype(np.int16),
        legal=np.ones((count, 2), np.bool_),
        policy=policy,
        value=np.where(actor >= 0, value, 0).astype(np.float32),
        outcome=np.full(count, draw(st.sampled_from([-1.0, 0.0, 1.0])), np.float32),
    )


def seen_by(player, owner, value):
    return value if player == owner else -value


def n_step(record, decisions, i, steps, *, cut):
    """The n-step target of the i-th decision, in the view of its player."""
    me = record.actor[decisions[i]]
    for k in range(1, steps + 1):
        if i + k == len(decisions):
            return seen_by(me, 0, float(record.outcome[0]))
        later = decisions[i + k]
        stray = cut and record.action[later] == 1
        if k == steps or stray:
            return seen_by(me, record.actor[later], float(record.value[later]))
    raise AssertionError


def at_decisions(record, target):
    decisions = np.flatnonzero(record.actor >= 0)
    return decisions, value_targets(record, target)[decisions]


@settings(max_examples=60, deadline=None)
@given(games(), st.integers(1, 6), st.booleans())
def test_n_step_is_the_value_so_many_decisions_later_or_the_outcome(record, steps, cut):
    decisions, found = at_decisions(record, ValueTarget("n_step", td_steps=steps, cut=cut))
    want = [n_step(record, decisions, i, steps, cut=cut) for i in range(len(decisions))]
    np.testing.assert_allclose(found, want, atol=1e-6)


@settings(max_examples=40, deadline=None)
@given(games(), st.booleans())
def test_the_outcome_is_the_n_step_target_without_an_end(record, cut):
    decisions, found = at_decisions(record, ValueTarget("outcome", cut=cut))
    want = [n_step(record, decisions, i, 99, cut=cut) for i in range(len(decisions))]
    np.testing.assert_allclose(found, want, atol=1e-6)
    if not cut:
        assert set(np.abs(found).tolist()) <= {abs(float(record.outcome[0]))}


@settings(max_examples=60, deadline=None)
@given(games(), st.floats(0, 1), st.booleans())
def test_the_lambda_return_is_the_mean_of_all_n_step_targets(record, lam, cut):
    """Forward view: weights (1 - lambda) lambda^(n-1), all that is left on the last."""
    decisions, found = at_decisions(record, ValueTarget("lambda", value_lambda=lam, cut=cut))
    for i in range(len(decisions)):
        terms = [n_step(record, decisions, i, n, cut=cut) for n in range(1, len(decisions) - i + 1)]
        weights = [(1 - lam) * lam**n for n in range(len(terms) - 1)]
        want = np.dot([*weights, lam ** (len(terms) - 1)], terms)
        assert found[i] == pytest.approx(want, abs=1e-5)


@settings(max_examples=40, deadline=None)
@given(games(), st.floats(0, 1))
def test_the_lambda_return_is_the_sum_of_td_errors(record, lam):
    """Backward view: G - v = sum of lambda^k delta_k, with each delta in the first player's view."""
    decisions, found = at_decisions(record, ValueTarget("lambda", value_lambda=lam))
    sign = np.where(record.actor[decisions] == 0, 1.0, -1.0)
    value = record.value[decisions] * sign
    delta = np.append(value[1:], record.outcome[0]) - value if len(value) else value
    for i in range(len(decisions)):
        error = sum(lam**k * d for k, d in enumerate(delta[i:]))
        assert found[i] * sign[i] == pytest.approx(value[i] + error, abs=1e-5)


@settings(max_examples=60, deadline=None)
@given(games(), st.sampled_from(["outcome", "n_step", "lambda"]))
def test_between_decisions_a_step_is_worth_what_the_last_decision_is(record, kind):
    found = value_targets(record, ValueTarget(kind, value_lambda=0.5, td_steps=2))
    assert found.dtype == np.float32
    for step in range(len(record)):
        if record.actor[step] < 0:
            assert found[step] == (found[step - 1] if step else 0.0)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"kind": "mean"}, "value_target='mean' is unknown; give one of outcome, n_step, lambda"),
        ({"value_lambda": 1.5}, "value_lambda=1.5 is out of range"),
        ({"td_steps": 0}, "td_steps=0 must be at least 1"),
    ],
)
def test_what_does_not_fit_is_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        ValueTarget(**settings)
