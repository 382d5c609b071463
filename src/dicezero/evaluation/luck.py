"""How much of a result was luck, by a solution's values: a control variate that leaves no bias.

The luck of a roll is the value after it minus the value before it. Before the roll its mean is zero, whoever
plays and however badly, so a result minus the luck of its rolls has the same mean as the result; and the less
the players give away the smaller its variance: two perfect players always score what the game is worth.
"""

from __future__ import annotations

from collections.abc import Sequence

from dicezero.rules.protocol import State
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
