"""A solved game: values of states and actions, and exact measurement of policies."""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero import _native
from dicezero.rules.protocol import Game, State, is_chance, outcomes_of
from dicezero.rules.showing import ShownByFacts
from dicezero.solve import container
from dicezero.solve.errors import SolutionFileError
from dicezero.solve.facts import Facts
from dicezero.solve.keys import Keys
from dicezero.solve.loading import read_solution
from dicezero.solve.policy import Policy, PolicyLike, as_policy
from dicezero.solve.positions import Positions
from dicezero.solve.results import BestResponse, Evaluation, ProgressCallback, Regret
from dicezero.solve.scale import Scale
from dicezero.solve.table import MAX_ITERATIONS, check_options, make_table, native_progress


class Solution(ShownByFacts):
    """Perfect play of ``game``. A state's value is what is still to be paid, on average.

    That is the return at the end, or the rewards on the way. Everything paid between two decisions counts
    alike; what is paid after one more decision of either player counts ``facts.discount`` times as much.
    """

    _facts = ("game", "initial_value", "first_player_win", "states", "iterations", "residual", "seconds")

    def __init__(
        self,
        game: Game,
        values: npt.NDArray[np.float64],
        facts: Facts,
        keys: Keys | None = None,
        *,
        table: Any = None,
    ) -> None:
        """Made by ``solve`` and ``Solution.load``.

        Args:
            game: the game.
            values: [states], in the units of its returns. Nannon: by rank, for the side about to roll an
                ordinary die. Any other game: for player 0, in the order the states are found.
            facts: how it was solved, and how the game pays.
            keys: the keys of the states in the order of ``values``, where there is no table and no rank.
            table: the native table, if it is at hand.
        """
        self.game = game
        self.values = values
        self.facts = facts
        self.scale = Scale.of(facts.low, facts.high, game.num_players())
        self._table = table
        self._keys = keys
        self._optimal: Policy | None = None

    @property
    def states(self) -> int:
        """States with a value; in Nannon as the paper counts them, finished and unreachable ones included."""
        return len(self.values)

    @property
    def iterations(self) -> int:
        """Sweeps over the part of the game that took most."""
        return self.facts.iterations

    @property
    def residual(self) -> float:
        """No value differs from that of its successors by more (values beyond 1: in proportion)."""
        return self.facts.residual

    @property
    def seconds(self) -> float:
        """What solving took."""
        return self.facts.seconds

    @property
    def initial_value(self) -> float:
        """What the game is worth to player 0 under perfect play, in the units of its returns."""
        return self.first_player_value(self.game.new_initial_state())

    @property
    def first_player_win(self) -> float | None:
        """Player 0's score in [0, 1] when both play perfectly; None with one player or unbounded returns.

        Where a game pays 1 for a win and -1 for a loss: how often player 0 wins, draws counting half.
        """
        has_score = self.scale.players == 2 and self.scale.bounded
        return self.scale.score(self.initial_value) if has_score else None

    @property
    def decisive(self) -> bool:
        """Whether every game that ends is won or lost, 1 to -1."""
        return bool(self._native_table().decisive)

    def first_player_value(self, state: State) -> float:
        """What is still to be paid to player 0 from ``state`` on, in the units of the game's returns."""
        place = None if self._keys is None and state.is_terminal() else self._find(state)
        if place is not None:
            index, sign = place
            return sign * float(self.values[index])
        if state.is_terminal():
            return 0.0 if self.facts.on_the_way else float(state.returns()[0])
        # Only a ranked game leaves states out, those just after a roll and the opening: look ahead.
        values = dict(self._edges(state))
        if is_chance(state):
            return sum(p * values[outcome] for outcome, p in outcomes_of(state))
        return (max if state.current_player() == 0 else min)(values.values())

    def value(self, state: State) -> float:
        """What ``state`` is worth to the player to move; to player 0 where no player is (chance, the end)."""
        return _sign(state) * self.first_player_value(state)

    def action_values(self, state: State) -> dict[int, float]:
        """What each legal action is worth to the player to move (outcomes of chance: to player 0).

        What it pays at once is included.
        """
        sign = _sign(state)
        return {action: sign * value for action, value in self._edges(state)}

    def action_value(self, state: State, action: int) -> float:
        """What one action or outcome is worth, as ``action_values`` counts."""
        if self.facts.paid:
            return self.action_values(state)[action]
        return _sign(state) * self.first_player_value(_child(state, action))

    def optimal_actions(self, state: State, tolerance: float = 1e-9) -> list[int]:
        """The actions worth as much as the best one, within ``tolerance``; none where no player acts.

        Ascending; but where play could go round in circles, first the one that ``optimal`` plays.
        """
        if state.is_terminal() or is_chance(state):
            return []
        values = self.action_values(state)
        best = max(values.values())
        best_actions = [a for a, value in values.items() if value >= best - tolerance * max(1.0, abs(best))]
        if self.facts.cyclic and len(best_actions) > 1:
            policy = optimal(self)
            first = int(policy.data[policy.positions.index(state)])
            best_actions.sort(key=lambda action: action != first)
        return best_actions

    @property
    def positions(self) -> Positions:
        """All decisions of the game, which policies are arrays over."""
        return Positions(self._native_table())

    def evaluate(
        self,
        policy_a: PolicyLike,
        policy_b: PolicyLike,
        *,
        tolerance: float = 1e-12,
        threads: int | None = None,
        progress: ProgressCallback | None = None,
        max_iterations: int = MAX_ITERATIONS,
    ) -> Evaluation:
        """Plays one fixed policy against another without sampling: what it is paid, how long games take.

        The policies are as ``as_policy`` takes them. In a game for one player ``policy_b`` is never asked.
        """
        threads = check_options(tolerance, max_iterations, threads)
        a = as_policy(self.positions, policy_a, name="policy_a").data
        b = a if policy_b is policy_a else as_policy(self.positions, policy_b, name="policy_b").data
        values, turns, iterations, residual = self._native_table().evaluate(
            a, b, tolerance, max_iterations, threads, native_progress(progress)
        )
        return Evaluation(self._seats(values), iterations, residual, self.scale, turns=self._seats(turns))

    def best_response(
        self,
        policy: PolicyLike,
        *,
        tolerance: float = 1e-12,
        threads: int | None = None,
        progress: ProgressCallback | None = None,
        max_iterations: int = MAX_ITERATIONS,
    ) -> BestResponse:
        """What the best possible reply has against a fixed policy; a score of 0.5 against a perfect one."""
        threads = check_options(tolerance, max_iterations, threads)
        data = as_policy(self.positions, policy).data
        values, _, iterations, residual = self._native_table().evaluate(
            None, data, tolerance, max_iterations, threads, native_progress(progress)
        )
        return BestResponse(self._seats(values), iterations, residual, self.scale)

    def regret(self, policy: PolicyLike, *, progress: ProgressCallback | None = None) -> Regret:
        """What a policy gives away at each decision, if play is perfect afterwards."""
        data = as_policy(self.positions, policy).data
        mean, largest, count = self._native_table().regret(self.values, data, native_progress(progress))
        return Regret(self.scale.loss(mean), self.scale.loss(largest), count)

    def visits(
        self,
        policy_a: PolicyLike,
        policy_b: PolicyLike,
        *,
        discounted: bool = False,
        tolerance: float = 1e-12,
        progress: ProgressCallback | None = None,
        max_iterations: int = MAX_ITERATIONS,
    ) -> npt.NDArray[np.float64]:
        """[M], how often a game of ``policy_a`` against ``policy_b`` comes to each decision with a to move.

        Expected times a game, seats averaged; ``discounted`` counts each as much as what is paid then.
        Against perfect play discounted visits times what is given away at each decision add up to exactly
        what is missing to perfect play.
        """
        check_options(tolerance, max_iterations, 1)
        a = as_policy(self.positions, policy_a, name="policy_a").data
        b = as_policy(self.positions, policy_b, name="policy_b").data
        visits: npt.NDArray[np.float64] = self._native_table().visits(
            a, b, discounted, tolerance, max_iterations, native_progress(progress)
        )
        return visits

    def decision_values(self, start: int, stop: int) -> npt.NDArray[np.float64]:
        """What every action is worth to the mover at decisions start..stop-1, [stop - start, A].

        In the units of the game's returns, under perfect play afterwards; NaN where illegal.
        """
        values: npt.NDArray[np.float64] = self._native_table().action_values(self.values, start, stop)
        return values

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the solution to one file, whole or not at all; docs/howto/solving.md describes it."""
        keys = self._keys or Keys.of(self._native_table().keys())
        container.write(path, self.facts, {"values": self.values, **(keys.arrays() if keys else {})})

    @classmethod
    def load(cls, path: str | PathLike[str], game: str | Game | None = None) -> Solution:
        """Maps a saved solution into memory after checking all of it.

        Args:
            path: what ``save`` wrote.
            game: needed for a game that has no name ``load_game`` knows; otherwise only compared.

        Raises:
            SolutionFileError: not a solution, damaged, of another version or of another game.
        """
        return cls(*read_solution(path, game))

    def _edges(self, state: State) -> list[tuple[int, float]]:
        """(action or outcome, its value for player 0) at a state."""
        if self.facts.paid:
            edges: list[tuple[int, float]] = self._native_table().edge_values(self.values, state)
            return edges
        return [(a, self.first_player_value(_child(state, a))) for a in state.legal_actions()]

    def _seats(self, figures: tuple[float, float]) -> tuple[float, ...]:
        return figures if self.scale.players == 2 else figures[:1]

    def _find(self, state: State) -> tuple[int, int] | None:
        """Where the value is stored and its sign for player 0; None where it has to be looked ahead for."""
        if self._keys is not None:
            index = self._keys.find(_native.state_key(self.game, state))
            place = None if index is None else (index, 1)
        else:
            place = self._native_table().find(state)
        if place is None and (self._keys is not None or not self._native_table().ranked):
            raise ValueError(f"state: play of {self.game} never comes to it: {state}")
        return place

    def _native_table(self) -> Any:
        """The table, made again after loading: at once for a ranked game, else by finding all states."""
        if self._table is None:
            table = make_table(self.game, len(self.values), None)
            if self._keys is not None and self._keys != Keys.of(table.keys()):
                raise SolutionFileError(
                    f"the rules of {self.game} have changed since it was solved; solve it again"
                )
            self._table = table
        return self._table


def optimal(solution: Solution) -> Policy:
    """Perfect play: at every decision the first of the best actions.

    Where play could go round in circles for ever: the first of those that lead on.
    """
    if solution._optimal is None:
        table = solution._native_table()
        solution._optimal = Policy(Positions(table), table.optimal_actions(solution.values, None))
    return solution._optimal


def _child(state: State, action: int) -> State:
    child = state.clone()
    child.apply_action(action)
    return child


def _sign(state: State) -> int:
    return -1 if state.current_player() == 1 else 1
