"""Boards are functions of positions: what is on them, what can be clicked, what moves."""

from __future__ import annotations

import math
import random
import re
import xml.etree.ElementTree as ElementTree  # of our own drawings

import pytest

from dicezero.rules import load_game
from dicezero.rules.board import Board, Cell, Piece, line_of
from dicezero.rules.draw import board_of
from dicezero.rules.reading import action_strings
from dicezero.studio.page.boards import View, arrows_of, board_html
from dicezero.studio.page.boards.grid import grid

GAMES = (
    "nannon",
    "nannon(points=12,checkers=5,sides=6)",
    "nannon(points=9,checkers=7,sides=9)",
)


def walk(name, seed):
    """(before, state) along a random game."""
    draw, state, before = random.Random(seed), load_game(name).new_initial_state(), None
    while True:
        yield before, state.clone()
        if state.is_terminal():
            return
        before = state.clone()
        state.apply_action(draw.choice(list(state.legal_actions())))


def moves_of(state):
    return {} if state.is_chance_node() or state.is_terminal() else action_strings(state)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_every_position_draws_its_pieces_and_moves(name, seat):
    for before, state in walk(name, seat):
        moves = moves_of(state)
        root = ElementTree.fromstring(board_html(state, View(seat=seat, moves=moves, before=before)))  # noqa: S314
        buttons = [e for e in root.iter() if "data-action" in e.attrib]
        words = {f"move {number}: {text}" for number, text in enumerate(moves.values(), 1)}
        assert {int(b.get("data-action")) for b in buttons} == set(moves)
        assert {b.get("aria-label") for b in buttons} == words
        for button in buttons:
            assert button.tag == "button" or (button.get("role"), button.get("tabindex")) == ("button", "0")
        for player in (0, 1):
            drawn = [e for e in root.iter("circle") if e.get("fill") == f"var(--b-p{player})"]
            assert len(drawn) == state.get_game().checkers


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_leg_leads_where_the_rules_put_the_checker(name, seat):
    for _, state in walk(name, 7):
        board = board_of(state, seat)
        for action, words in moves_of(state).items():
            if words == "pass":
                assert action not in board.paths
                continue
            ((start, end),) = board.legs[action]
            after = state.clone()
            after.apply_action(action)
            there = board_of(after, seat)
            mover = f"{('orange', 'blue')[state.current_player()]} checker"
            grown = {c.name: count(there, c.name, mover) - count(board, c.name, mover) for c in board.cells}
            assert {name: by for name, by in grown.items() if by} == {start: -1, end: 1}
            assert (start,) in board.paths[action]


def count(board, cell, piece):
    return sum(one.name == piece for one in board.cell(cell).pieces)


def test_both_sides_find_their_own_numbers():
    """Inside the arch as the reader counts, outside as the other side does, whoever looks."""
    state = load_game("nannon").new_initial_state()
    for seat in (0, 1):
        board = board_of(state, seat)
        for player in (0, 1):
            mine = [
                label for label in board.labels if label.ink == f"p{player}-edge" and label.text.isdigit()
            ]
            left_to_right = [label.text for label in sorted(mine, key=lambda label: label.x)]
            assert left_to_right == list("123456" if player == seat else "654321")
            point = board.cell("point1" if player == 0 else "point6")  # where player's count is 1
            nearest = min(mine, key=lambda label: math.dist((label.x, label.y), point.middle))
            assert nearest.text == "1"


def test_what_changed_moves_and_nothing_else():
    for before, state in walk("nannon", 3):
        html = board_html(state, View(before=before))
        rolled = before is not None and before.is_chance_node()
        assert ('class="die rolling' in html) == (rolled and not state.is_terminal())
        moved = before is not None and not rolled and before.home(0) + before.home(1) >= 0
        same = moved and str(before).split(";")[0] == str(state).split(";")[0]  # a pass
        expected = 0 if not moved or same else 1
        hits = html.count('data-moving="true"') - expected
        assert hits in ((0, 1) if expected else (0,))
        assert 'data-moving="true"' not in board_html(state, View())


