"""Boards described as data in a real Chromium: whole games by clicking."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import chromium
import pytest
from chromium import begin, choose
from clicking import over, play_by_clicking, pressed


@pytest.fixture(scope="module")
def page(window, address, tmp_path_factory):
    """A page of a studio of this module's own; afterwards the others have theirs back."""
    chromium.require_chromium()
    with chromium.studio(tmp_path_factory.mktemp("runs"), games="__import__('set_positions').GAMES") as url:
        window.size(1280)
        window.theme("light")
        window.driver.get(url)
        own = urlsplit(url).netloc
        window.foreign_hosts(own)  # what other tests have asked for
        window.wait(".tile")
        yield window
        assert window.foreign_hosts(own) <= {urlsplit(address).netloc}
        window.driver.get(address)
        window.foreign_hosts(own)


def label(browser, cell: str) -> str:
    """What is read aloud of a cell that can be clicked; empty for any other."""
    find = "return document.querySelector(arguments[0])?.getAttribute('aria-label') ?? ''"
    return browser.run(find, f".board [data-cell='{cell}']")


def click(browser, *cells: str) -> None:
    """Clicks cells one after the other, each once it can be clicked."""
    for cell in cells:
        browser.until(f"a click on {cell}", lambda cell=cell: pressed(browser, f"[data-cell='{cell}']"))


def test_go_is_played_to_its_end(page):
    begin(page, "Go", seed=3, board_size=3, max_moves=10)
    assert play_by_clicking(page, seed=1) >= 4
    assert page.all(".board.grid svg text.label")[:3] == ["A", "B", "C"]
    assert len(page.all(".board .note")) == 2
    assert not page.all(".board .move")
    assert page.complaints() == []


def test_go_is_passed_by_its_button(page):
    begin(page, "Go", seed=3, board_size=3)
    page.click(".board button", "Pass")
    page.until("White's answer", lambda: "White" not in page.all(".status")[0] and page.all(".board .move"))
    assert page.run("return document.querySelectorAll('.board .piece').length") <= 1


def test_chess_is_clicked_from_square_to_square(page):
    begin(page, "Chess", seed=2)
    click(page, "e2")
    targets = "return [...document.querySelectorAll('.board .move.target')].map(m => m.dataset.cell).sort()"
    assert page.until("targets", lambda: page.run(targets)) == ["e3", "e4"]
    click(page, "g1")  # another piece
    page.until(
        "another piece", lambda: page.run("return document.querySelector('.chosen')?.dataset.cell") == "g1"
    )
    click(page, "g1")  # let go
    page.until("nothing chosen", lambda: not page.all(".board .chosen .touch") and page.all(".board .move"))
    click(page, "e2", "e4")
    page.until("Black's answer", lambda: "white pawn" in label(page, "e4"))
    assert page.complaints() == []


def test_mate_ends_the_game(page):
    begin(page, "Mate in one")
    click(page, "e1", "e8")
    page.until("the end", lambda: over(page))
    assert page.all(".status") == ["You won."]


def test_a_pawn_becomes_what_is_chosen(page):
    begin(page, "Promotion")
    click(page, "a7", "a8")
    assert len(page.wait(".board .choices button")) == 5  # four pieces and the way back
    page.click(".board button", "Queen")
    page.until("mate", lambda: over(page))
    assert page.all(".status") == ["You won."]


def test_small_chess_is_turned_for_black_and_played_to_its_end(page):
    choose(page, "Seat", "Opponent begins")
    begin(page, "Small board")
    first = "return document.querySelector('.board .label').textContent"
    assert page.run(first) == "a"
    place = "const b = document.querySelector(arguments[0]).getBoundingClientRect(); return [b.x, b.y]"
    e5 = page.run(place, ".board [data-cell=e5]")
    d5 = page.run(place, ".board [data-cell=d5]")
    assert e5[0] < d5[0]  # h1's side is on the left for Black
    click(page, "d5", "d1")
    page.until("mate", lambda: over(page))
    assert page.all(".status") == ["You won."]
    choose(page, "Seat", "You begin")


