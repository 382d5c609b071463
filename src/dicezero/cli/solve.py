"""``dicezero solve``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tyro.conf import Positional

from dicezero.cli.console import GameName, count, emit
from dicezero.cli.load import load
from dicezero.cli.progress import bar
from dicezero.rules.protocol import Game
from dicezero.solve import Progress, Solution, solve


@dataclass(frozen=True)
class Solve:
    """Solve a game exactly by value iteration, with chance and with cycles.

    'value' is what player 0 is paid when both play perfectly, in the units of the game's returns;
    'first_player_win' the same as a score in [0, 1]: where a win pays 1 and a loss -1, the probability that
    player 0 wins, a draw counting half. It is null for one player and where returns have no bounds.

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
    """Refuse a larger game before it fills the memory; 20 million, or 2 million for a game in Python."""
    json: bool = False
    """Print one JSON object: states, iterations, residual, value, first_player_win, seconds."""

    def run(self) -> int:
        """Solves and prints."""
        if self.out is not None and not self.out.absolute().parent.is_dir():
            raise ValueError(f"--out {self.out}: there is no folder {self.out.parent}; make it first")
        game = load(self.game)
        solution = solve_with_progress(
            game, quiet=self.json, tolerance=self.tolerance, threads=self.threads, max_states=self.max_states
        )
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


def _result(solution: Solution) -> str:
    """What perfect play is worth, in the words that fit how the game pays."""
    score, value = solution.first_player_win, solution.initial_value
    if score is None:
        return f"{'perfect play' if solution.scale.players == 1 else 'first player':<17}  {value:.12g}"
    if solution.decisive:
        return f"first player wins  {score:.12f}"
    plain = solution.scale.high == 1.0
    return f"first player score {score:.12f}" + ("" if plain else f"\nfirst player       {value:.12g}")


def solve_with_progress(
    game: Game,
    *,
    quiet: bool,
    tolerance: float = 1e-12,
    threads: int | None = None,
    max_states: int | None = None,
) -> Solution:
    """The solution, with a bar on stderr while it takes."""
    with bar(f"solving {game}", quiet=quiet) as progress:

        def tell(news: Progress) -> None:
            share = f"{news.done / news.total:.0%}" if news.total else count(news.done)
            change = f", change {news.residual:.1e}" if news.residual else ""
            progress.update(news.done, f"{news.phase} {share}{change}")

        return solve(game, tolerance=tolerance, threads=threads, progress=tell, max_states=max_states)
