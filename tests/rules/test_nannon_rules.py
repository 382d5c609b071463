"""Nannon's native rules against the reference counts and against the plain twin."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_nannon import PlainNannon
from plain_nannon import perft as plain_perft

from dicezero import _native, load_game, perft
from dicezero.rules import GameError


def name_of(size):
    return "nannon(points={},checkers={},sides={})".format(*size)


SIZES = st.integers(2, 20).flatmap(
    lambda n: st.integers(2, n).flatmap(lambda d: st.tuples(st.just(n), st.integers(1, d - 1), st.just(d)))
)


def test_reference_counts():
    assert perft("nannon(points=6,checkers=3,sides=6)", 8) == [1, 5, 7, 42, 85, 510, 992, 5952, 11492]


@pytest.mark.parametrize(
    ("size", "depth"),
    [
        ((6, 3, 6), 8),
        ((12, 5, 6), 6),
        ((8, 4, 6), 6),
        ((2, 1, 2), 14),
        ((3, 2, 3), 10),
        ((4, 1, 4), 7),
        ((6, 5, 6), 6),
        ((20, 19, 20), 4),
        ((7, 3, 5), 6),
    ],
)
def test_counts_agree_with_the_plain_rules(size, depth):
    assert perft(name_of(size), depth) == plain_perft(PlainNannon(*size), depth)


def same(plain, state):
    """Everything that can be seen of both."""
    assert plain.player() == state.current_player()
    assert plain.actions() == state.legal_actions()
    for player in (0, 1):
        places = plain.places[player]
        assert [p for p in places if 1 <= p <= plain.n] == state.points(player)
        assert places.count(0) == state.home(player)
        assert places.count(plain.n + 1) == state.safety(player)
        assert plain.observation(player) == state.observation_tensor(player).tolist()
    if plain.player() == -1:
        for (outcome, exact), (id_, probability) in zip(
            plain.outcomes(), state.chance_outcomes(), strict=True
        ):
            assert outcome == id_
            assert math.isclose(float(exact), probability, rel_tol=1e-14)
    if plain.winner() is not None:
        assert state.returns() == ([1.0, -1.0] if plain.winner() == 0 else [-1.0, 1.0])
    else:
        assert state.returns() == [0.0, 0.0]


@settings(max_examples=150, deadline=None)
@given(size=SIZES, seed=st.integers(0, 2**32))
def test_random_lines_agree_with_the_plain_rules(size, seed):
    rng = random.Random(seed)
    plain, state = PlainNannon(*size), load_game(name_of(size)).new_initial_state()
    same(plain, state)
    for _ in range(120):
        if plain.winner() is not None:
            break
        action = rng.choice(plain.actions())
        plain.apply(action)
        state.apply_action(action)
        same(plain, state)


def moves(state, *names):
    for name in names:
        state.apply_action(state.string_to_action(name))
    return state


def test_neighbours_block_and_a_lone_checker_is_hit_and_goes_home():
    state = moves(load_game("nannon").new_initial_state(), "roll 2", "1/3", "roll 4")
    # x stands on 2 and 3 now, side by side: o's points 5 and 4, both blocked for o's roll of 4 from home.
    assert state.points(0) == [2, 3]
    assert "home/4" not in [state.action_to_string(a) for a in state.legal_actions()]
    state = moves(load_game("nannon").new_initial_state(), "roll 4", "home/4", "roll 1", "2/3*")
    assert state.home(0) == 1
    assert state.points(0) == [1, 2]
    assert state.points(1) == [1, 3]


def test_bearing_off_needs_no_exact_roll_and_the_last_one_wins():
    state = load_game("nannon(points=2,checkers=1,sides=2)").new_initial_state()
    state = moves(state, "roll 1", "home/1", "roll 1", "home/1", "roll 2", "1/off")
    assert state.is_terminal()
    assert state.returns() == [1.0, -1.0]


def test_a_player_who_cannot_move_must_pass():
    rng = random.Random(0)
    passes = 0
    for _ in range(300):
        state = load_game("nannon").new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            names = [state.action_to_string(a) for a in actions]
            if "pass" in names:
                assert names == ["pass"]
                assert actions == [7]
                passes += 1
            state.apply_action(rng.choice(actions))
    assert passes > 0


def test_the_opening_is_the_difference_of_two_different_dice():
    outcomes = load_game("nannon").new_initial_state().chance_outcomes()
    expected = [2 * (6 - r) / 30 for r in range(1, 6)]
    assert [o for o, _ in outcomes] == [0, 1, 2, 3, 4]
    assert [p for _, p in outcomes] == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(("size", "turns"), [((6, 3, 6), 13.0260), ((12, 5, 6), 44.2880)])
def test_random_games_are_as_long_as_the_reference_says(size, turns):
    """The reference figures are exact; a turn is a roll and a move or pass."""
    games = 200_000
    moves_made, _ = _native.random_playouts(load_game(name_of(size)), games, seed=5)
    assert moves_made / games / 2 == pytest.approx(turns, rel=0.005)


def test_playouts_depend_on_the_seed_alone():
    game = load_game("nannon")
    assert _native.random_playouts(game, 1000, seed=1) == _native.random_playouts(game, 1000, seed=1)
    assert _native.random_playouts(game, 1000, seed=1) != _native.random_playouts(game, 1000, seed=2)
    assert _native.random_playouts(game, 0, seed=1) == (0, 0.0)
    with pytest.raises(ValueError, match="count=-1 is negative"):
        _native.random_playouts(game, -1, seed=1)


def test_perft_refuses_what_it_cannot_count():
    assert perft("nannon", 0) == [1]
    for depth in (-1, 1001):
        with pytest.raises(ValueError, match=rf"depth={depth} is out of range; give 0\.\.1000"):
            perft("nannon", depth)
    with pytest.raises(GameError, match="is no game"):
        perft(7, 1)
    with pytest.raises(TypeError):
        perft("nannon", "3")
