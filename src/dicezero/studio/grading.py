"""What a move was worth, by the best judge there is: perfect play, an engine, a deeper search."""

from __future__ import annotations

import logging
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

from dicezero._native import evaluates
from dicezero.agents import Agent
from dicezero.rules.protocol import Game, State, is_chance, max_outcomes, outcomes_of
from dicezero.rules.spec import pays_on_the_way
from dicezero.search.minimax import MinimaxConfig, minimax_search
from dicezero.search.uct import UctConfig, uct_search
from dicezero.studio.judges import Judges
from dicezero.studio.scale import Scale
from dicezero.studio.solutions import Solutions, is_native

Truth = Literal["solved", "engine", "search"]
MARKS = ((0.10, "??"), (0.05, "?"), (0.02, "?!"))  # from so much of the range of returns lost on
SIMULATIONS = 3000  # of UCT for a position, where the game is not solved
SIMULATIONS_IN_PYTHON = 100  # the same for rules that are not native
_FEWEST_SIMULATIONS = 10  # of a search, however many rolls share them
_MOST_ROLLS = 300  # ways through chance that are averaged over
EVALUATED_DEPTH, _QUIESCENCE = 3, 8  # plies of alpha-beta where the game evaluates positions (chess)
PROOF_DEPTH = 10  # alpha-beta so deep overrules UCT where it proves a win or a loss (native, few moves)
_ALL_MOVES = 12  # where there are more, only the best by search and the one played are compared
_FAVOURITES = 4
_STILL_GOOD = 0.15  # of the range: a move that loses as much is no favourite


@dataclass(frozen=True)
class Grade:
    """What a move gave away, as a share of the game's range of returns: win probability, where it has wins.

    Attributes:
        lost: the best move's share less this one's, at least 0; for the player who moved.
        best: a best move; the one played where nothing is lost.
        win: after the move played, for the player who moved; a draw is half a win.
        mark: "" below 0.02, "?!" from 0.02, "?" from 0.05, "??" from 0.10 lost.
        truth: "solved" is exact; "engine" and "search" are estimates.
    """

    lost: float
    best: int
    win: float
    mark: str
    truth: Truth


@dataclass(frozen=True)
class Advice:
    """What the judge would play.

    Attributes:
        action: a best move.
        win: after it, for the player to move, as ``Grade.win``.
        favourites: the best few moves, the best first, each with a weight in (0, 1].
        wins: what each of them is worth, as ``win``; empty where only shares of a search are known.
        judge: who grades, for a reader.
    """

    action: int
    win: float
    favourites: tuple[tuple[int, float], ...]
    judge: str
    wins: dict[int, float] = field(default_factory=dict)


def mark_of(lost: float) -> str:
    """The usual sign for a move that loses so much win probability."""
    return next((mark for least, mark in MARKS if lost >= least - 1e-9), "")


