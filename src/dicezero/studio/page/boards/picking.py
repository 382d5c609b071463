"""Clicking a move place by place: what may be clicked next, and when that is a whole move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dicezero.rules.board import Board, Path

SEPARATOR = "|"  # between the places of a path in ``data-pick``


@dataclass(frozen=True)
class Picking:
    """What can be clicked.

    Attributes:
        picked: what has been clicked and still leads to a move.
        steps: the next places, each with the action it completes; None where more is to be clicked.
        complete: actions that ``picked`` already stands for, where it could also go on or means several.
        starts: the first places of all moves.
    """

    picked: Path
    steps: Mapping[str, int | None]
    complete: tuple[int, ...]
    starts: frozenset[str]

    @property
    def clickable(self) -> set[str]:
        """The places that answer a click: what goes on, another start, and what was picked last."""
        others = {*self.starts, *self.picked} if len(self.picked) == 1 else set()
        return {*self.steps, *others, *(self.picked[-1:] if self.midway else ())}

    @property
    def midway(self) -> bool:
        """Whether a piece has been picked and its goal has not: places come in pairs, from and to."""
        return len(self.picked) % 2 == 1

    def after(self, place: str) -> Path:
        """What is picked once ``place`` was clicked: a second click lets it go, another start begins anew."""
        if self.picked and place == self.picked[-1] and place not in self.steps:
            return self.picked[:-1]
        if place in self.steps:
            return (*self.picked, place)
        return (place,)

    def back(self) -> Path:
        """One move of several back, or one place."""
        return self.picked[: (len(self.picked) - 1) // 2 * 2]


def picking(board: Board, moves: Mapping[int, str], picked: Path) -> Picking:
    """What can be clicked next; a move that ``board`` has no path for is a place of its own name."""
    ways = [
        (path, action) for action, name in moves.items() for path in board.paths.get(action) or ((name,),)
    ]
    while picked and not any(path[: len(picked)] == picked for path, _ in ways):
        picked = picked[:-1]
    count = len(picked)
    on = [(path, action) for path, action in ways if path[:count] == picked]
    steps: dict[str, int | None] = {}
    for place in dict.fromkeys(path[count] for path, _ in on if len(path) > count):
        ends = {action for path, action in on if len(path) == count + 1 and path[count] == place}
        goes_on = any(len(path) > count + 1 and path[count] == place for path, _ in on)
        steps[place] = ends.pop() if len(ends) == 1 and not goes_on else None
    complete = tuple(dict.fromkeys(action for path, action in on if count and len(path) == count))
    return Picking(picked, steps, complete, frozenset(path[0] for path, _ in ways))


def read_path(text: str) -> Path:
    """The value of ``data-pick``; anything is taken, ``picking`` uses what leads to a move."""
    return tuple(part for part in text[:400].split(SEPARATOR) if part)[:16]
