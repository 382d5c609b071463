"""Bad roots and steps are refused by name, row and remedy; good ones come out in the planner's types."""

from dataclasses import replace

import numpy as np
import pytest

from dicezero.search.simulator import Root, Step, checked_root, checked_step

ROOT = Root(
    hidden=np.zeros((3, 5), np.float32),
    policy_logits=np.zeros((3, 4), np.float32),
    value=np.zeros(3, np.float32),
    legal=np.ones((3, 4), bool),
    player=np.zeros(3, np.int32),
)
STEP = Step(
    hidden=np.zeros((2, 5), np.float32),
    reward=np.zeros(2, np.float32),
    policy_logits=np.zeros((2, 4), np.float32),
    value=np.zeros(2, np.float32),
    identity_logits=np.zeros((2, 4), np.float32),
    chance_logits=np.zeros((2, 4), np.float32),
)


def with_nan(array, row):
    array = array.copy()
    array[row] = np.nan
    return array


def test_good_root_and_step_become_contiguous_float32():
    root = checked_root(replace(ROOT, policy_logits=np.zeros((4, 3)).T, player=np.zeros(3, np.int64)))
    assert root.policy_logits.dtype == np.float32
    assert root.policy_logits.flags.c_contiguous
    assert root.player.dtype == np.int32
    step = checked_step(STEP, size=2, hidden=5, actions=4)
    assert step.identity_logits is None
    assert checked_step(STEP, size=2, hidden=5, actions=4, identities=4).identity_logits is not None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"policy_logits": with_nan(ROOT.policy_logits, 1)}, r"root.policy_logits .* not finite in row 1"),
        ({"value": with_nan(ROOT.value, 2)}, r"root.value .* row 2"),
        ({"value": np.zeros((3, 1), np.float32)}, r"root.value has shape \(3, 1\); give \(3\)"),
        ({"hidden": np.zeros((2, 5), np.float32)}, r"root.hidden has shape \(2, 5\); give \(3, any\)"),
        ({"hidden": np.zeros((3, 5), np.int32)}, "root.hidden has dtype int32; give float32"),
        ({"legal": np.ones((3, 4))}, r"root.legal is float64 \(3, 4\); give bool \(3, 4\)"),
        ({"legal": np.eye(3, 4, k=1, dtype=bool) & [[1], [1], [0]] != 0}, "no legal action in row 2"),
        ({"player": np.zeros(3)}, r"root.player is float64"),
        ({"policy_logits": np.zeros((0, 4), np.float32)}, "at least one row"),
    ],
)
def test_bad_root_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        checked_root(replace(ROOT, **change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reward": with_nan(STEP.reward, 1)}, r"step.reward .* row 1"),
        ({"identity_logits": None}, "step.identity_logits is None; a model with 4 identities must give it"),
        (
            {"chance_logits": np.zeros((2, 5), np.float32)},
            r"step.chance_logits has shape \(2, 5\); give \(2, 4\)",
        ),
    ],
)
def test_bad_step_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        checked_step(replace(STEP, **change), size=2, hidden=5, actions=4, identities=4)
