"""The doubling cube of a money game at a table: who may double, what was offered, what the game is worth.

The cube stands beside the game: doubling is decided before a roll, and neither rules, networks nor searches
know of it. What is remembered is when it was turned, so that an undo of the game undoes the cube.
"""

from __future__ import annotations

from dataclasses import dataclass

from dicezero.agents.base import Agent, KnowsChances, roller
from dicezero.rules.protocol import State, is_chance
from dicezero.search.cube import CUBE_LIFE, CubeDecision, CubeOwner, decide_cube

MOST_CUBE = 64  # what stands on its last face; beyond it nobody doubles


@dataclass(frozen=True)
class _Turned:
    """The cube from a ply of the game on."""

    ply: int
    value: int
    owner: int | None  # player who may double next; None: both


class MoneyCube:
    """A cube in a game for two with dice."""

    def __init__(self, agent: Agent, *, life: float = CUBE_LIFE) -> None:
        """``agent`` decides for its own side.

        Raises:
            ValueError: it does not say how a game may end.
        """
        if not isinstance(agent, KnowsChances):
            raise ValueError(
                f"{agent.name} does not say how a game may end and knows no cube; "
                "play pretrained, run(path=DIR) of td-lambda or gnubg, or without the cube"
            )
        self._agent, self._life = agent, life
        self._history = [_Turned(0, 1, None)]

    @property
    def value(self) -> int:
        """What stands on it."""
        return self._history[-1].value

    @property
    def owner(self) -> int | None:
        """The player who may double next; None while it is in the centre."""
        return self._history[-1].owner

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

    def decision(self, state: State) -> CubeDecision:
        """What the agent would have both sides do before this roll."""
        player = roller(state)
        owner: CubeOwner = "centre" if self.owner is None else "mover" if self.owner == player else "other"
        assert isinstance(self._agent, KnowsChances)  # noqa: S101 - checked at birth
        return decide_cube(self._agent.chances(state), owner, life=self._life)

    def take(self, player: int, *, ply: int) -> None:
        """``player`` takes a double that was offered before the roll after ``ply`` actions."""
        self._history.append(_Turned(ply, 2 * self.value, player))
