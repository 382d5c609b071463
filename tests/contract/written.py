"""Games as strangers write them: files of plain Python, and an environment."""

from __future__ import annotations

# A half for sure, or a gamble: 3 with probability 0.4, else -1, which is 0.6 on average, so gambling is
# right. Clipped to [-1, 1] it would look like -0.2, and whoever learns so takes the half.
GAMBLE = '''
"""One decision: take a half for sure, or gamble for three."""

from dataclasses import dataclass

WORTH = {"taken": 0.5, "won": 3.0, "lost": -1.0}


@dataclass(frozen=True)
class Gamble:
    """Player 0 decides what player 1 pays; player 1 has to agree."""

    def new_initial_state(self):
        return GambleState()

    def num_distinct_actions(self):
        return 2

    def max_chance_outcomes(self):
        return 2

    def num_players(self):
        return 2

    def observation_tensor_shape(self):
        return [2]
BOUNDS

@dataclass
class GambleState:
    what: str = ""
    agreed: bool = False

    def current_player(self):
        return -4 if self.agreed else {"": 0, "rolling": -1}.get(self.what, 1)

    def is_terminal(self):
        return self.agreed

    def is_chance_node(self):
        return self.what == "rolling"

    def legal_actions(self):
        return [] if self.agreed else [0, 1] if self.what in ("", "rolling") else [0]

    def chance_outcomes(self):
        return [(0, 0.6), (1, 0.4)]

    def apply_action(self, action):
        if self.what == "":
            self.what = ("taken", "rolling")[action]
        elif self.what == "rolling":
            self.what = ("lost", "won")[action]
        else:
            self.agreed = True

    def clone(self):
        return GambleState(self.what, self.agreed)

    def returns(self):
        paid = WORTH[self.what] if self.agreed else 0.0
        return [paid, -paid]

    def observation_tensor(self, player):
        return [float(self.what == ""), WORTH.get(self.what, 0.0)]

    def action_to_string(self, player, action):
        if player == -1:
            return ("lose", "win")[action]
        return ("take", "gamble")[action] if self.what == "" else "agree"

    def __str__(self):
        return f"{self.what or 'start'}{' agreed' * self.agreed}"
'''
BOUNDED_GAMBLE = GAMBLE.replace(
    "BOUNDS",
    "\n    def min_utility(self):\n        return -3.0\n\n    def max_utility(self):\n        return 3.0\n",
)
UNBOUNDED_GAMBLE = GAMBLE.replace("BOUNDS", "")

TWICE = '''
"""A heap of sticks: take one and move again, once a turn, or take two; the last stick wins."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Twice:
    sticks: int = 5

    def new_initial_state(self):
        return TwiceState(self.sticks)

    def num_distinct_actions(self):
        return 2

    def max_chance_outcomes(self):
        return 0

    def num_players(self):
        return 2

    def min_utility(self):
        return -1.0

    def max_utility(self):
        return 1.0

    def observation_tensor_shape(self):
        return [2]


@dataclass
class TwiceState:
    left: int
    turn: int = 0
    bonus: bool = True
    last: int = 0

    def current_player(self):
        return -4 if self.left == 0 else self.turn

    def is_terminal(self):
        return self.left == 0

    def is_chance_node(self):
        return False

    def legal_actions(self):
        return [] if self.left == 0 else [0] if self.left == 1 else [0, 1]

    def chance_outcomes(self):
        return []

    def apply_action(self, action):
        self.last = self.turn
        self.left -= action + 1
        if action == 0 and self.bonus:
            self.bonus = False
        else:
            self.turn, self.bonus = 1 - self.turn, True

    def clone(self):
        return TwiceState(self.left, self.turn, self.bonus, self.last)

    def returns(self):
        if self.left:
            return [0.0, 0.0]
        return [1.0, -1.0] if self.last == 0 else [-1.0, 1.0]

    def observation_tensor(self, player):
        return [self.left / 5, float(self.bonus)]

    def action_to_string(self, player, action):
        return f"take {action + 1}"

    def __str__(self):
        return f"{self.left} left, {self.turn}, {self.bonus}, {self.last}"
'''

# Wait two steps for 1, or take 0.9 at once: with a discount of 0.9 what is sure is worth more.
CORRIDOR = '''
"""A corridor of three places: leaving at once pays 0.9, walking to the end pays 1."""

import gymnasium
import numpy as np


class Corridor:
    """Actions: 0 leaves, 1 walks on."""

    discount = DISCOUNT

    def __init__(self):
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (3,))
        self.action_space = gymnasium.spaces.Discrete(2)
        self.place = 0

    def reset(self, seed=None):
        self.place = 0
        return self.seen(), {}

    def step(self, action):
        if action == 0:
            return self.seen(), 0.9 if self.place == 0 else 0.0, True, False, {}
        self.place += 1
        done = self.place == 3
        self.place = min(self.place, 2)
        return self.seen(), 1.0 if done else 0.0, done, False, {}

    def seen(self):
        return np.eye(3, dtype=np.float32)[self.place]
'''
