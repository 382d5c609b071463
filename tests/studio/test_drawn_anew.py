"""What a person does while the page is drawn anew is not lost: clicks and keys."""

from __future__ import annotations

import pytest
from chromium import begin, play_to_the_end
from selenium.webdriver.common.action_chains import ActionChains

DRAW = "const el = document.querySelector(arguments[0]); const html = el.innerHTML; el.innerHTML = ''; "
DRAW_ANEW = DRAW + "el.innerHTML = html;"  # as it was, by other elements
STATUS = ".status"


@pytest.fixture
def game(browser):
    begin(browser, "Connect Four", "Beginner", seed=3)
    play_to_the_end(browser, plies=6)
    browser.until("my move", lambda: "Your move" in "".join(browser.all(STATUS)))
    browser.wait("[data-ply]")
    return browser


def hold(browser, css):
    """A press without its release."""
    element = browser.driver.find_element("css selector", css)
    ActionChains(browser.driver).click_and_hold(element).perform()
    return element


def release(browser, **offset):
    chain = ActionChains(browser.driver)
    if offset:
        chain.move_by_offset(offset["x"], offset["y"])
    chain.release().perform()


def test_a_click_on_what_is_drawn_anew_before_the_release_counts(game):
    hold(game, '[data-ply="2"]')
    game.run(DRAW_ANEW, ".plies")
    release(game)
    game.until("the second position", lambda: "position 2 of" in "".join(game.all(STATUS)))


def test_a_click_that_was_drawn_away_from_does_not(game):
    hold(game, '[data-ply="2"]')
    game.run(DRAW_ANEW, ".plies")
    release(game, x=60, y=60)
    game.press(",")  # what comes of this shows that the click came to nothing
    count = game.run(
        "return Math.max(...[...document.querySelectorAll('[data-ply]')].map(b => b.dataset.ply))"
    )
    game.until("one back", lambda: f"position {count - 1} of" in "".join(game.all(STATUS)))


def test_a_move_begun_before_the_board_was_drawn_anew_is_played_once(game):
    before = len(game.all("[data-ply]"))
    hold(game, ".board [data-action]")
    game.run(DRAW_ANEW, ".board-holder")
    release(game)
    game.until("the reply", lambda: len(game.all("[data-ply]")) == before + 2)


def test_keys_of_the_page_work_while_a_button_has_the_focus(game):
    game.press("h")
    game.until("a hint", lambda: "Your move" not in "".join(game.all(STATUS)))
    game.run("document.querySelector('[data-key=\"u\"]').focus({focusVisible: true})")
    game.press("<")
    game.until("the start", lambda: "position 0 of" in "".join(game.all(STATUS)))


def test_a_look_back_asked_for_while_the_opponent_moves_is_granted(browser):
    begin(browser, "Tic-tac-toe", seed=2)
    browser.wait(".board .move")
    browser.press("5", "<")  # the second key arrives while the first move is being played
    browser.until("the start", lambda: "position 0 of 2" in browser.all(STATUS)[0])
