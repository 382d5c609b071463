"""The lines of play of one table: what was played, and what was tried instead."""

from __future__ import annotations

from dataclasses import dataclass

from dicezero.rules.protocol import State
from dicezero.rules.reading import action_strings, is_over

MOST = 24  # lines of a table; the oldest that is not shown goes first
Actions = tuple[int, ...]


@dataclass(frozen=True)
class LineView:
    """A line for a reader.

    Attributes:
        actions: from the start, chance outcomes included.
        fork: how many of them it shares with the line it left; 0 for the first line.
        text: the first move or roll of its own, "" where it has none yet.
        moves: how many moves the players have made in it.
        returns: what each player got, None before the end.
        current: whether it is the one on the board.
    """

    actions: Actions
    fork: int
    text: str
    moves: int
    returns: tuple[float, ...] | None
    current: bool


class Lines:
    """Lines that were left, each from the start of the game; the one on the board is the caller's."""

    def __init__(self) -> None:
        self._left: list[Actions] = []

    def leave(self, actions: Actions) -> None:
        """Remembers a line before its table goes back or elsewhere; what is only its beginning is dropped."""
        if actions:
            self._left = list(self.all(actions))
        del self._left[:-MOST]

    def all(self, current: Actions) -> tuple[Actions, ...]:
        """Every line there is, the oldest first; ``current`` where it is not the beginning of another."""
        found: list[Actions] = []
        for line in self._left:
            if not is_prefix(line, current):
                found.append(line)
            elif current not in found:  # gone on with: it keeps its place
                found.append(current)
        if not any(is_prefix(current, line) for line in found):
            found.append(current)
        return tuple(found)

    def clear(self) -> None:
        """Forgets all of them."""
        self._left.clear()


def is_prefix(short: Actions, long: Actions) -> bool:
    """Whether ``long`` begins with ``short``, or is the same."""
    return len(short) <= len(long) and long[: len(short)] == short


def shared(one: Actions, other: Actions) -> int:
    """How many actions two lines have in common, from the start."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def view_lines(lines: tuple[Actions, ...], current: Actions, begin: State) -> tuple[LineView, ...]:
    """The lines for a reader; ``begin`` is the position they begin with, which is not changed."""
    found = []
    for number, line in enumerate(lines):
        fork = max((shared(line, other) for other in lines[:number]), default=0)
        state, text, moves = begin.clone(), "", 0
        for ply, action in enumerate(line):
            if ply == fork and number:
                text = action_strings(state)[action]
            moves += state.current_player() >= 0
            state.apply_action(action)
        returns = tuple(state.returns()) if is_over(state) else None
        found.append(LineView(line, fork, text, moves, returns, is_prefix(current, line)))
    on_board = [view.current for view in found]
    if sum(on_board) > 1:  # the position on the board lies before a fork: the oldest line has it
        first = on_board.index(True)
        found = [
            LineView(v.actions, v.fork, v.text, v.moves, v.returns, at == first) for at, v in enumerate(found)
        ]
    return tuple(found)
