"""Playing on any board of the page by real clicks."""

from __future__ import annotations

import random
import time
from contextlib import suppress

from chromium import WAIT_SECONDS


def over(browser) -> bool:
    """Whether the line above the board says how it ended."""
    ends = ("You won", "You lost", "A draw", "You got")
    return any(browser.all(".status")[0].startswith(words) for words in ends)


def pressed(browser, selector: str) -> bool:
    """One real click into the middle of an element of the board; False where it was not there."""
    return browser.clicked(f".board {selector} .touch") or browser.clicked(f".board button{selector}")


def step(browser, draw: random.Random) -> int:
    """Clicks through one whole move, drawn at random; how often it clicked.

    0 where the game is over, or waits for an answer to the doubling cube.
    """
    shown = (
        "return [...document.querySelectorAll('.board .move')].filter(m => m.getClientRects().length)"
        ".map(m => [m.getAttribute('class'), m.dataset.action ?? '', m.dataset.pick ?? '', m.textContent])"
    )
    board = "return document.querySelector('.stage .board')?.innerHTML"
    clicks, end, seen = 0, time.monotonic() + WAIT_SECONDS, None
    while not over(browser) and not browser.all(".cube-answers button"):
        assert time.monotonic() < end, f"after {clicks} clicks: {browser.all('.status')}"
        moves = [m for m in browser.run(shown) if "chosen" not in m[0] and "Take back" not in m[3]]
        onward = [m for m in moves if "target" in m[0]] or moves
        onward = [m for m in onward if "Pass" not in m[3]] or onward
        if not onward:
            continue
        if onward != seen:  # one draw a choice, however often it has to be tried
            seen, (_, action, pick, _) = onward, draw.choice(onward)
        before = browser.run(board)
        if pressed(browser, f"[data-action='{action}']" if action else f"[data-pick='{pick}']"):
            clicks += 1
            with suppress(AssertionError):  # a move of the board as it was would be none of the next one
                browser.until("an answer", lambda before=before: browser.run(board) != before, seconds=5)
            if action:
                break
    return clicks


def play_by_clicking(browser, *, seed: int) -> int:
    """Clicks moves drawn at random until the game is over; how often it clicked."""
    draw, clicks = random.Random(seed), 0
    while not over(browser):
        clicks += step(browser, draw)
    return clicks
