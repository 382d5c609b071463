"""A game gone back in, branched, saved and loaded again, and a hint, in Chromium."""

from __future__ import annotations

import json
import re
import time
from contextlib import suppress

import httpx
import pytest
from chromium import begin

from dicezero.rules.notation import read_games

SHOWN = (
    "return [...document.querySelectorAll('.board .move')].filter(m => m.getClientRects().length).map(m => "
    "[m.getAttribute('class'), m.dataset.action ?? '', m.dataset.pick ?? '', m.textContent])"
)


def movable(browser):
    """What can be clicked to go on with a move: (classes, action, pick, text) each."""
    shown = [m for m in browser.run(SHOWN) if "chosen" not in m[0] and "Take back" not in m[3]]
    return [m for m in shown if "target" in m[0]] or shown


def make_move(browser, address, which=0, but=""):
    """One move of the person's, by as many clicks as it takes; ``which`` of those that can be clicked.

    ``but`` is an action that it shall not be: on some boards it can be clicked in two places.
    """
    before = actions(browser, address)

    def made():
        if actions(browser, address) != before:
            return True
        found = [move for move in movable(browser) if move[1] != but or not but]
        if found:
            _, action, pick, _ = found[which]
            mark = f"[data-action='{action}']" if action else f"[data-pick='{pick}']"
            shown = browser.run(SHOWN)
            clicked = browser.clicked(f".board {mark} .touch") or browser.clicked(f".board button{mark}")
            end = time.monotonic() + 5.0  # a second click on the same place would take the first back
            while clicked and browser.run(SHOWN) == shown and time.monotonic() < end:
                time.sleep(0.05)
        return False

    browser.until("a move made", made)


def actions(browser, address):
    """What has been played, as the server has it."""
    table = browser.run("return new URLSearchParams(location.search).get('table')")
    return httpx.get(f"{address}api/v1/games/{table}").json()["actions"]


def my_turn(browser):
    """Waits until the person has to choose, or the game is over."""
    words = ("Your move", "You won", "You lost", "A draw", "You got")
    browser.until("my turn", lambda: any(word in "".join(browser.all(".status")) for word in words))


GAMES = (
    ("Connect Four", {}, ".json", "connect_four"),
    ("Go", {"board_size": 5}, ".sgf", "go"),
    ("Backgammon", {"start": "hyper2"}, ".mat", "backgammon"),
    ("Chess", {}, ".pgn", "chess"),
    ("Gardner", {}, ".pgn", "gardner_chess"),
    ("2048", {}, ".json", "2048"),
    ("Hex", {}, ".json", "hex"),
    ("Breakthrough", {}, ".json", "breakthrough"),
    ("Chinese dark chess", {}, ".json", "banqi"),
    ("EinStein", {}, ".json", "einstein_wurfelt_nicht"),
    ("Nannon", {}, ".json", "nannon"),
)


