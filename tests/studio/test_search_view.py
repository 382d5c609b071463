"""The search view in a real Chromium."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import chromium
import pytest
from made_run import make_run
from search_view import look

from dicezero.cli import main

NANNON = "nannon(points=6,checkers=3,sides=6)"
# A studio whose analyses of one agent break as no analysis should.
SERVER = """
import sys
from pathlib import Path
from dicezero.studio import analysis
from dicezero.studio.catalog import Catalog
from dicezero.studio.hall import Hall
from dicezero.studio.page.app import serve

sound = analysis.beliefs_of

def beliefs_of(agent, state):
    if agent.name.startswith("flat_mc"):
        raise RuntimeError("a secret of the server")
    return sound(agent, state)

analysis.beliefs_of = beliefs_of
catalog = Catalog([Path(sys.argv[1])])
serve(catalog, Hall(catalog), 0, ready=lambda url: print(url, flush=True))
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A browser at the studio, a game of Nannon on the board."""
    chromium.require_chromium()
    folder = tmp_path_factory.mktemp("searched")
    make_run(folder / "dreamer", game=NANNON)
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    browser = chromium.Browser(tmp_path_factory.mktemp("profile"))
    try:
        browser.size(1280)
        browser.driver.get(process.stdout.readline().strip())
        chromium.begin(browser, "Nannon", "Club", seed=11)
        yield browser
    finally:
        browser.driver.quit()
        process.terminate()
        process.communicate(timeout=20)


def rows(page):
    """(path, level, expanded, name, N) of every row of the tree."""
    return page.run(
        "return [...document.querySelectorAll('.tree-row')].map(r => [r.dataset.path, Number(r.ariaLevel),"
        "r.ariaExpanded, r.querySelector('b').textContent, r.querySelector('.n').textContent])"
    )


def command(page):
    """The words of the command that the page says finds the same."""
    text = page.run("return document.querySelector('.search pre').textContent")
    return re.findall(r'"([^"]*)"|(\S+)', text.removeprefix("dicezero "))


def printed(page, capsys):
    words = ["".join(pair) for pair in command(page)]
    assert main([word for word in words if word != "--show"] + ["--json"]) == 0
    return json.loads(capsys.readouterr().out)


def cells(page, css):
    """The texts of the cells of these rows."""
    return page.run(
        "return [...document.querySelectorAll(arguments[0])].map("
        "r => [...r.children].map(c => c.textContent))",
        css,
    )


def table(page):
    """Move to (visits, value) as shown."""
    found = cells(page, ".principal tbody tr")
    return {name: (int(visits.replace(",", "")), value) for name, visits, value in found}


def test_what_is_shown_is_what_the_command_prints(page, capsys):
    look(page, "UCT, 1000 simulations")
    page.until("the full search", lambda: "1,000 simulations" in page.all(".found .status")[0])
    data = printed(page, capsys)
    shown = table(page)
    assert {name: visits for name, (visits, _) in shown.items()} == data["visits"]
    for name, value in data["action_values"].items():
        assert shown[name][1] == f"{50 * (value + 1):.1f} %"
    assert page.all(".found .status b")[0] == data["action_string"]
    assert {row[3]: int(row[4]) for row in rows(page) if row[1] == 2} == data["visits"]
    assert page.all(".line-of-play li") == data["principal_variation"]


def close_all(page):
    """Only the root is open; at first the best line is, and a branch that is closed closes all below it."""
    page.until("the best line open", lambda: max(row[1] for row in rows(page)) > 2)
    page.click(".tree-row[data-path='root']")
    page.until("the root closed", lambda: len(rows(page)) == 1)
    page.click(".tree-row[data-path='root']")
    page.until("the root open", lambda: {row[1] for row in rows(page)} == {1, 2})


def test_the_tree_is_opened_three_levels_down_by_clicking(page):
    look(page, "UCT, 1000 simulations")
    page.until("the full search", lambda: "1,000 simulations" in page.all(".found .status")[0])
    close_all(page)
    for level in (2, 3, 4):
        closed = [row for row in rows(page) if row[1] == level and row[2] == "false"]
        path = max(closed, key=lambda row: int(row[4]))[0]
        page.click(f".tree-row[data-path='{path}']")
        page.until(
            f"level {level + 1}", lambda path=path: any(r[0].startswith(f"{path}.") for r in rows(page))
        )
    assert max(row[1] for row in rows(page)) == 5
    path = next(row[0] for row in rows(page) if row[1] == 2 and row[2] == "true")
    page.click(f".tree-row[data-path='{path}']")
    page.until("closed again", lambda: max(row[1] for row in rows(page)) == 2)


# Goes to the first row of the third level in the moment it is drawn.
_WALKS_ON = """new MutationObserver((_, me) => {
    const row = document.querySelector(".tree-row[aria-level='3']");
    if (!row) return;
    me.disconnect();
    row.focus();
    setTimeout(() => { window.rested = true; }, 300);
}).observe(document.body, { childList: true, subtree: true });
document.querySelector(".tree-row").focus();"""


def test_and_by_keys(page):
    from selenium.webdriver.common.keys import Keys

    look(page, "Expectiminimax")
    page.until("the tree", lambda: "2 plies" in page.all(".found .status")[0] and len(rows(page)) > 1)
    close_all(page)
    page.run("document.querySelector('.tree-row').focus()")
    for level in (2, 3):
        page.press(Keys.ARROW_DOWN)
        page.press(Keys.ARROW_RIGHT)
        page.until(f"level {level + 1}", lambda level=level: max(r[1] for r in rows(page)) > level)
        page.until(
            "the focus stays",
            lambda: page.run("return document.activeElement.classList.contains('tree-row')"),
        )
    page.press(Keys.ARROW_LEFT)
    page.until("closed", lambda: max(r[1] for r in rows(page)) == 3)


def test_who_walks_on_as_soon_as_a_branch_is_open_is_not_called_back(page):
    from selenium.webdriver.common.keys import Keys

    look(page, "Expectiminimax")
    page.until("the tree", lambda: "2 plies" in page.all(".found .status")[0] and len(rows(page)) > 1)
    close_all(page)
    page.run(_WALKS_ON)
    page.press(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    page.until("the page has had time to call back", lambda: page.run("return window.rested"))
    assert page.run("return document.activeElement.ariaLevel") == "3"


def test_pruned_branches_are_drawn_as_pruned(page):
    look(page, "Expectiminimax")
    page.until("the tree", lambda: "2 plies" in page.all(".found .status")[0] and len(rows(page)) > 1)

    def opened():
        if page.all(".tree-row.pruned"):
            return True
        closed = [row[0] for row in rows(page) if row[2] == "false"]
        if closed:  # a second click before the page has answered the first would close it again
            page.run(f"document.querySelector(\".tree-row[data-path='{closed[0]}']\").click()")
            page.until(
                "the row open", lambda: (closed[0], "true") in [(row[0], row[2]) for row in rows(page)]
            )
        return False

    page.until("a pruned branch", opened)
    assert "pruned" in page.all(".tree-row.pruned .note")[0]
    page.click("[aria-label='Form of the tree'] button", "picture")
    page.wait(".tree-picture .x")
    page.click(".tree-picture .node[aria-expanded=true]")
    page.until("the root closed", lambda: len(page.all(".tree-picture .node")) == 1)
    page.click("[aria-label='Form of the tree'] button", "outline")


def test_a_smaller_budget_is_looked_at_again(page, capsys):
    look(page, "UCT, 1000 simulations")
    page.until("the full search", lambda: "1,000 simulations" in page.all(".found .status")[0])
    page.click(".strip button[data-shot='4']")
    page.until("16 simulations", lambda: "16 simulations" in page.all(".found .status")[0])
    assert sum(visits for visits, _ in table(page).values()) == 16
    assert printed(page, capsys)["visits"] == {name: visits for name, (visits, _) in table(page).items()}
    from selenium.webdriver.common.keys import Keys

    page.run("document.querySelector('.search .q-slider [tabindex]').focus()")
    page.press(Keys.ARROW_RIGHT)
    page.until("32 by the slider", lambda: "32 simulations" in page.all(".found .status")[0])


def test_a_learned_model_shows_its_beliefs(page, capsys):
    look(page, "dreamer, round 2")
    page.until("the search", lambda: "4 simulations" in page.all(".found .status")[0])
    assert printed(page, capsys)["visits"] == {name: visits for name, (visits, _) in table(page).items()}
    phases = printed(page, capsys)["halving"]
    considered = cells(page, ".halving tbody tr")
    assert {row[0] for row in considered} == {c["action"] for c in phases[0]}
    assert [bool(row[-1]) for row in considered].count(True) == len(phases[-1])
    odds = cells(page, ".belief[open] tr")
    dice = [row for row in odds if re.fullmatch(r"roll \d", row[0])]
    assert [row[2] for row in dice] == ["16.7 %"] * 6
    assert 0.0 < sum(float(row[1].rstrip(" %")) for row in dice) <= 101.0
    assert ["dice", "100.0 %"] in [[row[0], row[2]] for row in odds]
    page.click(".tree-row[aria-level='2']")
    page.wait(".tree-row.chance, .tree-row.min, .tree-row.max, .tree-row.terminal")
    assert page.all(".tree-row.identity")


def test_a_crash_is_a_message_and_the_game_goes_on(page):
    look(page, "Play-outs alone")
    page.until("the message", lambda: "the analysis failed (RuntimeError)" in page.all(".found .status")[0])
    assert "secret" not in page.run("return document.body.innerText")
    page.click(".q-tab", "Play")
    before = len(page.all(".plies .ply"))
    page.click(".board .move .touch")
    page.until("a move made", lambda: len(page.all(".plies .ply")) > before)
    page.until("the next choice", lambda: page.all(".board .move") or page.all(".grade.end"))
    look(page, "UCT, 1000 simulations")
    page.until("analyses go on", lambda: "1,000 simulations" in page.all(".found .status")[0])


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [380, 768, 1920])
def test_it_fits(page, width, theme):
    look(page, "UCT, 1000 simulations")
    page.size(width)
    page.theme(theme)
    page.wait(".tree-row")
    assert page.overflow() <= 0
    page.size(1280)
    page.theme("light")
    assert page.complaints() == []
