"""What a person does while the page is drawn anew is not lost: clicks, keys and the focus."""

from __future__ import annotations

import pytest
from chromium import begin, play_to_the_end
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

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

    def held() -> bool:
        element = browser.driver.find_element("css selector", css)
        try:
            ActionChains(browser.driver).click_and_hold(element).perform()
        except StaleElementReferenceException:  # a grade has come between the look and the press
            return False
        return True

    browser.until(f"a press on {css}", held)


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


def look_at_own_move(game):
    """Looks at the third position: the verdict names its move too, before the list has its button."""
    game.click('.plies [data-ply="3"]')
    game.until("the third position", lambda: "position 3 of" in "".join(game.all(STATUS)))
    game.until("its grade", lambda: game.all('.verdict [data-ply="3"]'))


def test_the_focus_stays_on_the_row_that_was_clicked(game):
    look_at_own_move(game)  # the list is drawn anew with another current row
    for _ in range(3):
        assert game.run("return document.activeElement.matches('.plies [data-ply=\"3\"]')")
        game.run(DRAW_ANEW, ".plies")


def test_the_focus_stays_on_a_row_reached_by_keys(game):
    look_at_own_move(game)
    game.press(Keys.TAB)
    assert game.run("return document.activeElement.dataset.ply") == "4"
    game.run(DRAW_ANEW, ".plies")
    assert game.run("return document.activeElement.dataset.ply") == "4"
    game.press(Keys.ENTER)
    game.until("the fourth position", lambda: "position 4 of" in "".join(game.all(STATUS)))


def test_a_click_on_a_move_that_the_verdict_names_counts(game):
    look_at_own_move(game)
    game.press(">")
    game.until("the game", lambda: "Your move" in "".join(game.all(STATUS)))
    mine = len(game.all(".plies [data-ply]")) - 1
    game.until("the last grade", lambda: game.all(f'.verdict [data-ply="{mine}"]'))
    hold(game, f'.plies [data-ply="{mine}"]')
    game.run(DRAW_ANEW, ".plies")
    release(game)
    game.until("that position", lambda: f"position {mine} of" in "".join(game.all(STATUS)))


def test_a_click_on_a_picture_that_is_drawn_anew_begins_its_game(game):
    game.click(".setup button", "All games")
    game.wait(".tile")
    hold(game, '.tile[data-game="tic_tac_toe"]')
    game.run(DRAW_ANEW, ".tiles")
    release(game)
    game.until("its board", lambda: len(game.all(".board-holder .move")) == 9)


def test_keys_of_the_page_work_while_a_button_has_the_focus(game):
    game.press("h")
    game.until("a hint", lambda: "Your move" not in "".join(game.all(STATUS)))
    game.run("document.querySelector('[data-key=\"u\"]').focus({focusVisible: true})")
    game.press("<")
    game.until("the start", lambda: "position 0 of" in "".join(game.all(STATUS)))


def test_a_move_made_while_a_hint_is_looked_for_is_played_after_it(game):
    before = len(game.all(".plies [data-ply]"))
    game.press("h", "1")
    game.until("the reply", lambda: len(game.all(".plies [data-ply]")) == before + 2)


def test_a_look_back_asked_for_while_the_opponent_moves_is_granted(browser):
    begin(browser, "Tic-tac-toe", seed=2)
    browser.wait(".board .move")
    browser.press("5", "<")  # the second key arrives while the first move is being played
    browser.until("the start", lambda: "position 0 of 2" in browser.all(STATUS)[0])
