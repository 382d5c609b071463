"""Backgammon against OpenSpiel's, against the rules written out plainly, and by known positions."""

import random
import re

import pytest
from plain_backgammon import START, position_id, turns

from dicezero import load_game

ROLLS = [(large, small) for large in range(1, 7) for small in range(1, large + 1)]


def roll(state, large, small):
    """The state after a roll."""
    return state.child(state.string_to_action(f"roll {large}{small}"))


def ends(state):
    """The positions after the mover's turn: (its checkers, the other's), by all sequences of actions."""
    mover, todo, found = state.current_player(), [state], []
    while todo:
        state = todo.pop()
        for action in state.legal_actions():
            after = state.child(action)
            if after.current_player() == mover:
                todo.append(after)
            else:
                found.append((tuple(after.checkers(mover)), tuple(after.checkers(1 - mover))))
    return found


def random_states(game, count, seed, stride=7):
    """States before a roll from random games, every ``stride``-th of them."""
    rng, seen = random.Random(seed), 0
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node() and state.history():
                seen += 1
                if seen % stride == 0:
                    yield state
                    count -= 1
                    if count == 0:
                        return
            state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("start", ["standard", "nackgammon", "hyper"])
def test_the_positions_after_a_turn_are_those_of_the_plain_rules(start):
    game = load_game(f"backgammon(start={start})")
    for state in random_states(game, 12, seed=1):
        player = state.turn
        for dice in ROLLS:
            after = ends(roll(state, *dice))
            assert len(set(after)) == len(after), "two sequences of actions lead to one position"
            assert set(after) == turns(
                tuple(state.checkers(player)), tuple(state.checkers(1 - player)), *dice
            )


def openspiel_sides(state):
    def count(player, point):
        return state.board(player, point - 1 if player == 1 else 24 - point)

    return [(0, *(count(p, point) for point in range(1, 25)), state.board(p, 100)) for p in (0, 1)]


def openspiel_ends(state, mover, found):
    for action in state.legal_actions():
        after = state.child(action)
        if not after.is_terminal() and after.current_player() == mover:
            openspiel_ends(after, mover, found)
        else:
            sides = openspiel_sides(after)
            found.add(position_id(sides[1 - mover], sides[mover]))
    return found


def test_the_positions_after_a_turn_are_openspiels():
    pyspiel = pytest.importorskip("pyspiel")
    game, rng = load_game("backgammon"), random.Random(3)
    theirs, compared = pyspiel.load_game("backgammon").new_initial_state(), 0
    while compared < 8:
        if theirs.is_terminal():
            theirs = theirs.get_game().new_initial_state()
        if theirs.is_chance_node() and rng.random() < 0.06 and theirs.move_number() > 0:
            compared += 1
            for outcome, _ in theirs.chance_outcomes():
                rolled = theirs.child(outcome)
                mover, sides = rolled.current_player(), openspiel_sides(rolled)
                dice = sorted(map(int, re.search(r"Dice: (\d)(\d)", str(rolled)).groups()), reverse=True)
                ours = roll(game.new_initial_state(position_id(sides[mover], sides[1 - mover])), *dice)
                assert {position_id(other, own) for own, other in ends(ours)} == openspiel_ends(
                    rolled, mover, set()
                )
        theirs.apply_action(rng.choice(theirs.legal_actions()))


@pytest.mark.parametrize(
    ("xgid", "expected"),
    [  # as GNU Backgammon 1.07 shows them
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "4HPwATDgc/ABMA"),
        ("XGID=-a--B-D-B---dE---c-d-a--B-:0:0:1:00:0:0:0:0:10", "yHPwAAjmGXwADA"),
        ("XGID=-a--B-D-B---dE---c-d-a--B-:0:0:-1:00:0:0:0:0:10", "mGfwATDIc/AACA"),
    ],
)
def test_position_ids_and_xgids_are_those_of_the_programs(xgid, expected):
    game = load_game("backgammon")
    state = game.new_initial_state(xgid)
    assert state.position() == expected
    again = game.new_initial_state(expected)
    assert [again.checkers(p) for p in (0, 1)] == [state.checkers(p) for p in (0, 1)]
    assert position_id(tuple(state.checkers(0)), tuple(state.checkers(1))) == expected
    if ":1:00" in xgid:
        assert state.xgid() == xgid


def test_positions_round_trip_before_and_after_a_roll():
    game = load_game("backgammon")
    for state in random_states(game, 60, seed=5):
        again = game.new_initial_state(state.position())
        assert [again.checkers(p) for p in (0, 1)] == [
            state.checkers(state.turn),
            state.checkers(1 - state.turn),
        ]
        rolled = roll(state, 5, 2)
        assert game.new_initial_state(rolled.position()).dice == (5, 2)
        assert game.new_initial_state(rolled.position()).xgid() == rolled.xgid()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "neither a position ID"),
        ("4HPwATDgc/ABM", "neither a position ID"),
        ("4HPwATDgc_ABMA", "outside base 64"),
        ("//////////////", "more than 30 checkers"),
        ("AAAAAAAAAAAAAA", "is over"),
        ("XGID=-b----E-C---eE---c-e----B:0:0:1:00", "is no XGID"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:2:00:0:0:0:0:10", "has turn 2"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:71:0:0:0:0:10", "has dice 71"),
        ("XGID=-b----E-C---eE---c-e----F-:0:0:1:00:0:0:0:0:10", "more than 15 checkers"),
        ("XGID=Ab----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "other side's bar"),
    ],
)
def test_positions_that_are_none_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        load_game("backgammon").new_initial_state(text)


def moves(xgid):
    state = load_game("backgammon").new_initial_state(xgid)
    return {state.action_to_string(action) for action in state.legal_actions()}


