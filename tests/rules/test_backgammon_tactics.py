"""What rich observations add: shots held to all that the rules allow, escapes to a plain count, phases."""

from __future__ import annotations

import random

import numpy as np
import pytest

from dicezero.rules import load_game, spec_of

GAME = load_game("backgammon")
FIRST, TACTICS = 213, 18
HIT, ESCAPES = 5, 8


def random_states(count, seed):
    """States before a roll from random games, every seventh of them."""
    rng, seen = random.Random(seed), 0
    while True:
        state = GAME.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node() and state.history():
                seen += 1
                if seen % 7 == 0:
                    yield state.clone()
                    count -= 1
                    if count == 0:
                        return
            state.apply_action(rng.choice(state.legal_actions()))


def tactics(state, viewer):
    """[2, 18]: the viewer's, then the other side's."""
    return state.observation_tensor(viewer)[FIRST : FIRST + 2 * TACTICS].reshape(2, TACTICS)


def hit_chance(state):
    """The probability that the side to roll can hit, by every legal turn."""
    mover = state.turn
    before, hits = state.checkers(1 - mover)[25], 0
    for large in range(1, 7):
        for small in range(1, large + 1):
            turns = state.child(state.string_to_action(f"roll {large}{small}")).boards_after_turn()
            hits += (1 if large == small else 2) * any(other[25] > before for _, other in turns)
    return hits / 36


def test_shots_are_what_the_rules_allow():
    found = []
    for state in random_states(120, seed=3):
        mover = state.turn
        if state.checkers(mover)[25] <= 1 and state.observation_tensor(mover)[-2]:
            found.append((tactics(state, 1 - mover)[0, HIT], hit_chance(state)))
    said, true = np.array(found).T
    assert len(said) > 60
    assert 0.2 < true.mean() < 0.8
    # Rolls whose other die must be played elsewhere first are all that is left out.
    assert (np.abs(said - true) < 1e-6).mean() > 0.9
    assert np.abs(said - true).mean() < 0.01


def test_escapes_count_the_rolls_that_one_checker_can_play_both_dice_of():
    rng = random.Random(1)
    for state in random_states(60, seed=4):
        viewer = rng.randrange(2)
        if not state.observation_tensor(viewer)[-2]:  # a race
            continue
        own, other = state.checkers(viewer), state.checkers(1 - viewer)
        back = max(p for p in range(1, 26) if own[p])
        shut = [p > 0 and other[25 - p] > 1 for p in range(26)]
        rolls = 0
        for a in range(1, 7):
            for b in range(1, 7):
                ends = [back - a - b, back - a, back - b]
                blocked = [end > 0 and shut[end] for end in ends]
                rolls += not blocked[0] and not (blocked[1] and blocked[2])
        assert tactics(state, viewer)[0, ESCAPES] == pytest.approx(rolls / 36)


def test_both_sides_have_the_same_view_of_each_other_and_the_phase_is_said():
    contact = race = 0
    for state in random_states(80, seed=5):
        np.testing.assert_array_equal(tactics(state, 0), tactics(state, 1)[::-1])
        backs = [max((p for p in range(1, 26) if state.checkers(side)[p]), default=0) for side in (0, 1)]
        meets = sum(backs) > 25
        assert state.observation_tensor(0)[-2:].tolist() == [meets, not meets]
        contact, race = contact + meets, race + (not meets)
        assert np.abs(tactics(state, 0)).max() < 3.0
    assert contact > 10
    assert race > 2


def test_the_spec_says_phases_results_and_that_the_rules_are_native():
    spec = spec_of(GAME)
    assert spec.native
    assert spec.results == (-3, -2, -1, 1, 2, 3)
    assert spec.observation.phases == 2
    assert spec_of(load_game("backgammon(scoring=winloss)")).results == (-1, 1)
    assert spec_of(load_game("backgammon(observation=classical)")).observation.phases == 1
    assert spec_of(load_game("nannon")).results == ()
