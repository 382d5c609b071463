"""A real Chromium and a real studio for tests and screenshots."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
WAIT_SECONDS = 90.0  # for anything on the page; a loaded machine is slow
_ESCAPE = "\ue00c"
_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--hide-scrollbars",
    "--force-prefers-reduced-motion",  # boards change at once, and the page waits for no animation
)

# The first visible element with the text. What lies in sight but under something, such as the bar that stays
# at the top of a page scrolled down, is moved to the middle: the driver moves only what is out of sight.
_FIND = """
const one = [...document.querySelectorAll(arguments[0])]
  .find((e) => e.getClientRects().length && e.textContent.includes(arguments[1]));
if (!one) return null;
const box = one.getBoundingClientRect();
const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
const free = hit && (one.contains(hit) || hit.contains(one));
if (!free) one.scrollIntoView({ block: "center", behavior: "instant" });
return one;
"""


def require_chromium() -> None:
    """Skips where Chromium or its driver is missing; in CI that is a failure."""
    if CHROMIUM and DRIVER:
        return
    reason = "needs Debian's packages chromium and chromium-driver, as .ci/run installs them"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


class Browser:
    """A page of Chromium; what it looks for it waits for."""

    def __init__(self, profile: Path) -> None:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in (*_FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))

    def size(self, width: int, height: int = 900) -> None:
        """The window in CSS pixels, narrower than Chromium's own least width too."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def theme(self, name: str) -> None:
        """The system's theme: light or dark."""
        features = [
            {"name": "prefers-color-scheme", "value": name},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def run(self, script: str, *arguments):
        """The value of a script in the page."""
        return self.driver.execute_script(script, *arguments)

    def all(self, css: str) -> list[str]:
        """The texts of the visible elements."""
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].filter(e => e.getClientRects().length)"
            ".map(e => e.textContent)",
            css,
        )

    def until(self, what: str, condition, seconds: float = WAIT_SECONDS):
        """The first true value of ``condition()``; fails with ``what`` and the page's words."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = condition()
            if found:
                return found
            time.sleep(0.05)
        words = self.run("return document.body.innerText")
        raise AssertionError(f"not within {seconds:g} s: {what}; the page says:\n{words}")

    def wait(self, css: str) -> list[str]:
        """The texts of the visible elements, once there is one."""
        return self.until(css, lambda: self.all(css))

    def click(self, css: str, text: str = "") -> None:
        """A click of the mouse on the first visible element that has the text, once there is one."""
        self.until(f"a click on {css} {text!r}", lambda: self.clicked(css, text))

    def clicked(self, css: str, text: str = "") -> bool:
        """One try; False where the page was changing under the mouse."""
        from selenium.common.exceptions import WebDriverException

        element = self.run(_FIND, css, text)
        if element is None:
            return False
        try:
            element.click()
        except WebDriverException:  # gone, moved or covered between the look and the click
            return False
        return True

    def press(self, *keys: str) -> None:
        """Keys, wherever the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def point_away(self, height: int) -> None:
        """Moves the mouse into a corner, where nothing answers to it."""
        event = {"type": "mouseMoved", "x": 1, "y": height - 1}
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    def settle(self) -> None:
        """Waits until two frames in a row look the same: charts and fonts are drawn."""
        seen = [b""]

        def same() -> bool:
            seen.append(self.driver.get_screenshot_as_png())
            return seen[-1] == seen[-2]

        self.until("a page at rest", same)

    def overflow(self) -> int:
        """How many pixels the page is wider than the window."""
        return self.run("return document.documentElement.scrollWidth - window.innerWidth")

    def foreign_hosts(self, own: str) -> set[str]:
        """Hosts other than ``own`` that any page asked for something, since the last call."""
        hosts = set()
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = urlsplit(message["params"]["request"]["url"])
            elif message["method"] == "Network.webSocketCreated":
                url = urlsplit(message["params"]["url"])
            else:
                continue
            if url.scheme in ("http", "https", "ws", "wss"):
                hosts.add(url.netloc)
        return hosts - {own}

    def complaints(self) -> list[str]:
        """What the browser's console holds against the page, since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]


@contextmanager
def studio(*folders: Path, games: str = "{}") -> Iterator[str]:
    """A studio on a free port, as its own process; gives its address. ``games``: code of the owner's."""
    code = (
        "import sys; from pathlib import Path; from dicezero.studio.catalog import Catalog;"
        "from dicezero.studio.hall import Hall; from dicezero.studio.page.app import serve;"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r});"
        f"catalog = Catalog([Path(p) for p in sys.argv[1:]], games={games});"
        "serve(catalog, Hall(catalog), 0, ready=lambda url: print(url, flush=True))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, folders)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.communicate(timeout=20)


