"""One game as it was played: what replay keeps and training learns from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dicezero.rules.protocol import Game

CHANCE, TERMINAL = -1, -4  # actors beside the players 0 and 1


@dataclass(frozen=True)
class ActionSet:
    """The unified actions of a game: players' actions, then chance outcomes, then no-op, then end.

    No-op is what whoever is not to act does; end is what happens once the game is over.
    """

    choices: int
    outcomes: int

    @staticmethod
    def of(game: Game) -> ActionSet:
        """Those of ``game``."""
        return ActionSet(game.num_distinct_actions(), game.max_chance_outcomes())

    @property
    def no_op(self) -> int:
        """The id of no-op."""
        return self.choices + self.outcomes

    @property
    def end(self) -> int:
        """The id of end."""
        return self.choices + self.outcomes + 1

    @property
    def size(self) -> int:
        """How many there are, A."""
        return self.choices + self.outcomes + 2


@dataclass(frozen=True, eq=False)
class GameRecord:
    """The T steps of one game, chance's and the final one (actor TERMINAL, action end) included.

    C is the number of players' actions. Observation, legal, policy and value are zero where no player acts.
    """

    observation: npt.NDArray[np.float32]  # [T, O], in the view of the player to move
    actor: npt.NDArray[np.int8]  # [T], 0, 1, CHANCE or TERMINAL
    action: npt.NDArray[np.int16]  # [T], unified id of what was done
    legal: npt.NDArray[np.bool_]  # [T, C]
    policy: npt.NDArray[np.float32]  # [T, C], what the search recommends
    value: npt.NDArray[np.float32]  # [T], of the search's root, for the player to move
    outcome: npt.NDArray[np.float32]  # [T], how the game ended, for player 0, in [-1, 1]

    def __len__(self) -> int:
        return len(self.actor)


FIELDS = ("observation", "actor", "action", "legal", "policy", "value", "outcome")
