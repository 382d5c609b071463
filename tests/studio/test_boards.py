"""Boards are functions of positions: what is on them, what can be clicked, what moves."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ElementTree  # of our own drawings

import pytest

from dicezero.rules import load_game
from dicezero.rules.board import line_of
from dicezero.rules.reading import action_strings
from dicezero.studio.page.boards import View, board_html

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
        passing = list(moves.values()) == ["pass"]  # there is no checker to click
        assert [int(b.get("data-action")) for b in buttons] == ([] if passing else list(moves))
        for number, (button, words) in enumerate(zip(buttons, moves.values(), strict=False), 1):
            assert (button.get("role"), button.get("tabindex")) == ("button", "0")
            assert button.get("aria-label") == f"move {number}: {words}"
        for player in (0, 1):
            drawn = [
                e
                for e in root.iter()
                if re.match(rf"(checker|mark) p{player}(?!.*ghost)", e.get("class", ""))
            ]
            assert len(drawn) == state.get_game().checkers


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
        root = ElementTree.fromstring(board_html(state, View(seat=seat)))  # noqa: S314
        trays = [e for e in root.iter() if e.get("class") == f"tray-name p{seat}"]
        places = {tray.text: float(tray.get("x")) for tray in trays}
        assert places["HOME"] < places["SAFETY"]


def test_hints_and_names_are_shown_and_escaped():
    state = load_game("nannon").new_initial_state()
    state.apply_action(2)
    view = View(moves=action_strings(state), hint=1, names=("<You>", "it & co"))
    html = board_html(state, view)
    assert html.count("move hinted") == 1
    assert "&lt;You&gt; rolled 3" in html
    assert "<You>" not in html


def test_a_move_that_is_about_to_be_played_is_shown_and_cannot_be_clicked():
    state = load_game("nannon").new_initial_state()
    state.apply_action(2)
    action = state.legal_actions()[0]
    html = board_html(state, View(pending=action))
    assert html.count('class="pending"') == 1
    assert "data-action" not in html
    for name in ("go(board_size=3)", "tic_tac_toe", "connect_four"):
        state = load_game(name).new_initial_state()
        html = board_html(state, View(pending=state.legal_actions()[0]))
        assert html.count('class="arrow pending"') == 1
        assert "data-action" not in html


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
