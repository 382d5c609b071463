"""``dicezero solve``."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from tyro.conf import Positional

from dicezero.cli.console import GameName, count, emit
from dicezero.cli.load import load
from dicezero.cli.progress import bar
from dicezero.rules.protocol import Game
from dicezero.solve import Progress, Solution, TooLargeError, solve
from dicezero.solve.layers import has_layers, solve_layers
from dicezero.solve.table import state_limit


@dataclass(frozen=True)
class Solve:
    """Solve a game exactly by value iteration, with chance and with cycles.

    The value is what player 0 is paid when both play perfectly, in the units of the game's returns;
    first_player_win the same as a score in [0, 1]: where a win pays 1 and a loss -1, the probability that
    player 0 wins, a draw counting half. It is null for one player and where returns have no bounds. A large
    game for one whose positions come in layers (2048) is solved layer by layer: the value of its start alone.

    Example: dicezero solve "nannon(points=8,checkers=4,sides=6)" --out nannon-8-4-6.solution
    """

    game: Positional[GameName]
    out: Path | None = None
    """Save the solution to this file; optimal(path=FILE) plays from it."""
    tolerance: float = 1e-12
    """Stop when no value changes by more than this."""
    threads: int | None = None
    """For Nannon, all cores by default; the result does not depend on it."""
    max_states: int | None = None
    """Refuse a larger game before it fills the memory; 20 million, or 3 million for a game in Python."""
    json: bool = False
    """Print one JSON object: states, iterations, residual, value, first_player_win, seconds."""

    def run(self) -> int:
        """Solves and prints."""
        if self.out is not None and not self.out.absolute().parent.is_dir():
            raise ValueError(f"--out {self.out}: there is no folder {self.out.parent}; make it first")
        game = load(self.game)
        try:
            solution = solve_with_progress(
                game,
                quiet=self.json,
                tolerance=self.tolerance,
                threads=self.threads,
                max_states=self.max_states,
            )
        except TooLargeError:
            if self.out is not None or self.max_states is not None or not has_layers(game):
                raise
            return self._by_layers(game)
        if self.out is not None:
            solution.save(self.out)
        data = {
            "game": str(game),
            "states": solution.states,
            "iterations": solution.iterations,
            "residual": solution.residual,
            "value": solution.initial_value,
            "first_player_win": solution.first_player_win,
            "seconds": solution.seconds,
        }
        text = (
            f"{game}\n"
            f"{_result(solution)}\n"
            f"states             {count(solution.states)}\n"
            f"iterations         {count(solution.iterations)}, residual {solution.residual:.1e}\n"
            f"seconds            {solution.seconds:.2f}"
        )
        saved = [f"saved to {self.out}"] if self.out is not None else []
        emit(data, text, *saved, as_json=self.json)
        return 0

    def _by_layers(self, game: Game) -> int:
        """The value of the start alone, of a game too large for a table of all its positions."""
        with bar(f"solving {game} layer by layer", quiet=self.json) as progress:
            solved = solve_layers(
                game, progress=lambda news: progress.update(news.done, f"{news.phase} of layer {news.done}")
            )
        data = {
            "game": str(game),
            "states": solved.states,
            "iterations": solved.layers,
            "residual": 0.0,
            "value": solved.value,
            "first_player_win": None,
            "seconds": solved.seconds,
        }
        text = (
            f"{game}\n"
            f"perfect play       {solved.value:.12g}\n"
            f"states             {count(solved.states)}, symmetric ones counted once\n"
            f"layers             {count(solved.layers)}, from the last to the first\n"
            f"seconds            {solved.seconds:.2f}"
        )
        emit(data, text, as_json=self.json)
        return 0


def _result(solution: Solution) -> str:
    """What perfect play is worth, in the words that fit how the game pays."""
    score, value = solution.first_player_win, solution.initial_value
    if score is None:
        return f"{'perfect play' if solution.scale.players == 1 else 'first player':<17}  {value:.12g}"
    if solution.decisive:
        return f"first player wins  {score:.12f}"
    plain = solution.scale.high == 1.0
    return f"first player score {score:.12f}" + ("" if plain else f"\nfirst player       {value:.12g}")


class StateSearch:
    """How far the search for all states of a game is, and when it ends at the latest."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._found, self._seconds = 0, 0.0  # states, and the time they took without the tests of the size
        self._last: float | None = None
        self._tests = False

    def update(self, news: Progress, now: float) -> None:
        """With news of either phase at that time."""
        if news.phase == "enumerate":
            self._found = news.done
            self._seconds += 0.0 if self._last is None else now - self._last
        self._tests = news.phase == "probe"
        self._last = now

    def line(self) -> str:
        """States found, limit, rate and latest end: tests of the size take as long again at most."""
        text = f"{count(self._found)} states found, the limit is {count(self._limit)}"
        if self._seconds > 0.0 and self._found:
            rate = self._found / self._seconds
            latest = max(1.0, 2.0 * (self._limit - self._found) / rate)
            text += f", {rate:,.0f} a second: all or too many in {latest:,.0f} s at the latest"
        return text + ("; testing whether it is too large" if self._tests else "")


def solve_with_progress(
    game: Game,
    *,
    quiet: bool,
    tolerance: float = 1e-12,
    threads: int | None = None,
    max_states: int | None = None,
) -> Solution:
    """The solution, with a bar on stderr while it takes."""
    search = StateSearch(state_limit(game, max_states))
    with bar(f"solving {game}", quiet=quiet) as progress:

        def report(news: Progress) -> None:
            if news.phase in ("enumerate", "probe"):
                search.update(news, time.monotonic())
                progress.update(news.done, search.line())
                return
            share = f"{news.done / news.total:.0%}" if news.total else count(news.done)
            change = f", change {news.residual:.1e}" if news.residual else ""
            progress.update(news.done, f"{news.phase} {share}{change}")

        return solve(game, tolerance=tolerance, threads=threads, progress=report, max_states=max_states)
