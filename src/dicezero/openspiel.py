"""Our games and agents for OpenSpiel. Importing this registers the games; it needs ``dicezero[openspiel]``.

import pyspiel
import dicezero.openspiel as dz

game = pyspiel.load_game("nannon(points=6)")           # ours; GAMES has all the names
bot = dz.make_bot("uct(simulations=100)", game, seed=1)  # one of our agents, for any OpenSpiel game
"""

from __future__ import annotations

from typing import Any

import pyspiel

from dicezero.agents import make_agent
from dicezero.agents.base import Agent, uninterrupted
from dicezero.rules import load_game, register_with_pyspiel
from dicezero.rules.openspiel_games import SpielGame
from dicezero.selfplay.seeds import address_seed

__all__ = ["GAMES", "AgentBot", "make_bot"]

GAMES: dict[str, str] = register_with_pyspiel()
"""Our games' names, with the names they have in OpenSpiel."""


class AgentBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our agents as a bot. It keeps nothing between moves: every step looks at the state it is given.

    Args:
        agent: who chooses.
        native: whether states are to be unwrapped: the game is one of ours, registered with OpenSpiel.
        seed: of the agent; a move's own seed is made from it and the number of actions before the move.
    """

    def __init__(self, agent: Agent, *, native: bool, seed: int = 0) -> None:
        super().__init__()
        self.agent = agent
        self._native, self._seed = native, seed

    def step(self, state: Any) -> int:
        """The action that the agent plays at ``state``, a choice node."""
        place = len(state.history())
        position = state.native.clone() if self._native else state.clone()
        return int(uninterrupted(self.agent.search(position, seed=address_seed(self._seed, place))).action)

    def restart(self) -> None:
        """A new game: nothing is kept of the old one."""

    def restart_at(self, state: Any) -> None:
        """A new game from ``state``: nothing is kept of the old one."""

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """What another player did stands in the state."""


def make_bot(agent: str, game: Any, *, seed: int = 0) -> AgentBot:
    """The agent of that name as a bot, for the player to move.

    Args:
        agent: such as ``"alphabeta(depth=6)"``, ``"uct(simulations=1000)"`` or ``"run(path=DIR)"``.
        game: a ``pyspiel.Game`` of perfect information for one or two; ours, or OpenSpiel's.
        seed: the same seed plays the same game.

    Raises:
        GameError: a trait of the game does not fit; the message names it.
        AgentError: there is no such agent, or it does not fit the game.
    """
    native = isinstance(game, SpielGame)
    return AgentBot(make_agent(agent, load_game(game.native if native else game)), native=native, seed=seed)
