"""Writes docs/images/studio-*.png: the studio in Chromium (make screenshots).

Games are played by clicking with given seeds and two short runs are trained first, so a picture changes only
when the page does. Look at every picture before it is committed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
sys.path.insert(0, str(ROOT / "tests" / "studio"))

from chromium import Browser, begin, play_to_the_end, studio  # noqa: E402

RUNS = {
    "td-lambda": ["--rounds", "40", "--set", "games=100"],
    "gumbel-ndmz": ["--rounds", "12", "--set", "games=60", "--set", "hidden=64", "--set", "widths=64,64"],
}
KEPT = 3  # rounds of gumbel-ndmz whose weights stay, with --keep-every 4


def train(folder: Path) -> None:
    """The runs whose curves are shown."""
    for preset, options in RUNS.items():
        words = [
            "train",
            preset,
            "--game",
            "nannon",
            "--out",
            str(folder / preset),
            "--keep-every",
            "4",
            *options,
        ]
        code = "import sys; from dicezero.cli import main; raise SystemExit(main(sys.argv[1:]))"
        subprocess.run([sys.executable, "-c", code, *words], check=True, stdout=subprocess.DEVNULL)


def picture(browser: Browser, name: str, *, width: int, height: int, theme: str = "light") -> None:
    """One file, named after what it shows."""
    browser.theme(theme)
    browser.size(width, height)
    browser.point_away(height)
    browser.settle()
    path = IMAGES / f"studio-{name}.png"
    browser.driver.save_screenshot(str(path))
    print(f"{path.relative_to(ROOT)}  {width} x {height}, {theme}")


def take_game(browser: Browser) -> None:
    """A game of Nannon in the middle and at its end, and the search for a move of it."""
    begin(browser, "Nannon", "Club", seed=15)
    play_to_the_end(browser, plies=12)
    picture(browser, "play", width=1280, height=1120)
    browser.click(".q-tab", "Search")
    browser.wait(".tree-row[data-path='root']")
    for level in (2, 3):
        browser.click(f".tree-row[aria-level='{level}'][aria-expanded=false]")
        browser.wait(f".tree-row[aria-level='{level + 1}']")
    picture(browser, "search", width=1280, height=1120)
    browser.size(1280)
    browser.click(".q-tab", "Play")
    play_to_the_end(browser)
    picture(browser, "end", width=1280, height=1120, theme="dark")


def take_phone(browser: Browser) -> None:
    """Connect Four on a narrow screen."""
    browser.size(1280)
    begin(browser, "Connect Four", "Strong", seed=5)
    play_to_the_end(browser, plies=14, which=0.5)
    picture(browser, "phone", width=390, height=844, theme="dark")


def take_runs(browser: Browser) -> None:
    """The curves, once the dynamics of every kept round have been tested."""
    browser.size(1280)
    browser.click(".q-tab", "Learn")
    browser.wait("[data-play]")
    points = "return Number(document.querySelector('[data-chart=dynamics]')?.dataset.points)"
    browser.until("the tests of the dynamics", lambda: browser.run(points) == 2 * KEPT)
    picture(browser, "learn", width=1280, height=1120)


def main() -> None:
    """Trains, opens the studio, takes the pictures."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "runs"
        folder.mkdir()
        train(folder)
        with studio(folder) as url:
            browser = Browser(Path(place) / "profile")
            try:
                browser.size(1280)
                browser.driver.get(url)
                browser.wait(".tile")
                for take in (take_game, take_phone, take_runs):
                    take(browser)
            finally:
                browser.driver.quit()


if __name__ == "__main__":
    main()
