"""Backgammon for money in the studio: doubles offered and answered by clicking, and the cube on the board."""

from __future__ import annotations

import random

import chromium
import pytest
from chromium import begin
from clicking import step
from test_cube_table import GAME, Sure

from dicezero import load_game
from dicezero.studio.catalog import Catalog
from dicezero.studio.cube import CubeJudge
from dicezero.studio.doubling import Doubling
from dicezero.studio.hall import Hall
from dicezero.studio.table import Table


def table_before_a_roll(win, *, seat=0):
    """A table, its cube, and whoever rolls next in the person's seat or not."""
    agent = Sure(win)
    table = Table(load_game(GAME), agent, seat=seat, seed=5)
    doubling = Doubling(table, agent, CubeJudge(agent))
    while not doubling.waits():
        if table.advance() is None:
            table.play(next(iter(table.legal())))
    return table, doubling


def test_a_double_is_taken_or_dropped_and_the_game_waits():
    table, doubling = table_before_a_roll(0.74)
    first = doubling.asked
    assert first.answers in (("roll", "double"), ("take", "drop"))
    while doubling.asked.answers != ("take", "drop"):  # the agent that rolls next doubles at 74 %
        doubling.answer("roll")
        while not doubling.waits():
            if table.advance() is None:
                table.play(next(iter(table.legal())))
    assert doubling.waits()
    assert "Take" in doubling.advice()
    with pytest.raises(ValueError, match="answer='roll' is none to the cube now: take or drop"):
        doubling.answer("roll")
    doubling.answer("take")
    assert (doubling.value, doubling.owner, doubling.waits()) == (2, 0, False)
    doubling.turn_to(())  # back to where it was offered
    assert (doubling.value, doubling.owner) == (1, None)
    assert doubling.waits()
    doubling.answer("drop")
    assert doubling.returns == (-1.0, 1.0)
    assert doubling.waits()


def test_who_drops_a_double_of_the_persons_loses_the_cube():
    table, doubling = table_before_a_roll(0.95, seat=1)
    while doubling.asked.answers != ("roll", "double"):
        doubling.answer("take")
        while not doubling.waits():
            if table.advance() is None:
                table.play(next(iter(table.legal())))
    stake = doubling.value
    assert doubling.answer("double") == "drops"
    assert doubling.returns == (-float(stake), float(stake))


def test_an_opponent_without_a_cube_is_helped_by_the_shipped_network():
    hall = Hall(Catalog([]))
    try:
        session = hall.open("backgammon", "beginner", seed=3, cube=True)
        assert session.doubling.judge.name in ("the agent that ships with dicezero", "GNU Backgammon (0-ply)")
        with pytest.raises(ValueError, match="pretrained: none is shipped"):
            hall.open("backgammon(start=hyper2)", "beginner", seed=3, cube=True)
    finally:
        hall.shutdown()


def asked(browser) -> list[str]:
    """The answers to the cube that can be clicked."""
    return browser.all(".cube-answers button")


def shown(browser) -> str:
    """What is read aloud of the board: it ends with the cube."""
    label = browser.run("return document.querySelector('.board svg').getAttribute('aria-label')")
    return label[label.index("The cube") :] if "The cube" in label else ""


def cube_place(browser) -> float:
    """How far down the board its cube lies, 0 to 1; only the cube has a square of its own."""
    return browser.run(
        "const b = document.querySelector('.board svg').getBoundingClientRect();"
        "const c = [...document.querySelectorAll('.board .piece rect')].pop().getBoundingClientRect();"
        "return (c.y + c.height / 2 - b.y) / b.height"
    )


def test_backgammon_is_doubled_in_the_browser(browser, downloads):
    """The cube lies in the centre, is offered before a roll, and passes to the side of who takes."""
    chromium.choose(browser, "Game", "Backgammon")
    browser.click(".setup .q-checkbox", "doubling cube")
    begin(browser, "Backgammon", "Pretrained", seed=4)
    assert shown(browser) == "The cube is at 1, in the centre."
    assert 0.4 < cube_place(browser) < 0.6
    draw = random.Random(3)
    while not asked(browser):
        if browser.all(".board .move"):
            step(browser, draw)
    assert asked(browser)[0].endswith("Roll")
    assert not browser.run("return !!document.activeElement.dataset.answer")  # Enter does not double
    browser.press("h")
    browser.until("advice", lambda: "if you double, says" in browser.all(".status")[0])
    browser.click(".cube-answers button", "Double to 2")
    browser.until("it takes", lambda: shown(browser) == "The cube is at 2, your opponent's.")
    assert cube_place(browser) < 0.2
    browser.until("my move", lambda: browser.all(".board .move"))
    assert not asked(browser)  # the cube is the other's now
    browser.click(".tool", "Undo")
    browser.until("the cube back", lambda: shown(browser) == "The cube is at 1, in the centre.")

    # Who plays any moves is doubled before long.
    while "Drop" not in "".join(asked(browser)):
        if asked(browser):
            browser.clicked(".cube-answers button", "Roll")
        else:
            step(browser, draw)
    assert "Pretrained doubles to 2: take, or drop?" in browser.all(".status")
    browser.click(".cube-answers button", "Drop and lose 1")
    browser.until("the end", lambda: browser.all(".status") == ["You lost."])
    browser.until("the account", lambda: "Cube" in browser.all(".grade.end dt"))
    assert [row for row in browser.all(".cube-ply") if row.startswith(("doubles", "drops"))][-2:] == [
        "doubles to 2",
        next(row for row in browser.all(".cube-ply") if row.startswith("drops")),
    ]
    browser.click(".setup .q-checkbox", "doubling cube")  # off: the file brings its own

    # Saved with its double, and loaded with it.
    browser.click(".files button", "Save")
    browser.click("[data-save='.mat']")
    file = browser.until("the file", lambda: next(downloads.glob("*.mat"), None))
    browser.until("all of the file", lambda: "Doubles => 2" in file.read_text())
    begin(browser, "Backgammon", "Pretrained", seed=4)
    assert shown(browser) == ""
    browser.driver.find_element("css selector", ".files input").send_keys(str(file))
    browser.until("the end of the file", lambda: browser.all(".status") == ["You lost."])
    assert shown(browser) == "The cube is at 1, in the centre."
    browser.click(".tool", "Undo")
    browser.until("asked again", lambda: "Drop and lose 1" in "".join(asked(browser)))
    browser.click(".setup .q-checkbox", "doubling cube")
    assert browser.complaints() == []