@pytest.mark.parametrize(("title", "sizes", "suffix", "word"), GAMES)
def test_a_branch_a_saved_and_loaded_game_and_a_hint(browser, address, downloads, title, sizes, suffix, word):
    if word in ("hex", "breakthrough"):
        pytest.importorskip("pyspiel")
    begin(browser, title, "Beginner", seed=3, **sizes)
    my_turn(browser)
    first = len(actions(browser, address))  # what was rolled or played for want of a choice comes before
    for _ in range(2):
        make_move(browser, address)
        my_turn(browser)
    played = actions(browser, address)

    # Back to the first choice, another move: the game as it was stays as a line.
    browser.press("<")
    browser.until("the start", lambda: "Looking back" in "".join(browser.all(".status")))

    def at_the_first_move():  # dice come first, or what is set up by lot
        status = "".join(browser.all(".status"))
        found = re.search(r"position (\d+) of", status)
        at = int(found[1]) if found else len(played)  # beyond the last position is the game itself
        if at == first:
            return bool(movable(browser))
        browser.press("." if at < first else ",")
        with suppress(AssertionError):  # a second press before the first has arrived would go too far
            browser.until("a step", lambda: "".join(browser.all(".status")) != status, seconds=10)
        return False

    browser.until("moves of the first position", at_the_first_move)
    make_move(browser, address, which=-1, but=str(played[first]))
    browser.until("two lines", lambda: len(browser.all(".line-row")) == 2)
    my_turn(browser)
    other = actions(browser, address)
    assert other[:first] == played[:first]
    assert other[first] != played[first]
    assert "from move" in browser.all(".line-row")[1]

    # And back to it.
    browser.click(".line-row", "first line")
    browser.until("the first line", lambda: actions(browser, address)[: len(played)] == played)

    # A hint by the best judge there is.
    if not browser.all(".end"):
        browser.press("h")
        said = ("says", "would play")
        browser.until("a hint", lambda: any(word in "".join(browser.all(".status")) for word in said))

    # Saved, changed by nothing, and loaded as a game of its own.
    played = actions(browser, address)
    browser.click(".files button", "Save")
    browser.click(f"[data-save='{suffix}']")
    file = browser.until("the file", lambda: next(downloads.glob(f"*{suffix}"), None))
    browser.until("all of the file", lambda: file.read_text())
    (record,) = read_games(file)
    assert list(record.actions) == played
    assert record.game.startswith(word)
    before = browser.run("return location.search")
    browser.driver.find_element("css selector", ".files input").send_keys(str(file))
    browser.until("a new table", lambda: browser.run("return location.search") != before)
    browser.until("the game of the file", lambda: actions(browser, address)[: len(played)] == played)
    assert browser.complaints() == []


def standings(browser):
    """How many lines say how they stand."""
    return "".join(browser.all(".line-row em")).count("your chance")


def test_where_a_line_left_the_others_is_read_on_one_row(browser, address):
    begin(browser, "Connect Four", "Beginner", seed=3)
    my_turn(browser)
    make_move(browser, address)
    my_turn(browser)
    browser.press("<")
    browser.until("the start", lambda: "Looking back" in "".join(browser.all(".status")) and movable(browser))
    make_move(browser, address, which=-1)
    browser.until("two lines", lambda: len(browser.all(".line-row")) == 2)
    for line, known in ((1, 1), (0, 2)):  # a line that was left before it was graded is graded when looked at
        browser.click(f".line-row[data-line='{line}']")
        browser.until(f"how line {line} stands", lambda known=known: standings(browser) >= known)
    heights = "return [...document.querySelectorAll('.line-row span')].map(e => e.offsetHeight)"
    for width in (380, 768, 1440):
        browser.size(width)
        browser.until(f"rows at {width}", lambda: max(browser.run(heights)) < 30, 5)
        assert browser.overflow() <= 0


def test_a_file_with_a_mistake_is_refused_with_its_line(browser, address, tmp_path):
    begin(browser, "Connect Four", "Beginner", seed=3)
    before = actions(browser, address)
    file = tmp_path / "wrong.json"
    text = {"format": "dicezero-game", "version": 1, "game": "connect_four", "moves": ["x3", "x3"]}
    file.write_text(json.dumps(text, indent=1))
    browser.driver.find_element("css selector", ".files input").send_keys(str(file))
    browser.until("a complaint", lambda: "line 7: move 2" in "".join(browser.all(".q-notification")))
    colour = "return getComputedStyle(document.querySelector(arguments[0])).color"
    words, button = (browser.run(colour, css) for css in (".q-notification", ".q-notification .q-btn"))
    assert button == words  # and not the page's own, which cannot be read there
    huge = tmp_path / "huge.sgf"
    huge.write_text("(;" + "x" * 100_000)
    browser.driver.find_element("css selector", ".files input").send_keys(str(huge))
    browser.until("a complaint", lambda: "characters" in "".join(browser.all(".q-notification")))
    assert actions(browser, address) == before
