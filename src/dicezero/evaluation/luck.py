"""How much of a result was luck, by a solution's values: a control variate that leaves no bias.

The luck of a roll is the value after it minus the value before it. Before the roll its mean is zero, whoever
plays and however badly, so a result minus the luck of its rolls has the same mean as the result; and the less
the players give away the smaller its variance: two perfect players always score what the game is worth.
"""

from __future__ import annotations

from collections.abc import Sequence

from dicezero.solve import Solution


def luck_of(solution: Solution, actions: Sequence[int]) -> float:
    """The luck of player 0 in a game, in score: what chance gave it beyond its share.

    Args:
        solution: of the game; its values are those of perfect play.
        actions: every action from the start, chance outcomes included.
    """
    state = solution.game.new_initial_state()
    total = 0.0
    for action in actions:
        if state.is_chance_node():
            before = solution.first_player_value(state)
            state.apply_action(action)
            total += solution.first_player_value(state) - before
        else:
            state.apply_action(action)
    return total / 2