class Grader:
    """Judges positions and moves of one game. The first question may take the time of solving the game.

    The solution judges where the game can be solved, else a program of the owner's, GNU Backgammon or the
    agent that ships for the game (``Judges``), else a search: alpha-beta of three plies and quiet ends where
    a native game has many moves and an evaluation of its own (chess); else UCT of 3000 simulations (100 for a
    game written in Python; after a choice of the dice shared among the rolls), overruled by alpha-beta of
    depth 10 where that proves a win or a loss.
    The same position is always judged alike.
    """

    def __init__(self, game: Game, solutions: Solutions | None = None, judges: Judges | None = None) -> None:
        self.game = game
        self.scale = Scale.of(game)
        self._solutions = solutions or Solutions()
        self._engine: Agent | None = judges.of(game) if judges else None
        self._native = is_native(game)
        self._pays = pays_on_the_way(game, game.new_initial_state())
        few = game.num_distinct_actions() <= _ALL_MOVES  # with more, depth 10 would take for ever
        self._proves = self._native and few and not max_outcomes(game)
        # Random play-outs are poor estimates in a game in which one move loses a queen; its own evaluation
        # does.
        self._evaluates = self._native and not few and not max_outcomes(game) and evaluates(game)

    @property
    def truth(self) -> Truth:
        """What judges; solves the game if that has not been done."""
        if self._solutions.of(self.game) is not None:
            return "solved"
        return "search" if self._engine is None else "engine"

    @property
    def judge(self) -> str:
        """Who judges, for a reader."""
        engine = "" if self._engine is None else str(getattr(self._engine, "title", self._engine.name))
        return {"solved": "perfect play", "engine": engine, "search": _SEARCH}[self.truth]

    def win(self, state: State) -> float:
        """How likely player 0 is to win from ``state``, a draw being half a win; any kind of node."""
        solution = self._solutions.of(self.game)
        if solution is not None:
            return self.scale.share(self._paid(state) + solution.first_player_value(state))
        if self._engine is not None:
            try:
                return self.scale.share(self._asked(self._engine, state))
            except Exception as error:  # a program may fail in any way; the search takes over
                logging.getLogger(__name__).warning("%s no longer judges: %s", self._engine.name, error)
                self._engine = None
        simulations = SIMULATIONS if self._native else SIMULATIONS_IN_PYTHON
        return _expected(state, lambda reached, share: self._searched(reached, share * simulations))

    def rolls(self, state: State) -> dict[int, float]:
        """For each outcome at a chance node, how likely player 0 is to win after it."""
        return {outcome: self.win(_child(state, outcome)) for outcome, _ in outcomes_of(state)}

    def moves(self, state: State, played: int | None = None) -> dict[int, float]:
        """How likely the mover is to win after each move at a choice node.

        Where that would take too long: only after the judge's favourites and ``played``.
        """
        actions = list(state.legal_actions())
        if len(actions) > 1 and not self._compares_all(len(actions)):
            actions = sorted({*self._candidates(state), *([] if played is None else [played])})
        first = state.current_player() == 0
        after = {action: self.win(_child(state, action)) for action in actions}
        return after if first else {action: 1.0 - win for action, win in after.items()}

    def best(self, state: State) -> int:
        """A move to recommend at a choice node: the lowest id among the best."""
        return self.advise(state).action

    def advise(self, state: State) -> Advice:
        """What to play at a choice node, and what else is nearly as good."""
        moves = self.moves(state)
        ranked = sorted(moves, key=lambda action: (-moves[action], action))
        best = moves[ranked[0]]
        weights = [(action, 1.0 - (best - moves[action]) / _STILL_GOOD) for action in ranked[:_FAVOURITES]]
        favourites = tuple((action, weight) for action, weight in weights if weight > 0.0)
        wins = {action: moves[action] for action, _ in favourites}
        return Advice(ranked[0], best, favourites, self.judge, wins)

    def _compares_all(self, count: int) -> bool:
        """Whether every one of ``count`` moves is looked at."""
        truth = self.truth
        if truth == "search":
            return self._evaluates or (self._native and count <= _ALL_MOVES)
        return truth == "solved" or hasattr(self._engine, "value_for")

    def _candidates(self, state: State) -> list[int]:
        """The moves worth comparing: the best by the engine, or the most visited of a search."""
        if self._engine is not None:
            result = self._engine.search(state, seed=0)
            worth = result.visits or result.action_values
            return [result.action, *sorted(worth, key=lambda action: (-worth[action], action))[:_FAVOURITES]]
        simulations = SIMULATIONS if self._native else SIMULATIONS_IN_PYTHON
        visits = uct_search(self.game, state, UctConfig(simulations=simulations), seed=0).visits
        count = _FAVOURITES if self._native else 1
        return sorted(visits, key=lambda action: (-visits[action], action))[:count]

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

    def _searched(self, state: State, simulations: float) -> float:
        """The win probability of player 0 by search, at a choice or at the end."""
        if state.is_terminal():
            return self.scale.share(state.returns()[0])
        sign = 1 if state.current_player() == 0 else -1
        if self._evaluates:
            config = MinimaxConfig(depth=EVALUATED_DEPTH, quiescence=_QUIESCENCE)
            return self.scale.share(sign * minimax_search(self.game, state, config).value)
        if self._proves:
            value = minimax_search(self.game, state, MinimaxConfig(depth=PROOF_DEPTH)).value
            if not self._pays and value in (self.scale.low, self.scale.high):
                return self.scale.share(sign * value)
        enough = UctConfig(simulations=max(_FEWEST_SIMULATIONS, int(simulations)))
        value = uct_search(self.game, state, enough, seed=0).value
        return self.scale.share(self._paid(state) + sign * value)

    def _asked(self, engine: Agent, state: State) -> float:
        """What player 0 gets in all from a position on, by an agent: any kind of node."""
        value_for = getattr(engine, "value_for", None)
        if callable(value_for):
            return float(value_for(0, state))

        def worth(reached: State, _: float) -> float:
            if reached.is_terminal():
                return float(reached.returns()[0])
            value = engine.search(reached, seed=0).value
            return self._paid(reached) + (value if reached.current_player() == 0 else -value)

        return _expected(state, worth)

    def _paid(self, state: State) -> float:
        """What player 0 has got so far; values are what is still to come."""
        return float(state.returns()[0]) if self._pays else 0.0


_SEARCH = "a deeper search"


def _expected(
    state: State, worth: Callable[[State, float], float], share: float = 1.0, most: int = _MOST_ROLLS
) -> float:
    """The mean of ``worth`` behind all rolls that come next; at any other node its value there.

    Rolls may follow rolls, as where chance sets up the board: then ``most`` ways stand for all of them.

    Args:
        state: any kind of node.
        worth: of a choice or an end, and the share of the effort that belongs to it.
        share: of this node.
        most: ways through chance from here that are looked at.
    """
    if not is_chance(state):
        return worth(state, share)
    outcomes = _spread([(o, p) for o, p in outcomes_of(state) if p > 0.0], most)
    share, most = share / len(outcomes), max(1, most // len(outcomes))
    return sum(p * _expected(_child(state, o), worth, share, most) for o, p in outcomes)


def _spread(outcomes: list[tuple[int, float]], most: int) -> list[tuple[int, float]]:
    """The outcomes with their probabilities, or ``most`` of them, each as likely, evenly spread over all."""
    if len(outcomes) <= most:
        return outcomes
    ends = list(accumulate(p for _, p in outcomes))
    places = (bisect_right(ends, (i + 0.5) / most * ends[-1]) for i in range(most))
    return [(outcomes[min(place, len(outcomes) - 1)][0], 1.0 / most) for place in places]


def _child(state: State, action: int) -> State:
    child = state.clone()
    child.apply_action(action)
    return child
