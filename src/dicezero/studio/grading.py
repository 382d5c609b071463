"""What a move was worth: against perfect play where the game is solved, else against a deeper search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dicezero.rules.protocol import Game, State
from dicezero.search.minimax import MinimaxConfig, minimax_search
from dicezero.search.uct import UctConfig, uct_search
from dicezero.studio.solutions import Solutions, is_native

Truth = Literal["solved", "search"]
MARKS = ((0.10, "??"), (0.05, "?"), (0.02, "?!"))  # from so much win probability lost on
SIMULATIONS = 3000  # of UCT for a position, where the game is not solved
SIMULATIONS_IN_PYTHON = 100  # the same for rules that are not native
PROOF_DEPTH = 10  # alpha-beta so deep overrules UCT where it proves a win or a loss (native, no dice)


@dataclass(frozen=True)
class Grade:
    """What a move gave away, in win probability (a draw is half a win) of the player who moved.

    Attributes:
        lost: the best move's win probability less this one's, at least 0.
        best: a best move; the one played where nothing is lost.
        win: after the move played, for the player who moved.
        mark: "" below 0.02, "?!" from 0.02, "?" from 0.05, "??" from 0.10 lost.
        truth: "solved" is exact; "search" is an estimate.
    """

    lost: float
    best: int
    win: float
    mark: str
    truth: Truth


def mark_of(lost: float) -> str:
    """The usual sign for a move that loses so much win probability."""
    return next((mark for least, mark in MARKS if lost >= least - 1e-9), "")


class Grader:
    """Judges positions and moves of one game. The first question may take the time of solving the game.

    Where the game is not solved, a position is worth what UCT of 3000 simulations says (100 for a game
    written in Python; after a choice of the dice shared among the rolls), overruled by alpha-beta of depth
    10 where that proves a win or a loss. The same position is always judged alike.
    """

    def __init__(self, game: Game, solutions: Solutions | None = None) -> None:
        self.game = game
        self._solutions = solutions or Solutions()
        self._native = is_native(game)
        self._proves = self._native and not game.max_chance_outcomes()
        self._low, self._high = _utilities(game)

    @property
    def truth(self) -> Truth:
        """What judges; solves the game if that has not been done."""
        return "search" if self._solutions.of(self.game) is None else "solved"

    def win(self, state: State) -> float:
        """How likely player 0 is to win from ``state``, a draw being half a win; any kind of node."""
        solution = self._solutions.of(self.game)
        if solution is not None:
            return self._share(solution.first_player_value(state))
        return self._searched(state, SIMULATIONS if self._native else SIMULATIONS_IN_PYTHON)

    def rolls(self, state: State) -> dict[int, float]:
        """For each outcome at a chance node, how likely player 0 is to win after it."""
        return {outcome: self.win(_child(state, outcome)) for outcome, _ in state.chance_outcomes()}

    def moves(self, state: State, played: int | None = None) -> dict[int, float]:
        """How likely the mover is to win after each move at a choice node.

        Where neither the solution nor native rules are at hand: only after the best by UCT and ``played``.
        """
        actions = list(state.legal_actions())
        if not self._native and self.truth == "search" and len(actions) > 1:
            config = UctConfig(simulations=SIMULATIONS_IN_PYTHON)
            best = uct_search(self.game, state, config, seed=0).action
            actions = sorted({best} if played is None else {best, played})
        first = state.current_player() == 0
        after = {action: self.win(_child(state, action)) for action in actions}
        return after if first else {action: 1.0 - win for action, win in after.items()}

    def best(self, state: State) -> int:
        """A move to recommend at a choice node: the lowest id among the best."""
        moves = self.moves(state)
        return max(moves, key=lambda action: (moves[action], -action))

    def grade(self, state: State, action: int) -> Grade:
        """Judges ``action``, a legal move at ``state``, for the player who makes it."""
        moves = self.moves(state, action)
        if action not in moves:
            raise ValueError(f"action {action} is illegal; legal: {list(moves)}")
        best = max(moves, key=lambda move: (moves[move], move == action, -move))
        lost = moves[best] - moves[action]
        if lost < 1e-9:
            best, lost = action, 0.0
        return Grade(lost, best, moves[action], mark_of(lost), self.truth)

    def _searched(self, state: State, simulations: int) -> float:
        """The win probability of player 0 by search."""
        if state.is_terminal():
            return self._share(state.returns()[0])
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            share = max(10, simulations // len(outcomes))
            return sum(p * self._searched(_child(state, o), share) for o, p in outcomes if p > 0.0)
        sign = 1 if state.current_player() == 0 else -1
        if self._proves:
            value = minimax_search(self.game, state, MinimaxConfig(depth=PROOF_DEPTH)).value
            if value in (self._low, self._high):
                return self._share(sign * value)
        value = uct_search(self.game, state, UctConfig(simulations=simulations), seed=0).value
        return self._share(sign * value)

    def _share(self, value: float) -> float:
        """A utility as a win probability."""
        return min(1.0, max(0.0, (value - self._low) / (self._high - self._low)))


def _utilities(game: Game) -> tuple[float, float]:
    """(lowest, highest) return of the game; -1 and 1 where it does not say."""
    low, high = (getattr(game, name, None) for name in ("min_utility", "max_utility"))
    return (float(low()), float(high())) if callable(low) and callable(high) else (-1.0, 1.0)


def _child(state: State, action: int) -> State:
    child = state.clone()
    child.apply_action(action)
    return child
