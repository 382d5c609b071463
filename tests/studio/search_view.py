"""What tests of the search view share."""

from __future__ import annotations


def look(page, agent):
    """The search view with this agent, once its full search is there."""
    page.click(".q-tab", "Search")
    page.wait(".search .found .status")
    if agent not in (page.run("return document.querySelector('.search .ask').innerText") or ""):
        page.click(".search [aria-label='Agent']")
        page.click(".q-menu .q-item", agent)
    page.until(
        f"{agent} chosen", lambda: agent in page.run("return document.querySelector('.ask').innerText")
    )
