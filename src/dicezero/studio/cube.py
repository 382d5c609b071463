"""The doubling cube of a money game at a table: who may double, what was offered, what the game is worth."""

from __future__ import annotations

from dicezero.agents.base import Agent, KnowsChances, roller
from dicezero.agents.cube import MOST_CUBE, TurnedCube, cube_decision
from dicezero.rules.protocol import State
from dicezero.search.cube import CubeDecision

__all__ = ["MOST_CUBE", "MoneyCube"]


class MoneyCube(TurnedCube):
    """A cube in a game for two with dice, and who decides on it; an undo of the game undoes it."""

    def __init__(self, agent: Agent, *, life: float | None = None) -> None:
        """``agent`` decides for its own side; ``life`` None leaves it to the position how live the cube is.

        Raises:
            ValueError: it does not say how a game may end.
        """
        super().__init__()
        if not isinstance(agent, KnowsChances):
            raise ValueError(
                f"{agent.name} does not say how a game may end and knows no cube; "
                "play pretrained, run(path=DIR) of td-lambda or gnubg, or without the cube"
            )
        self._agent, self._life = agent, life

    def decision(self, state: State) -> CubeDecision:
        """What the agent would have both sides do before this roll."""
        assert isinstance(self._agent, KnowsChances)  # noqa: S101 - checked at birth
        return cube_decision(self._agent, state, self.owner_for(roller(state)), life=self._life)