def choose(browser, label, text):
    """Picks the choice with the text in a field of the setup; again where the list was changing."""
    labels = (label, "Agent") if label == "Opponent" else (label,)  # which alone one has instead
    field = ", ".join(f".setup [aria-label='{name}']" for name in labels)
    # Whether the field's own list is open, whether another one is, and what the field says.
    look = (
        "const f = document.querySelector(arguments[0]); if (!f) return [false, false, ''];"
        "const lists = [...document.querySelectorAll('.q-menu')].filter(m => m.getClientRects().length);"
        "const own = lists.filter(m => m.id === f.getAttribute('aria-controls'));"
        "return [own.length > 0, lists.length > own.length, f.closest('.q-field').innerText]"
    )
    # A long list has only the rows in sight: look further down, and from the top again.
    onward = (
        "const m = document.querySelector('.q-menu'); if (!m) return; const last = m.scrollTop;"
        "m.scrollTop += m.clientHeight; if (m.scrollTop === last) m.scrollTop = 0;"
    )

    def chosen() -> bool:
        own, another, says = browser.run(look, field)
        if another:
            browser.press(_ESCAPE)
        elif own:
            if not browser.clicked(".q-menu .q-item", text):
                browser.run(onward)
                return False
            # A second click would go through the list that is closing, to the field below it, and open that.
            with suppress(AssertionError):
                browser.until("its end", lambda: not browser.run(look, field)[0], seconds=10)
        elif text in says:
            return True
        elif browser.clicked(field):  # a second click would close what the first one opens
            with suppress(AssertionError):
                browser.until("its list", lambda: browser.run(look, field)[0], seconds=10)
        return False

    browser.until(f"{label} {text!r}", chosen)


def press_begin(browser):
    """The button that begins a game."""

    def begun() -> bool:
        if browser.all(".q-menu .q-item"):  # a list that opened late lies over the button
            browser.press(_ESCAPE)
            return False
        return browser.clicked(".setup .primary")

    browser.until("a click on the button that begins", begun)


def begin(browser, game, opponent="Beginner", seed=None, **parameters):
    """A new game, begun by clicking; parameters are written into their fields."""
    choose(browser, "Game", game)
    for name, value in parameters.items():
        write(browser, name.replace("_", " ").capitalize(), value)
    choose(browser, "Opponent", opponent)
    if seed is not None:
        write(browser, "Seed", seed)
    before = browser.run("return location.search")
    press_begin(browser)
    browser.until("a new table", lambda: browser.run("return location.search") != before)
    browser.until("a fresh board", lambda: browser.all(".board .move") and browser.all(".grade.none"))


def write(browser, label, value):
    """Replaces what a field of the setup says."""
    field = f"document.querySelector(\".setup input[aria-label='{label}']\")"

    def written() -> bool:
        if not browser.run(f"return !!{field}"):
            return False
        browser.run(f"{field}.focus(); {field}.select()")
        browser.press(str(value))
        return browser.run(f"return {field}.value") == str(value)

    browser.until(f"{label} {value!r}", written)


def plies(browser):
    return browser.all(".plies .ply")


def play_to_the_end(browser, *, plies: int | None = None, which: float = 0.0) -> int:
    """Clicks legal moves until the game is over, or has so many plies; how often it clicked.

    ``which`` says where in the list of legal moves the one to click is: 0 is the first, 0.5 the middle one.
    """
    clicks, end = 0, time.monotonic() + 3 * WAIT_SECONDS
    choice = "return [...document.querySelectorAll('.board .move')].map(m => m.dataset.action)"
    while not browser.all(".grade.end"):
        assert time.monotonic() < end, f"after {clicks} clicks: {browser.all('.status')}"
        actions = browser.run(choice)
        if actions and plies is not None and len(browser.all(".plies .ply")) >= plies:
            break
        if actions:
            action = actions[int(which * len(actions))]
            clicks += browser.clicked(f".board .move[data-action='{action}'] .touch")
    return clicks
