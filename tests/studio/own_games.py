"""Games of somebody's own as files, for tests: none is in the package."""

from __future__ import annotations

DICE = '''
"""Kept or given: a race with one die."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Race:
    """Run to the goal. Keep the roll to run that far, or give it away and the other side runs one step.

    Whoever is past the goal first wins.
    """

    goal: int = 6
    sides: int = 3

    def new_initial_state(self):
        return Place(self)

    def num_distinct_actions(self):
        return 2

    def max_chance_outcomes(self):
        return self.sides

    def num_players(self):
        return 2

    def observation_tensor_shape(self):
        return [3 + self.sides]


class Place:
    def __init__(self, game, at=(0, 0), turn=0, roll=0):
        self.game, self.at, self.turn, self.roll = game, tuple(at), turn, roll

    def current_player(self):
        return -4 if self.is_terminal() else self.turn if self.roll else -1

    def is_terminal(self):
        return max(self.at) >= self.game.goal

    def is_chance_node(self):
        return self.current_player() == -1

    def legal_actions(self):
        return [] if self.is_terminal() else [0, 1] if self.roll else list(range(self.game.sides))

    def chance_outcomes(self):
        return [(i, 1 / self.game.sides) for i in range(self.game.sides)]

    def apply_action(self, action):
        if not self.roll:
            self.roll = action + 1
            return
        at = list(self.at)
        at[self.turn if action == 0 else 1 - self.turn] += self.roll if action == 0 else 1
        self.at, self.roll, self.turn = tuple(at), 0, 1 - self.turn

    def clone(self):
        return Place(self.game, self.at, self.turn, self.roll)

    def returns(self):
        won = [place >= self.game.goal for place in self.at]
        return [float(won[0] - won[1]), float(won[1] - won[0])]

    def action_to_string(self, player, action):
        return f"roll {action + 1}" if player == -1 else ("keep", "give")[action]

    def observation_tensor(self, player):
        places = [self.at[player] / self.game.goal, self.at[1 - player] / self.game.goal]
        return places + [float(self.roll == i) for i in range(self.game.sides + 1)]

    def to_svg(self):
        colours = ("coral", "royalblue")
        discs = "".join(
            f'<circle cx="{20 + 30 * place}" cy="{25 + 40 * player}" r="12" fill="{colours[player]}"/>'
            for player, place in enumerate(self.at)
        )
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="90">{discs}</svg>'

    def __str__(self):
        return f"{self.at[0]} : {self.at[1]}, player {self.turn} with {self.roll}"
'''

GRID = '''
"""Blocks: take a free cell that touches none of your own by its side; whoever cannot has lost."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Blocks:
    size: int = 3

    def new_initial_state(self):
        return Position(self, [-1] * self.size**2, 0)

    def num_distinct_actions(self):
        return self.size**2

    def num_players(self):
        return 2

    def observation_tensor_shape(self):
        return [2, self.size, self.size]


class Position:
    def __init__(self, game, cells, turn):
        self.game, self.cells, self.turn = game, cells, turn

    def current_player(self):
        return self.turn if self.legal_actions() else -4

    def is_terminal(self):
        return not self.legal_actions()

    def _beside(self, cell):
        size = self.game.size
        row, column = divmod(cell, size)
        for y, x in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= y < size and 0 <= x < size:
                yield y * size + x

    def legal_actions(self):
        free = [cell for cell, owner in enumerate(self.cells) if owner < 0]
        return [cell for cell in free if all(self.cells[near] != self.turn for near in self._beside(cell))]

    def apply_action(self, action):
        self.cells = [self.turn if cell == action else owner for cell, owner in enumerate(self.cells)]
        self.turn = 1 - self.turn

    def clone(self):
        return Position(self.game, list(self.cells), self.turn)

    def returns(self):
        if not self.is_terminal():
            return [0.0, 0.0]
        return [1.0, -1.0] if self.turn == 1 else [-1.0, 1.0]

    def action_to_string(self, player, action):
        row, column = divmod(action, self.game.size)
        return f"{'abcdefgh'[column]}{row + 1}"

    def observation_tensor(self, player):
        return [float(owner == who) for who in (player, 1 - player) for owner in self.cells]

    def board(self):
        size = self.game.size
        owned = [(cell, owner) for cell, owner in enumerate(self.cells) if owner >= 0]
        taken = {divmod(cell, size): {"colour": f"p{owner}"} for cell, owner in owned}
        clicks = {action: divmod(action, size) for action in self.legal_actions()}
        return {"rows": size, "columns": size, "cells": taken, "actions": clicks}

    def __str__(self):
        return "".join("xo."[owner] for owner in self.cells) + f" player {self.turn}"
'''

PUZZLE = '''
"""Coins: a puzzle for one."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Coins:
    """Walk over the stones from left to right, one or two at a time, and keep the coin you step on.

    The walk ends past the last stone; a step of two costs one coin.
    """

    stones: int = 6

    def new_initial_state(self):
        return Walk(self)

    def num_distinct_actions(self):
        return 2

    def num_players(self):
        return 1

    def observation_tensor_shape(self):
        return [self.stones + 1]


class Walk:
    def __init__(self, game, at=0, got=0, last=0):
        self.game, self.at, self.got, self.last = game, at, got, last

    def coin(self, stone):
        return (3 * stone) % 5 if stone < self.game.stones else 0

    def current_player(self):
        return -4 if self.is_terminal() else 0

    def is_terminal(self):
        return self.at >= self.game.stones

    def legal_actions(self):
        return [] if self.is_terminal() else [0, 1]

    def apply_action(self, action):
        self.at += action + 1
        self.last = self.coin(self.at) - action
        self.got += self.last

    def rewards(self):
        return [float(self.last)]

    def returns(self):
        return [float(self.got)]

    def clone(self):
        return Walk(self.game, self.at, self.got, self.last)

    def action_to_string(self, player, action):
        return ("step", "jump")[action]

    def observation_tensor(self, player):
        return [float(self.at == stone) for stone in range(self.game.stones + 1)]

    def __str__(self):
        row = " ".join("*" if i == self.at else str(self.coin(i)) for i in range(self.game.stones))
        return f"{row}   coins {self.got}"
'''
