"""More games as strangers write them: long and unbounded, wide, with turns in any order, seen by a camera."""

from __future__ import annotations

QUARRY = '''
"""Dig where you stand or walk on. A quarry of two hundred days; what is found there has no bound."""


class Quarry:
    """One player, rewards on the way that grow with the depth, dice in between, no declared range."""

    def __init__(self, days: int = 200):
        self.days = days

    def new_initial_state(self):
        return QuarryState(self)

    def num_distinct_actions(self):
        return 2

    def max_chance_outcomes(self):
        return 3

    def num_players(self):
        return 1

    def observation_tensor_shape(self):
        return [2]

    def __str__(self):
        return f"quarry(days={self.days})"


class QuarryState:
    def __init__(self, game, day=0, depth=0, digging=False, paid=0.0, last=0.0):
        self.game, self.day, self.depth, self.digging = game, day, depth, digging
        self.paid, self.last = paid, last

    def current_player(self):
        return -4 if self.is_terminal() else -1 if self.digging else 0

    def is_terminal(self):
        return self.day >= self.game.days and not self.digging

    def is_chance_node(self):
        return self.digging

    def legal_actions(self):
        return [] if self.is_terminal() else [0, 1, 2] if self.digging else [0, 1]

    def chance_outcomes(self):
        return [(0, 0.5), (1, 0.4), (2, 0.1)]

    def apply_action(self, action):
        self.last = 0.0
        if self.digging:
            self.last = (-1.0, 2.0, 20.0)[action] * (1 + self.depth) ** 1.5
            self.digging = False
        else:
            self.day += 1
            if action == 0:
                self.digging = True
            else:
                self.depth += 1
        self.paid += self.last

    def clone(self):
        return QuarryState(self.game, self.day, self.depth, self.digging, self.paid, self.last)

    def rewards(self):
        return [self.last]

    def returns(self):
        return [self.paid]

    def observation_tensor(self, player):
        return [self.day / self.game.days, self.depth / self.game.days]

    def action_to_string(self, player, action):
        return ("dust", "stone", "gold")[action] if player < 0 else ("dig", "walk")[action]

    def __str__(self):
        return f"day {self.day}, {self.depth} deep{', digging' * self.digging}"
'''

HALL = '''
"""A hall of three hundred seats: whoever sits closest to the speaker, without a neighbour, wins."""

SEATS = 300


class Hall:
    def new_initial_state(self):
        return HallState()

    def num_distinct_actions(self):
        return SEATS

    def num_players(self):
        return 2

    def observation_tensor_shape(self):
        return [SEATS]

    def min_utility(self):
        return -1.0

    def max_utility(self):
        return 1.0

    def __str__(self):
        return "hall"


class HallState:
    def __init__(self, taken=()):
        self.taken = tuple(taken)

    def current_player(self):
        return -4 if self.is_terminal() else len(self.taken) % 2

    def is_terminal(self):
        return len(self.taken) == 6

    def legal_actions(self):
        return [] if self.is_terminal() else [s for s in range(SEATS) if s not in self.taken]

    def apply_action(self, action):
        self.taken += (action,)

    def clone(self):
        return HallState(self.taken)

    def returns(self):
        if not self.is_terminal():
            return [0.0, 0.0]
        worth = [0.0, 0.0]
        for i, seat in enumerate(self.taken):
            if seat - 1 not in self.taken and seat + 1 not in self.taken:
                worth[i % 2] += 1.0 - abs(seat - 150) / 150
        first = (worth[0] > worth[1]) - (worth[0] < worth[1])
        return [float(first), float(-first)]

    def observation_tensor(self, player):
        seen = [0.0] * SEATS
        for i, seat in enumerate(self.taken):
            seen[seat] = 1.0 if i % 2 == player else -1.0
        return seen

    def action_to_string(self, player, action):
        return f"seat {action}"

    def __str__(self):
        return " ".join(map(str, self.taken)) or "empty"
'''

