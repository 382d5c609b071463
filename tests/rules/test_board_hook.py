"""Boards of somebody's own games, and boards read from the text of OpenSpiel's."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dicezero.rules import GameError, check_game, load_game, load_object
from dicezero.rules.board import Board
from dicezero.rules.board_hook import read_board
from dicezero.rules.draw import board_of, board_svg
from dicezero.rules.reading import action_strings
from dicezero.rules.text_grid import read_rows

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_dictionary_becomes_a_board():
    board = read_board(
        {
            "rows": 2,
            "columns": 3,
            "cells": {(0, 0): "7", (1, 2): {"colour": "p1", "text": "K", "mark": "last", "name": "king"}},
            "actions": {0: (0, 0), 5: [(1, 2), (0, 2)], 9: "Pass"},
            "notes": ["12 points", "3 points"],
        }
    )
    assert [cell.name for cell in board.cells] == ["a2", "b2", "c2", "a1", "b1", "c1"]
    assert board.paths == {0: (("a2",),), 5: (("c1", "c2"),), 9: (("Pass",),)}
    (king,) = board.cell("c1").pieces
    assert (king.name, king.colour, king.shape, king.text) == ("king", "p1", "disc", "K")
    assert board.cell("c1").marks == ("last",)
    assert board.cell("a2").pieces[0].shape == "text"
    assert board.cell("b1").pieces == ()
    assert board.notes == ("12 points", "3 points")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (None, "board() returned None; it must be a dictionary"),
        ({"rows": 0, "columns": 3}, "rows is 0; it must be a number in 1..26"),
        ({"rows": 2, "columns": "3"}, "columns is '3'"),
        ({"rows": 2, "columns": 2, "colour": 1}, "unknown entry 'colour'; it may have rows, columns"),
        ({"rows": 2, "columns": 2, "cells": {(2, 0): "x"}}, "cells has (2, 0); it must be (row, column)"),
        ({"rows": 2, "columns": 2, "cells": {(0, 0): 5}}, "the cell (0, 0) is 5; it must be a text"),
        ({"rows": 2, "columns": 2, "cells": {(0, 0): {"colour": "url(x)"}}}, "colour is 'url(x)'"),
        (
            {"rows": 2, "columns": 2, "cells": {(0, 0): {"shape": "star"}}},
            "shape is 'star'; it must be one of",
        ),
        ({"rows": 2, "columns": 2, "cells": {(0, 0): {"mark": "x"}}}, "mark is 'x'"),
        ({"rows": 2, "columns": 2, "actions": {3: []}}, "action 3 is clicked nowhere"),
        ({"rows": 2, "columns": 2, "actions": {3: (5, 5)}}, "action 3 has (5, 5)"),
        ({"rows": 2, "columns": 2, "actions": ["x"]}, "actions is ['x']"),
        ({"rows": 2, "columns": 2, "notes": "x"}, "notes is 'x'; it must be two texts"),
    ],
)
def test_what_is_no_board_is_refused_by_entry_value_and_remedy(given, words):
    with pytest.raises(GameError) as caught:
        read_board(given)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


class Hooked:
    """A state that has nothing but a board."""

    def __init__(self, made):
        self.made = made

    def board(self, seat):
        return self.made(seat)


def test_the_hook_is_told_who_looks_and_its_failures_are_named():
    board = board_of(Hooked(lambda seat: {"rows": 1, "columns": 2, "cells": {(0, seat): "me"}}), 1)
    assert isinstance(board, Board)
    assert board.cell("b1").pieces[0].text == "me"
    with pytest.raises(GameError, match=r"board\(\) raised ZeroDivisionError"):
        board_of(Hooked(lambda seat: seat / 0))


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda _: {"rows": 1}, "columns is None"),
        (lambda _: {"rows": 1, "columns": 1, "actions": {-7: (0, 0)}}, "action -7 be clicked"),
    ],
)
def test_check_names_a_board_that_is_none(monkeypatch, made, words):
    from lying_games import Honest, HonestState

    monkeypatch.setattr(HonestState, "board", made, raising=False)
    (failure,) = check_game(Honest(), games=5).failures
    assert failure.rule == "board"
    assert words in failure.happened


@pytest.mark.parametrize("name", ["Domineering", "Domineering(size=2)"])
def test_the_example_is_clicked_cell_by_cell(name):
    game = load_game(load_object(f"{EXAMPLES}/domineering.py:{name}"))
    assert not check_game(game, games=20).failures
    board = board_of(game.new_initial_state())
    assert set(board.paths) == set(game.new_initial_state().legal_actions())
    assert all(len(path) == 2 for ((path),) in board.paths.values())


@pytest.mark.parametrize(
    ("text", "cells", "names", "sheared"),
    [
        ("2bb\n1.w\n ab\n", ("bb", ".w"), ("2", "1"), False),
        (". x . \n . o . \n  . . . ", (".x.", ".o.", "..."), ("1", "2", "3"), True),
        ("Black (x) to play:\n  a b\n1 - o 1\n2 x - 2\n  a b", ("-o", "x-"), ("1", "2"), False),
        ("B\n..\nwb\n", ("..", "wb"), ("1", "2"), False),
    ],
)
def test_rows_of_a_text(text, cells, names, sheared):
    rows = read_rows(text)
    assert (rows.cells, rows.names, rows.sheared) == (cells, names, sheared)


@pytest.mark.parametrize(
    "text", ["", "(0): 0 0 0 0", "[0, 0] player 0 has 4", "score 12, player 1 to move", "a b c\n1 2 3"]
)
def test_other_texts_are_no_board(text):
    assert read_rows(text) is None


GRIDS = (
    "breakthrough(rows=5,columns=5)",
    "hex(board_size=5)",
    "othello",
    "clobber",
    "checkers",
    "lines_of_action",
    "mnk(m=5,n=5,k=4)",
    "xiangqi",
)


@pytest.mark.parametrize("name", GRIDS)
def test_grids_of_openspiel_are_read_from_their_text(name):
    """Wherever random play leads: every action has its cells, and the last of them is what it changes."""
    pytest.importorskip("pyspiel")
    draw, state = random.Random(3), load_game(name).new_initial_state()
    for _ in range(80):
        if state.is_terminal():
            break
        board = board_of(state)
        actions = action_strings(state)
        assert {a for a, text in actions.items() if "pass" not in text.lower()} == set(board.paths)
        action = draw.choice(list(actions))
        after = state.clone()
        after.apply_action(action)
        if action in board.paths:
            last = board.paths[action][0][-1]
            assert board.cell(last).pieces != board_of(after).cell(last).pieces
        state = after
    assert board_svg(state).startswith("<svg")


@pytest.mark.parametrize(
    ("name", "across", "down"),
    [("xiangqi", "012345678", "0123456789"), ("othello", "abcdefgh", "12345678")],
)
def test_the_edges_of_a_grid_are_called_as_the_moves_call_them(name, across, down):
    pytest.importorskip("pyspiel")
    board = board_of(load_game(name).new_initial_state())
    below = [label.text for label in board.labels if label.y > board.rows]
    beside = [label.text for label in board.labels if label.x < 0]
    assert (below, beside) == (list(across), list(down))
    corner = board.cells[0]
    assert (corner.aria_label or corner.name) == ("0, 0" if name == "xiangqi" else "a1")


@pytest.mark.parametrize("name", ["pig", "nim", "mancala", "oware", "quoridor", "amazons", "chess"])
def test_other_games_of_openspiel_have_no_grid(name):
    pyspiel = pytest.importorskip("pyspiel")
    state = pyspiel.load_game(name).new_initial_state()
    assert board_of(state) is None
