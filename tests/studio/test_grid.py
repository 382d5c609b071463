"""Boards described as data: every legal move can be clicked to, from both sides, and nothing else."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree  # of our own drawings

import pytest

from dicezero.rules import load_game
from dicezero.rules.board import Board, Cell, Piece, from_to, turned
from dicezero.rules.draw import board_of
from dicezero.rules.reading import action_strings
from dicezero.studio.page.boards import Arrow, View, arrows_of, board_html, read_path
from dicezero.studio.page.boards.motion import moved
from dicezero.studio.page.boards.picking import picking

GAMES = (
    "go(board_size=2)",
    "go(board_size=5)",
    "go",
    "chess",
    "gardner_chess",
    "tic_tac_toe",
    "connect_four",
    "connect_four(rows=4,columns=5)",
    "backgammon",
    "backgammon(start=hyper)",
    "2048",
    "2048(rows=2,columns=3)",
    "banqi",
    "banqi(rows=2,columns=3,pieces=GCS)",
    "einstein_wurfelt_nicht",
    "einstein_wurfelt_nicht(board_size=3,layers=1)",
)


def walk(name, seed, most=60):
    draw, state, before = random.Random(seed), load_game(name).new_initial_state(), None
    for _ in range(most):
        yield before, state.clone()
        if state.is_terminal():
            return
        before = state.clone()
        state.apply_action(draw.choice(list(state.legal_actions())))


def clickable(state, view):
    """(actions, picks) on the board, the list of all moves aside."""
    root = ElementTree.fromstring(board_html(state, view))  # noqa: S314
    found = [e for e in root.iter() if (e.get("class") or "").startswith("move")]
    assert all(e.get("aria-label") for e in found)
    assert all(e.tag == "button" or (e.get("tabindex"), e.get("role")) == ("0", "button") for e in found)
    actions = {int(e.get("data-action")) for e in found if "data-action" in e.attrib}
    return actions, {e.get("data-pick") for e in found if "data-pick" in e.attrib}


def reached(state, moves, seat):
    """Every action that clicks lead to, from the first one on."""
    found, waiting, seen = set(), [()], set()
    while waiting:
        picked = waiting.pop()
        actions, picks = clickable(state, View(seat=seat, moves=moves, picked=picked))
        found |= actions
        for text in picks:
            if text not in seen and len(read_path(text)) > len(picked):
                seen.add(text)
                waiting.append(read_path(text))
    return found


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_every_legal_move_is_reached_by_clicks_and_no_other(name, seat):
    for ply, (before, state) in enumerate(walk(name, seat)):
        moves = {} if state.is_chance_node() or state.is_terminal() else action_strings(state)
        board_html(state, View(seat=seat, before=before))  # with what moved
        if ply % 7 == 0 or len(moves) < 8:
            assert reached(state, moves, seat) == set(moves)


@pytest.mark.parametrize("name", GAMES)
def test_paths_are_the_legal_actions_and_cells_have_names_of_their_own(name):
    for _, state in walk(name, 5):
        for seat in (0, 1):
            board = board_of(state, seat)
            names = [cell.name for cell in board.cells]
            assert len(set(names)) == len(names)
            if not state.is_chance_node():
                assert set(board.paths) == set(state.legal_actions())
            assert all(0 <= c.column <= board.columns - c.width for c in board.cells)
            assert all(0 <= c.row <= board.rows - c.height for c in board.cells)


def test_chess_is_seen_from_the_readers_side_and_names_squares_alike():
    state = load_game("chess").new_initial_state()
    white, black = board_of(state, 0), board_of(state, 1)
    assert (white.cell("e2").row, white.cell("e2").column) == (6, 4)
    assert (black.cell("e2").row, black.cell("e2").column) == (1, 3)
    assert white.cell("e2").pieces[0].name == black.cell("e2").pieces[0].name == "white pawn"
    assert [label.text for label in sorted(black.labels, key=lambda one: one.x)][-8:] == list("hgfedcba")
    assert turned(turned(white)).cell("a1") == white.cell("a1")


def test_squares_of_chess_hold_what_the_position_says():
    """Against python-chess, square by square, along a random game."""
    chess = pytest.importorskip("chess")
    for _, state in walk("chess", 8):
        there = chess.Board(state.position())
        for cell in board_of(state, 1).cells:
            piece = there.piece_at(chess.parse_square(cell.name))
            expected = None if piece is None else f"{chess.COLOR_NAMES[piece.color]} {piece.symbol().lower()}"
            short = {"knight": "n"}
            drawn = [f"{c} {short.get(p, p[0])}" for c, p in (one.name.split() for one in cell.pieces)]
            assert drawn == ([] if expected is None else [expected])
        checked = [cell.name for cell in board_of(state).cells if "check" in cell.marks]
        king = there.king(there.turn)
        assert checked == ([chess.square_name(king)] if there.is_check() else [])


def test_a_promotion_asks_for_the_piece_after_the_squares():
    state = load_game("chess").new_initial_state("7k/P7/8/8/8/8/8/K7 w - - 0 1")
    view = View(moves=action_strings(state), picked=("a7",))
    assert "a7|a8" in clickable(state, view)[1]
    html = board_html(state, View(moves=action_strings(state), picked=("a7", "a8")))
    for piece in ("Queen", "Rook", "Bishop", "Knight"):
        assert piece in html
    assert "take back" in html


def test_territory_and_captures_of_go():
    state = load_game("go(board_size=3,komi=0.5)").new_initial_state()
    for name in ("B1", "A1", "A2", "pass", "B2", "pass", "C2"):  # A1 is taken
        state.apply_action(state.string_to_action(name))
    assert board_of(state).notes[0] == "captured 1"
    for _ in range(2):
        state.apply_action(state.string_to_action("pass"))
    assert state.is_terminal()
    owned = {cell.name for cell in board_of(state).cells if "owned_black" in cell.marks}
    assert owned == {"A1", "C1", "A3", "B3", "C3"}
    assert state.score() == 9 - 0.5
    assert not board_of(state).paths


def test_a_move_is_begun_gone_on_with_and_let_go():
    board = Board(
        1, 3, tuple(Cell(name, 0, x) for x, name in enumerate("abc")), from_to([(0, ("a", "b")), (1, ("c",))])
    )
    moves = {0: "ab", 1: "c", 2: "stay"}
    first = picking(board, moves, ())
    assert first.steps == {"a": None, "c": 1, "stay": 2}  # what has no path is a place of its own name
    assert first.after("a") == ("a",)
    begun = picking(board, moves, ("a",))
    assert begun.steps == {"b": 0}
    assert begun.after("a") == ()
    assert begun.after("c") == ("c",)
    assert picking(board, moves, ("nonsense", "b")).picked == ()


def test_paths_that_mean_several_actions_end_in_buttons():
    board = Board(1, 1, (Cell("a", 0, 0),), {0: (("a",),), 1: (("a",),)})
    assert picking(board, {0: "up", 1: "down"}, ()).steps == {"a": None}
    assert picking(board, {0: "up", 1: "down"}, ("a",)).complete == (0, 1)


def test_what_moved_came_from_where_it_stood():
    piece = Piece("rook")
    board = Board(1, 3, (Cell("a", 0, 0, (piece,)), Cell("b", 0, 1), Cell("c", 0, 2)))
    after = Board(1, 3, (Cell("a", 0, 0), Cell("b", 0, 1), Cell("c", 0, 2, (piece, Piece("king")))))
    assert moved(board, after) == {("c", 0): (50.0, 50.0), ("c", 1): None}
    assert moved(after, after) == {}


def test_arrows_hints_and_pending_moves_are_drawn():
    state = load_game("chess").new_initial_state()
    moves = action_strings(state)
    action = next(a for a, name in moves.items() if name == "e4")
    assert arrows_of(state, {action: 0.7}) == (Arrow("e2", "e4", 0.7, "70 %"),)
    html = board_html(state, View(moves=moves, arrows=(Arrow("e2", "e4", 0.7, "70 %"),)))
    assert 'class="arrow search" data-from="e2" data-to="e4"' in html
    assert "70 %" in html
    hinted = board_html(state, View(moves=moves, hint=action))
    assert 'class="move start hinted" data-pick="e2"' in hinted
    assert 'class="arrow hint" data-from="e2" data-to="e4"' in hinted
    assert 'class="arrow pending" data-from="e2"' in board_html(state, View(pending=action))
    go = load_game("go(board_size=5)").new_initial_state()
    assert arrows_of(go, {0: 0.4, 25: 0.6}) == (Arrow("A1", "A1", 0.4, "40 %"),)  # a pass is no cell
    assert "arrow search" in board_html(go, View(arrows=arrows_of(go, {0: 0.4})))


def test_what_a_page_sends_is_cut_short():
    assert read_path("e2|e4") == ("e2", "e4")
    assert read_path("") == ()
    assert len(read_path("a|" * 1000)) <= 16


def test_a_hint_is_one_arrow_with_its_plate():
    """Moves of several legs would cross one another: only the best of them is drawn."""
    state = load_game("chess").new_initial_state()
    moves = action_strings(state)
    best, other = (next(a for a, name in moves.items() if name == text) for text in ("e4", "d4"))
    arrows = arrows_of(state, {best: 1.0, other: 0.8}, {best: "52 %", other: "51 %"}, best=best)
    html = board_html(state, View(moves=moves, hint=best, arrows=arrows))
    assert html.count('class="arrow hint"') == html.count('class="arrow search"') == 1
    assert html.count('class="plate hint"') == html.count('class="plate search"') == 1
    assert html.rindex('class="move ') < html.rindex('class="arrow ') < html.index('class="plate ')
    state = load_game("backgammon").new_initial_state()
    state.apply_action(1)
    first, second = state.legal_actions()[:2]
    arrows = arrows_of(state, {first: 1.0, second: 0.9}, best=first)
    assert {arrow.kind for arrow in arrows} == {"hint"}


def test_a_board_read_from_text_is_seen_from_below():
    pytest.importorskip("pyspiel")
    for name in ("breakthrough(rows=5,columns=5)", "checkers"):
        state = load_game(name).new_initial_state()
        for seat in (0, 1):
            cells = board_of(state, seat).cells
            rows = [[c.row for c in cells if c.pieces and c.pieces[0].colour == f"p{p}"] for p in (0, 1)]
            assert min(rows[seat]) > max(rows[1 - seat])
    hexes = board_of(load_game("hex(board_size=3)").new_initial_state(), 1)
    assert hexes.notes == ("joins the upper edge with the lower", "joins the left edge with the right")