def test_a_chessboard_is_played_with_keys_alone(page):
    from selenium.webdriver.common.keys import Keys

    begin(page, "Chess", seed=2)
    page.press(Keys.ARROW_RIGHT)
    focused = "return document.activeElement.dataset.cell"
    seen = {page.run(focused)}
    for _ in range(8):
        page.press(Keys.ARROW_RIGHT)
        seen.add(page.run(focused))
    assert seen == {f"{file}2" for file in "abcdefgh"}
    page.run("document.querySelector('[data-cell=e2]').focus()")
    page.press(Keys.ENTER)
    chosen = "return document.querySelector('.board .chosen')?.dataset.cell ?? ''"
    page.until("e2 chosen", lambda: page.run(chosen) == "e2")
    page.press(Keys.ESCAPE)
    page.until("let go", lambda: page.run(chosen) == "" and page.run(focused) == "e2")
    page.press(Keys.ENTER)
    page.until("e2 chosen", lambda: page.run(chosen) == page.run(focused) == "e2")
    page.press(Keys.ARROW_UP)
    assert page.run(focused) in ("e3", "e4")
    page.press(Keys.ENTER)
    page.until("played", lambda: "white pawn" in label(page, "e3") + label(page, "e4"))


def test_backgammon_is_played_to_its_end(page):
    begin(page, "Backgammon", seed=4, start="hyper2")
    assert play_by_clicking(page, seed=2) >= 4
    assert len(page.all(".board .note")) == 2
    assert page.complaints() == []


def test_half_a_turn_of_backgammon_is_shown_and_taken_back(page):
    """What is clicked of a turn stands on the board at once, and its die is spent."""
    begin(page, "Backgammon", seed=4, start="standard")
    piles = "return document.querySelectorAll('.board .piece').length"
    used = "return document.querySelectorAll('.board .used').length"
    assert (page.run(piles), page.run(used)) == (30, 0)
    page.until("a start", lambda: page.clicked(".board .move.start .touch"))
    page.until("a target", lambda: page.clicked(".board .move.target .touch"))
    page.until("half a turn", lambda: page.run(used) == 1)
    assert not page.run("return !!document.querySelector('.board .chosen, .board .target')")
    page.click(".board button", "Take back")
    page.until("the whole turn", lambda: page.run(used) == 0)
    page.click(".all-moves summary")
    page.click(".all-moves button")
    page.until("the opponent's turn", lambda: page.all(".board .move") and page.run(used) == 0)


def slides(browser) -> list[str]:
    """The directions in the list of moves."""
    return re.findall("Left|Up|Right|Down", "".join(browser.all(".plies .ply")))


def test_2048_is_played_with_arrow_keys_swipes_and_buttons(page):
    from selenium.webdriver.common.keys import Keys

    begin(page, "2048", seed=2, rows=2, columns=2)
    score = "return document.querySelector('.board .note').textContent"
    tiles = "return [...document.querySelectorAll('.board .piece text')].map(t => t.textContent).join()"
    assert "score 0" in page.run(score)
    page.press(Keys.ARROW_LEFT, Keys.ARROW_UP, Keys.ARROW_DOWN)  # faster than the board is drawn
    page.until("every slide", lambda: slides(page) == ["Left", "Up", "Down"])
    swipe = (
        "const s = document.querySelector('.board svg'), b = s.getBoundingClientRect();"
        "const at = (type, clientX, clientY) =>"
        " s.dispatchEvent(new PointerEvent(type, {bubbles: true, clientX, clientY}));"
        "at('pointerdown', b.x + 100, b.y + 100);"
        "at('pointerup', b.x + 100 + arguments[0], b.y + 100 + arguments[1]);"
    )
    before = page.run(tiles)
    for way in ((80, 0), (0, 80), (-80, 0), (0, -80)):
        page.run(swipe, *way)
    page.until("tiles that were swiped", lambda: page.run(tiles) != before)
    play_by_clicking(page, seed=3)
    assert page.all(".status")[0].startswith("You got")


def test_dark_chess_is_flipped_and_played_to_its_end(page):
    begin(page, "Chinese dark chess", seed=5, rows=2, columns=3, pieces="GCS", max_no_progress=8)
    assert len(page.run("return [...document.querySelectorAll('.board .move.single')].map(m => 1)")) == 6
    assert play_by_clicking(page, seed=4) >= 3


