"""The lines of play of one table: what was played, and what was tried instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from dicezero.evaluation.cube_review import money_result
from dicezero.rules.notation.moves import Double
from dicezero.rules.protocol import State
from dicezero.rules.reading import action_strings, is_over

MOST = 24  # lines of a table; the oldest that is not shown goes first
Actions = tuple[int, ...]
Script = tuple[int | Double, ...]  # a line: its actions, and among them the doubles where they were offered
Step = TypeVar("Step")


@dataclass(frozen=True)
class LineView:
    """A line for a reader.

    Attributes:
        actions: from the start, chance outcomes included.
        fork: how many of them it shares with the line it left; 0 for the first line.
        text: the first move, roll or double of its own, "" where it has none yet.
        moves: how many moves the players have made in it.
        returns: what each player got, None before the end.
        current: whether it is the one on the board.
        doubles: of a money game with a cube.
    """

    actions: Actions
    fork: int
    text: str
    moves: int
    returns: tuple[float, ...] | None
    current: bool
    doubles: tuple[Double, ...] = ()


class Lines:
    """Lines that were left, each from the start of the game; the one on the board is the caller's."""

    def __init__(self) -> None:
        self._left: list[Script] = []

    def leave(self, line: Script) -> None:
        """Remembers a line before its table goes back or elsewhere; what is only its beginning is dropped."""
        if line:
            self._left = list(self.all(line))
        del self._left[:-MOST]

    def all(self, current: Script) -> tuple[Script, ...]:
        """Every line there is, the oldest first; ``current`` where it is not the beginning of another."""
        lines: list[Script] = []
        for line in self._left:
            if not is_prefix(line, current):
                lines.append(line)
            elif current not in lines:  # gone on with: it keeps its place
                lines.append(current)
        if not any(is_prefix(current, line) for line in lines):
            lines.append(current)
        return tuple(lines)

    def clear(self) -> None:
        """Forgets all of them."""
        self._left.clear()


def script_of(actions: Sequence[int], doubles: Sequence[Double]) -> Script:
    """A line with its doubles among its actions, each before the roll that it was offered at."""
    steps: list[int | Double] = list(actions)
    for double in reversed(doubles):
        steps.insert(double.place, double)
    return tuple(steps)


def actions_of(line: Script) -> Actions:
    """The actions of a line alone."""
    return tuple(step for step in line if not isinstance(step, Double))


def doubles_of(line: Script) -> tuple[Double, ...]:
    """The doubles of a line alone."""
    return tuple(step for step in line if isinstance(step, Double))


def is_prefix(short: Sequence[Step], long: Sequence[Step]) -> bool:
    """Whether ``long`` begins with ``short``, or is the same."""
    return len(short) <= len(long) and long[: len(short)] == short


def shared(one: Sequence[Step], other: Sequence[Step]) -> int:
    """How many steps two lines have in common, from the start."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def view_lines(lines: tuple[Script, ...], current: Script, begin: State) -> tuple[LineView, ...]:
    """The lines for a reader; ``begin`` is the position they begin with, which is not changed."""
    views: list[LineView] = []
    for number, line in enumerate(lines):
        view = _view(line, begin, lines[:number])
        # Where the position on the board lies before a fork the oldest line has it.
        on_board = is_prefix(current, line) and not any(one.current for one in views)
        views.append(replace(view, current=on_board))
    return tuple(views)


def _view(line: Script, begin: State, older: tuple[Script, ...]) -> LineView:
    parent = max(older, key=lambda other: shared(line, other), default=None)
    fork = 0 if parent is None else shared(line, parent)
    state, text, moves = begin.clone(), "", 0
    for at, step in enumerate(line):
        if parent is not None and at == fork:
            text = _own_step(state, step, parent[at] if at < len(parent) else None)
        if not isinstance(step, Double):
            moves += state.current_player() >= 0
            state.apply_action(step)
    actions, doubles = actions_of(line), doubles_of(line)
    returns = tuple(state.returns()) if is_over(state) else None
    if doubles:
        paid = money_result(begin, actions, doubles)
        returns = None if paid is None else (paid, -paid)
    return LineView(
        actions, len(actions_of(line[:fork])), text, moves, returns, current=False, doubles=doubles
    )


def _own_step(state: State, step: int | Double, instead: int | Double | None) -> str:
    """What a line did where it left another one, which did ``instead``."""
    if isinstance(step, Double):
        return "double, take" if step.taken else "double, drop"
    return "no double" if isinstance(instead, Double) else action_strings(state)[step]
