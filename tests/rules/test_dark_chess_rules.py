"""Chinese dark chess against OpenSpiel's banqi, and by known positions."""

import random

import numpy as np
import pytest

from dicezero import load_game
from dicezero.rules import GameError


def cells(text):
    return [cell for row in text.splitlines()[:4] for cell in row.split()]


def seen_by(player, piece):
    """A red or black piece as outcomes and planes count it: 0..6 are the player's own, 7..13 the other's."""
    return piece if player == 0 else (piece + 7) % 14


def played(rng, state):
    """A legal action; captures are taken half the time, so that games get to their end."""
    legal = state.legal_actions()
    takes = [a for a in legal if a >= 32 and "x" in state.action_to_string(a)]
    return rng.choice(takes if takes and rng.random() < 0.5 else legal)


def test_every_state_of_random_games_is_openspiels():
    pyspiel = pytest.importorskip("pyspiel")
    rng, ours_game, theirs_game = random.Random(1), load_game("banqi"), pyspiel.load_game("banqi")
    results = set()
    for _ in range(30):
        ours, theirs, black_first = ours_game.new_initial_state(), theirs_game.new_initial_state(), None
        mover = 0
        while True:
            expected = cells(str(theirs))
            if black_first:  # in ours player 0 is red by definition
                expected = [cell.swapcase() for cell in expected]
            assert cells(str(ours)) == expected
            assert ours.is_terminal() == theirs.is_terminal()
            if ours.is_terminal():
                break
            assert ours.current_player() == theirs.current_player()
            if theirs.is_chance_node():
                outcome = rng.choices(*zip(*theirs.chance_outcomes(), strict=True))[0]
                if black_first is None:
                    black_first = outcome >= 7
                swapped = (outcome + 7) % 14 if black_first else outcome
                probabilities = dict(ours.chance_outcomes())
                total = {(o + 7) % 14 if black_first else o: p for o, p in theirs.chance_outcomes()}
                if (
                    len(probabilities) == 7 and len(total) == 14
                ):  # the first flip: either colour is player 0's
                    total = {o: total[o] + total[o + 7] for o in range(7)}
                assert probabilities == pytest.approx({seen_by(mover, o): p for o, p in total.items()})
                ours.apply_action(seen_by(mover, swapped))
                theirs.apply_action(outcome)
            else:
                assert ours.legal_actions() == theirs.legal_actions()
                action, mover = played(rng, ours), ours.current_player()
                ours.apply_action(action)
                theirs.apply_action(action)
        assert ours.returns() == theirs.returns()
        results.add(ours.returns()[0])
    assert results == {-1.0, 0.0, 1.0}


def test_the_first_piece_is_player_0s_whichever_it_is():
    state = load_game("banqi").new_initial_state()
    state.apply_action(state.string_to_action("flip c2"))
    assert state.is_chance_node()
    chances = {state.action_to_string(o): p for o, p in state.chance_outcomes()}
    assert chances["reveal G"] == pytest.approx(1 / 16)
    assert chances["reveal S"] == pytest.approx(5 / 16)
    assert len(chances) == 7
    state.apply_action(state.string_to_action("reveal S"))
    assert state.current_player() == 1
    state.apply_action(state.string_to_action("flip a1"))
    # The second player counts its own pieces first: 13 is one of the first player's soldiers.
    assert state.action_to_string(13) == "reveal S"
    assert dict(state.chance_outcomes())[13] == pytest.approx(4 / 31)
    assert dict(state.chance_outcomes())[6] == pytest.approx(5 / 31)


def test_what_comes_up_is_counted_as_the_flipper_sees_it():
    """Odds are a function of what the flipper sees, from either seat: a model is not told who is red."""
    game, rng = load_game("banqi(rows=2,columns=4)"), random.Random(3)
    odds, flippers = {}, set()
    for _ in range(300):
        state = game.new_initial_state()
        while not state.is_terminal():
            mover = state.current_player()
            planes = state.observation_tensor(mover).reshape(35, -1)
            action = rng.choice(state.legal_actions())
            state.apply_action(action)
            if state.is_chance_node():
                outcomes = dict(state.chance_outcomes())
                seen = np.delete(planes, 30, axis=0)  # but for the count of quiet moves
                assert odds.setdefault((seen.tobytes(), action), outcomes) == outcomes
                flippers.add(mover)
                for outcome in outcomes:
                    red = state.action_to_string(outcome)[-1].isupper()
                    assert (outcome < 7) == (red == (mover == 0))
                state.apply_action(rng.choice(list(outcomes)))
    assert flippers == {0, 1}
    assert len(odds) > 500


def test_a_small_board_has_its_own_pieces():
    state = load_game("banqi(rows=2,columns=4)").new_initial_state()
    assert state.legal_actions() == list(range(8))
    state.apply_action(0)
    assert {state.action_to_string(o): p for o, p in state.chance_outcomes()} == pytest.approx(
        {"reveal G": 0.25, "reveal S": 0.75}
    )


def test_who_can_neither_flip_nor_move_has_lost():
    state = load_game("banqi(rows=1,columns=2,pieces=C)").new_initial_state()
    for text in ("flip a1", "reveal C", "flip b1", "reveal c"):
        state.apply_action(state.string_to_action(text))
    # Two cannons side by side on a full board: the one to move cannot, and has lost.
    assert state.is_terminal()
    assert state.returns() == [-1.0, 1.0]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("banqi(rows=5)", r"rows=5 is out of range; give 1\.\.4"),
        ("banqi(rows=2,columns=4,pieces=GCS)", "pieces=GCS is out of range; give 8/2 letters"),
        (
            "banqi(rows=2,columns=4,pieces=GGSS)",
            "pieces=GGSS is out of range; give letters of GAAEERRHHCCSSSSS",
        ),
        ("banqi(max_no_progress=0)", "max_no_progress=0 is out of range"),
    ],
)
def test_wrong_parameters_are_named(name, message):
    with pytest.raises(GameError, match=message):
        load_game(name)


@pytest.mark.parametrize("name", ["banqi", "banqi(rows=2,columns=4)"])
def test_a_turned_board_is_played_alike(name):
    game, rng = load_game(name), random.Random(5)
    for cells_of, actions in game.symmetries():
        state, turned = game.new_initial_state(), game.new_initial_state()
        for _ in range(60):
            if state.is_terminal():
                break
            if state.is_chance_node():
                action = rng.choice(state.legal_actions())
                state.apply_action(action)
                turned.apply_action(action)
            else:
                assert sorted(actions[a] for a in turned.legal_actions()) == state.legal_actions()
                action = rng.choice(turned.legal_actions())
                turned.apply_action(action)
                state.apply_action(actions[action])
            planes = state.observation_tensor(0).reshape(35, -1)
            assert turned.observation_tensor(0).reshape(35, -1).tolist() == planes[:, cells_of].tolist()
