"""What takes a moment to find out about rounds of runs: tests of their dynamics, matches between them."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from dicezero.evaluation.arena import MatchResult, play_match
from dicezero.evaluation.dynamics import measure_dynamics
from dicezero.evaluation.runs import learned_model
from dicezero.evaluation.trajectories import random_trajectories
from dicezero.rules.protocol import Game
from dicezero.runs.errors import RunError
from dicezero.runs.loading import load_run
from dicezero.studio.catalog import Catalog
from dicezero.studio.runs import RunOffer

TEST_GAMES = 60  # random games that a model is tested on, a few tenths of a second
MATCH_GAMES = 200
_MOST_ROUNDS = 500  # of a run whose tests are remembered


class DynamicsTests:
    """Tests of learned models, each round's made once and kept; safe for many threads.

    A run that is being trained keeps the weights of few rounds, so its curve has those that were tested in
    time.
    """

    def __init__(self, game_of: Callable[[RunOffer], Game | None] = lambda _: None) -> None:
        """``game_of`` gives the game of a run where it is somebody's own; others are loaded by name."""
        self._game_of = game_of
        self._lock = threading.Lock()
        self._tests: dict[str, dict[int, dict[str, Any]]] = defaultdict(dict)
        self._without: set[str] = set()  # runs that learn no model

    def known(self, run_id: str) -> list[dict[str, Any]]:
        """Lines with ``round``, ``top_move`` and ``uniform``, shares of positions, in order of the rounds."""
        with self._lock:
            return [line for _, line in sorted(self._tests[run_id].items())]

    def missing(self, offer: RunOffer) -> int | None:
        """The newest round that has not been tested; None where there is nothing to do."""
        with self._lock:
            tested = self._tests[offer.id]
            if offer.id in self._without or len(tested) >= _MOST_ROUNDS:
                return None
            return next((number for number in reversed(offer.rounds) if number not in tested), None)

    def test(self, offer: RunOffer, number: int) -> None:
        """Tests a round. One whose weights have gone meanwhile gets an empty line."""
        line: dict[str, Any] = {"round": number}
        try:
            run = load_run(offer.path, self._game_of(offer), round_number=number)
            games = random_trajectories(run.game, games=TEST_GAMES, seed=0)
            try:
                model = learned_model(run)
            except ValueError:
                with self._lock:
                    self._without.add(offer.id)
                return
            report = measure_dynamics(model, games, depth=run.config.preset.unroll)
            line |= {"top_move": report.top_move, "uniform": report.uniform}
        except (RunError, OSError):
            pass
        with self._lock:
            self._tests[offer.id][number] = line


def compare(catalog: Catalog, game: str, first: str, second: str, *, seed: int = 0) -> MatchResult:
    """A match of two opponents of the catalog, ``MATCH_GAMES`` games with duplicate dice; for ``first``.

    Raises:
        ValueError: one of them cannot be had, or plays another game.
    """
    played = catalog.game(game)
    agents = [catalog.agent(catalog.spec(one, played), played) for one in (first, second)]
    solution = catalog.solutions.of(played) if catalog.solutions.likely(played) else None
    return play_match(played, *agents, games=MATCH_GAMES, seed=seed, solution=solution)
