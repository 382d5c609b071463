"""A player of your own in dicezero's search: any object with ``root`` and ``step``, or an evaluator.

Here both know nothing but how to count: a model of tic-tac-toe that keeps the board as its hidden state.
Yours would be a network in PyTorch, JAX or anything else that gives NumPy arrays.

    python examples/own_player.py
"""

import numpy as np
import numpy.typing as npt

from dicezero.rules import load_game, spec_of
from dicezero.rules.protocol import Game, State
from dicezero.search.config import SearchConfig
from dicezero.search.simulator import Floats, Step
from dicezero.selfplay.planners import ModelPlanner, Planner, RulesPlanner, decide
from dicezero.selfplay.states import positions_of

LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]
SEARCH = SearchConfig(simulations=200, players="alternate", q_normalisation="fixed")


def count(mine: Floats, theirs: Floats) -> Floats:
    """A position's worth for the mover: lines still open, in [-1, 1]; [M, 9] each."""
    worth = np.zeros(len(mine), np.float32)
    for line in LINES:
        worth += (theirs[:, line].sum(1) == 0).astype(np.float32) - (mine[:, line].sum(1) == 0)
    return worth / np.float32(16)


class OwnModel:
    """``root`` and ``step`` are all that ModelPlanner asks for; rows are positions, hidden is [M, 19]."""

    def root(self, observations: Floats) -> tuple[Floats, Floats, Floats]:
        """Observations [B, 18] (my stones, theirs) to hidden, policy logits [B, 9] and value [B]."""
        hidden = np.hstack([observations, np.zeros((len(observations), 1))]).astype(np.float32)
        return hidden, self.logits(hidden), self.value(hidden)

    def step(self, hidden: Floats, action: npt.NDArray[np.int32]) -> Step:
        """Places a stone and turns the board around; a win is a reward, and nothing follows it."""
        rows = np.arange(len(action))
        mine, theirs, over = hidden[:, :9].copy(), hidden[:, 9:18], hidden[:, 18] > 0
        mine[rows, action] = 1.0
        won = np.any([mine[:, line].sum(1) == 3 for line in LINES], axis=0) & ~over
        ended = over | won | ((mine + theirs).sum(1) == 9)
        following = np.hstack([theirs, mine, ended[:, None]]).astype(np.float32)
        return Step(following, won.astype(np.float32), self.logits(following), self.value(following))

    def logits(self, hidden: Floats) -> Floats:
        """Free points are as good as each other, taken ones are out of the question."""
        return np.where(hidden[:, :9] + hidden[:, 9:18] > 0, -1e9, 0.0).astype(np.float32)

    def value(self, hidden: Floats) -> Floats:
        """For the mover; a finished game is worth nothing more."""
        return np.where(hidden[:, 18] > 0, 0.0, count(hidden[:, :9], hidden[:, 9:18])).astype(np.float32)


def own_evaluator(observations: Floats, legal: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """(Observations [M, 2, 3, 3], legal [M, 9]) to (logits [M, 9], value [M]): what RulesPlanner asks for."""
    flat = np.asarray(observations).reshape(len(legal), 18)
    return np.where(legal, 0.0, -1e9).astype(np.float32), count(flat[:, :9], flat[:, 9:]).astype(np.float32)


def best_move(planner: Planner, game: Game, state: State, *, seed: int) -> int:
    """What a planner plays in one position; it takes many at once just as well."""
    positions = positions_of(game, spec_of(game), [state])
    found = decide(planner, positions, SEARCH, np.array([seed], np.uint64), noise=False)
    return int(found.action[0])


def play(first: Planner, second: Planner) -> list[float]:
    """A game of tic-tac-toe; returns what each has won."""
    game = load_game("tic_tac_toe")
    state = game.new_initial_state()
    while not state.is_terminal():
        planner = (first, second)[state.current_player()]
        state.apply_action(best_move(planner, game, state, seed=1))
    print(state, "\n")
    return list(state.returns())


if __name__ == "__main__":
    print("in its own model against the rules:", play(ModelPlanner(OwnModel()), RulesPlanner(own_evaluator)))
