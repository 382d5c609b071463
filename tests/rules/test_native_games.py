"""Every native game of the list: its traits, its turned boards, and steps of many states at once."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from dicezero import _native
from dicezero.rules import load_game
from dicezero.rules.games import game_module

NAMES = [name for name, _, _ in _native.registered_games()]


def random_line(game, seed, *, stop=0.05):
    """A state some way into a random game."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal() and rng.random() > stop:
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def choice_states(game, count):
    found = (random_line(game, seed) for seed in range(100 * count))
    return [state for state in found if state.current_player() >= 0][:count]


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_made_by_its_parameters_and_says_its_traits(name):
    _, made, parameters = next(entry for entry in _native.registered_games() if entry[0] == name)
    game = made(**{key: default for key, default, _, _ in parameters})
    assert game == made() == load_game(name) == load_game(str(game))
    assert game.get_parameters() == {key: default for key, default, _, _ in parameters}
    assert _native.is_native(game)
    for key, default, _, meaning in parameters:
        assert getattr(game, key) == default
        assert meaning
    assert game.min_utility() < game.max_utility()
    assert 0.0 < game.discount() <= 1.0
    assert game.observation_layout() in ("flat", "planes")
    if game.observation_layout() == "planes":
        assert len(game.observation_tensor_shape()) == 3
    with pytest.raises(TypeError, match="unexpected keyword argument 'nonsense'"):
        made(nonsense=1)


@pytest.mark.parametrize("name", NAMES)
def test_rewards_add_up_to_the_returns(name):
    game = load_game(name)
    for seed in range(5):
        state, total = game.new_initial_state(), np.zeros(game.num_players())
        rng = random.Random(seed)
        for _ in range(3000):
            if state.is_terminal():
                break
            state.apply_action(rng.choice(state.legal_actions()))
            total += state.rewards()
            if game.pays_on_the_way():
                np.testing.assert_allclose(state.returns(), total, atol=1e-9)
        if state.is_terminal():
            np.testing.assert_allclose(state.returns(), total, atol=1e-9)
            assert all(game.min_utility() <= r <= game.max_utility() for r in state.returns())


@pytest.mark.parametrize("name", NAMES)
def test_players_take_turns_where_the_game_says_so(name):
    game = load_game(name)
    if game.num_players() == 1 or not game.takes_turns():
        return
    for seed in range(20):
        last, state, rng = None, game.new_initial_state(), random.Random(seed)
        for _ in range(200):
            if state.is_terminal():
                break
            if state.current_player() >= 0:
                assert state.current_player() != last
                last = state.current_player()
            state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("name", NAMES)
def test_a_turned_board_is_the_board_after_turned_moves(name):
    game = load_game(name)
    if game.max_chance_outcomes() and game.symmetries():
        pytest.skip("outcomes have to be turned too; tests of the game's own do")
    for cells, actions in game.symmetries():
        assert sorted(actions) == list(range(game.num_distinct_actions()))
        channels, height, width = game.observation_tensor_shape()
        assert sorted(cells) == list(range(height * width))
        turned_id = {old: new for new, old in enumerate(actions)}
        start = game.new_initial_state().observation_tensor(0).reshape(channels, -1)
        if not np.array_equal(start, start[:, cells]):  # a turned game would have to start elsewhere
            continue
        for seed in range(10):
            state = random_line(game, seed)
            turned = game.new_initial_state()
            for action in state.history():
                turned.apply_action(turned_id[action])
            seen = state.observation_tensor(0).reshape(channels, -1)
            np.testing.assert_array_equal(
                turned.observation_tensor(0).reshape(channels, -1), seen[:, cells], err_msg=f"{cells}"
            )
            assert sorted(turned_id[a] for a in state.legal_actions()) == turned.legal_actions()


SMALL = {
    "banqi": "banqi(rows=2,columns=3,pieces=GSS,max_no_progress=2)",
    "backgammon": "backgammon(start=hyper1)",
    "2048": "2048(rows=2,columns=2)",
    "einstein_wurfelt_nicht": "einstein_wurfelt_nicht(board_size=3,layers=2)",
}
WITH_CHANCE = [SMALL.get(name, name) for name in NAMES if load_game(name).max_chance_outcomes()]


