"""How much of a result was luck, by a solution's or a network's values: a control variate without bias.

The luck of a roll is the value after it minus the value before it. Before the roll its mean is zero, whoever
plays and however badly, so a result minus the luck of its rolls has the same mean as the result; and the less
the players give away the smaller its variance: two perfect players always score what the game is worth. Any
values will do, as long as the value before a roll is the mean of those after it: the better, the less luck is
left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from dicezero.rules.door import checked_player
from dicezero.rules.protocol import Game, State
from dicezero.rules.spec import GameSpec
from dicezero.selfplay.planners import Planner
from dicezero.selfplay.states import positions_of
from dicezero.solve import Solution


def luck_of(solution: Solution, actions: Sequence[int], *, start: State | None = None) -> float:
    """The luck of player 0 in a game, in returns: what chance gave it beyond its share.

    Args:
        solution: of the game; its values are those of perfect play.
        actions: every action from the start, chance outcomes included.
        start: where the game began, by default at the game's own start.
    """
    state = solution.game.new_initial_state() if start is None else start.clone()
    total = 0.0
    for action in actions:
        if state.is_chance_node():
            total += solution.action_value(state, action) - solution.first_player_value(state)
        state.apply_action(action)
    return total


Luck = Callable[[Sequence[int], State | None], float]  # (actions, start) to the luck of player 0, in returns


def judged_luck(game: Game, spec: GameSpec, planner: Planner, *, scale: float) -> Luck:
    """The luck of a game by what a network says of the positions after every roll that could have come.

    Args:
        game: what is played.
        spec: of it.
        planner: of the network.
        scale: what a value of 1 stands for, in returns.
    """

    def luck(actions: Sequence[int], start: State | None) -> float:
        # Step 1. Every position after a roll, with its weight: 1 - p for the one that came, else -p.
        state = game.new_initial_state() if start is None else start.clone()
        weights: list[float] = []
        states: list[State] = []
        for action in actions:
            if state.is_chance_node():
                reached = [(outcome, p, _child(state, outcome)) for outcome, p in state.chance_outcomes()]
                if not any(after.is_chance_node() for _, _, after in reached):  # else it counts as no luck
                    weights += [(outcome == action) - p for outcome, p, _ in reached]
                    states += [after for _, _, after in reached]
            state.apply_action(action)
        # Step 2. What each is worth to player 0.
        values = np.array([after.returns()[0] if after.is_terminal() else 0.0 for after in states])
        going = [i for i, after in enumerate(states) if not after.is_terminal()]
        if going:
            asked = [states[i] for i in going]
            signs = [1.0 if checked_player(after, spec.players) == 0 else -1.0 for after in asked]
            values[going] = planner.predict(positions_of(game, spec, asked))[1] * np.array(signs) * scale
        return float(np.dot(weights, values)) if states else 0.0

    return luck


def _child(state: State, outcome: int) -> State:
    after = state.clone()
    after.apply_action(outcome)
    return after
