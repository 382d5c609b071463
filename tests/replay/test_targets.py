"""Targets of games small enough to be worked out by hand."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from made_episodes import END, GAME, NO_OP, SPEC, made

from dicezero.replay.buffer import Replay
from dicezero.replay.shards import pack_episodes, unpack_episodes
from dicezero.replay.targets import step_targets
from dicezero.replay.values import ValueTarget
from dicezero.rules.spec import GameSpec, ObservationSpec
from dicezero.selfplay.episode import CHOICE_FIELDS, STEP_FIELDS, TERMINAL, join_episodes

SECOND = made([1, TERMINAL], [0, END], [0.1, 0.0], [1.0, 0.0], first_seen=100.0)


def test_policy_and_chance_are_no_op_for_whoever_is_not_to_act():
    replay = Replay(SPEC, capacity=1)
    replay.add([GAME])
    batch = replay.batch(np.array([0]), unroll=4)
    search = [0.25, 0.75, 0, 0, 0, 0, 0]
    idle = [0, 0, 0, 0, 0, 1, 0]
    assert batch.policy[0].tolist() == [search, idle, search, search, idle]
    assert batch.chance[0].tolist() == [NO_OP, 4, NO_OP, NO_OP, NO_OP]


def test_the_outcome_is_seen_by_the_mover_and_after_it_by_whoever_moved_last():
    found = step_targets(GAME, ValueTarget(value_lambda=1.0), scale=1.0)
    assert found.value.tolist() == [0, -1, -1, 1, 1, 1]


def test_lambda_zero_is_the_search_value_of_the_next_decision():
    found = step_targets(GAME, ValueTarget(value_lambda=0.0), scale=1.0)
    assert found.value.tolist() == [0, -0.5, -0.5, 0.75, 1, 1]


def test_lambda_half_mixes_it_with_the_target_of_the_next_decision():
    found = step_targets(GAME, ValueTarget(value_lambda=0.5), scale=1.0)
    third = 0.5 * 0.75 + 0.5 * 1.0
    first = -(0.5 * 0.5 + 0.5 * third)
    np.testing.assert_allclose(found.value, [0, first, first, third, 1, 1])


def test_a_sample_starts_at_a_decision_and_ends_in_the_absorbing_state():
    replay = Replay(SPEC, capacity=4)
    replay.add([GAME, SECOND])
    assert replay.decisions == 4
    batch = replay.batch(np.array([0, 2, 3]), unroll=3)
    assert batch.observation[:, 0].tolist() == [1, 4, 100]
    assert batch.action.tolist() == [[1, 4, 0], [1, END, END], [0, END, END]]
    mover, other, chance, end = range(4)
    assert batch.identity.tolist() == [
        [mover, chance, other, other],
        [mover, end, end, end],
        [mover, end, end, end],
    ]
    assert batch.value.tolist() == [[-1, -1, 1, 1], [1, 1, 1, 1], [-1, -1, -1, -1]]
    assert batch.chance.tolist() == [[NO_OP, 4, NO_OP, NO_OP], [NO_OP] * 4, [NO_OP] * 4]
    assert batch.policy[1, 1:, NO_OP].tolist() == [1, 1, 1]
    assert batch.following is None
    seen = replay.batch(np.array([0, 2, 3]), unroll=2, following=True).following
    assert seen[:, :, 0].tolist() == [[2, 3], [0, 0], [0, 0]]  # past the end nothing is seen


def test_endings_are_the_decisions_from_which_the_end_is_reached():
    replay = Replay(SPEC, capacity=4)
    replay.add([GAME, made([0, 1, TERMINAL], [0, 1, END], [0.1, 0.1, 0.0], [0.0, 1.0, 0.0])])
    assert replay.endings(1).tolist() == [2, 4]
    assert replay.endings(2).tolist() == [1, 2, 3, 4]
    for unroll in (1, 2, 3, 4):
        reached = replay.batch(np.arange(5), unroll=unroll).identity[:, -1] == 3
        assert replay.endings(unroll).tolist() == np.flatnonzero(reached).tolist()


def test_the_simple_policy_loss_learns_the_move_played():
    replay = Replay(SPEC, capacity=4, played_policy=True)
    replay.add([GAME])
    batch = replay.batch(np.array([0, 2]), unroll=1)
    assert batch.policy[:, 0].argmax(axis=1).tolist() == [1, 1]
    assert batch.policy[:, 0].max(axis=1).tolist() == [1, 1]
    assert batch.policy[:, 1, NO_OP].tolist() == [1, 1]


def test_the_oldest_games_make_room():
    replay = Replay(SPEC, capacity=2)
    replay.add([GAME, GAME, SECOND])
    assert len(replay) == 2
    assert replay.decisions == 4


def test_an_empty_replay_says_what_to_do():
    with pytest.raises(ValueError, match="add episodes"):
        Replay(SPEC, capacity=2).batch(np.array([0]), unroll=1)


def test_episodes_come_back_from_a_shard_and_a_damaged_one_is_refused():
    data = pack_episodes([GAME, SECOND])
    assert data == pack_episodes([GAME, SECOND])
    back = unpack_episodes(data, SPEC, name="games.npz")
    assert len(back) == 2
    for name in ("observation", *STEP_FIELDS, *CHOICE_FIELDS):
        np.testing.assert_array_equal(getattr(back[0], name), getattr(GAME, name))
        np.testing.assert_array_equal(getattr(back[1], name), getattr(SECOND, name))
    with pytest.raises(ValueError, match=r"games\.npz is not a file of episodes"):
        unpack_episodes(data[: len(data) // 2], SPEC, name="games.npz")
    other = GameSpec("other", players=1, actions=2, outcomes=3, observation=ObservationSpec((1,)))
    with pytest.raises(ValueError, match="an actor that the game does not have"):
        unpack_episodes(data, other, name="games.npz")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"policy": 5.0}, "policy has a probability that is none"),
        ({"policy": -0.5}, "policy has a probability that is none"),
        ({"policy": np.nan}, "policy has a value that is not finite"),
        ({"value": np.inf}, "value has a value that is not finite"),
        ({"reward": 1e6}, "reward has a value beyond the game's returns"),
        ({"action": 10**6}, "action leaves the range"),
        ({"action": -1}, "action leaves the range"),
        ({"legal": 9}, "legal leaves the range"),
        ({"actor": 3}, "a step has an actor that the game does not have"),
        ({"choices": 7}, "policies do not fit the legal actions"),
        ({"steps": 0}, "an episode has no step"),
    ],
)
def test_a_shard_of_absurd_content_is_not_learned_from(change, words):
    """Whoever made it knew how: a right file with a right sum."""
    arrays = join_episodes([GAME, SECOND])
    for name, value in change.items():
        arrays[name] = arrays[name].copy()
        arrays[name][len(arrays[name]) // 2] = value
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    with pytest.raises(ValueError, match=f"holds no episodes of hand-made: {words}"):
        unpack_episodes(buffer.getvalue(), replace(SPEC, returns=(-1.0, 1.0)), name="games.npz")


def test_lengths_whose_sum_goes_round_are_no_lengths():
    arrays = join_episodes([GAME, SECOND, GAME])
    total, most = int(arrays["steps"].sum()), 2**63 - 1
    arrays["steps"] = np.array([most, most, total + 2], np.int64)
    with np.errstate(over="ignore"):
        assert arrays["steps"].sum() == total
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    with pytest.raises(ValueError, match=f"an episode has {most} steps, and all have {total}"):
        unpack_episodes(buffer.getvalue(), SPEC, name="games.npz")


def test_a_value_of_one_stands_for_the_scale():
    found = step_targets(GAME, ValueTarget(absorbing="zero"), scale=4.0)
    assert found.value.tolist() == [0, -0.25, -0.25, 0.25, 0.25, 0]
    assert found.reward.tolist() == [0, 0, 0, 0, 0.25, 0]


def test_nothing_is_asked_past_the_end_of_an_episode_that_was_cut_off():
    cut = made([0, 1, TERMINAL], [0, 1, END], [0.0, 0.0, 0.5], [1.0, 0.0, 0.0], truncated=True)
    replay = Replay(SPEC, capacity=2, value=ValueTarget(absorbing="zero", discount=0.5))
    replay.add([cut, SECOND])
    batch = replay.batch(np.array([0, 1, 2]), unroll=2)
    assert batch.mask.tolist() == [[1, 1, 0], [1, 0, 0], [1, 1, 1]]
    assert batch.value[:2, 0].tolist() == [1.0 + 0.5 * 0.5 * 0.5, -0.5 * 0.5]  # what it expected, discounted
    assert batch.reward.tolist() == [[1, 0], [0, 0], [-1, 0]]


def test_frames_are_stored_once_and_stacked_when_sampled():
    seen = ObservationSpec((1, 2, 2), "uint8", "image", stack=3)
    spec = GameSpec("frames", players=1, actions=2, outcomes=0, observation=seen)
    episode = made([0, 0, 0, TERMINAL], [0, 1, 0, 3], [0.0] * 4, [0.0] * 4)
    frames = np.arange(1, 4, dtype=np.uint8)[:, None, None, None] * np.ones((3, 1, 2, 2), np.uint8)
    replay = Replay(spec, capacity=2)
    replay.add([replace(episode, observation=frames), replace(episode, observation=frames + 100)])
    found = replay.batch(np.arange(6), unroll=0).observation * 255
    first = [[1, 1, 1], [1, 1, 2], [1, 2, 3]]
    assert np.rint(found.reshape(6, 3, 4)[:, :, 0]).tolist() == first + [
        [n + 100 for n in row] for row in first
    ]


def test_rolls_are_samples_where_they_are_learned():
    """The roll after player 0's move is, with a value and no policy; the one before any move is not."""
    replay = Replay(SPEC, capacity=4, value=ValueTarget(value_lambda=0.5), chance=True)
    replay.add([GAME, GAME])
    assert replay.decisions == 8
    batch = replay.batch(np.arange(8), unroll=1)
    assert batch.observation[:4, 0].tolist() == [1.0, 2.0, 3.0, 4.0]
    targets = step_targets(GAME, ValueTarget(value_lambda=0.5), scale=1.0)
    assert batch.value[1, 0] == targets.value[1] == batch.value[0, 0]
    assert batch.policy[1, 0, :2].tolist() == [0.0, 0.0]
    assert not batch.legal[1].any()
