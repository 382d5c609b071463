"""The example game: short, sound, and OpenSpiel's Pig."""

import random
from pathlib import Path

import pytest

from dicezero import check_game, perft
from dicezero.rules import load_object

PATH = Path(__file__).parents[2] / "examples" / "pig.py"


def pig(target):
    return load_object(f"{PATH}:Pig(target={target})")


def test_it_is_under_80_lines():
    assert len(PATH.read_text().splitlines()) < 80


@pytest.mark.parametrize("target", [1, 7, 100])
def test_it_passes_check_game(target):
    report = check_game(pig(target), games=20)
    assert report.passed, str(report)
    assert report.absent == ("string_to_action", "serialize")


def test_a_one_loses_the_turn_and_holding_keeps_it():
    state = pig(20).new_initial_state()
    for action in (0, 5, 0, 3):  # roll a six, roll a four
        state.apply_action(action)
    assert (state.scores, state.points, state.turn) == ([0, 0], 10, 0)
    state.apply_action(1)
    assert (state.scores, state.points, state.turn) == ([10, 0], 0, 1)
    for action in (0, 5, 0, 0):  # roll a six, roll a one
        state.apply_action(action)
    assert (state.scores, state.points, state.turn) == ([10, 0], 0, 0)


@pytest.mark.parametrize("target", [3, 20, 100])
def test_it_is_openspiels_pig(target):
    pyspiel = pytest.importorskip("pyspiel")
    name = f"pig(winscore={target},horizon=100000)"
    assert perft(pig(target), 6) == perft(name, 6)
    other = pyspiel.load_game(name)
    rng = random.Random(4)
    for _ in range(200):
        ours, theirs = pig(target).new_initial_state(), other.new_initial_state()
        while not ours.is_terminal():
            assert ours.current_player() == theirs.current_player()
            assert ours.legal_actions() == theirs.legal_actions()
            if ours.is_chance_node():
                assert ours.chance_outcomes() == theirs.chance_outcomes()
            action = rng.choice(ours.legal_actions())
            ours.apply_action(action)
            theirs.apply_action(action)
        assert theirs.is_terminal()
        assert ours.returns() == theirs.returns()


def test_the_docs_show_what_the_check_prints():
    page = (PATH.parents[1] / "docs" / "howto" / "add-a-game.md").read_text(encoding="utf-8")
    assert str(check_game(pig(100))) in page