@pytest.mark.parametrize("name", WITH_CHANCE)
def test_what_chance_does_follows_from_what_the_mover_sees(name):
    """A learned model is told an observation and what was done; odds and what comes up follow from these."""
    game, rng = load_game(name), random.Random(4)
    odds, shown, again = {}, {}, 0
    for _ in range(400):
        state = game.new_initial_state()
        while not state.is_terminal():
            mover, before, action = state.current_player(), None, rng.choice(state.legal_actions())
            if mover >= 0:
                before = (state.observation_tensor(mover).tobytes(), action)
            state.apply_action(action)
            if before is None or not state.is_chance_node():
                continue
            again += before in odds
            assert odds.setdefault(before, state.chance_outcomes()) == state.chance_outcomes()
            outcome = rng.choice(state.legal_actions())
            state.apply_action(outcome)
            seen = state.observation_tensor(mover).tobytes()
            assert shown.setdefault((before, outcome), seen) == seen
    assert again > 50


@pytest.mark.parametrize("name", NAMES)
def test_a_position_is_read_back(name):
    game = load_game(name)
    for state in choice_states(game, 10):
        again = game.new_initial_state(state.position())
        assert again.position() == state.position()
        assert again.legal_actions() == state.legal_actions()
        assert game.deserialize_state(again.serialize()).position() == state.position()
    with pytest.raises(ValueError, match=r"\S"):
        game.new_initial_state("no position of any game")


@pytest.mark.parametrize("name", NAMES)
def test_many_states_at_once_are_the_states_one_by_one(name):
    game = load_game(name)
    states = choice_states(game, 20)
    rng = random.Random(0)
    actions = [rng.choice(state.legal_actions()) for state in states]
    plain = [state.child(action) for state, action in zip(states, actions, strict=True)]
    movers = [state.current_player() for state in states]
    paid = _native.apply_moves(game, states, np.array(actions, np.int32))
    assert paid.dtype == np.float64
    np.testing.assert_array_equal(paid, [state.rewards()[0] for state in plain])
    assert [s.history() for s in states] == [s.history() for s in plain]
    seen = _native.observe_by(game, states, np.array(movers, np.int32))
    for row, (state, mover) in enumerate(zip(plain, movers, strict=True)):
        expected = state.observation_tensor(mover) if not state.is_terminal() else np.zeros(seen.shape[1])
        np.testing.assert_array_equal(seen[row], expected)
    steps = np.zeros(len(states), np.int64)
    row, _, player, rolled = _native.roll_dice(
        game, states, np.arange(len(states), dtype=np.uint64), steps, 7
    )
    assert len(row) == len(rolled)
    assert [s.current_player() for s in states] == list(player)


@pytest.mark.parametrize("name", NAMES)
def test_what_does_not_fit_is_refused(name):
    game = load_game(name)
    (state,) = choice_states(game, 1)
    with pytest.raises(ValueError, match="illegal"):
        _native.apply_moves(game, [state], np.array([game.num_distinct_actions()], np.int32))
    with pytest.raises(ValueError, match="one number a state"):
        _native.apply_moves(game, [state], np.array([0, 1], np.int32))
    with pytest.raises(ValueError, match="player 2 is out of range"):
        _native.observe_by(game, [state], np.array([2], np.int32))
    with pytest.raises(TypeError, match="does not belong"):
        _native.apply_moves(game, [object()], np.array([0], np.int32))


def test_a_state_of_another_size_is_refused():
    small, large = load_game("nannon(points=6)"), load_game("nannon(points=12,checkers=5)")
    state = large.new_initial_state()
    state.apply_action(0)
    for call in (
        lambda: _native.observe_states(small, [state]),
        lambda: _native.afterstates(small, [state]),
        lambda: _native.perft(small, 2, state),
        lambda: _native.state_key(small, state),
    ):
        with pytest.raises(ValueError, match="not of nannon"):
            call()


def test_modules_are_found_by_name_alone():
    assert game_module("nannon").TITLE == "Nannon"
    assert game_module("no_such_game") is None
    assert game_module("../escape") is None


def test_a_bound_of_states_is_one():
    assert _native.state_bound(load_game("tic_tac_toe")) == 3**9
    assert math.isinf(_native.state_bound(load_game("nannon")))
    assert _native.ranked_states(load_game("nannon")) == 2530
    assert _native.ranked_states(load_game("connect_four")) is None
