"""The doubling cube of a table in the studio: what is asked before a roll, and what an answer does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dicezero.studio.cube import MoneyCube
from dicezero.studio.table import Table

Answer = Literal["roll", "double", "take", "drop"]


@dataclass(frozen=True)
class CubeQuestion:
    """What the person has to decide before a roll.

    Attributes:
        ply: how many actions there were.
        answers: what may be answered: roll or double before one's own roll, take or drop a double.
        stake: what the cube stands at.
    """

    ply: int
    answers: tuple[Answer, Answer]
    stake: int


class Doubling:
    """A cube at a table. The game waits while a question is open; who drops has lost what the cube showed.

    Whoever changes the table's actions otherwise than by adding to them says so by ``back_to``.
    """

    def __init__(self, table: Table, cube: MoneyCube, judge: str) -> None:
        """``judge`` is who says how a game may end, for a reader."""
        self._table, self._cube, self.judge = table, cube, judge
        self._decided = -1  # actions there were when the cube was last decided on
        self.asked: CubeQuestion | None = None
        self.dropped: int | None = None  # the player who has dropped a double

    @property
    def value(self) -> int:
        """What stands on the cube."""
        return self._cube.value

    @property
    def owner(self) -> int | None:
        """The player who may double next; None while it is in the centre."""
        return self._cube.owner

    @property
    def returns(self) -> tuple[float, float] | None:
        """What both got, the cube included; None before the end."""
        if self.dropped is not None:
            got = float(self.value)
            return (-got, got) if self.dropped == 0 else (got, -got)
        points = self._table.returns
        return None if points is None else (points[0] * self.value, points[1] * self.value)

    def waits(self) -> bool:
        """Whether nothing goes on: the person is asked, or somebody has dropped."""
        ply = len(self._table.actions)
        if self.dropped is not None:
            return True
        if self.asked is not None and self.asked.ply == ply:
            return True
        state = self._table.position()
        player = None if self._decided == ply else self._cube.may_double(state, ply=ply)
        self.asked = None
        if player is None:
            return False
        if player == self._table.seat:
            self.asked = CubeQuestion(ply, ("roll", "double"), self.value)
        elif self._cube.decision(state).doubles:
            self.asked = CubeQuestion(ply, ("take", "drop"), self.value)
        else:
            self._decided = ply
        return self.asked is not None

    def answer(self, word: str) -> str:
        """What the person decides; what the agent makes of it, in words ("takes", "drops", "").

        Raises:
            ValueError: nothing is asked, or something else.
        """
        asked = self.asked
        if asked is None or word not in asked.answers:
            options = " or ".join(asked.answers) if asked else "nothing is asked"
            raise ValueError(f"answer={word!r} is none to the cube now: {options}")
        seat, told = self._table.seat, ""
        if word == "double":
            takes = self._cube.decision(self._table.position()).takes
            told = "takes" if takes else "drops"
            if takes:
                self._cube.take(1 - seat, ply=asked.ply)
            else:
                self.dropped = 1 - seat
        elif word == "take":
            self._cube.take(seat, ply=asked.ply)
        elif word == "drop":
            self.dropped = seat
        self._decided, self.asked = asked.ply, None
        return told

    def advice(self) -> str:
        """What the judge would answer, with the equities behind it.

        Raises:
            ValueError: nothing is asked.
        """
        if self.asked is None:
            raise ValueError("advice on the cube is for when it is asked about")
        found = self._cube.decision(self._table.position())
        if "take" in self.asked.answers:
            word = "Take" if found.takes else "Drop"
            loss, drop = -found.double_take, -found.double_pass
            return f"{word}: {_points(loss)} if you take, {_points(drop)} if you drop, says {self.judge}."
        word = "Double" if found.doubles else "Too good to double" if found.verdict == "too good" else "Roll"
        rolls, doubles = _points(found.no_double), _points(min(found.double_take, found.double_pass))
        return f"{word}: {rolls} if you roll, {doubles} if you double, says {self.judge}."

    def back_to(self, ply: int) -> None:
        """Only the first ``ply`` actions are still what they were: what was decided after them is not."""
        self._cube.back_to(max(0, ply - 1))
        self._decided, self.asked, self.dropped = -1, None, None


def _points(equity: float) -> str:
    """In units of the cube as it lies."""
    return f"{equity:+.2f}".replace("-", "\u2212") + " points"
