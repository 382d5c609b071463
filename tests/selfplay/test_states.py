"""What lock step asks of the rules: the native way and the plain one give the same, as does one thread."""

from __future__ import annotations

import numpy as np
import pytest

from dicezero import _native
from dicezero.presets.fitting import network_of, planner_of
from dicezero.presets.registry import PRESETS
from dicezero.rules import load_game, spec_of
from dicezero.selfplay.episode import CHOICE_FIELDS, STEP_FIELDS
from dicezero.selfplay.play import play_games
from dicezero.selfplay.seeds import address_seed, address_uniform, extended_seeds, extended_uniforms
from dicezero.selfplay.states import (
    drawn_rows,
    play_moves,
    positions_of,
    reference_play_moves,
    reference_positions_of,
    reference_roll_dice,
    roll_dice,
)


def middles(game, count):
    """States somewhere in a game, some of them over, chance to act in others."""
    rng = np.random.default_rng(1)
    states = []
    for _ in range(count):
        state = game.new_initial_state()
        for _ in range(rng.integers(0, 40)):
            if state.is_terminal():
                break
            state.apply_action(int(rng.choice(state.legal_actions())))
        states.append(state)
    return states


@pytest.mark.parametrize("name", ["nannon", "tic_tac_toe", "connect_four"])
def test_native_and_plain_dice_fall_alike(name):
    game = load_game(name)
    states = middles(game, 60)
    copies = [state.clone() for state in states]
    seeds = np.array([address_seed(7, i) for i in range(len(states))], np.uint64)
    steps = np.arange(len(states), dtype=np.int64)
    native = roll_dice(game, spec_of(game), states, seeds, steps)
    plain = reference_roll_dice(spec_of(game), copies, seeds, steps)
    for found, want in zip(native, plain, strict=True):
        np.testing.assert_array_equal(found, want)
    assert [state.history() for state in states] == [state.history() for state in copies]
    assert not any(state.is_chance_node() for state in states)


@pytest.mark.parametrize("name", ["nannon", "tic_tac_toe", "connect_four"])
def test_native_and_plain_positions_are_the_same(name):
    game = load_game(name)
    states = [state for state in middles(game, 80) if state.current_player() >= 0]
    native = positions_of(game, spec_of(game), states)
    plain = reference_positions_of(game, spec_of(game), states)
    assert native.legal.dtype == np.bool_
    np.testing.assert_array_equal(native.observation, plain.observation)
    np.testing.assert_array_equal(native.legal, plain.legal)


@pytest.mark.parametrize("name", ["nannon", "tic_tac_toe", "connect_four"])
def test_native_and_plain_moves_pay_the_same(name):
    game, rng = load_game(name), np.random.default_rng(2)
    states = [state for state in middles(game, 200) if state.current_player() >= 0]
    actions = np.array([rng.choice(state.legal_actions()) for state in states], np.int32)
    copies = [state.clone() for state in states]
    found = play_moves(game, spec_of(game), states, actions)
    np.testing.assert_array_equal(found, reference_play_moves(spec_of(game), copies, actions))
    assert [state.history() for state in states] == [state.history() for state in copies]
    assert set(found.tolist()) >= {0.0, 1.0}  # some end with a win


def test_seeds_of_many_addresses_are_those_of_each():
    begin = np.array([address_seed(3, game) for game in range(5)], np.uint64)
    steps = np.arange(5, dtype=np.int64) * 7
    want = [address_seed(3, game, game * 7, 1) for game in range(5)]
    np.testing.assert_array_equal(extended_seeds(begin, steps, 1), np.array(want, np.uint64))
    lots = [address_uniform(3, game, game * 7, 1) for game in range(5)]
    np.testing.assert_array_equal(extended_uniforms(begin, steps, 1), lots)


def test_a_row_is_drawn_by_its_weights_and_never_one_of_weight_zero():
    weights = np.array([[0.0, 0.25, 0.0, 0.75, 0.0]] * 4, np.float32)
    found = drawn_rows(weights, np.array([0.0, 0.2499, 0.25, np.nextafter(1.0, 0.0)]))
    assert found.tolist() == [1, 1, 3, 3]


@pytest.mark.parametrize("preset", ["gumbel-alphazero", "ndmz"])
def test_the_games_do_not_depend_on_the_threads(preset):
    game = load_game("nannon(points=4,checkers=2,sides=4)")
    spec = spec_of(game)
    weights = network_of(PRESETS[preset], spec).init(seed=1)
    one, two = (
        play_games(
            game,
            planner_of(PRESETS[preset], spec, weights, threads=threads),
            PRESETS[preset].search,
            games=range(120),
            seed=3,
            round_index=0,
        )
        for threads in (1, 2)
    )
    for first, second in zip(one, two, strict=True):
        for name in ("observation", *STEP_FIELDS, *CHOICE_FIELDS):
            np.testing.assert_array_equal(getattr(first, name), getattr(second, name))


def test_what_does_not_belong_together_is_refused():
    game, states = load_game("nannon"), [load_game("tic_tac_toe").new_initial_state()]
    with pytest.raises(TypeError, match="does not belong to the game"):
        _native.observe_states(game, states)
    with pytest.raises(ValueError, match=r"states\[0\] has no player to move"):
        _native.observe_states(game, [game.new_initial_state()])
    with pytest.raises(ValueError, match="one number a state"):
        _native.roll_dice(game, [game.new_initial_state()], np.zeros(2, np.uint64), np.zeros(1, np.int64), 1)
    with pytest.raises(ValueError, match="not native"):
        _native.observe_states(object(), [])
