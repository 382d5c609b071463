"""Positions that print alike are one to the solvers; are they one to the game?"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from dicezero.rules.check_rules import Fingerprint, Visit, prints_address
from dicezero.rules.protocol import Game

_MOST = 100_000  # texts remembered
_DIGITS = 9  # of probabilities and payments: sums may be added in another order


@dataclass
class _Known:
    """What the first position of a text answered, and what followed each action there."""

    history: tuple[int, ...]
    answers: tuple[Any, ...]
    followed: dict[int, tuple[Any, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Twins:
    """A position that prints like another and is not the same."""

    text: str
    history: tuple[int, ...]
    happened: str


class PrintedAlike:
    """Compares every position of the lines played with the first one that printed the same text.

    What identifies a position to the solvers is its player and its text, unless the state offers ``key()``,
    which may call symmetric positions one and is not looked into. A text that is an address says nothing.
    """

    def __init__(self, game: Game, *, pays: bool) -> None:
        self._pays = pays
        self._known: dict[tuple[int, str], _Known] = {}
        # Rewards on the way are paid by actions; then returns are no answer of the position.
        self._returns_count = not pays and not hasattr(game, "get_type")
        self._last: _Known | None = None
        self._last_text = ""

    def compare(self, visit: Visit, seen: Fingerprint) -> Twins | None:
        """The next position of a line; the first of a line has no history."""
        if hasattr(visit.state, "key") or prints_address(visit.state):
            return None
        text, player, *_ = seen
        before, self._last_text, last_text = self._last, text, self._last_text
        self._last = None
        known = self._known.get((player, text))
        if known is None:
            if len(self._known) == _MOST:
                return None
            known = self._known[player, text] = _Known(visit.history, self._answers(seen))
        self._last = known
        names = ("legal_actions()", "chance_outcomes()", "returns()")
        for name, first, now in zip(names, known.answers, self._answers(seen), strict=True):
            if first != now:
                return self._twins(
                    known, text, visit.history, f"{name} is {_plain(now)}, there {_plain(first)}"
                )
        if before is None or not visit.history:
            return None
        action = visit.history[-1]
        followed = (player, text, self._paid(visit))
        if before.followed.setdefault(action, followed) == followed:
            return None
        what = f"action {action} leads to another position than there"
        return self._twins(before, last_text, visit.history[:-1], what)

    def _answers(self, seen: Fingerprint) -> tuple[Any, ...]:
        _, _, legal, chance, returns = seen
        return (
            legal,
            tuple((outcome, _rounded(p)) for outcome, p in chance),
            tuple(_rounded(value) for value in returns) if self._returns_count else (),
        )

    def _paid(self, visit: Visit) -> tuple[Any, ...]:
        if not self._pays:
            return ()
        return tuple(_rounded(r) for r in visit.state.rewards())  # type: ignore[attr-defined]

    @staticmethod
    def _twins(known: _Known, text: str, history: tuple[int, ...], difference: str) -> Twins:
        where = f"after {list(known.history)}" if known.history else "at the start"
        return Twins(text, history, f"str(state) is the same as {where}, but {difference}")


def _rounded(value: float) -> float | str:
    """Equal for what is the same but for the order of adding, and for two that are no numbers."""
    return round(float(value), _DIGITS) if math.isfinite(value) else str(value)


def _plain(answer: tuple[Any, ...]) -> str:
    return str(list(answer))