def test_a_hit_checker_is_seen_going_home():
    for seed in range(50):
        for before, state in walk("nannon", seed):
            if before is None or before.is_chance_node():
                continue
            mover = before.current_player()
            if state.home(1 - mover) > before.home(1 - mover):
                html = board_html(state, View(before=before))
                assert html.count('data-moving="true"') == 2
                return
    pytest.fail("no hit in fifty games")


def test_the_reader_of_either_seat_runs_to_the_right():
    """The same position from both sides: a player's own home is on the left."""
    state = load_game("nannon").new_initial_state()
    state.apply_action(2)
    for seat in (0, 1):
        board = board_of(state, seat)
        assert board.cell(f"home{seat}").column < board.cell(f"safety{seat}").column
        assert board.cell(f"home{1 - seat}").column > board.cell(f"safety{1 - seat}").column


def test_hints_and_names_are_shown_and_escaped():
    state = load_game("nannon").new_initial_state()
    state.apply_action(2)
    view = View(moves=action_strings(state), hint=1, names=("<You>", "it & co"))
    html = board_html(state, view)
    assert html.count("mover hinted") == 1
    assert html.count('class="arrow hint"') == 1
    assert "&lt;You&gt;" in html
    assert "<You>" not in html


def test_a_search_points_with_arrows():
    state = load_game("nannon").new_initial_state()
    state.apply_action(2)
    html = board_html(state, View(seat=1, arrows=arrows_of(state, {0: 0.7, 1: 0.3})))
    assert re.findall(r'class="arrow search" data-from="(\w+)" data-to="(\w+)"', html) == [
        ("point1", "point4"),
        ("home0", "point3"),
    ]
    assert "70 %" in html


def test_a_move_that_is_about_to_be_played_is_shown_and_cannot_be_clicked():
    for name in ("nannon", "go(board_size=3)", "tic_tac_toe", "connect_four"):
        state = load_game(name).new_initial_state()
        if state.is_chance_node():
            state.apply_action(2)
        html = board_html(state, View(pending=state.legal_actions()[0]))
        assert html.count('class="arrow pending"') == 1
        assert "data-action" not in html


def test_a_pass_that_is_about_to_happen_is_said():
    state = load_game("nannon").new_initial_state()
    for action in (2, 0, 3):
        state.apply_action(action)
    (action,) = state.legal_actions()
    assert '<p class="pending-move">pass</p>' in board_html(state, View(seat=1, pending=action))


def test_a_game_without_a_board_has_its_text_and_buttons():
    class Strange:
        def __str__(self):
            return "<b>3</b> | 4"

    html = board_html(Strange(), View(moves={7: "a<b", 9: "c"}, hint=9))
    assert "&lt;b&gt;3" in html
    assert re.findall(r'data-action="(\d+)"', html) == ["7", "9"]
    assert 'class="move hinted" data-action="9"' in html
    assert "a&lt;b" in html


@pytest.mark.parametrize(
    ("rows", "length", "line"),
    [
        (["...", "xxx", "..o"], 3, [(1, 0), (1, 1), (1, 2)]),
        (["o.x", ".x.", "x.o"], 3, [(0, 2), (1, 1), (2, 0)]),
        (["xo", "ox"], 3, []),
        (["...o", "..o.", ".o..", "o..."], 4, [(0, 3), (1, 2), (2, 1), (3, 0)]),
    ],
)
def test_the_line_that_won(rows, length, line):
    assert line_of(rows, length) == line


def test_a_die_of_many_sides_shows_a_number():
    state = load_game("nannon(points=9,checkers=3,sides=9)").new_initial_state()
    state.apply_action(6)
    assert '<text class="number"' in board_html(state, View())
    small = load_game("nannon").new_initial_state()
    small.apply_action(4)
    assert board_html(small, View()).count('class="pip"') == 5


def test_a_high_pile_says_how_many_they_are_on_its_last_piece():
    piece = Piece("blue checker", "p1")
    for count, shape, shown in ((5, "tray", 0), (15, "tray", 1), (6, "rack", 0)):
        cell = Cell("tray", 0.0, 0.0, (piece,) * count, "tray", shape, height=5.0)
        drawn = grid(Board(5, 1, (cell,), {}), View())
        assert drawn.count(f">{count}</text>") == shown
        assert drawn.count('r="11"') == count - shown  # the mark of the second side is not under the number
