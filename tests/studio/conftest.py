from __future__ import annotations

import time

import chromium
import pytest


@pytest.fixture(scope="session")
def runs_folder(tmp_path_factory):
    """Where the studio of the tests looks for runs."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="session")
def address(runs_folder):
    chromium.require_chromium()
    with chromium.studio(runs_folder) as url:
        yield url


@pytest.fixture(scope="session")
def window(tmp_path_factory):
    chromium.require_chromium()
    browser = chromium.Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.driver.quit()


@pytest.fixture(scope="session")
def opened(window, address):
    window.driver.get(address)
    return window


@pytest.fixture
def browser(opened):
    """The page at its play view; a test begins its own game."""
    opened.size(1280)
    opened.theme("light")
    opened.until("the play view", lambda: at_play(opened), 2 * chromium.WAIT_SECONDS)
    return opened


def at_play(page):
    """Whether the play view is there; else clicks for it: the test before may keep the page busy for long."""
    if not page.all("main.play"):
        page.clicked(".q-tab", "Play")
        time.sleep(1.0)
    return page.all("main.play")


@pytest.fixture
def downloads(browser, tmp_path):
    """A folder that the browser saves files in."""
    browser.driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    return tmp_path
