"""Writes docs/images/studio-*.png: the studio in Chromium (make screenshots).

Games are played by clicking with given seeds and two short runs are trained first, so a picture changes only
when the page does. Look at every picture before it is committed.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
sys.path.insert(0, str(ROOT / "tests" / "studio"))

from chromium import Browser, begin, play_to_the_end, studio  # noqa: E402
from clicking import step  # noqa: E402

RUNS = {
    "td-lambda": "--rounds 20 --keep-every 4 --set games=100",
    "gumbel-ndmz": "--rounds 6 --keep-every 2 --set games=40 --set hidden=64 --set widths=64,64",
}
KEPT = 3  # rounds of gumbel-ndmz whose weights stay


def train(folder: Path) -> None:
    """The runs whose curves are shown."""
    for preset, options in RUNS.items():
        words = ["train", preset, "--game", "nannon", "--out", str(folder / preset), *options.split()]
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


def take_start(browser: Browser) -> None:
    """The first page."""
    browser.wait(".tile")
    picture(browser, "start", width=1280, height=900)


def take_game(browser: Browser) -> None:
    """A game of Nannon in the middle and at its end, and the search for a move of it."""
    begin(browser, "Nannon", "Club", seed=15)
    play_to_the_end(browser, plies=5)
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


def board_picture(browser: Browser, name: str, *, width: int, theme: str = "light") -> None:
    """The card with the board alone."""
    browser.theme(theme)
    browser.size(width, 1100)
    browser.point_away(1100)
    browser.run("document.activeElement.blur(); scrollTo(0, 0)")
    browser.run("document.querySelectorAll('.q-notification').forEach(n => n.remove())")
    browser.settle()
    path = IMAGES / f"studio-{name}.png"
    browser.run("return document.querySelector('.stage')").screenshot(str(path))
    print(f"{path.relative_to(ROOT)}  the board at {width}, {theme}")


def take_boards(browser: Browser) -> None:
    """A position of each kind of board, with a move begun where it takes two clicks."""
    for name, game, moves, cells, options, shown in (
        ("go", "Go", 26, (), {"board_size": 9}, {"width": 620, "theme": "dark"}),
        ("chess", "Chess", 6, ("g1",), {}, {"width": 420}),
        ("backgammon", "Backgammon", 3, (), {}, {"width": 760}),
        ("banqi", "Chinese dark chess", 13, (), {}, {"width": 760, "theme": "dark"}),
        ("2048", "2048", 70, (), {}, {"width": 420}),
        ("own-game", "Domineering", 4, (), {}, {"width": 520}),
    ):
        browser.size(1280)
        begin(browser, game, "Beginner", seed=7, **options)
        draw = random.Random(7)
        for _ in range(moves):
            step(browser, draw)
        browser.settle()  # the opponent has answered
        for cell in cells:
            browser.click(f".board [data-cell='{cell}'] .touch")
            browser.wait(".board .target .touch, .board .chosen .touch")
        if name in ("backgammon", "own-game"):
            browser.click(".board .start .touch")
            browser.wait(".board .chosen .touch, .board .target .touch")
        if name == "backgammon":
            browser.click(".board .target .touch")
            browser.until(
                "half a turn", lambda: browser.run("return !!document.querySelector('.board .used')")
            )
        board_picture(browser, name, **shown)


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
        own = f"__import__('runpy').run_path({str(ROOT / 'examples' / 'domineering.py')!r})['Domineering']()"
        with studio(folder, games=f"{{'domineering': {own}}}") as url:
            browser = Browser(Path(place) / "profile")
            try:
                browser.size(1280)
                browser.driver.get(url)
                for take in (take_start, take_game, take_phone, take_boards, take_runs):
                    take(browser)
            finally:
                browser.driver.quit()


if __name__ == "__main__":
    main()
