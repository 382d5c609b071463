"""How a position is to be shown: from whose side, what can be played, what has just changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from dicezero.rules.board import Path
from dicezero.rules.protocol import State


@dataclass(frozen=True)
class Arrow:
    """Points from a cell to a cell, by their names, the broader the nearer ``weight`` is to 1.

    Where both are one cell it is a disc there. ``words`` stand at its end. ``kind`` colours it.
    """

    start: str
    end: str
    weight: float
    words: str = ""
    kind: Literal["search", "hint"] = "search"


@dataclass(frozen=True)
class Cube:
    """A doubling cube: what it shows, whose it is (None: nobody's yet), and what may be answered to it."""

    value: int
    owner: int | None
    answers: tuple[tuple[str, str], ...] = ()  # a word for the program and one for people, each


@dataclass(frozen=True)
class View:
    """Everything about a picture of a position that is not the position."""

    seat: int = 0  # the reader's player
    moves: Mapping[int, str] = field(
        default_factory=dict
    )  # what can be clicked, in the order of the number keys
    before: State | None = None  # the position one action ago: what differs from it is set in motion
    hint: int | None = None  # a move to point out
    names: tuple[str, str] = ("player 1", "player 2")  # of the players
    picked: Path = ()  # the places of a move that have been clicked so far
    arrows: tuple[Arrow, ...] = ()  # a search's favourite moves
    cube: Cube | None = None  # beside the board
    pending: int | None = None  # a legal action that is about to be played: it is shown, not clicked

    def number(self, action: int) -> int:
        """The key of a move: 1 for the first."""
        return list(self.moves).index(action) + 1