def xgid(dice, own, other):
    """A position by points in each side's own counting; the rest is borne off."""
    letters = ["-"] * 26
    for point, count in own.items():
        letters[point] = chr(64 + count)
    for point, count in other.items():
        letters[25 - point] = chr(96 + count)
    return f"XGID={''.join(letters)}:0:0:1:{dice}:0:0:0:0:10"


def test_moves_are_written_as_players_write_them():
    assert {"8/5 6/5", "13/9", "24/21 6/5"} <= moves(
        xgid("31", {24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5})
    )
    # A blot on the way of one checker: with the hit and round it, two positions.
    assert moves(xgid("21", {10: 1}, {16: 1, 1: 2})) == {"10/9*/7", "10/7"}
    assert moves(xgid("21", {10: 1}, {17: 1, 1: 2})) == {"10/8*/7", "10/7"}
    assert moves(xgid("63", {25: 1, 13: 1}, {1: 2})) == {"bar/16", "bar/22 13/7", "bar/19 13/10"}
    assert moves(xgid("44", {25: 2, 6: 1}, {4: 1, 1: 2})) == {"bar/21*(2)"}
    assert moves(xgid("66", {6: 3, 5: 1}, {1: 2})) == {"6/off(2)"}
    assert moves(xgid("65", {4: 1, 3: 1}, {1: 2})) == {"4/off 3/off"}


def test_who_cannot_enter_passes():
    closed = dict.fromkeys(range(1, 7), 2)
    assert moves(xgid("63", {25: 1, 6: 2}, closed)) == {"pass"}


def test_both_dice_must_be_played_and_else_the_larger():
    # From 12 either die can be played, and the other not after it: both ways end on the blocked 4.
    assert moves(xgid("62", {12: 1}, {21: 2, 1: 2})) == {"12/6"}
    # With 6 blocked too the smaller one is left.
    assert moves(xgid("62", {12: 1}, {21: 2, 19: 2})) == {"12/10"}
    # The two can be played after the six alone, by the same checker.
    assert moves(xgid("62", {10: 1, 3: 1}, {25 - 8: 2, 25 - 1: 2})) == {"10/2"}


def play(state, *texts):
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


@pytest.mark.parametrize(
    ("other", "scoring", "points"),
    [
        ({6: 1}, "full", 1),
        ({6: 15}, "full", 2),
        ({19: 1, 6: 14}, "full", 3),
        ({25: 1, 6: 14}, "full", 3),
        ({25: 1, 6: 14}, "gammons", 2),
        ({25: 1, 6: 14}, "winloss", 1),
        ({18: 1, 6: 14}, "full", 2),
    ],
)
def test_gammons_and_backgammons_count_two_and_three(other, scoring, points):
    game = load_game(f"backgammon(scoring={scoring})")
    state = game.new_initial_state(xgid("21", {1: 1}, other))
    play(state, "1/off")
    assert state.returns() == [points, -points]
    assert game.max_utility() == {"full": 3, "gammons": 2, "winloss": 1}[scoring]


def test_the_winner_of_the_opening_roll_is_player_0_and_plays_both_dice():
    state = load_game("backgammon").new_initial_state()
    assert tuple(state.checkers(0)) == tuple(state.checkers(1)) == START
    outcomes = {state.action_to_string(outcome): p for outcome, p in state.chance_outcomes()}
    assert len(outcomes) == 15
    assert all(p == pytest.approx(1 / 15) for p in outcomes.values())
    assert "roll 11" not in outcomes
    play(state, "roll 31", "8/5 6/5")
    assert state.turn == 1
    outcomes = {state.action_to_string(outcome): p for outcome, p in state.chance_outcomes()}
    assert len(outcomes) == 21
    assert outcomes["roll 66"] == pytest.approx(1 / 36)
    assert outcomes["roll 65"] == pytest.approx(2 / 36)


def test_a_double_is_two_actions_of_one_player():
    state = load_game("backgammon").new_initial_state("4HPwATDgc/ABMA")
    play(state, "roll 66", "24/18(2)")
    assert (state.current_player(), state.second_half) == (0, True)
    play(state, "13/7(2)")
    assert (state.current_player(), state.turn) == (-1, 1)
    with pytest.raises(ValueError, match="middle of a double"):
        play(load_game("backgammon").new_initial_state("4HPwATDgc/ABMA"), "roll 66", "24/18(2)").position()


def test_the_classical_features_are_seen_from_the_viewers_side():
    state = play(load_game("backgammon(observation=classical)").new_initial_state(), "roll 31", "8/5 6/5")
    mine, theirs = state.observation_tensor(0), state.observation_tensor(1)
    assert len(mine) == 213
    assert mine[:98].tolist() == theirs[98:196].tolist()
    assert mine[98:196].tolist() == theirs[:98].tolist()
    at = 4 * 5  # the viewer's point 6 has four checkers now
    assert mine[at : at + 4].tolist() == [1, 1, 1, 0.5]
    assert state.observation_tensor(0)[196:208].sum() == 0
    state = play(state, "roll 52")
    assert state.observation_tensor(1)[196 + 4] == 1  # the five
    assert state.observation_tensor(1)[202 + 1] == 1  # the two


def test_actions_of_a_state_have_different_names_and_keys():
    game = load_game("backgammon")
    for state in random_states(game, 25, seed=9):
        for dice in ((2, 1), (6, 5), (3, 3)):
            rolled = roll(state, *dice)
            legal = rolled.legal_actions()
            assert len({rolled.action_to_string(a) for a in legal}) == len(legal)
            assert len({str(rolled.child(a).key()) for a in legal}) == len(legal)
            assert [rolled.string_to_action(rolled.action_to_string(a)) for a in legal] == legal
