"""The boards of the NDMZ paper."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dicezero.evaluation.tables import PolicyAgent
from dicezero.evaluation.yardstick import Yardstick
from dicezero.rules import load_game
from dicezero.rules.protocol import Game
from dicezero.solve import Solution, optimal, solve

BOARDS = ("6-3-6", "12-5-6")


@dataclass(frozen=True)
class Board:
    """A size of Nannon: points, checkers and sides of the die, as the paper writes it.

    Attributes:
        name: such as ``6-3-6``.
        buffer_games: games the paper keeps to learn from on this board.
        exact: small enough to search every decision after every round.
    """

    name: str
    buffer_games: int
    exact: bool

    @cached_property
    def game(self) -> Game:
        """The game."""
        points, checkers, sides = self.name.split("-")
        return load_game(f"nannon(points={points},checkers={checkers},sides={sides})")

    @cached_property
    def solution(self) -> Solution:
        """Perfect play, solved once."""
        return solve(self.game)

    @cached_property
    def optimal_agent(self) -> PolicyAgent:
        """Perfect play at the speed of a look."""
        return PolicyAgent("optimal", optimal(self.solution))

    @cached_property
    def perfect_vs_random(self) -> float:
        """What perfect play scores against random play."""
        return Yardstick(self.solution).perfect_vs_random


def get_boards(name: str) -> list[Board]:
    """The board of that name, or both."""
    made = {
        "6-3-6": Board("6-3-6", buffer_games=4000, exact=True),
        "12-5-6": Board("12-5-6", buffer_games=1000, exact=False),
    }
    if name == "both":
        return list(made.values())
    if name not in made:
        raise ValueError(f"board={name!r} is unknown; give {', '.join(made)} or both")
    return [made[name]]
