"""Slow twins on the public State API: value iteration over a dict, and a dense linear system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np


def find_states(game) -> dict:
    """Every reachable state, by what it prints and who acts."""
    root = game.new_initial_state()
    found = {plain_key(root): root}
    frontier = [root]
    while frontier:
        state = frontier.pop()
        for action in state.legal_actions():
            child = state.clone()
            child.apply_action(action)
            if plain_key(child) not in found:
                found[plain_key(child)] = child
                frontier.append(child)
    return found


def plain_key(state) -> str:
    return f"{state.current_player()}|{state}"


def successors(state) -> list[tuple[int, str]]:
    result = []
    for action in state.legal_actions():
        child = state.clone()
        child.apply_action(action)
        result.append((action, plain_key(child)))
    return result


def pays_on_the_way(game) -> bool:
    if hasattr(game, "get_type"):  # OpenSpiel's
        return game.get_type().reward_model.name == "REWARDS"
    return hasattr(game.new_initial_state(), "rewards") and not hasattr(game, "short_name")


def payment(game, before, after) -> float:
    """What a step paid player 0; OpenSpiel's rewards() are those of the last decision, before chance."""
    return after.returns()[0] - before.returns()[0] if hasattr(game, "get_type") else after.rewards()[0]


def plain_values(game, tolerance: float = 1e-13, policies=None) -> dict[str, float]:
    """Player 0's value of every state by plain value iteration; with policies, of play by them.

    Straight from the definition: a state has one worth as the start, and another once a decision has been
    made, which discounts everything from its own decision on.
    """
    gamma = game.discount() if callable(getattr(game, "discount", None)) else 1.0
    states, paying = find_states(game), pays_on_the_way(game)
    moves = {}
    for key, state in states.items():
        moves[key] = []
        for action in state.legal_actions():
            child = state.clone()
            child.apply_action(action)
            moves[key].append((action, plain_key(child), payment(game, state, child) if paying else 0.0))
    weights = {}
    for key, state in states.items():
        if state.is_chance_node():
            weights[key] = dict(state.chance_outcomes())
        elif policies and not state.is_terminal():
            weights[key] = policies[state.current_player()](state)
    # Found last, worked out first: ends of the game lie deep, and sweeps in place carry them up.
    players = {key: states[key].current_player() for key in reversed(states)}
    ends = {k: s.returns()[0] for k, s in states.items() if s.is_terminal() and not paying}
    fresh = {key: ends.get(key, 0.0) for key in states}
    later = fresh if gamma == 1.0 else dict(fresh)
    change = 1.0
    while change > tolerance:
        change = 0.0
        for key, player in players.items():
            if player == -4:
                continue
            for worth, is_later in ((fresh, False), (later, True))[: 1 if later is fresh else 2]:
                # After this node a decision has been made, unless this is chance at the start.
                after = later if player >= 0 or is_later else fresh
                ways = {action: reward + after[child] for action, child, reward in moves[key]}
                if key in weights:
                    new = sum(weights[key].get(action, 0.0) * way for action, way in ways.items())
                else:
                    new = (max if player == 0 else min)(ways.values())
                new *= gamma if is_later and player >= 0 else 1.0
                change = max(change, abs(new - worth[key]))
                worth[key] = new
    return fresh


def dense_evaluation(game, policies: tuple[Callable[..., Mapping[int, float]], ...]) -> tuple[float, float]:
    """Player 0's value of a game that pays at its end, and the expected number of choices, by numpy."""
    states = find_states(game)
    numbers = {key: i for i, key in enumerate(states)}
    system = np.eye(len(states))
    right = np.zeros((len(states), 2))
    for key, state in states.items():
        i = numbers[key]
        if state.is_terminal():
            right[i, 0] = state.returns()[0]
            continue
        player = state.current_player()
        weights = dict(state.chance_outcomes()) if player == -1 else policies[player](state)
        right[i, 1] = player >= 0
        for action, child in successors(state):
            system[i, numbers[child]] -= weights.get(action, 0.0)
    value, turns = np.linalg.solve(system, right)[0]
    return float(value), float(turns)


def even(state) -> dict[int, float]:
    legal = state.legal_actions()
    return dict.fromkeys(legal, 1 / len(legal))


@dataclass(frozen=True)
class Climb:
    """Two players climb in turn: step (half the time a step, else nothing) or push the other one down.

    Positions repeat, players may move twice running (a six), and the shapes of the tensors are odd.
    """

    top: int = 3

    def __str__(self) -> str:
        return f"climb(top={self.top})"

    def new_initial_state(self) -> ClimbState:
        return ClimbState(self.top, [0, 0], 0, None)

    def num_distinct_actions(self) -> int:
        return 2

    def max_chance_outcomes(self) -> int:
        return 3

    def num_players(self) -> int:
        return 2

    def observation_tensor_shape(self) -> list[int]:
        return [3]


@dataclass
class ClimbState:
    top: int
    heights: list[int]
    turn: int
    trying: int | None  # the action that waits for the die

    def current_player(self) -> int:
        return -4 if self.is_terminal() else -1 if self.trying is not None else self.turn

    def is_terminal(self) -> bool:
        return max(self.heights) >= self.top

    def is_chance_node(self) -> bool:
        return not self.is_terminal() and self.trying is not None

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [0, 1, 2] if self.trying is not None else [0, 1]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(0, 0.5), (1, 0.3), (2, 0.2)]

    def apply_action(self, action: int) -> None:
        if self.trying is None:
            self.trying = action
            return
        if action > 0 and self.trying == 0:
            self.heights[self.turn] += 1
        elif action > 0:
            self.heights[1 - self.turn] = max(0, self.heights[1 - self.turn] - 2)
        if action < 2:
            self.turn = 1 - self.turn
        self.trying = None

    def clone(self) -> ClimbState:
        return ClimbState(self.top, list(self.heights), self.turn, self.trying)

    def returns(self) -> list[float]:
        won = [height >= self.top for height in self.heights]
        return [float(won[0]) - float(won[1]), float(won[1]) - float(won[0])]

    def observation_tensor(self, player: int) -> list[float]:
        return [float(self.heights[player]), float(self.heights[1 - player]), float(self.turn == player)]

    def action_to_string(self, player: int, action: int) -> str:
        return f"{'outcome' if player < 0 else 'action'} {action}"

    def __str__(self) -> str:
        return f"{self.heights} {self.turn} {self.trying}"
