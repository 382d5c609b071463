"""Reanalyse: what is searched again, what that changes, and that the ring stays bounded."""

from __future__ import annotations

import numpy as np
import pytest

from dicezero.presets.registry import PRESETS
from dicezero.replay.buffer import Fresh, Replay
from dicezero.replay.reanalyse import chosen_games, decision_states, pack_fresh, reanalyse, unpack_fresh
from dicezero.replay.values import ValueTarget
from dicezero.rules import load_game
from dicezero.runs.loading import make_planner
from dicezero.selfplay.planners import decide
from dicezero.selfplay.play import play_games, positions_of
from dicezero.selfplay.record import FIELDS, ActionSet

GAME = load_game("nannon(points=4,checkers=2,sides=4)")
ACTIONS = ActionSet.of(GAME)
KINDS = ["gumbel-alphazero", "gumbel-ndmz", "td-lambda"]


def planner_of(name, seed):
    config = PRESETS[name].network(GAME)
    return make_planner(config, config.init(seed=seed))


def ring(name="gumbel-alphazero", *, capacity=20, value=None):
    """A ring of two rounds of six games, played by one set of weights."""
    replay = Replay(ACTIONS, capacity=capacity, value=value, afterstates=name == "td-lambda")
    for round_index in range(2):
        records = play_games(
            GAME,
            planner_of(name, 1),
            PRESETS[name].search,
            games=range(6),
            seed=3,
            round_index=round_index,
        )
        replay.add(records, round_number=round_index + 1)
    return replay


def searched_again(replay, name="gumbel-alphazero", *, share=1.0, round_index=2):
    return reanalyse(
        GAME,
        replay,
        planner_of(name, 2),
        PRESETS[name].search,
        share=share,
        seed=3,
        round_index=round_index,
    )


def test_the_ring_gives_games_back_as_they_were():
    records = play_games(
        GAME, planner_of(KINDS[0], 1), PRESETS[KINDS[0]].search, games=range(3), seed=1, round_index=0
    )
    replay = Replay(ACTIONS, capacity=3)
    replay.add(records)
    for built in (False, True):  # before and after the games became views of the table
        for kept, record in zip(replay.games, records, strict=True):
            again = kept.record(ACTIONS)
            for name in FIELDS:
                np.testing.assert_array_equal(getattr(again, name), getattr(record, name), f"{name} {built}")
        assert replay.decisions


def test_games_are_held_once_and_their_number_bounds_the_memory():
    replay = ring(capacity=4)
    assert len(replay) == 4
    table = replay._build()
    for game in replay.games:
        assert np.shares_memory(game.steps.observation, table.observation)
    width = table.observation.shape[1]
    assert replay.step_bytes == 4 * width + 1 + 2 + ACTIONS.choices + 4 * ACTIONS.size + 2 + 4 + 4


def test_which_games_hangs_on_their_address_alone():
    replay = ring()
    some = chosen_games(replay, share=0.5, seed=3, round_index=2)
    assert 0 < len(some) < 12
    names = {(game.round, game.number) for game in some}
    smaller = ring(capacity=7)
    left = {(game.round, game.number) for game in smaller.games}
    assert {
        (game.round, game.number) for game in chosen_games(smaller, share=0.5, seed=3, round_index=2)
    } == names & left
    assert {game.round for game in chosen_games(replay, share=1.0, seed=3, round_index=1)} == {1}
    assert chosen_games(replay, share=0.0, seed=3, round_index=2) == []


@pytest.mark.parametrize("name", KINDS)
def test_targets_become_those_of_the_new_network(name):
    replay = ring(name, value=ValueTarget(value_lambda=0.0))
    before = [game.record(ACTIONS) for game in replay.games]
    found = searched_again(replay, name)
    assert len(found) == 12
    replay.refresh(unpack_fresh(pack_fresh(found, ACTIONS), ACTIONS, name="fresh"))
    changed = 0
    for kept, old, fresh in zip(replay.games, before, found, strict=True):
        decisions = np.flatnonzero(old.actor >= 0)
        now = kept.record(ACTIONS)
        np.testing.assert_array_equal(now.policy[decisions], fresh.policy)
        # The value's target is the new network's value at the next decision, for the player who moves here.
        sign = np.where(now.actor[decisions][1:] == now.actor[decisions][:-1], 1.0, -1.0)
        np.testing.assert_allclose(kept.steps.value[decisions[:-1]], sign * fresh.value[1:], atol=1e-6)
        for field in ("observation", "actor", "action", "legal", "outcome"):
            np.testing.assert_array_equal(getattr(now, field), getattr(old, field))
        changed += not np.array_equal(now.value, old.value)
    assert changed == 12


def test_what_is_found_is_what_the_network_says_there():
    """The network alone decides a forced move: its value is the new planner's, not the old one's."""
    replay = ring()
    one = replay.games[0]
    record = one.record(ACTIONS)
    states = decision_states(GAME, record, ACTIONS)
    positions = positions_of(states, ACTIONS.choices)
    np.testing.assert_array_equal(positions.observation, record.observation[record.actor >= 0])
    new = planner_of(KINDS[0], 2)
    _, value = new.predict(positions)
    forced = positions.legal.sum(axis=1) == 1
    fresh = searched_again(replay)[0]
    np.testing.assert_allclose(fresh.value[forced], value[forced], atol=1e-6)
    assert forced.any()
    seeds = np.zeros(len(states), np.uint64)
    old = decide(planner_of(KINDS[0], 1), positions, PRESETS[KINDS[0]].search, seeds, noise=True)
    assert np.abs(old.value - fresh.value).max() > 0.01


def test_findings_for_games_that_made_room_are_dropped_and_wrong_ones_refused():
    replay = ring(capacity=6)
    replay.refresh([Fresh(1, 0, np.zeros((1, 1), np.float32), np.zeros(1, np.float32))])
    with pytest.raises(ValueError, match="game 0 of round 2 has"):
        replay.refresh([Fresh(2, 0, np.zeros((1, 1), np.float32), np.zeros(1, np.float32))])


def test_a_damaged_file_is_refused_by_name():
    data = pack_fresh(searched_again(ring()), ACTIONS)
    assert unpack_fresh(pack_fresh([], ACTIONS), ACTIONS, name="none") == []
    with pytest.raises(ValueError, match=r"fresh\.npz is not a file of reanalysed games"):
        unpack_fresh(data[: len(data) // 2], ACTIONS, name="fresh.npz")
    with pytest.raises(ValueError, match="policy is float32"):
        unpack_fresh(data, ActionSet(2, 3), name="fresh.npz")
