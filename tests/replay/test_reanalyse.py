"""Reanalyse: what is searched again, what that changes, and that the ring stays bounded."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest

from dicezero.presets.fitting import network_of, target_of
from dicezero.presets.fitting import planner_of as fitted_planner
from dicezero.presets.registry import PRESETS
from dicezero.replay.buffer import Fresh, Replay
from dicezero.replay.reanalyse import chosen_episodes, decision_states, pack_fresh, reanalyse, unpack_fresh
from dicezero.rules import load_game, spec_of
from dicezero.selfplay.episode import CHOICE_FIELDS, STEP_FIELDS, ActionSet
from dicezero.selfplay.planners import decide
from dicezero.selfplay.play import play_games
from dicezero.selfplay.states import positions_of

GAME = load_game("nannon(points=4,checkers=2,sides=4)")
SPEC = spec_of(GAME)
FIELDS = ("observation", *STEP_FIELDS, *CHOICE_FIELDS)
KINDS = ["gumbel-alphazero", "gumbel-ndmz", "td-lambda"]


def planner_of(name, seed):
    """A network that has opinions: new ones expect nothing of any move."""
    rng = np.random.default_rng(seed)
    weights = {
        key: array + rng.normal(scale=0.2, size=array.shape).astype(np.float32)
        for key, array in network_of(PRESETS[name], SPEC).init(seed=seed).items()
    }
    return fitted_planner(PRESETS[name], SPEC, weights)


def ring(name="gumbel-alphazero", *, capacity=20, value=None):
    """A ring of two rounds of six games, played by one set of weights."""
    target = value or target_of(PRESETS[name], SPEC)
    replay = Replay(SPEC, capacity=capacity, value=target)
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
    episodes = play_games(
        GAME, planner_of(KINDS[0], 1), PRESETS[KINDS[0]].search, games=range(3), seed=1, round_index=0
    )
    replay = Replay(SPEC, capacity=3)
    replay.add(episodes)
    for built in (False, True):  # before and after the games became views of the table
        for kept, episode in zip(replay.kept, episodes, strict=True):
            for name in FIELDS:
                np.testing.assert_array_equal(
                    getattr(kept.episode, name), getattr(episode, name), f"{name} {built}"
                )
        assert replay.decisions


def test_games_are_held_once_and_their_number_bounds_the_memory():
    replay = ring(capacity=4)
    assert len(replay) == 4
    table = replay._build()
    for kept in replay.kept:
        assert np.shares_memory(kept.episode.reward, table._arrays["reward"])
        assert np.shares_memory(kept.episode.observation, kept.placed.block)
    assert len(table._blocks) == len({kept.round for kept in replay.kept})
    # A frame at most and some numbers, where whole rounds are there: a block goes with its last episode.
    assert ring().step_bytes < 4 * SPEC.observation.size + 60


def test_which_games_hangs_on_their_address_alone():
    replay = ring()
    some = chosen_episodes(replay, share=0.5, seed=3, round_index=2)
    assert 0 < len(some) < 12
    names = {(game.round, game.number) for game in some}
    smaller = ring(capacity=7)
    left = {(game.round, game.number) for game in smaller.kept}
    assert {
        (game.round, game.number) for game in chosen_episodes(smaller, share=0.5, seed=3, round_index=2)
    } == names & left
    assert {game.round for game in chosen_episodes(replay, share=1.0, seed=3, round_index=1)} == {1}
    assert chosen_episodes(replay, share=0.0, seed=3, round_index=2) == []


@pytest.mark.parametrize("name", KINDS)
def test_targets_become_those_of_the_new_network(name):
    value = replace(target_of(PRESETS[name], SPEC), kind="lambda", value_lambda=0.0)
    replay = ring(name, value=value)
    before = [kept.episode for kept in replay.kept]
    found = searched_again(replay, name)
    assert len(found) == 12
    replay.refresh(unpack_fresh(pack_fresh(found), name="fresh"))
    changed = 0
    for kept, old, fresh in zip(replay.kept, before, found, strict=True):
        now, decisions = kept.episode, old.decisions
        np.testing.assert_array_equal(now.policy, fresh.policy)
        # The value's target is the new network's value at the next decision, for the player who moves here.
        sign = np.where(now.actor[decisions][1:] == now.actor[decisions][:-1], 1.0, -1.0)
        np.testing.assert_allclose(kept.targets.value[decisions[:-1]], sign * fresh.value[1:], atol=1e-6)
        for field in ("observation", "actor", "action", "legal", "reward"):
            np.testing.assert_array_equal(getattr(now, field), getattr(old, field))
        changed += not np.array_equal(now.value, old.value)
    assert changed == 12


def test_what_is_found_is_what_the_network_says_there():
    """The network alone decides a forced move: its value is the new planner's, not the old one's."""
    replay = ring()
    episode = replay.kept[0].episode
    states = decision_states(GAME, episode, ActionSet.of(SPEC))
    positions = positions_of(GAME, SPEC, states)
    np.testing.assert_array_equal(
        positions.observation, episode.observation[episode.frames[episode.decisions]]
    )
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
    replay.refresh([Fresh(1, 0, np.zeros(1, np.float32), np.zeros(1, np.float32))])
    with pytest.raises(ValueError, match="episode 0 of round 2 has"):
        replay.refresh([Fresh(2, 0, np.zeros(1, np.float32), np.zeros(1, np.float32))])


def test_a_damaged_file_is_refused_by_name():
    data = pack_fresh(searched_again(ring()))
    assert unpack_fresh(pack_fresh([]), name="none") == []
    with pytest.raises(ValueError, match=r"fresh\.npz is not a file of reanalysed episodes"):
        unpack_fresh(data[: len(data) // 2], name="fresh.npz")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"policy": np.array([1e30, 0.5], np.float32)}, "policy has a probability that is none"),
        ({"policy": np.array([-0.5, 0.5], np.float32)}, "policy has a probability that is none"),
        ({"choices": np.array([-3, 5])}, "choices are no numbers of policy entries"),
        ({"decisions": np.array([2**63 - 1, -(2**63) + 3])}, "decisions are no numbers of value entries"),
    ],
)
def test_absurd_findings_are_not_learned_from(change, words):
    """Whoever made it knew how: a right file with a right sum."""
    half = np.array([0.5], np.float32)
    found = [Fresh(1, 0, half, half), Fresh(1, 1, half, half)]
    with np.load(io.BytesIO(pack_fresh(found))) as file:
        arrays = {name: file[name] for name in file.files} | change
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    with pytest.raises(ValueError, match=f"fresh.npz: {words}; train again"):
        unpack_fresh(buffer.getvalue(), name="fresh.npz")
