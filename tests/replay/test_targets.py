"""Targets of games small enough to be worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from dicezero.replay.buffer import Replay
from dicezero.replay.shards import pack_games, unpack_games
from dicezero.replay.targets import step_targets
from dicezero.replay.values import ValueTarget
from dicezero.selfplay.record import CHANCE, FIELDS, TERMINAL, ActionSet, GameRecord

ACTIONS = ActionSet(choices=2, outcomes=3)  # moves 0 1, dice 2 3 4, no-op 5, end 6
NO_OP, END = 5, 6


def hand_made(actors, actions, values, outcome, observation_start=0.0):
    steps = len(actors)
    actor = np.array(actors, np.int8)
    choice = actor >= 0
    policy = np.zeros((steps, 2), np.float32)
    policy[choice] = [0.25, 0.75]
    observation = np.arange(steps, dtype=np.float32)[:, None] + np.float32(observation_start)
    return GameRecord(
        observation=observation,
        actor=actor,
        action=np.array(actions, np.int16),
        legal=np.repeat(choice[:, None], 2, axis=1),
        policy=policy,
        value=np.array(values, np.float32),
        outcome=np.full(steps, outcome, np.float32),
    )


# A die, player 0, a die, player 1, player 1 again, and player 1 has won.
GAME = hand_made(
    [CHANCE, 0, CHANCE, 1, 1, TERMINAL], [2, 1, 4, 0, 1, END], [0.0, 0.2, 0.0, 0.5, 0.75, 0.0], outcome=-1.0
)


def test_policy_and_chance_are_no_op_for_whoever_is_not_to_act():
    found = step_targets(GAME, ACTIONS, ValueTarget(value_lambda=1.0))
    search = [0.25, 0.75, 0, 0, 0, 0, 0]
    idle = [0, 0, 0, 0, 0, 1, 0]
    assert found.policy.tolist() == [idle, search, idle, search, search, idle]
    assert found.chance.tolist() == [2, NO_OP, 4, NO_OP, NO_OP, NO_OP]


def test_the_outcome_is_seen_by_the_mover_and_after_it_by_whoever_moved_last():
    found = step_targets(GAME, ACTIONS, ValueTarget(value_lambda=1.0))
    assert found.value.tolist() == [0, -1, -1, 1, 1, 1]


def test_lambda_zero_is_the_search_value_of_the_next_decision():
    found = step_targets(GAME, ACTIONS, ValueTarget(value_lambda=0.0))
    assert found.value.tolist() == [0, -0.5, -0.5, 0.75, 1, 1]


def test_lambda_half_mixes_it_with_the_target_of_the_next_decision():
    found = step_targets(GAME, ACTIONS, ValueTarget(value_lambda=0.5))
    third = 0.5 * 0.75 + 0.5 * 1.0
    first = -(0.5 * 0.5 + 0.5 * third)
    np.testing.assert_allclose(found.value, [0, first, first, third, 1, 1])


def test_a_sample_starts_at_a_decision_and_ends_in_the_absorbing_state():
    replay = Replay(ACTIONS, capacity=4)
    replay.add([GAME, hand_made([1, TERMINAL], [0, END], [0.1, 0.0], outcome=1.0, observation_start=100.0)])
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
    assert seen[:, :, 0].tolist() == [[2, 3], [5, 5], [101, 101]]


def test_endings_are_the_decisions_from_which_the_end_is_reached():
    replay = Replay(ACTIONS, capacity=4)
    replay.add([GAME, hand_made([0, 1, TERMINAL], [0, 1, END], [0.1, 0.1, 0.0], outcome=1.0)])
    assert replay.endings(1).tolist() == [2, 4]
    assert replay.endings(2).tolist() == [1, 2, 3, 4]
    for unroll in (1, 2, 3, 4):
        reached = replay.batch(np.arange(5), unroll=unroll).identity[:, -1] == 3
        assert replay.endings(unroll).tolist() == np.flatnonzero(reached).tolist()


def test_the_simple_policy_loss_learns_the_move_played():
    replay = Replay(ACTIONS, capacity=4, played_policy=True)
    replay.add([GAME])
    batch = replay.batch(np.array([0, 2]), unroll=1)
    assert batch.policy[:, 0].argmax(axis=1).tolist() == [1, 1]
    assert batch.policy[:, 0].max(axis=1).tolist() == [1, 1]
    assert batch.policy[:, 1, NO_OP].tolist() == [1, 1]


def test_the_oldest_games_make_room():
    replay = Replay(ACTIONS, capacity=2)
    replay.add([GAME, GAME, hand_made([1, TERMINAL], [0, END], [0.1, 0.0], outcome=1.0)])
    assert len(replay) == 2
    assert replay.decisions == 4


def test_an_empty_replay_says_what_to_do():
    with pytest.raises(ValueError, match="add games"):
        Replay(ACTIONS, capacity=2).batch(np.array([0]), unroll=1)


def test_games_come_back_from_a_shard_and_a_damaged_one_is_refused():
    data = pack_games([GAME, GAME])
    assert data == pack_games([GAME, GAME])
    back = unpack_games(data, ACTIONS, name="games.npz")
    assert len(back) == 2
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(back[1], name), getattr(GAME, name))
    with pytest.raises(ValueError, match=r"games\.npz is not a file of games"):
        unpack_games(data[: len(data) // 2], ACTIONS, name="games.npz")
    with pytest.raises(ValueError, match="no game of this kind"):
        unpack_games(data, ActionSet(3, 3), name="games.npz")


def test_rolls_are_samples_where_they_are_learned():
    """The roll after player 0's move is, with a value and no policy; the one before any move is not."""
    replay = Replay(ACTIONS, capacity=4, value=ValueTarget(value_lambda=0.5), chance=True)
    replay.add([GAME, GAME])
    assert replay.decisions == 8
    batch = replay.batch(np.arange(8), unroll=1)
    assert batch.observation[:4, 0].tolist() == [1.0, 2.0, 3.0, 4.0]
    targets = step_targets(GAME, ACTIONS, ValueTarget(value_lambda=0.5))
    assert batch.value[1, 0] == targets.value[1] == batch.value[0, 0]
    assert batch.policy[1, 0, :2].tolist() == [0.0, 0.0]
    assert not batch.legal[1].any()
