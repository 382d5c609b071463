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


@pytest.fixture
def browser(window, address):
    """The page, freshly loaded, with a game begun."""
    window.size(1280)
    window.theme("light")
    window.driver.get(address)
    window.wait(".board .move")
    return window
