"""Domineering: two players put dominoes on a grid, one upright, one lying; with a board to click."""

from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Domineering:
    """The first player puts dominoes upright on free cells, the second lying; who cannot has lost.

    Click the two cells that the domino is to cover, the upper or left one first.
    """

    size: int = 5

    def new_initial_state(self) -> "Position":
        return Position(self, [-1] * self.size**2)

    def num_distinct_actions(self) -> int:
        return self.size**2  # the upper or left cell of the domino

    def num_players(self) -> int:
        return 2

    def observation_tensor_shape(self) -> list[int]:
        return [2, self.size, self.size]


@dataclass
class Position:
    """Who covers each cell, -1 where nobody does, and whose turn it is."""

    game: Domineering
    cells: list[int] = field(default_factory=list)
    turn: int = 0

    def current_player(self) -> int:
        return -4 if self.is_terminal() else self.turn

    def is_terminal(self) -> bool:
        return not self.legal_actions()

    def other_half(self, cell: int) -> int:
        return cell + (self.game.size if self.turn == 0 else 1)

    def legal_actions(self) -> list[int]:
        size = self.game.size
        inside = range(size * (size - 1)) if self.turn == 0 else (c for c in range(size**2) if (c + 1) % size)
        return [c for c in inside if self.cells[c] < 0 and self.cells[self.other_half(c)] < 0]

    def apply_action(self, action: int) -> None:
        self.cells[action] = self.cells[self.other_half(action)] = self.turn
        self.turn = 1 - self.turn

    def clone(self) -> "Position":
        return replace(self, cells=list(self.cells))

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0, 0.0]
        return [-1.0, 1.0] if self.turn == 0 else [1.0, -1.0]

    def observation_tensor(self, player: int) -> list[float]:
        return [float(owner == who) for who in (player, 1 - player) for owner in self.cells]

    def action_to_string(self, player: int, action: int) -> str:
        row, column = divmod(action, self.game.size)
        return f"{'abcdefghijklmnopqrstuvwxyz'[column]}{self.game.size - row}"

    def __str__(self) -> str:
        size, marks = self.game.size, ["xo."[owner] for owner in self.cells]
        rows = ["".join(marks[row * size : (row + 1) * size]) for row in range(size)]
        return "\n".join([*rows, f"player {self.turn}"])

    def board(self) -> dict[str, object]:
        size = self.game.size
        dominoes = [(cell, owner) for cell, owner in enumerate(self.cells) if owner >= 0]
        covered = {divmod(cell, size): {"colour": f"p{owner}", "shape": "tile"} for cell, owner in dominoes}
        clicks = {a: [divmod(a, size), divmod(self.other_half(a), size)] for a in self.legal_actions()}
        return {"rows": size, "columns": size, "cells": covered, "actions": clicks}
