from __future__ import annotations

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
    opened.click(".q-tab", "Play")
    opened.wait("main.play")
    return opened


@pytest.fixture
def downloads(browser, tmp_path):
    """A folder that the browser saves files in."""
    browser.driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    return tmp_path
