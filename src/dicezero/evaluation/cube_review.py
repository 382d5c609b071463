"""The doubling cube of a game gone over afterwards: doubles missed and made, takes and passes, their cost.

Money play, whatever was at stake. Losses are in units of the cube as it lay, as GNU Backgammon counts errors,
so that they stand beside those of moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from dicezero.agents import Agent
from dicezero.agents.base import KnowsChances, knowing_chances
from dicezero.agents.cube import TurnedCube, cube_decision
from dicezero.evaluation.luck import Fall, Falls
from dicezero.rules.notation.moves import Double
from dicezero.rules.protocol import State

CubeAction = Literal["no double", "double", "take", "pass"]


@dataclass(frozen=True)
class CubeTurn:
    """What a player did with the cube, and what would have been best.

    Attributes:
        place: of the roll that came next among the game's actions, counted from 0.
        player: who decided.
        played, best: the same where nothing is lost.
        loss: what the best would have brought more, at least 0.
        value: of the best, to who decided.
    """

    place: int
    player: int
    played: CubeAction
    best: CubeAction
    loss: float
    value: float


@dataclass(frozen=True)
class CubeAccount:
    """What one player did with the cube, in one game or in many.

    Attributes:
        decisions: rolls before which it could have doubled, and doubles that it answered.
        loss: of all of them together.
        missed_doubles, wrong_doubles, wrong_takes, wrong_passes: how often each was wrong.
    """

    decisions: int
    loss: float
    missed_doubles: int
    wrong_doubles: int
    wrong_takes: int
    wrong_passes: int


def cube_account(turns: Sequence[CubeTurn]) -> CubeAccount:
    """Of one player's decisions."""

    def wrong(action: CubeAction) -> int:
        return sum(turn.loss > 0.0 and turn.played == action for turn in turns)

    loss = sum(turn.loss for turn in turns)
    return CubeAccount(len(turns), loss, wrong("no double"), wrong("double"), wrong("take"), wrong("pass"))


def check_knows_cube(judge: Agent) -> KnowsChances:
    """The judge, if it can value a cube; else ValueError."""
    knowing = knowing_chances(judge)
    if knowing is None:
        raise ValueError(
            f"{judge.name} does not predict how a game may end and cannot judge a cube; "
            "give --judge pretrained, run(path=DIR) of td-lambda or gnubg"
        )
    return knowing


def review_cube(
    start: State, actions: Sequence[int], doubles: Sequence[Double], judge: KnowsChances
) -> tuple[CubeTurn, ...]:
    """Every decision on the cube of a game, in their order.

    Args:
        start: where it began; it is not changed.
        actions: all of it, outcomes of chance included.
        doubles: how the cube was turned.
        judge: predicts how the game may end.

    Raises:
        ValueError: a double that could not be offered.
    """
    state, cube, turns = start.clone(), TurnedCube(), list[CubeTurn]()
    offered = {double.place: double.taken for double in doubles}
    for place, action in enumerate((*actions, None)):
        player = cube.may_double(state, ply=place)
        if place in offered and player is None:
            raise ValueError(f"nobody may double before action {place + 1} of the game: {state}")
        # A game that breaks off before a roll was not decided on there.
        if player is not None and (action is not None or place in offered):
            truth = cube_decision(judge, state, cube.owner_for(player))
            doubled = min(truth.double_take, truth.double_pass)
            choices: dict[CubeAction, float] = {"no double": truth.no_double, "double": doubled}
            turns.append(_graded(place, player, "double" if place in offered else "no double", choices))
            if place in offered:
                answers: dict[CubeAction, float] = {"take": -truth.double_take, "pass": -truth.double_pass}
                taken = offered[place]
                turns.append(_graded(place, 1 - player, "take" if taken else "pass", answers))
                if taken:
                    cube.take(1 - player, ply=place)
        if action is not None:
            state.apply_action(action)
    return tuple(turns)


def _graded(place: int, player: int, played: CubeAction, values: dict[CubeAction, float]) -> CubeTurn:
    best = max(values, key=lambda action: (values[action], action == played))
    return CubeTurn(place, player, played, best, values[best] - values[played], values[best])


def cube_at(doubles: Sequence[Double], place: int) -> int:
    """What stood on the cube at the action of that place."""
    return 1 << sum(double.taken and double.place <= place for double in doubles)


def money_result(start: State, actions: Sequence[int], doubles: Sequence[Double]) -> float | None:
    """What a money game paid player 0; None where it was not played to its end."""
    state, cube = start.clone(), cube_at(doubles, len(actions))
    for action in actions:
        state.apply_action(action)
    if state.is_terminal():
        return cube * state.returns()[0]
    if doubles and not doubles[-1].taken:
        doubler = TurnedCube().may_double(state, ply=len(actions))
        return None if doubler is None else float(cube if doubler == 0 else -cube)
    return None


def with_cube(falls: Falls, doubles: Sequence[Double]) -> Falls:
    """The luck of each outcome times what stood on the cube: points."""

    def weighted(actions: Sequence[int], start: State | None) -> list[Fall]:
        return [
            replace(fall, luck=cube_at(doubles, fall.place) * fall.luck) for fall in falls(actions, start)
        ]

    return weighted
