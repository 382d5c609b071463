"""Tiny games, each with a trait that matters to measuring."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Stakes:
    """Player 0 takes 1 for sure (action 0) or gambles (action 1) for 3 or -1; then player 1 does."""

    win: float = 0.75  # how often a gamble wins

    def new_initial_state(self) -> StakesState:
        return StakesState(self)

    def num_distinct_actions(self) -> int:
        return 2

    def max_chance_outcomes(self) -> int:
        return 2

    def num_players(self) -> int:
        return 2

    def min_utility(self) -> float:
        return -4.0

    def max_utility(self) -> float:
        return 4.0

    def observation_tensor_shape(self) -> list[int]:
        return [2]

    def __str__(self) -> str:
        return f"stakes(win={self.win})"


@dataclass
class StakesState:
    game: Stakes
    won: list[float] = field(default_factory=list)
    gambling: bool = False

    def current_player(self) -> int:
        return -4 if self.is_terminal() else -1 if self.gambling else len(self.won)

    def is_terminal(self) -> bool:
        return len(self.won) == 2

    def is_chance_node(self) -> bool:
        return self.gambling

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [0, 1]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(0, 1.0 - self.game.win), (1, self.game.win)]

    def apply_action(self, action: int) -> None:
        if self.gambling:
            self.won.append(3.0 if action else -1.0)
            self.gambling = False
        elif action:
            self.gambling = True
        else:
            self.won.append(1.0)

    def clone(self) -> StakesState:
        return StakesState(self.game, list(self.won), self.gambling)

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0, 0.0]
        return [self.won[0] - self.won[1], self.won[1] - self.won[0]]

    def observation_tensor(self, player: int = 0) -> list[float]:
        return [float(len(self.won)), float(player)]

    def action_to_string(self, player: int, action: int) -> str:
        return ("lost", "won")[action] if player == -1 else ("take", "gamble")[action]

    def __str__(self) -> str:
        return f"{self.won}{' gambling' * self.gambling}"


@dataclass(frozen=True)
class Endless:
    """Two players pass a token for ever; what a game of them is worth nobody will know."""

    def new_initial_state(self) -> EndlessState:
        return EndlessState()

    def num_distinct_actions(self) -> int:
        return 1

    def max_chance_outcomes(self) -> int:
        return 0

    def num_players(self) -> int:
        return 2

    def observation_tensor_shape(self) -> list[int]:
        return [1]

    def __str__(self) -> str:
        return "endless"


@dataclass
class EndlessState:
    turn: int = 0

    def current_player(self) -> int:
        return self.turn

    def is_terminal(self) -> bool:
        return False

    def is_chance_node(self) -> bool:
        return False

    def legal_actions(self) -> list[int]:
        return [0]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return []

    def apply_action(self, action: int) -> None:
        del action
        self.turn = 1 - self.turn

    def clone(self) -> EndlessState:
        return EndlessState(self.turn)

    def returns(self) -> list[float]:
        return [0.0, 0.0]

    def observation_tensor(self, player: int = 0) -> list[float]:
        return [float(player)]

    def action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002
        return "pass"

    def __str__(self) -> str:
        return f"player {self.turn} holds the token"


@dataclass(frozen=True)
class Climb:
    """One player: climb (1) pays 1 and falls with probability a half, which ends it; stop (0) ends it too."""

    steps: int = 4

    def new_initial_state(self) -> ClimbState:
        return ClimbState(self)

    def num_distinct_actions(self) -> int:
        return 2

    def max_chance_outcomes(self) -> int:
        return 2

    def num_players(self) -> int:
        return 1

    def min_utility(self) -> float:
        return 0.0

    def max_utility(self) -> float:
        return float(self.steps)

    def observation_tensor_shape(self) -> list[int]:
        return [1]

    def __str__(self) -> str:
        return f"climb(steps={self.steps})"


@dataclass
class ClimbState:
    game: Climb
    height: int = 0
    swaying: bool = False
    over: bool = False

    def current_player(self) -> int:
        return -4 if self.is_terminal() else -1 if self.swaying else 0

    def is_terminal(self) -> bool:
        return self.over or (self.height == self.game.steps and not self.swaying)

    def is_chance_node(self) -> bool:
        return self.swaying and not self.over

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [0, 1]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(0, 0.5), (1, 0.5)]

    def apply_action(self, action: int) -> None:
        if self.swaying:
            self.swaying, self.over = False, action == 0
        elif action:
            self.height, self.swaying = self.height + 1, True
        else:
            self.over = True

    def clone(self) -> ClimbState:
        return ClimbState(self.game, self.height, self.swaying, self.over)

    def returns(self) -> list[float]:
        return [float(self.height)]

    def rewards(self) -> list[float]:
        return [1.0 if self.swaying else 0.0]

    def observation_tensor(self, player: int = 0) -> list[float]:  # noqa: ARG002
        return [self.height / self.game.steps]

    def action_to_string(self, player: int, action: int) -> str:
        return ("fall", "hold")[action] if player == -1 else ("stop", "climb")[action]

    def __str__(self) -> str:
        return f"at {self.height}{' swaying' * self.swaying}"
