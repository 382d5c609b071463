"""The doubling cube of a money game at a table: who may double, who decides on it, who judges that."""

from __future__ import annotations

import logging

from dicezero.agents.base import Agent, KnowsChances, knowing_chances, roller
from dicezero.agents.cube import MOST_CUBE, TurnedCube, cube_decision
from dicezero.rules.protocol import State
from dicezero.search.cube import Chances, CubeDecision

__all__ = ["MOST_CUBE", "CubeJudge", "MoneyCube"]
_REMEMBERED = 10_000  # positions


class MoneyCube(TurnedCube):
    """A cube in a game for two with dice, and who decides on it; an undo of the game undoes it."""

    def __init__(self, agent: Agent, *, life: float | None = None) -> None:
        """``agent`` decides for its own side; ``life`` None leaves it to the position how live the cube is.

        Raises:
            ValueError: it does not predict how a game may end.
        """
        super().__init__()
        self._agent, self._life = check_decides(agent), life

    def decision(self, state: State) -> CubeDecision:
        """What the agent would have both sides do before this roll."""
        return cube_decision(self._agent, state, self.owner_for(roller(state)), life=self._life)


class CubeJudge:
    """Who grades decisions on the cube and gives hints: the first of several agents that answers.

    Its predictions are cached, since a game is graded again after every move.
    """

    def __init__(self, *agents: Agent) -> None:
        """The best first; those that do not predict how a game may end are left out, but the last must."""
        check_decides(agents[-1])
        self._agents = [agent for agent in agents if knowing_chances(agent) is not None]
        self._cache: dict[object, Chances] = {}

    @property
    def name(self) -> str:
        """Who judges, for a reader."""
        agent = self._agents[0]
        return str(getattr(agent, "title", agent.name))

    def chances(self, state: State) -> Chances:
        """See ``KnowsChances``."""
        key = state.key() if hasattr(state, "key") else str(state)
        chances = self._cache.get(key)
        if chances is None:
            chances = self._asked(state)
            if len(self._cache) >= _REMEMBERED:
                self._cache.clear()
            self._cache[key] = chances
        return chances

    def _asked(self, state: State) -> Chances:
        for agent in self._agents[:-1]:
            try:
                return check_decides(agent).chances(state)
            except Exception as error:  # a program may fail in any way; the next one takes over
                logging.getLogger(__name__).warning("%s no longer judges the cube: %s", agent.name, error)
                self._agents = [one for one in self._agents if one is not agent]
        return check_decides(self._agents[-1]).chances(state)


def check_decides(agent: Agent) -> KnowsChances:
    """The agent, if it can decide on a cube; else ValueError."""
    knowing = knowing_chances(agent)
    if knowing is None:
        raise ValueError(
            f"{agent.name} does not predict how a game may end and knows no cube; "
            "play pretrained, run(path=DIR) of td-lambda or gnubg, or without the cube"
        )
    return knowing
