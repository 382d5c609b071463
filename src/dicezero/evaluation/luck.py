"""How much of a result was luck, by a solution's or a network's values: a control variate without bias.

The luck of a roll is the value after it minus the value before it. Before the roll its mean is zero, however
well or badly both play, so a result minus the luck of its rolls has the same mean as the result; and the less
the players give away the smaller its variance: two perfect players always score what the game is worth. Any
values will do, as long as the value before a roll is the mean of those after it: the better, the less luck is
left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dicezero.rules.door import checked_player
from dicezero.rules.protocol import Game, State, is_chance, outcomes_of
from dicezero.rules.spec import GameSpec
from dicezero.selfplay.planners import Planner
from dicezero.selfplay.states import positions_of
from dicezero.solve import Solution


@dataclass(frozen=True)
class Fall:
    """What one chance outcome of a game gave.

    Attributes:
        place: of the outcome among the game's actions, counted from 0.
        luck: of player 0, in returns: the value after it less the value before it.
    """

    place: int
    luck: float


Falls = Callable[[Sequence[int], State | None], list[Fall]]  # (actions, start) to the luck of each outcome
Luck = Callable[[Sequence[int], State | None], float]  # (actions, start) to the luck of player 0, in returns


def luck_of(solution: Solution, actions: Sequence[int], *, start: State | None = None) -> float:
    """The luck of player 0 in a game, in returns: what chance gave it beyond its share.

    Args:
        solution: of the game; its values are those of perfect play.
        actions: every action from the start, chance outcomes included.
        start: where the game began, by default at the game's own start.
    """
    return sum(fall.luck for fall in solved_falls(solution)(actions, start))


def solved_falls(solution: Solution) -> Falls:
    """The luck of each outcome by the values of perfect play."""

    def falls(actions: Sequence[int], start: State | None) -> list[Fall]:
        state = solution.game.new_initial_state() if start is None else start.clone()
        luck = []
        for place, action in enumerate(actions):
            if is_chance(state):
                gained = solution.action_value(state, action) - solution.first_player_value(state)
                luck.append(Fall(place, gained))
            state.apply_action(action)
        return luck

    return falls


def judged_luck(game: Game, spec: GameSpec, planner: Planner, *, scale: float) -> Luck:
    """The luck of a game by a network's values of the positions after every roll that could have come.

    Args:
        game: what is played.
        spec: of it.
        planner: of the network.
        scale: what a value of 1 stands for, in returns.
    """
    falls = judged_falls(game, spec, planner, scale=scale)
    return lambda actions, start: sum(fall.luck for fall in falls(actions, start))


def judged_falls(game: Game, spec: GameSpec, planner: Planner, *, scale: float) -> Falls:
    """The same for each outcome by itself."""

    def falls(actions: Sequence[int], start: State | None) -> list[Fall]:
        # Step 1. Every position after a roll, with its weight: 1 - p for the one that came, else -p.
        state = game.new_initial_state() if start is None else start.clone()
        places: list[int] = []
        weights: list[float] = []
        states: list[State] = []
        for place, action in enumerate(actions):
            if is_chance(state):
                reached = [(outcome, p, _child(state, outcome)) for outcome, p in outcomes_of(state)]
                if not any(is_chance(after) for _, _, after in reached):  # else it counts as no luck
                    weights += [(outcome == action) - p for outcome, p, _ in reached]
                    states += [after for _, _, after in reached]
                    places += [place] * len(reached)
            state.apply_action(action)
        # Step 2. What each is worth to player 0.
        values = np.array([after.returns()[0] if after.is_terminal() else 0.0 for after in states])
        going = [i for i, after in enumerate(states) if not after.is_terminal()]
        if going:
            asked = [states[i] for i in going]
            signs = [1.0 if checked_player(after, spec.players) == 0 else -1.0 for after in asked]
            values[going] = planner.predict(positions_of(game, spec, asked))[1] * np.array(signs) * scale
        # Step 3. Summed for each roll.
        if not places:
            return []
        totals = np.bincount(places, weights=np.array(weights) * values)
        return [Fall(place, float(totals[place])) for place in sorted(set(places))]

    return falls


def _child(state: State, outcome: int) -> State:
    after = state.clone()
    after.apply_action(outcome)
    return after
