"""Perfect play, from an exact solution."""

from __future__ import annotations

import time
from dataclasses import dataclass

from dicezero.agents.errors import AgentError
from dicezero.agents.simple import immediate_result
from dicezero.rules.protocol import Game, State
from dicezero.search.result import SearchResult
from dicezero.solve import Solution, TooLargeError, solve


@dataclass(frozen=True)
class OptimalConfig:
    """Where the solution comes from.

    Attributes:
        path: a file that ``dicezero solve --out`` wrote; None solves the game now.
        tolerance: of that solving.
    """

    path: str | None = None
    tolerance: float = 1e-12


class OptimalAgent:
    """Plays a move of the greatest exact value, the lowest id among equals."""

    def __init__(
        self, name: str, game: Game, config: OptimalConfig, *, solution: Solution | None = None
    ) -> None:
        """``solution`` is used where it is at hand already, whatever is in ``config``."""
        self.name = name
        self.game = game
        try:
            if solution is not None:
                self.solution = solution
            elif config.path is None:
                self.solution = solve(game, tolerance=config.tolerance)
            else:
                self.solution = Solution.load(config.path, game)
        except TooLargeError as error:
            larger = "dicezero solve GAME --max-states N --out FILE, then optimal(path=FILE)"
            raise AgentError(f"optimal: {error}; with the memory for it: {larger}") from error
        except ValueError as error:
            raise AgentError(f"optimal: {error}") from error

    def search(self, state: State, *, seed: int) -> SearchResult:  # noqa: ARG002 - it samples nothing
        """Looks the moves up."""
        begin = time.perf_counter()
        values = self.solution.action_values(state)
        action = self.solution.optimal_actions(state)[0]
        return immediate_result(action, value=values[action], values=values, begin=begin)