def test_einstein_is_played_to_its_end(page):
    begin(page, "EinStein", seed=6, board_size=4, layers=2)
    assert page.wait(".board .die")
    assert play_by_clicking(page, seed=5) >= 2


@pytest.mark.parametrize(("game", "shape"), [("Small breakthrough", "rect"), ("Small hex", "path")])
def test_grids_of_openspiel_are_played_to_their_end(page, game, shape):
    pytest.importorskip("pyspiel")
    begin(page, game, seed=8)
    assert page.run(f"return document.querySelectorAll('.board .move {shape}.touch').length") >= 5
    assert play_by_clicking(page, seed=6) >= 3
    assert page.all(".status")[0] in ("You won.", "You lost.")


def test_a_hint_leaves_the_pieces_in_sight(page):
    """One arrow for the hint with its plate, from rim to rim; words and plates are inside the board."""
    begin(page, "Chess", "Beginner", seed=2)
    page.press("h")
    page.until("a hint", lambda: "says" in page.all(".status")[0])
    assert len(page.run("return [...document.querySelectorAll('.board .arrow.hint')]")) == 1
    plates = "[...document.querySelectorAll('.board .plate rect')]"
    assert page.run(f"return {plates}.length") == len(
        page.run("return [...document.querySelectorAll('.board .arrow:not(.way)')]")
    )
    outside = (
        "const b = document.querySelector('.board svg').getBoundingClientRect();"
        f"return {plates}.map(p => p.getBoundingClientRect())"
        ".filter(p => p.left < b.left || p.right > b.right || p.bottom > b.bottom).length"
    )
    assert page.run(outside) == 0


def test_a_vast_board_is_enlarged_on_a_phone(page):
    begin(page, "Go", "Beginner", seed=2, board_size=19)
    page.size(380, 800)
    try:
        side = "return document.querySelector('.board .touch').getBoundingClientRect().width"
        small = page.run(side)
        page.click(".enlarge")
        page.until("cells for a finger", lambda: page.run(side) > max(30, 1.8 * small))
        assert page.overflow() <= 0
        page.click(".enlarge")
        page.until("the whole board", lambda: page.run(side) == small)
    finally:
        page.size(1280)


def test_a_game_begun_far_down_the_page_shows_its_board(page):
    """On a phone the button that begins lies below everything; the board is what one wants to see then."""
    begin(page, "Chess", seed=2)
    page.size(380, 800)
    try:
        before = page.run("return location.search")
        page.click(".setup .primary")
        page.until("a new table", lambda: page.run("return location.search") != before)
        top = "return document.querySelector('.board svg').getBoundingClientRect().top"
        page.until("the board in sight", lambda: 50 <= page.run(top) < 400)
    finally:
        page.size(1280)


def test_a_cell_under_the_bar_is_clicked(page):
    """Scrolled so far that the bar at the top lies over the upper row, a cell of it can still be clicked."""
    begin(page, "Chinese dark chess", seed=5, rows=2, columns=3, pieces="GCS", max_no_progress=8)
    page.run("document.querySelector('.line').style.minHeight = '2000px'")  # so that it can be scrolled
    page.run(
        "const b = document.querySelector('.board .touch').getBoundingClientRect();"
        "scrollBy({top: b.top + 0.6 * b.height, behavior: 'instant'})"
    )
    assert page.run("return document.querySelector('.board .touch').getBoundingClientRect().bottom") < 120
    page.click(".board .touch")
    page.until("a piece face up", lambda: "flip" in "".join(page.all(".plies .ply")))
    page.run("document.querySelector('.line').style.minHeight = ''")


def test_boards_fit_a_phone_and_can_be_touched(page):
    """At 380 pixels nothing overflows, and what is pressed is large enough for a finger."""
    begin(page, "Chess", seed=2)
    page.size(380, 800)
    try:
        page.until("380 px fit", lambda: page.overflow() <= 0, 5)
        boxes = "[...document.querySelectorAll(arguments[0])].map(t => t.getBoundingClientRect())"
        assert page.run(f"return Math.min(...{boxes}.map(b => b.width))", ".board .touch") >= 36
        assert page.run(f"return Math.min(...{boxes}.map(b => b.height))", ".all-moves summary") >= 32
    finally:
        page.size(1280)
