"""An opponent as strong as the person plays: a ladder of searches, climbed by what moves lose."""

from __future__ import annotations

from collections.abc import Sequence

ID = "adaptive"
FIRST = 3  # the rung of a game's first move
WINDOW = 5  # of the person's last graded moves
GOOD, POOR = 0.02, 0.06  # a mean loss below, as a share of the range, goes up; one above goes down
_NATIVE = (0, 10, 30, 100, 300, 1000, 3000, 10000)  # positions searched; 0 is a random move
_PYTHON = (0, 3, 10, 30, 60, 120, 250, 500)


def rungs(*, native: bool) -> tuple[str, ...]:
    """The agents of the ladder, from weak to strong."""
    return tuple("random" if n == 0 else f"uct(simulations={n})" for n in (_NATIVE if native else _PYTHON))


def rung_after(losses: Sequence[float], count: int) -> int:
    """Where on a ladder of ``count`` rungs somebody stands whose graded moves have lost so much, in order.

    After each move the mean of the last five decides: below 2 % of the range one rung up, above 6 % one
    down. It depends on nothing else, so going back in a game goes back on the ladder.
    """
    rung = min(FIRST, count - 1)
    for end in range(1, len(losses) + 1):
        window = losses[max(0, end - WINDOW) : end]
        mean = sum(window) / len(window)
        rung += (mean < GOOD) - (mean > POOR)
        rung = min(max(rung, 0), count - 1)
    return rung


def about(rung: int, specs: Sequence[str], losses: Sequence[float]) -> str:
    """The ladder's description, for a reader."""
    spec = specs[rung]
    strength = "plays at random" if spec == "random" else f"searches {spec[16:-1]} positions"
    if not losses:
        return f"level {rung + 1} of {len(specs)}, {strength}"
    last = losses[-WINDOW:]
    mean = 100 * sum(last) / len(last)
    lost = f"your last {len(last)} moves lost {mean:.1f} % on average"
    return f"level {rung + 1} of {len(specs)}, {strength}: {lost}"
