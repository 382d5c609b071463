"""Exact solutions of the games being played, each made once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from os import PathLike

from dicezero import _native
from dicezero.rules import identify
from dicezero.rules.protocol import Game
from dicezero.solve import Solution, solve

MAX_STATES = 500_000  # solved in a second or two: Nannon up to 10 points with 5 checkers
MAX_STATES_IN_PYTHON = 5_000  # of a game whose rules are not native


def is_native(game: Game) -> bool:
    """Whether the rules are our own, in C++."""
    return _native.is_native(game)


class Solutions:
    """Solutions by name and code of the game; safe for many threads, each game is solved by one of them."""

    def __init__(self, files: Sequence[str | PathLike[str]] = (), *, keep: int = 12) -> None:
        """``files`` were written by ``dicezero solve --out`` and stay; of others the last ``keep`` do."""
        self._keep = keep
        self._lock = threading.Lock()
        self._given: dict[str, Solution] = {}
        for file in files:
            solution = Solution.load(file)
            self._given[identify(solution.game).key] = solution
        self._solutions: OrderedDict[str, Future[Solution | None]] = OrderedDict()

    def likely(self, game: Game) -> bool:
        """Whether ``of`` will have a solution, without solving."""
        if identify(game).key in self._given or _native.state_bound(game) <= MAX_STATES:
            return True
        ranked = _native.ranked_states(game)
        if ranked is not None:
            return ranked <= MAX_STATES
        done = self._solutions.get(identify(game).key)
        return done is not None and done.done() and done.result() is not None

    def of(self, game: Game) -> Solution | None:
        """The solution, made now if nobody has yet; None for a game that is too large."""
        name = identify(game).key
        if name in self._given:
            return self._given[name]
        with self._lock:
            future = self._solutions.get(name)
            mine = future is None
            if future is None:
                future = self._solutions[name] = Future()
                while len(self._solutions) > self._keep:
                    self._solutions.popitem(last=False)
            self._solutions.move_to_end(name)
        if mine:
            future.set_result(self._solve(game))
        return future.result()

    def _solve(self, game: Game) -> Solution | None:
        if _native.ranked_states(game) is not None and not self.likely(game):
            return None
        try:
            return solve(game, max_states=MAX_STATES if is_native(game) else MAX_STATES_IN_PYTHON)
        except Exception:  # too large, returns beyond [-1, 1], or rules with a bug: it is graded by search
            return None
