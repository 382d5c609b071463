"""The studio in a real Chromium."""

from __future__ import annotations

import re
import subprocess
import sys
from urllib.parse import urlsplit

import httpx
import pytest
from chromium import begin, choose, play_to_the_end, plies, press_begin, write

from dicezero.agents import make_agent
from dicezero.rules import load_game
from dicezero.studio.grading import Grader
from dicezero.studio.page.words import percent
from dicezero.studio.table import Table


@pytest.mark.parametrize("game", ["Nannon", "Tic-tac-toe", "Connect Four"])
def test_a_whole_game_is_played_by_clicking(browser, game):
    begin(browser, game, seed=11)
    assert play_to_the_end(browser) >= 2
    result = browser.all(".grade.end h2")[0]
    assert result in ("You won.", "You lost.", "A draw.")
    assert browser.all(".status") == [result]
    words = browser.all(".grade.end")[0]
    assert "gave away" in words or "gave nothing away" in words
    assert ("no dice" in words) == (game != "Nannon")
    assert len(plies(browser)) >= 5
    assert not browser.all(".board .move")
    assert browser.complaints() == []


def test_the_grade_shown_is_the_graders(browser):
    """The worst move of a known position, with its mark, what it lost and what was better; then undo."""
    game, seed = load_game("nannon"), 4
    table = Table(game, make_agent("random", game), seat=0, seed=seed)
    while table.advance() is not None:
        pass
    grader = Grader(game)
    grades = {action: grader.grade(table.position(), action) for action in table.legal()}
    action = max(grades, key=lambda a: grades[a].lost)
    assert grades[action].mark  # else another seed makes the better test
    begin(browser, "Nannon", seed=seed)
    before = len(plies(browser))
    browser.click(f".board .move[data-action='{action}'] .touch")
    shown = browser.wait(".grade[data-ply]:not(.end)")[0]
    assert grades[action].mark in shown
    assert percent(grades[action].lost) in shown
    assert table.legal()[grades[action].best] in shown
    browser.until("the mark in the list", lambda: any(grades[action].mark in ply for ply in plies(browser)))
    browser.wait(".board .move")
    while len(plies(browser)) > before:  # more forced moves may have followed
        count = len(plies(browser))
        browser.press("u")
        browser.until("undone", lambda count=count: len(plies(browser)) < count)
    browser.wait(f".board .move[data-action='{action}']")
    assert browser.all(".grade.none")


def test_keys_play_hint_and_look_back(browser):
    from selenium.webdriver.common.keys import Keys

    begin(browser, "Tic-tac-toe", seed=2)
    browser.press("5")
    browser.until("two plies", lambda: len(plies(browser)) == 2)
    assert "(1,1)" in plies(browser)[0]
    browser.wait(".board .move")
    browser.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    focused = "return document.activeElement.dataset.action"
    action = browser.run(focused)
    assert action == browser.run("return document.querySelectorAll('.board .move')[1].dataset.action")
    browser.press(Keys.ENTER)
    browser.until("four plies", lambda: len(plies(browser)) == 4)
    browser.press("h")
    browser.wait(".board .move.hinted")
    browser.press(",")
    browser.until("looking back", lambda: "position 3 of 4" in browser.all(".status")[0])
    assert not browser.all(".board .move")
    browser.click(".plies .ply")
    browser.until("the first ply", lambda: "position 1 of 4" in browser.all(".status")[0])
    browser.press(">")
    browser.wait(".board .move")


def test_the_line_is_clicked_along(browser):
    begin(browser, "Tic-tac-toe", seed=3)
    browser.press("1")
    browser.until("two plies", lambda: len(plies(browser)) == 2)
    browser.wait(".board .move")
    place = (
        "const c = document.querySelector('.line .chart').getBoundingClientRect(); return [c.x, c.y, c.width]"
    )
    from selenium.webdriver.common.action_chains import ActionChains

    browser.run("document.querySelector('.line').scrollIntoView()")
    chart = browser.run("return document.querySelector('.line .chart')")
    width = browser.run(place)[2]
    ActionChains(browser.driver).move_to_element_with_offset(chart, int(-width / 2) + 70, 0).click().perform()
    browser.until("the start", lambda: "position 0 of 2" in browser.all(".status")[0])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_width_fits_and_nothing_is_asked_of_another_host(browser, address, theme):
    browser.foreign_hosts("")  # what other tests' pages asked for
    browser.theme(theme)
    for name in ("Learn", "Play"):
        browser.click(".q-tab", name)
        browser.wait("main.learn" if name == "Learn" else "main.play")
        for width in (380, 768, 1920):
            browser.size(width)
            browser.until(f"{width} px fit", lambda: browser.overflow() <= 0, 5)
    ground = browser.run("return getComputedStyle(document.body).backgroundColor")
    shade = sum(map(int, re.findall(r"\d+", ground)[:3]))
    assert shade < 150 if theme == "dark" else shade > 600
    assert browser.foreign_hosts(urlsplit(address).netloc) == set()
    assert browser.complaints() == []


