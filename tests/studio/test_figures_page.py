"""The textbook's chess figures on the search page, in Chromium."""

from __future__ import annotations


def test_a_figure_of_the_textbook_is_shown_and_clicked_through(browser):
    """The horizon effect: the plain search checks with the pawn; a click on a node shows its board."""
    browser.click(".q-tab", "Search")
    browser.click(".search [aria-label='Position']")
    browser.click(".q-menu .q-item", "the horizon effect")
    browser.until("the search of the figure", lambda: "f3+" in "".join(browser.all(".found .status")))
    browser.until(
        "its agent",
        lambda: "2 plies, then captures" in browser.run("return document.querySelector('.ask').innerText"),
    )
    assert browser.run("return document.querySelectorAll('.small-board .arrow.hint').length") == 1
    piece = "return [...document.querySelectorAll('.small-board .piece')].length"
    before = browser.run(piece)
    browser.click(".tree-row", "Kxf3")  # the best line is open: the king takes the pawn
    browser.until("the board behind the node", lambda: "after f3+, Kxf3" in "".join(browser.all(".where")))
    assert browser.run(piece) == before - 1
    browser.run("scrollTo(0, 0)")  # nothing is under the bar
    browser.click(".search [aria-label='Agent']")
    browser.click(".q-menu .q-item", "singular extension")
    browser.until("the bishop takes", lambda: browser.all(".found .status b")[:1] == ["Bxb3"])
    assert browser.overflow() <= 0
    assert browser.complaints() == []
    browser.click(".q-tab", "Play")
