"""The doubling cube of a table in the studio: what is asked before a roll, and what an answer does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dicezero.agents.base import Agent, roller
from dicezero.agents.cube import TurnedCube, cube_decision, turned_cube
from dicezero.rules.notation.moves import Double
from dicezero.search.cube import CubeDecision
from dicezero.studio.cube import CubeJudge, check_decides
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

    Code that changes the table's actions otherwise than by adding to them calls ``turn_to``.

    Attributes:
        judge: who gives the person hints and grades.
        asked: what the person has to answer; None where nothing is open.
        doubles: how the cube was turned, in their order.
    """

    def __init__(self, table: Table, opponent: Agent, judge: CubeJudge) -> None:
        """``opponent`` decides for the agent's side; ValueError where it does not predict a game's end."""
        self._table, self.judge = table, judge
        self._opponent = check_decides(opponent)
        self._cube = TurnedCube()
        self._decided = -1  # actions there were when the cube was last decided on
        self.asked: CubeQuestion | None = None
        self.doubles: tuple[Double, ...] = ()

    @property
    def value(self) -> int:
        """What stands on the cube."""
        return self._cube.value

    @property
    def owner(self) -> int | None:
        """The player who may double next; None while it is in the centre."""
        return self._cube.owner

    @property
    def dropped(self) -> int | None:
        """The player who has dropped a double; None while nobody has."""
        over = bool(self.doubles) and not self.doubles[-1].taken
        return 1 - roller(self._table.position()) if over else None

    @property
    def returns(self) -> tuple[float, float] | None:
        """What both got, the cube included; None before the end."""
        dropped = self.dropped
        if dropped is not None:
            got = float(self.value)
            return (-got, got) if dropped == 0 else (got, -got)
        points = self._table.returns
        return None if points is None else (points[0] * self.value, points[1] * self.value)

    def at(self, ply: int) -> TurnedCube:
        """The cube as it lay after so many actions, before a double that was offered then."""
        before = [double for double in self.doubles if double.place < ply]
        return turned_cube(self._table.begin(), self._table.actions, before)

    def turn_to(self, doubles: Sequence[Double]) -> None:
        """The cube of another line, or of an earlier position: it was turned so; nothing is decided after it.

        Raises:
            ValueError: a double that could not be offered at the table's actions.
        """
        self._cube = turned_cube(self._table.begin(), self._table.actions, doubles)
        self.doubles, self.asked = tuple(doubles), None
        self._decided = doubles[-1].place if doubles else -1

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
        elif self._decision().doubles:
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
        if word == "double":
            reply = "takes" if self._decision().takes else "drops"
            self._double(asked.ply, reply == "takes", 1 - self._table.seat)
        else:
            reply = ""
            if word != "roll":
                self._double(asked.ply, word == "take", self._table.seat)
        self._decided, self.asked = asked.ply, None
        return reply

    def advice(self) -> str:
        """What the judge would answer, with the points behind it.

        Raises:
            ValueError: nothing is asked.
        """
        if self.asked is None:
            raise ValueError("advice on the cube is for when it is asked about")
        decision, says = self._decision(self.judge), f"says {self.judge.name}"
        if "take" in self.asked.answers:
            word = "Take" if decision.takes else "Drop"
            take, drop = self._points(-decision.double_take), self._points(-decision.double_pass)
            return f"{word}: {take} if you take, {drop} if you drop, {says}."
        word = (
            "Double"
            if decision.doubles
            else "Too good to double"
            if decision.verdict == "too good"
            else "Roll"
        )
        rolls = self._points(decision.no_double)
        doubles = self._points(min(decision.double_take, decision.double_pass))
        return f"{word}: {rolls} if you roll, {doubles} if you double, {says}."

    def _double(self, ply: int, taken: bool, taker: int) -> None:
        self.doubles += (Double(ply, taken),)
        if taken:
            self._cube.take(taker, ply=ply)

    def _decision(self, judge: CubeJudge | None = None) -> CubeDecision:
        """What the opponent, or a judge, would have both sides do before the roll that comes next."""
        state = self._table.position()
        return cube_decision(judge or self._opponent, state, self._cube.owner_for(roller(state)))

    def _points(self, equity: float) -> str:
        """Of an equity in units of the cube as it lies."""
        return f"{self.value * equity:+.2f}".replace("-", "\u2212") + " points"