def test_what_can_be_played_can_be_read_aloud(browser):
    begin(browser, "Nannon", seed=11)
    labels = browser.run(
        "return [...document.querySelectorAll('.board .move')].map(m => [m.getAttribute('role'), m.tabIndex,"
        " m.getAttribute('aria-label')])"
    )
    assert labels
    for role, index, label in labels:
        assert (role, index) == ("button", 0)
        assert re.fullmatch(r"move \d: \S+", label)
    nameless = browser.run(
        "return [...document.querySelectorAll('button, [role=button], input')].filter(b => b.getClientRects()"
        ".length && !(b.textContent.trim() || b.ariaLabel)).map(b => b.outerHTML)"
    )
    assert nameless == []


def test_a_page_loaded_again_goes_on_with_its_game(browser):
    begin(browser, "Tic-tac-toe", seed=6)
    browser.press("3")
    browser.until("two plies", lambda: len(plies(browser)) == 2)
    listed = plies(browser)
    browser.driver.refresh()
    browser.wait(".board .move")
    browser.until("the same game", lambda: plies(browser) == listed)
    assert "Beginner" in browser.all(".players")[0]


def test_the_api_answers_beside_the_page_and_foreign_hosts_are_refused(address):
    with httpx.Client(base_url=address) as client:
        game = client.post("api/v1/games", json={"game": "tic_tac_toe", "opponent": "beginner"}).json()
        assert client.get(f"api/v1/games/{game['id']}").status_code == 200
        assert "openapi.json" in client.get("api/v1/docs").text
        for path in ("", "api/v1/catalog", "_nicegui_ws/socket.io/?EIO=4&transport=polling"):
            assert client.get(path, headers={"Host": "evil.example"}).status_code == 403
            assert client.get(path, headers={"Origin": "http://evil.example"}).status_code == 403
        missing = client.get("no/such/page")
        assert missing.status_code == 404
        assert "Traceback" not in missing.text


def test_a_wrong_choice_is_told_and_the_game_goes_on(browser):
    begin(browser, "Tic-tac-toe")
    choose(browser, "Opponent", "Another agent")
    write(browser, "Its name", "run(path=/etc)")
    press_begin(browser)
    assert "unknown agent" in browser.wait(".q-notification__message")[0]
    browser.click(".board .move .touch")
    browser.until("two plies", lambda: len(plies(browser)) == 2)


def test_a_curve_grows_while_a_run_trains(browser, runs_folder):
    folder = runs_folder / "young"
    command = [sys.executable, "-c", "from dicezero.cli import main; raise SystemExit(main())", "train"]
    command += ["td-lambda", "--game", "nannon", "--out", str(folder), "--rounds", "100000"]
    for setting in ("games=20", "hidden=16", "widths=16,16"):
        command += ["--set", setting]
    browser.click(".q-tab", "Learn")
    training = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        points = "return Number(document.querySelector('[data-chart=loss]')?.dataset.points || 0)"
        first = browser.until("a first point", lambda: browser.run(points), 150)
        assert browser.all(".tag.training") == ["training"]
        browser.until("more points", lambda: browser.run(points) > first, 60)
        drawn = "return document.querySelectorAll('[data-chart=loss] svg path').length"
        assert browser.run(drawn) > 5
    finally:
        training.terminate()
        training.wait(30)
    browser.until("the end of the training", lambda: browser.all(".tag") == ["stopped"])
    browser.click("[data-play]", "play")
    browser.until("the opponent", lambda: "young, round" in "".join(browser.all(".players")))
    # The dice are fresh: a game may be over before there was a choice.
    over = "return /You (won|lost)/.test(document.body.innerText)"
    browser.until("a choice, or the end", lambda: browser.all(".board .move") or browser.run(over))
