"""Small games written out as trees, to check signs: a player may move twice running, pass, or roll dice."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MAX_CHILDREN = 3


@dataclass(frozen=True, eq=False)
class Position:
    """One node: a player to move (0, 1), chance (-1) with probabilities, or the end (-4) with a return."""

    player: int
    children: tuple[Position, ...] = ()
    probabilities: tuple[float, ...] = ()
    first_player_return: float = 0.0

    @functools.cache  # noqa: B019
    def solve(self) -> float:
        """The value for player 0 under best play."""
        values = [child.solve() for child in self.children]
        if self.player == -4:
            return self.first_player_return
        if self.player == -1:
            return float(np.dot(self.probabilities, values))
        return max(values) if self.player == 0 else min(values)


def end(value: float) -> Position:
    return Position(-4, first_player_return=value)


def choice(player: int, *children: Position) -> Position:
    return Position(player, children)


def chance(*outcomes: tuple[float, Position]) -> Position:
    return Position(-1, tuple(child for _, child in outcomes), tuple(p for p, _ in outcomes))


class ExplicitGame:
    """What a state says about its game."""

    def num_distinct_actions(self) -> int:
        return MAX_CHILDREN

    def max_chance_outcomes(self) -> int:
        return MAX_CHILDREN

    def num_players(self) -> int:
        return 2


class ExplicitState:
    """A position of a game that is written out, with OpenSpiel's State API."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def get_game(self) -> ExplicitGame:
        return ExplicitGame()

    def current_player(self) -> int:
        return self.position.player

    def is_terminal(self) -> bool:
        return self.position.player == -4

    def is_chance_node(self) -> bool:
        return self.position.player == -1

    def legal_actions(self) -> Sequence[int]:
        return list(range(len(self.position.children)))

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        return list(enumerate(self.position.probabilities))

    def apply_action(self, action: int, /) -> None:
        self.position = self.position.children[action]

    def clone(self) -> ExplicitState:
        return ExplicitState(self.position)

    def child(self, action: int) -> ExplicitState:
        return ExplicitState(self.position.children[action])

    def returns(self) -> Sequence[float]:
        return [self.position.first_player_return, -self.position.first_player_return]

    def action_to_string(self, player: int, action: int, /) -> str:
        return f"{player}:{action}"

    def observation_tensor(self, player: int) -> list[float]:
        """The solved value for ``player``: a network may look at it or not."""
        value = self.position.solve()
        return [value if player == 0 else -value]

    def key(self) -> int:
        return id(self.position)


def random_game(rng: np.random.Generator, depth: int, *, dice: bool, player: int = 0) -> Position:
    """A random tree: whoever moves next is drawn, so turns repeat; one child is a pass."""
    if depth == 0 or (depth < 3 and rng.random() < 0.15):
        return end(float(rng.uniform(-1, 1)))
    count = int(rng.integers(1 if depth < 4 else 2, MAX_CHILDREN + 1))
    following = [
        random_game(rng, depth - 1, dice=dice, player=int(rng.integers(-1 if dice else 0, 2)))
        for _ in range(count)
    ]
    if player == -1:
        weights = rng.dirichlet(np.ones(count))
        return chance(*zip(weights.tolist(), following, strict=True))
    return choice(player, *following)
