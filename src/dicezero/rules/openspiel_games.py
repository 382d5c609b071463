"""Our games as games of OpenSpiel's own: the native state inside a ``pyspiel.State``. Needs ``pyspiel``.

A game has its own name in OpenSpiel where that is free (``nannon``), and else ``dicezero_`` before it
(``dicezero_chess``): OpenSpiel's game of that name stays what it is.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyspiel

from dicezero import _native

PREFIX = "dicezero_"
# OpenSpiel wants finite bounds. A game without a longest line (hits send checkers back) would break this
# promise after a million rolls and moves; one without a greatest return at this score.
MAX_GAME_LENGTH = 1_000_000
MAX_UTILITY = 1e9


def register_all() -> dict[str, str]:
    """Registers every game that is not registered yet; our names to OpenSpiel's."""
    registered: dict[str, str] = {}
    for name, make, parameters in _native.registered_games():
        taken = {t.short_name: t.long_name for t in pyspiel.registered_games()}
        mark = f"{name} (dicezero)"
        ours = [word for word, title in taken.items() if title == mark]
        if not ours:
            ours = [PREFIX + name if name in taken else name]
            _register(ours[0], mark, make, {info[0]: info[1] for info in parameters})
        registered[name] = ours[0]
    return registered


def _register(word: str, title: str, make: Any, defaults: dict[str, Any]) -> None:
    game = make()
    alone, dice = game.num_players() == 1, game.max_chance_outcomes() > 0
    chance, utility, pays = (
        pyspiel.GameType.ChanceMode,
        pyspiel.GameType.Utility,
        pyspiel.GameType.RewardModel,
    )
    game_type = pyspiel.GameType(
        short_name=word,
        long_name=title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if dice else chance.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utility.GENERAL_SUM if alone else utility.ZERO_SUM,
        reward_model=pays.REWARDS if game.pays_on_the_way() else pays.TERMINAL,
        max_num_players=game.num_players(),
        min_num_players=game.num_players(),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults,
    )

    class Registered(SpielGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(game_type, make(**{**defaults, **(params or {})}), params or {})

    pyspiel.register_game(game_type, Registered)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games; ``native`` is the game itself, its parameters checked."""

    def __init__(self, game_type: Any, native: Any, params: dict[str, Any]) -> None:
        self.native = native
        self._length = native.max_game_length() or MAX_GAME_LENGTH
        info = pyspiel.GameInfo(
            num_distinct_actions=native.num_distinct_actions(),
            max_chance_outcomes=native.max_chance_outcomes(),
            num_players=native.num_players(),
            min_utility=max(native.min_utility(), -MAX_UTILITY),
            max_utility=min(native.max_utility(), MAX_UTILITY),
            utility_sum=0.0 if native.num_players() == 2 else None,
            max_game_length=self._length,
        )
        super().__init__(game_type, info, params)

    def new_initial_state(self) -> SpielState:
        """The state before the first move or roll."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """At most every action is an outcome."""
        return self._length if self.native.max_chance_outcomes() else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """The tensor and text of a state; nothing is hidden, so the type asked for makes no difference."""
        del iig_obs_type, params
        return SpielObserver(self.native)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """OpenSpiel's calls, answered by the native state."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.native = game.native.new_initial_state()
        self._paid = [0.0] * game.native.num_players()

    def current_player(self) -> int:
        """0, 1, chance (-1) or terminal (-4)."""
        return int(self.native.current_player())

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.native.legal_actions()) if player == self.native.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) pairs."""
        return list(self.native.chance_outcomes())

    def _apply_action(self, action: int) -> None:
        # OpenSpiel asks at decisions: what a roll pays counts together with the move before it.
        before = self._paid if self.native.is_chance_node() else [0.0] * len(self._paid)
        self.native.apply_action(action)
        self._paid = [a + b for a, b in zip(before, self.native.rewards(), strict=True)]

    def _action_to_string(self, player: int, action: int) -> str:
        # OpenSpiel also asks about actions that are not legal here, which have no name of their own.
        if player == self.native.current_player() and action in self.native.legal_actions():
            return str(self.native.action_to_string(action))
        return f"action {action}"

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.native.is_terminal())

    def returns(self) -> list[float]:
        """One number a player: what was paid so far."""
        return list(self.native.returns())

    def rewards(self) -> list[float]:
        """One number a player: what was paid since the last decision."""
        return list(self._paid)

    def __str__(self) -> str:
        return str(self.native)


class SpielObserver:
    """OpenSpiel's observer: ``tensor`` and ``dict`` are filled by ``set_from``."""

    def __init__(self, native: Any) -> None:
        shape = tuple(native.observation_tensor_shape())
        self.tensor = np.zeros(math.prod(shape), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Writes what ``player`` sees into ``tensor``."""
        self.tensor[:] = np.asarray(state.native.observation_tensor(player)).ravel()

    def string_from(self, state: SpielState, player: int) -> str:
        """What ``player`` sees, as text: everything."""
        del player
        return str(state)
