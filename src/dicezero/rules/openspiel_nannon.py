"""Nannon as a game of OpenSpiel's own: the native state inside a ``pyspiel.State``. Needs ``pyspiel``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from dicezero import _native

# OpenSpiel wants a finite bound, Nannon has none (hits send checkers back). Random games of the default size
# have about 26 rolls and moves. One of a million would break this promise to OpenSpiel, not the rules.
MAX_GAME_LENGTH = 1_000_000

_TYPE = pyspiel.GameType(
    short_name="nannon",
    long_name="Nannon",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"points": 6, "checkers": 3, "sides": 6},
)


class NannonGame(pyspiel.Game):  # type: ignore[misc]
    """The parameters, checked by the native game."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        values = {"points": 6, "checkers": 3, "sides": 6, **(params or {})}
        self.native = _native.Nannon(**values)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.native.num_distinct_actions(),
            max_chance_outcomes=self.native.max_chance_outcomes(),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAX_GAME_LENGTH,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> NannonState:
        """The state before the opening roll."""
        return NannonState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Every other action is a roll."""
        return MAX_GAME_LENGTH // 2

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: dict[str, Any] | None = None,
    ) -> NannonObserver:
        """The tensor and text of a state; nothing is hidden, so the type asked for makes no difference."""
        del iig_obs_type, params
        return NannonObserver(self.native)


class NannonState(pyspiel.State):  # type: ignore[misc]
    """OpenSpiel's calls, answered by the native state."""

    def __init__(self, game: NannonGame) -> None:
        super().__init__(game)
        self.native = game.native.new_initial_state()

    def current_player(self) -> int:
        """0, 1, chance (-1) or terminal (-4)."""
        return self.native.current_player()

    def _legal_actions(self, player: int) -> list[int]:
        return self.native.legal_actions() if player == self.native.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) of the die; outcome i is the roll i+1."""
        return self.native.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.native.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        # OpenSpiel also asks about actions that are not legal here, which have no name of their own.
        if player == self.native.current_player() and action in self.native.legal_actions():
            return self.native.action_to_string(action)
        return f"action {action}"

    def is_terminal(self) -> bool:
        """Whether one side has all its checkers at safety."""
        return self.native.is_terminal()

    def returns(self) -> list[float]:
        """+1 and -1 at the end, zeros before."""
        return self.native.returns()

    def __str__(self) -> str:
        return str(self.native)


class NannonObserver:
    """OpenSpiel's observer: ``tensor`` and ``dict`` are filled by ``set_from``."""

    def __init__(self, native: _native.Nannon) -> None:
        (size,) = native.observation_tensor_shape()
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: NannonState, player: int) -> None:
        """Writes what ``player`` sees into ``tensor``."""
        self.tensor[:] = state.native.observation_tensor(player)

    def string_from(self, state: NannonState, player: int) -> str:
        """What ``player`` sees, as text: everything."""
        del player
        return str(state)


def register() -> None:
    """Adds ``nannon`` to OpenSpiel's games; once."""
    pyspiel.register_game(_TYPE, NannonGame)
