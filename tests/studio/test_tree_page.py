"""The page of a searched tree in a real browser: stepping through alpha-beta, every width and theme."""

from __future__ import annotations

from pathlib import Path

import pytest
from chromium import Browser, require_chromium

from dicezero.rules import load_game
from dicezero.search.draw import save_tree
from dicezero.search.explicit import ExplicitGame
from dicezero.search.minimax import MinimaxConfig, Recording, minimax_search

TEXTBOOK = MinimaxConfig("alphabeta", ordering="none", table_entries=0, utility_bounds=False)
FIGURE = Path(__file__).parents[2] / "examples" / "figure.json"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    yield from opened(ExplicitGame.read(FIGURE), TEXTBOOK, tmp_path_factory.mktemp("tree"))


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    yield from opened(load_game("tic_tac_toe"), MinimaxConfig("alphabeta", depth=3), folder)


def opened(game, config: MinimaxConfig, folder: Path):
    require_chromium()
    record = Recording()
    minimax_search(game, game.new_initial_state(), config, record=record)
    assert record.tree is not None
    file = save_tree(record.tree, folder / "tree.html", game=str(game))
    browser = Browser(folder / "profile")
    try:
        browser.driver.get(file.as_uri())
        yield browser
    finally:
        browser.driver.quit()


def values(page: Browser) -> list[str]:
    return page.all("g.node text.value")


def test_the_slider_replays_the_search(page: Browser):
    assert sorted(values(page)) == sorted(["3", "3", "2", "2", "3", "12", "8", "2", "14", "5", "2"])
    assert len(page.all("path.best")) == 3  # two edges and the legend
    page.click("#next")  # from the end it begins again
    assert page.all("#count") == ["0 of 8"]
    assert values(page) == []
    assert len(page.all("g.node.later")) == 12
    for _ in range(5):
        page.click("#next")
    assert page.all("#count") == ["5 of 8"]
    assert page.all("#explanation")[0].startswith(
        "Pruned: c2, c3; a2 (MIN) is at most 2, and MAX already has 3"
    )
    assert page.all("g.now text.label") == ["a2"]
    assert page.all("g.now text.facts") == ["[-∞, 2] · \u03b1 3, β 2"]
    assert len(page.all("path.cross")) == 2
    assert len(page.all("g.node.later")) == 4
    page.run("const s = document.getElementById('step'); s.value = 3; s.dispatchEvent(new Event('input'))")
    assert page.all("#count") == ["3 of 8"]
    assert sorted(values(page)) == ["12", "3", "3", "8"]
    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))"
    keys = ("ArrowRight", 4), ("Home", 0), ("ArrowLeft", 0), ("End", 8), ("ArrowRight", 8)
    for key, step in keys:
        page.run(press, key)
        assert page.all("#count") == [f"{step} of 8"]


@pytest.mark.parametrize("width", [380, 768, 1440])
def test_a_large_tree_is_scrolled_to_the_step(large: Browser, width: int):
    page = large
    page.size(width)
    inside = (
        "const box = document.querySelector(arguments[0]).getBoundingClientRect(),"
        " main = document.querySelector('main').getBoundingClientRect();"
        "return box.top - main.top >= 20 && main.bottom - box.bottom >= 20 && box.left >= 0"
    )
    steps = int(page.all("#count")[0].split()[-1])
    for step in (steps // 2, 1, steps - 1):
        page.run("show(arguments[0])", step)
        assert page.run(inside, "g.now")
    page.size(width, 500)
    page.until("the step in a lower window", lambda: page.run(inside, "g.now"), 5)
    for step in (0, steps):
        page.run("document.querySelector('main').scrollTo(0, 1e6); show(arguments[0])", step)
        assert page.run(inside, "g.node[role=button] .max")  # the root


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [380, 768, 1440])
def test_it_fits_and_values_stand_inside_their_nodes(page: Browser, width: int, theme: str):
    page.size(width)
    page.theme(theme)
    page.run("show(steps.length)")
    assert page.overflow() <= 0
    outside = page.run(
        "return [...document.querySelectorAll('g.node')].filter(node => {"
        " const value = node.querySelector('.value'); if (!value) return false;"
        " const inner = value.getBoundingClientRect(),"
        "   outer = node.querySelector('.shape').getBoundingClientRect();"
        " return inner.left < outer.left || inner.right > outer.right || inner.top < outer.top - 1"
        "   || inner.bottom > outer.bottom + 1 }).length"
    )
    assert outside == 0
    assert page.complaints() == []
