"""A game played step by step for other learners: chance acts by itself, rewards are what was paid."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero.rules import Game, GameError, State, load_game, spec_of
from dicezero.rules.door import checked_frame, checked_legal_actions, checked_outcomes, checked_rewards
from dicezero.rules.protocol import is_chance
from dicezero.rules.reading import board
from dicezero.rules.spec import ObservationSpec


class SteppedGame:
    """The position of one game and what is paid; Gymnasium's and PettingZoo's wrappers stand on it.

    Raises:
        GameError: the game has no observations, or cannot be set back to its start.
    """

    def __init__(self, game: str | Game) -> None:
        self.game = load_game(game)
        self.spec = spec_of(self.game)
        if self.spec.simulator != "states":
            raise GameError(f"{self.spec.name} is an environment already; use it as it is")
        if self.spec.observation is None:
            raise GameError(
                f"{self.spec.name} has no observation_tensor(); add it and observation_tensor_shape()"
            )
        self.observation: ObservationSpec = self.spec.observation
        self.state: State = self.game.new_initial_state()
        self._rng = np.random.default_rng(0)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.is_terminal()

    @property
    def mover(self) -> int:
        """Who is to move; only while the game goes on."""
        return int(self.state.current_player())

    @property
    def least(self) -> float:
        """What somebody gets who breaks the rules: the least return there is, -1 where nobody knows."""
        low = self.spec.returns[0]
        return low if np.isfinite(low) else -1.0

    def begin(self, rng: np.random.Generator) -> None:
        """A new game, up to the first decision; ``rng`` rolls the dice."""
        self._rng = rng
        self.state = self.game.new_initial_state()
        self._roll()

    def play(self, action: int) -> npt.NDArray[np.float64]:
        """[players], what is paid from a legal action to the next decision, rolls included."""
        self.state.apply_action(int(action))
        return self._paid() + self._roll()

    def frame(self, player: int) -> npt.NDArray[Any]:
        """What ``player`` sees, of the shape and type in the game's spec."""
        return checked_frame(self.state, player, self.observation.shape, self.observation.dtype)

    def mask(self, player: int) -> npt.NDArray[np.int8]:
        """[actions], 1 for what ``player`` may do: nothing while it is not to move."""
        mask = np.zeros(self.spec.actions, np.int8)
        if not self.over and self.mover == player:
            mask[checked_legal_actions(self.state, self.spec.actions)] = 1
        return mask

    def text(self) -> str:
        """The position for a reader."""
        return board(self.state)

    def _paid(self) -> npt.NDArray[np.float64]:
        return np.asarray(checked_rewards(self.state, self.spec.players), np.float64)

    def _roll(self) -> npt.NDArray[np.float64]:
        """Rolls until somebody is to move or the game is over; [players], what that paid."""
        paid = np.zeros(self.spec.players)
        while not self.over and is_chance(self.state):
            outcomes = checked_outcomes(self.state, self.spec.outcomes)
            place = self._rng.choice(len(outcomes), p=_normalised([p for _, p in outcomes]))
            self.state.apply_action(int(outcomes[place][0]))
            paid += self._paid()
        return paid


def _normalised(weights: list[float]) -> npt.NDArray[np.float64]:
    probabilities: npt.NDArray[np.float64] = np.array(weights, np.float64)
    probabilities /= probabilities.sum()
    return probabilities
