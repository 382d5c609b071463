"""Pig: roll as often as you dare, or hold and keep the points; a one loses them. The first to 100 wins."""

from dataclasses import dataclass, field, replace

CHANCE, TERMINAL, ROLL, HOLD = -1, -4, 0, 1


@dataclass(frozen=True)
class Pig:
    """The rules: ``target`` points win."""

    target: int = 100

    def new_initial_state(self) -> "PigState":
        return PigState(self)

    def num_distinct_actions(self) -> int:
        return 2

    def max_chance_outcomes(self) -> int:
        return 6

    def num_players(self) -> int:
        return 2

    def observation_tensor_shape(self) -> list[int]:
        return [4]


@dataclass
class PigState:
    """Two scores, the points of this turn so far, whose turn it is, and whether the die is in the air."""

    game: Pig
    scores: list[int] = field(default_factory=lambda: [0, 0])
    points: int = 0
    turn: int = 0
    rolling: bool = False

    def current_player(self) -> int:
        return TERMINAL if self.is_terminal() else CHANCE if self.rolling else self.turn

    def is_terminal(self) -> bool:
        return max(self.scores) >= self.game.target

    def is_chance_node(self) -> bool:
        return self.rolling

    def legal_actions(self) -> list[int]:
        choices = [ROLL, HOLD] if self.scores[self.turn] + self.points < self.game.target else [HOLD]
        return [] if self.is_terminal() else list(range(6)) if self.rolling else choices

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(face, 1 / 6) for face in range(6)]  # outcome 0 is a one

    def apply_action(self, action: int) -> None:
        rolled, self.rolling = self.rolling, not self.rolling and action == ROLL
        if rolled and action > 0:
            self.points += action + 1
        elif not self.rolling:  # held, or rolled a one: the turn is over
            self.scores[self.turn] += 0 if rolled else self.points
            self.turn, self.points = 1 - self.turn, 0

    def clone(self) -> "PigState":
        return replace(self, scores=list(self.scores))

    def returns(self) -> list[float]:
        won = [score >= self.game.target for score in self.scores]
        return [float(won[0] - won[1]), float(won[1] - won[0])]

    def observation_tensor(self, player: int) -> list[float]:
        counts = (self.scores[player], self.scores[1 - player], self.points)
        return [*(count / self.game.target for count in counts), float(self.turn == player)]

    def action_to_string(self, player: int, action: int) -> str:
        return str(action + 1) if player == CHANCE else ("roll", "hold")[action]

    def __str__(self) -> str:
        return f"{self.scores} player {self.turn} has {self.points}{' and rolls' * self.rolling}"
