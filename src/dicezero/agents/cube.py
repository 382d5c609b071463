"""What an agent does with a doubling cube at a position: exactly near the end, else by Janowski's formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from dicezero.agents.base import KnowsChances, roller
from dicezero.rules.games import module_of
from dicezero.rules.notation.moves import Double
from dicezero.rules.protocol import State, is_chance
from dicezero.search.cube import (
    CUBE_LIFE,
    Chances,
    CubeDecision,
    CubeOwner,
    decide_cube,
    exact_decision,
)
from dicezero.solve.bearoff import (
    TwoSidedBearoff,
    TwoSidedCube,
    bearoff_number,
    two_sided_bearoff,
    two_sided_cube,
)

MOST_CUBE = 64  # what stands on its last face; beyond it nobody doubles
_CHECKERS = 6  # of the tables, each side


@dataclass(frozen=True)
class _Turned:
    """The cube from a ply of the game on."""

    ply: int
    value: int
    owner: int | None  # player who may double next; None: both


class TurnedCube:
    """Where the cube of a money game lies, and when it was turned.

    It stands beside the game: neither rules, networks nor searches know of it.
    """

    def __init__(self) -> None:
        self._history = [_Turned(0, 1, None)]

    @property
    def value(self) -> int:
        """What stands on it."""
        return self._history[-1].value

    @property
    def owner(self) -> int | None:
        """The player who may double next; None while it is in the centre."""
        return self._history[-1].owner

    def owner_for(self, player: int) -> CubeOwner:
        """The same as ``player``, who rolls next, sees it."""
        return "centre" if self.owner is None else "mover" if self.owner == player else "other"

    def back_to(self, ply: int) -> None:
        """As it lay when the game had so many actions."""
        while self._history[-1].ply > ply:
            self._history.pop()

    def may_double(self, state: State, *, ply: int) -> int | None:
        """The player who may double now: before a roll, but not before the first nor where it is refused."""
        if ply == 0 or state.is_terminal() or not is_chance(state) or self.value >= MOST_CUBE:
            return None
        player = roller(state)
        return player if self.owner in (None, player) else None

    def take(self, player: int, *, ply: int) -> None:
        """``player`` takes a double that was offered before the roll after ``ply`` actions."""
        self._history.append(_Turned(ply, 2 * self.value, player))


def turned_cube(start: State, actions: Sequence[int], doubles: Sequence[Double]) -> TurnedCube:
    """The cube after a game's actions and doubles.

    Args:
        start: where it began; it is not changed.
        actions: all of it, outcomes of chance included.
        doubles: in their order.

    Raises:
        ValueError: a double that could not be offered.
    """
    cube, state, played = TurnedCube(), start.clone(), 0
    for double in doubles:
        for action in actions[played : double.place]:
            state.apply_action(action)
        played = double.place
        player = cube.may_double(state, ply=played)
        if player is None:
            raise ValueError(f"nobody may double before action {played + 1} of the game: {state}")
        if double.taken:
            cube.take(1 - player, ply=played)
    return cube


def cube_decision(
    agent: KnowsChances, state: State, owner: CubeOwner = "centre", *, life: float | None = None
) -> CubeDecision:
    """Whether the player who rolls next doubles, and whether the other takes, as ``agent`` sees it.

    Args:
        agent: predicts how the game may end; not used where a table of the bear-off has it exactly.
        state: before the roll.
        owner: who may turn the cube, seen from the player who rolls.
        life: how live the cube is; None leaves that to the position.
    """
    if life is None:
        exact = _exact(state, owner)
        if exact is not None:
            return exact
        life = cube_life(state)
    return decide_cube(agent.chances(state), owner, life=life)


def cube_life(state: State) -> float:
    """How live a cube is before a roll, by the state's game; `CUBE_LIFE` where that has none."""
    own = getattr(module_of(state), "cube_life", None)
    return CUBE_LIFE if own is None else float(own(state))


def _exact(state: State, owner: CubeOwner) -> CubeDecision | None:
    """By the tables of both sides' bear-off; None where the position is not in them."""
    sides_of = getattr(module_of(state), "bearoff_sides", None)
    sides = None if sides_of is None else sides_of(state, most=_CHECKERS)
    if sides is None:
        return None
    cubeless, cube = _tables()
    at = bearoff_number(sides[0]), bearoff_number(sides[1])
    chances = Chances(0.5 + 0.5 * float(cubeless.equity[at]), 1.0, 1.0)
    stays: dict[CubeOwner, float] = {
        "centre": float(cube.centre[at]),
        "mover": float(cube.own[at]),
        "other": float(cube.others[at]),
    }
    return exact_decision(chances, owner, stays=stays)


@cache
def _tables() -> tuple[TwoSidedBearoff, TwoSidedCube]:
    return two_sided_bearoff(_CHECKERS), two_sided_cube(_CHECKERS)
