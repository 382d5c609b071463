"""A solved game: values of states and actions, and exact measurement of policies."""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero import _native
from dicezero.rules.protocol import Game, State
from dicezero.rules.registry import load_game
from dicezero.solve import container
from dicezero.solve.errors import SolutionFileError
from dicezero.solve.keys import Keys
from dicezero.solve.policy import Policy, PolicyLike, as_policy
from dicezero.solve.positions import Positions
from dicezero.solve.results import BestResponse, Evaluation, ProgressCallback, Regret
from dicezero.solve.table import MAX_ITERATIONS, check_options, game_name, make_table, native_progress


class Solution:
    """Perfect play of ``game``. Values are utilities in [-1, 1]; a win probability is (1 + value) / 2."""

    def __init__(
        self,
        game: Game,
        values: npt.NDArray[np.float64],
        *,
        iterations: int,
        residual: float,
        seconds: float,
        tolerance: float,
        table: Any = None,
        keys: Keys | None = None,
    ) -> None:
        """Made by ``solve`` and ``Solution.load``.

        Args:
            game: the game.
            values: [states]. Nannon: by rank, for the side about to roll an ordinary die. Any other game:
                for player 0, in the order the states are found.
            iterations: sweeps over the part of the game that took most.
            residual: no value differs from what its successors say by more.
            seconds: what solving took.
            tolerance: what was asked for.
            table: the native table, if it is at hand.
            keys: the keys of the states in the order of ``values``, where there is no table and no rank.
        """
        self.game = game
        self.values = values
        self.iterations = iterations
        self.residual = residual
        self.seconds = seconds
        self.tolerance = tolerance
        self._table = table
        self._keys = keys

    @property
    def states(self) -> int:
        """States with a value; in Nannon as the paper counts them, finished and unreachable ones included."""
        return len(self.values)

    @property
    def first_player_win(self) -> float:
        """How often player 0 wins when both play perfectly, draws counting half."""
        return (1 + self.first_player_value(self.game.new_initial_state())) / 2

    def first_player_value(self, state: State) -> float:
        """What ``state`` is worth to player 0, in [-1, 1]."""
        if state.is_terminal():
            return float(state.returns()[0])
        found = self._find(state)
        if found is not None:
            index, sign = found
            return sign * float(self.values[index])
        # Only a ranked game leaves states out, those just after a roll and the opening: look ahead.
        if state.is_chance_node():
            return sum(p * self.first_player_value(_child(state, o)) for o, p in state.chance_outcomes())
        best = max if state.current_player() == 0 else min
        return best(self.first_player_value(_child(state, action)) for action in state.legal_actions())

    def value(self, state: State) -> float:
        """What ``state`` is worth to the player to move; to player 0 where no player is (chance, the end)."""
        return _sign(state) * self.first_player_value(state)

    def action_values(self, state: State) -> dict[int, float]:
        """What each legal action is worth to the player to move (outcomes of chance: to player 0)."""
        sign = _sign(state)
        return {a: sign * self.first_player_value(_child(state, a)) for a in state.legal_actions()}

    def optimal_actions(self, state: State, tolerance: float = 1e-9) -> list[int]:
        """The actions worth as much as the best one, within ``tolerance``; none where no player acts."""
        if state.is_terminal() or state.is_chance_node():
            return []
        values = self.action_values(state)
        best = max(values.values())
        return [action for action, value in values.items() if value >= best - tolerance]

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
        """Plays one fixed policy against another without sampling: how often it wins, how long games take.

        The policies are as ``as_policy`` takes them. In a game for one player ``policy_b`` is never asked.
        """
        threads = check_options(tolerance, max_iterations, threads)
        a = as_policy(self.positions, policy_a, name="policy_a").data
        b = a if policy_b is policy_a else as_policy(self.positions, policy_b, name="policy_b").data
        values, turns, iterations, residual = self._native_table().evaluate(
            a, b, tolerance, max_iterations, threads, native_progress(progress)
        )
        return Evaluation(_wins(values), turns, iterations, residual)

    def best_response(
        self,
        policy: PolicyLike,
        *,
        tolerance: float = 1e-12,
        threads: int | None = None,
        progress: ProgressCallback | None = None,
        max_iterations: int = MAX_ITERATIONS,
    ) -> BestResponse:
        """What the best possible reply scores against a fixed policy; 0.5 against a perfect one."""
        threads = check_options(tolerance, max_iterations, threads)
        data = as_policy(self.positions, policy).data
        values, _, iterations, residual = self._native_table().evaluate(
            None, data, tolerance, max_iterations, threads, native_progress(progress)
        )
        return BestResponse(_wins(values), iterations, residual)

    def regret(self, policy: PolicyLike, *, progress: ProgressCallback | None = None) -> Regret:
        """What a policy gives away at each decision, if play is perfect afterwards."""
        data = as_policy(self.positions, policy).data
        mean, largest, count = self._native_table().regret(self.values, data, native_progress(progress))
        return Regret(mean / 2, largest / 2, count)

    def visits(
        self,
        policy_a: PolicyLike,
        policy_b: PolicyLike,
        *,
        tolerance: float = 1e-12,
        progress: ProgressCallback | None = None,
        max_iterations: int = MAX_ITERATIONS,
    ) -> npt.NDArray[np.float64]:
        """[M], how often a game of ``policy_a`` against ``policy_b`` comes to each decision with a to move.

        Expected times a game, seats averaged. Against perfect play these times what is given away at
        each decision add up to exactly what is missing to a score of one half.
        """
        check_options(tolerance, max_iterations, 1)
        a = as_policy(self.positions, policy_a, name="policy_a").data
        b = as_policy(self.positions, policy_b, name="policy_b").data
        found: npt.NDArray[np.float64] = self._native_table().visits(
            a, b, tolerance, max_iterations, native_progress(progress)
        )
        return found

    def decision_values(self, start: int, stop: int) -> npt.NDArray[np.float64]:
        """What every action is worth to the mover at decisions start..stop-1, [stop - start, A].

        Utilities in [-1, 1] under perfect play afterwards, NaN where illegal.
        """
        found: npt.NDArray[np.float64] = self._native_table().action_values(self.values, start, stop)
        return found

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the solution to one file, whole or not at all; docs/solving.md describes it."""
        keys = self._keys or Keys.of(self._native_table().keys())
        facts = {
            "game": game_name(self.game),
            "states": self.states,
            "iterations": self.iterations,
            "residual": self.residual,
            "seconds": self.seconds,
            "tolerance": self.tolerance,
        }
        container.write(path, facts, {"values": self.values, **(keys.arrays() if keys else {})})

    @classmethod
    def load(cls, path: str | PathLike[str], game: str | Game | None = None) -> Solution:
        """Maps a saved solution into memory after checking all of it.

        Args:
            path: what ``save`` wrote.
            game: needed for a game that has no name ``load_game`` knows; otherwise only compared.

        Raises:
            SolutionFileError: not a solution, damaged, of another version or of another game.
        """
        facts, arrays = container.read(path)
        name = str(facts["game"])
        try:
            game = load_game(name if game is None else game)
        except ValueError as error:
            raise SolutionFileError(f"{path} solves {name!r}, which cannot be loaded: {error}") from error
        if game_name(game) != name:
            raise SolutionFileError(f"{path} solves {name!r}, not {game_name(game)!r}; give game=")
        keys = Keys.from_arrays(arrays)
        ranked = _native.ranked_states(game)
        # The number of keys is checked with the file.
        fits = keys is not None if ranked is None else keys is None and len(arrays["values"]) == ranked
        if not fits:
            raise SolutionFileError(f"{path} does not hold the states of {name}; solve the game again")
        return cls(
            game,
            arrays["values"],
            iterations=int(facts["iterations"]),
            residual=float(facts["residual"]),
            seconds=float(facts["seconds"]),
            tolerance=float(facts["tolerance"]),
            keys=keys,
        )

    def _find(self, state: State) -> tuple[int, int] | None:
        """Where the value is stored and its sign for player 0; None where it has to be looked ahead for."""
        if self._keys is not None:
            index = self._keys.find(_native.state_key(self.game, state))
            found = None if index is None else (index, 1)
        else:
            found = self._native_table().find(state)
        if found is None and (self._keys is not None or not self._native_table().ranked):
            raise ValueError(f"state: play of {self.game} never comes to it: {state}")
        return found

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


def decisions(game: str | Game, *, max_states: int | None = None) -> Positions:
    """All decisions of a game, without solving it."""
    return Positions(make_table(load_game(game), max_states, None))


def optimal(solution: Solution) -> Policy:
    """Perfect play: at every decision the first of the best actions."""
    table = solution._native_table()
    return Policy(Positions(table), table.optimal_actions(solution.values, None))


def _child(state: State, action: int) -> State:
    child = state.clone()
    child.apply_action(action)
    return child


def _sign(state: State) -> int:
    return -1 if state.current_player() == 1 else 1


def _wins(values: tuple[float, float]) -> tuple[float, float]:
    return (1 + values[0]) / 2, (1 + values[1]) / 2
