"""The doubling cube: the figures of Janowski's article, what must hold of any position, and the decisions."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicezero.search.cube import Chances, cube_equity, decide_cube, live_equity

some_chances = st.builds(
    Chances, st.floats(0.0, 1.0), st.floats(1.0, 2.5, exclude_max=True), st.floats(1.0, 2.5)
)
OWNERS = ("centre", "mover", "other")


def gammonless(win):
    return Chances(win, 1.0, 1.0)


def test_a_race_without_gammons_has_the_points_that_everybody_knows():
    # A live cube is taken at 20 % and cashed at 80 %; a dead one is taken at 25 %.
    assert gammonless(0.5).take_point == pytest.approx(0.2)
    assert gammonless(0.5).cash_point == pytest.approx(0.8)
    assert decide_cube(gammonless(0.75), life=0.0).double_take == pytest.approx(1.0)
    assert decide_cube(gammonless(0.80), life=1.0).double_take == pytest.approx(1.0)
    # Janowski's two thirds: take point 21.4 %, initial double about 70 %, redouble about 72.5 %.
    take = first_taken(2 / 3)
    assert take == pytest.approx(0.2143, abs=2e-3)
    assert first_double("centre", 2 / 3) == pytest.approx(0.70, abs=0.02)
    assert first_double("mover", 2 / 3) == pytest.approx(0.725, abs=0.02)
    # The last roll of all: any advantage doubles.
    assert first_double("centre", 0.0) == pytest.approx(0.5, abs=1e-3)


def first_taken(life):
    return next(w / 10_000 for w in range(10_001) if decide_cube(gammonless(1 - w / 10_000), life=life).takes)


def first_double(owner, life):
    found = (w / 10_000 for w in range(10_001))
    return next(w for w in found if decide_cube(gammonless(w), owner, life=life).doubles)


@given(some_chances, st.floats(0.0, 1.0))
def test_owning_the_cube_is_worth_something_and_both_views_agree(chances, life):
    centre, mine, theirs = (cube_equity(chances, owner, life=life) for owner in OWNERS)
    assert theirs - 1e-9 <= centre <= mine + 1e-9
    assert theirs - 1e-9 <= chances.equity <= mine + 1e-9
    other = chances.reversed()
    assert cube_equity(other, "centre", life=life) == pytest.approx(-centre, abs=1e-9)
    assert cube_equity(other, "other", life=life) == pytest.approx(-mine, abs=1e-9)
    assert -chances.lost - 1e-9 <= theirs
    assert mine <= chances.won + 1e-9


@given(some_chances)
def test_a_live_cube_is_turned_where_it_can_just_be_taken(chances):
    there = Chances(chances.cash_point, chances.won, chances.lost)
    decision = decide_cube(there, life=1.0)
    assert decision.double_take == pytest.approx(1.0)
    assert decision.no_double == pytest.approx(1.0)
    assert live_equity(Chances(there.take_point, there.won, there.lost), "centre") == pytest.approx(-1.0)


def test_too_good_to_double_needs_gammons():
    assert decide_cube(Chances(0.85, 1.6, 1.0)).verdict == "too good"
    assert decide_cube(gammonless(0.95)).verdict == "double, pass"
    assert decide_cube(gammonless(0.74)).verdict == "double, take"
    assert decide_cube(gammonless(0.6)).verdict == "no double"
    assert decide_cube(gammonless(0.74), "other").verdict == "no double"
    assert decide_cube(gammonless(0.74), "other").equity < decide_cube(gammonless(0.74)).equity


def test_chances_come_from_the_probabilities_of_results():
    found = Chances.of({-3: 0.0, -2: 0.1, -1: 0.3, 1: 0.4, 2: 0.15, 3: 0.05})
    assert (found.win, found.won, found.lost) == pytest.approx((0.6, 0.85 / 0.6, 0.5 / 0.4))
    assert found.equity == pytest.approx(0.85 - 0.5)
    assert Chances.of({-1: 1.0, 1: 0.0}) == Chances(0.0, 1.0, 1.0)
    for wrong in ({}, {1: -0.1, -1: 1.1}, {0: 0.5, 1: 0.5}, {1: math.nan}):
        with pytest.raises(ValueError, match=r"distribution|draw"):
            Chances.of(wrong)
    with pytest.raises(ValueError, match="life=2"):
        cube_equity(found, "centre", life=2.0)
