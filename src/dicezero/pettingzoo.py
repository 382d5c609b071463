"""Our games as PettingZoo environments (AEC), every seat a learner's; needs ``dicezero[pettingzoo]``.

import dicezero.pettingzoo as dz

env = dz.env("nannon")
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    over = terminated or truncated
    env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from dicezero.gymnasium import observation_space
from dicezero.rules import Game
from dicezero.selfplay.stepped import SteppedGame

__all__ = ["GameAEC", "env"]


class GameAEC(AECEnv):  # type: ignore[misc]
    """A game for one or two; agents are ``player_0`` and ``player_1``, dice roll inside ``step``.

    An agent sees ``observation`` (its own view) and ``action_mask`` [actions, int8], all zeros while the
    other one is to move. An illegal action raises ValueError.

    Args:
        game: a name or a game.
        render_mode: ``ansi`` gives the board as text.
    """

    metadata = {  # noqa: RUF012 - PettingZoo's own form
        "render_modes": ["ansi"],
        "is_parallelizable": False,
        "name": "dicezero_v0",
    }

    def __init__(self, game: str | Game, *, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode={render_mode!r} is not offered; give 'ansi' or leave it out")
        self._table = SteppedGame(game)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{i}" for i in range(self._table.spec.players)]
        self.agents: list[str] = []
        seen = observation_space(self._table.observation)
        actions = self._table.spec.actions
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (actions,), np.int8)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The same object every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game, up to the first decision."""
        del options
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._table.begin(self._rng)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._table.mover]

    def step(self, action: int | None) -> None:
        """What the selected agent does; None where its game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        player = self.possible_agents.index(agent)
        mask = self._table.mask(player)
        if action is None or not 0 <= int(action) < len(mask) or not mask[int(action)]:
            legal = np.flatnonzero(mask).tolist()
            raise ValueError(f"action {action} is illegal for {agent}; legal: {legal}")
        self._cumulative_rewards[agent] = 0.0
        paid = self._table.play(int(action))
        self.rewards = {name: float(paid[i]) for i, name in enumerate(self.possible_agents)}
        if self._table.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.possible_agents[1 - player if len(self.possible_agents) == 2 else 0]
        else:
            self.agent_selection = self.possible_agents[self._table.mover]
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """What an agent sees, and which of its actions are legal."""
        player = self.possible_agents.index(agent)
        return {"observation": self._table.frame(player), "action_mask": self._table.mask(player)}

    def render(self) -> str | None:
        """The board as text, where ``render_mode`` is ``ansi``."""
        return self._table.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held."""


def env(game: str | Game, *, render_mode: str | None = None) -> GameAEC:
    """The environment of a game."""
    return GameAEC(game, render_mode=render_mode)