TIDES = '''
"""Two fishers on one pier. Cast or pass; the tide decides who comes next, and how often."""


class Tides:
    def new_initial_state(self):
        return TidesState()

    def num_distinct_actions(self):
        return 2

    def max_chance_outcomes(self):
        return 4

    def num_players(self):
        return 2

    def observation_tensor_shape(self):
        return [4]

    def discount(self):
        return 0.95

    def __str__(self):
        return "tides"


class TidesState:
    """Moves pay at once, and the tide pays too; a player may come twice or three times running."""

    def __init__(self, turn=0, rounds=0, tide=True, bait=(3, 3), paid=0.0, last=0.0, cast=False):
        self.turn, self.rounds, self.tide, self.bait = turn, rounds, tide, bait
        self.paid, self.last, self.cast = paid, last, cast

    def current_player(self):
        return -4 if self.rounds >= 10 else -1 if self.tide else self.turn

    def is_terminal(self):
        return self.current_player() == -4

    def is_chance_node(self):
        return self.current_player() == -1

    def legal_actions(self):
        player = self.current_player()
        if player == -4:
            return []
        return [0, 1, 2, 3] if player == -1 else [0, 1] if self.bait[self.turn] else [0]

    def chance_outcomes(self):
        return [(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)]

    def apply_action(self, action):
        sign = 1.0 if self.turn == 0 else -1.0
        if self.tide:
            self.last = sign * (0.0, 1.0, 3.0, -2.0)[action] if self.cast else 0.0
            if action in (0, 3):
                self.turn = 1 - self.turn
            self.tide, self.cast = False, False
        else:
            self.last = -0.5 * sign if action else 0.0
            if action:
                bait = list(self.bait)
                bait[self.turn] -= 1
                self.bait = tuple(bait)
            self.cast, self.tide = bool(action), True
            self.rounds += 1
        self.paid += self.last

    def clone(self):
        return TidesState(self.turn, self.rounds, self.tide, self.bait, self.paid, self.last, self.cast)

    def rewards(self):
        return [self.last, -self.last]

    def returns(self):
        return [self.paid, -self.paid]

    def observation_tensor(self, player):
        mine, theirs = self.bait[player], self.bait[1 - player]
        return [self.rounds / 10, float(self.turn == player), mine / 3, theirs / 3]

    def action_to_string(self, player, action):
        return ("ebb", "flood", "spring", "storm")[action] if player < 0 else ("pass", "cast")[action]

    def __str__(self):
        return f"{self.turn} {self.rounds} {self.tide} {self.bait} {self.cast}"
'''

CAMERA = '''
"""A ball in a picture: keep it in the middle. Colour images of 12 x 10, as a camera gives them."""

import gymnasium
import numpy as np


class Camera:
    observation_space = gymnasium.spaces.Box(0, 255, (12, 10, 3), np.uint8)
    action_space = gymnasium.spaces.Discrete(3)

    def reset(self, seed=None):
        self.rng = np.random.default_rng(seed)
        self.place, self.time = int(self.rng.integers(10)), 0
        return self.picture(), {}

    def step(self, action):
        self.place = int(np.clip(self.place + action - 1 + self.rng.integers(-1, 2), 0, 9))
        self.time += 1
        reward = 1.0 if 3 <= self.place <= 6 else -0.1
        return self.picture(), reward, False, self.time >= 20, {}

    def picture(self):
        seen = np.zeros((12, 10, 3), np.uint8)
        seen[6, self.place] = (255, 120, 0)
        return seen


class Continuous(Camera):
    action_space = gymnasium.spaces.Box(-1.0, 1.0, (2,))


class Named(Camera):
    action_space = gymnasium.spaces.Dict(
        {"left": gymnasium.spaces.Discrete(2), "speed": gymnasium.spaces.Box(0, 1, (1,))}
    )
'''
