"""Alpha-beta step by step in the search view, in a real Chromium."""

from __future__ import annotations

import chromium
from search_view import look


def frame_theme(page):
    return page.run("return document.documentElement.dataset.theme")


def test_a_search_with_pruning_is_replayed_step_by_step(browser):
    chromium.begin(browser, "Nannon", "Club", seed=11)
    look(browser, "Expectiminimax with pruning, 2 plies")
    browser.click(".search .q-btn-toggle .q-btn", "step by step")
    browser.until(
        "the frame", lambda: browser.run("return document.querySelectorAll('iframe.tree-replay').length") == 1
    )
    browser.driver.switch_to.frame(browser.driver.find_element("css selector", "iframe.tree-replay"))
    try:
        browser.wait("#next")
        assert browser.all("#count")[0].startswith("0 of ")  # from the start
        browser.click("#next")
        assert "is worth" in browser.all("#explanation")[0]
        browser.until("the studio's light theme", lambda: frame_theme(browser) == "light")
        assert not browser.all("#theme")  # the studio has a button of its own
    finally:
        browser.driver.switch_to.default_content()
    browser.click("[aria-label='theme: as the system']")  # dark next, whatever the system has
    browser.driver.switch_to.frame(browser.driver.find_element("css selector", "iframe.tree-replay"))
    try:
        browser.until("the studio's dark theme", lambda: frame_theme(browser) == "dark")
    finally:
        browser.driver.switch_to.default_content()
    browser.click("[aria-label='theme: dark']")
    browser.click("[aria-label='theme: light']")
    browser.run("scrollTo(0, 0)")  # nothing is under the bar
    browser.click(".search .q-btn-toggle .q-btn", "outline")
    browser.wait(".tree-row")
    look(browser, "UCT, 1000 simulations")
    browser.until(
        "no replay of a search with visits",
        lambda: "step by step" not in " ".join(browser.all(".search .q-btn-toggle")),
    )
