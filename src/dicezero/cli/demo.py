"""``dicezero demo``."""

from __future__ import annotations

import os
import shlex
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.rule import Rule

from dicezero.agents import make_agent
from dicezero.agents.base import uninterrupted
from dicezero.cli.console import SafeConsole, count, stdout_width
from dicezero.cli.position import reach_choice
from dicezero.cli.progress import bar, working
from dicezero.cli.search import moves_table, summary
from dicezero.cli.sheet import Sheet
from dicezero.cli.solve import solve_with_progress
from dicezero.cli.tournament import cross_table
from dicezero.evaluation.exact import ExactScore, exact_score
from dicezero.evaluation.tournament import play_tournament
from dicezero.rules import load_game, perft
from dicezero.rules.draw import board_svg
from dicezero.rules.extras import require_extra
from dicezero.rules.names import Name
from dicezero.rules.protocol import Game
from dicezero.rules.reading import board
from dicezero.search.answer import search_data
from dicezero.search.draw import rich_tree, save_tree
from dicezero.solve import Solution

GAME = "nannon(points=6,checkers=3,sides=6)"
POSITION = "roll 2"
SEARCHER = "uct(simulations=20000)"
PRESET = "gumbel-ndmz"
FIELD = ("optimal", "uct(simulations=200)", "expectiminimax(depth=2)", "greedy", "random")


@dataclass(frozen=True)
class Demo:
    """Everything once on a small dice game, in a few minutes, with files to look at.

    Counts positions, solves Nannon exactly, measures agents against perfect and random play without sampling,
    lets agents play a tournament, searches one position, and learns to play from nothing.

    Example: dicezero demo --out demo
    """

    out: Path = Path("demo")
    """Where the tree (HTML, SVG), the board (SVG) and the trained run go."""
    games: int = 200
    """Games for each pairing of the tournament."""
    rounds: int = 48
    """Rounds of learning; the first shows after some seconds, all take about two minutes."""
    seed: int = 0
    """Random seed of tournament, search and training."""

    def run(self) -> int:
        """Runs the stages in order."""
        if self.games < 1:
            raise ValueError(f"--games {self.games} must be at least 1")
        if self.rounds < 1:
            raise ValueError(f"--rounds {self.rounds} must be at least 1")
        require_extra("jax", "flax", "tensorboardX", command="dicezero demo")
        if self.out.exists() and not self.out.is_dir():
            raise ValueError(f"{self.out} is a file; give another --out")
        self.out.mkdir(parents=True, exist_ok=True)
        console = SafeConsole(highlight=False, width=min(stdout_width(), 120))
        game = load_game(GAME)
        _head(console, "1. The rules: nodes of the game tree at depth 0, 1, 2, ... (perft)")
        _count(console, game)
        _head(console, "2. The truth: every position solved")
        solution = _solve(console, game)
        _head(console, "3. Agents measured exactly: the score in [0, 1], no game is played")
        _measure(console, game, solution)
        _head(console, f"4. The same by playing: a tournament, {self.games} games a pairing, duplicate dice")
        _tournament(console, game, self.games, self.seed)
        _head(console, f"5. One position searched by {SEARCHER}")
        files = _search(console, game, self.out, self.seed)
        _head(console, f"6. Learning from nothing ({PRESET}): exact score against perfect play")
        run = _learn(console, game, self.out, self.rounds, self.seed)
        _head(console, "To look at, and to play")
        for file in files:
            console.print(str(file), markup=False, soft_wrap=True)
        console.print(str(run / "report.html"), markup=False, soft_wrap=True)
        spec = str(Name("run", {"path": str(run), "simulations": "100"}))
        command = shlex.join([_program(), "play", spec, "--game", "nannon"])
        console.print(command, markup=False, soft_wrap=True)
        return 0


def _program() -> str:
    """How this program was called, so that a line to copy works where it is not on the search path."""
    called = sys.argv[0]
    return os.path.relpath(called) if os.sep in called and Path(called).is_file() else "dicezero"


def _head(console: Console, text: str) -> None:
    console.print()
    console.print(Rule(text, align="left"))


def _count(console: Console, game: Game) -> None:
    start = time.perf_counter()
    counts = perft(game, 12)
    seconds = time.perf_counter() - start
    console.print(" ".join(map(str, counts)), soft_wrap=True)
    console.print(f"{count(sum(counts))} nodes in {seconds:.3f} s")


def _solve(console: Console, game: Game) -> Solution:
    solution = solve_with_progress(game, quiet=False)
    console.print(
        f"{game}: {count(solution.states)} positions, {solution.iterations} sweeps, "
        f"{solution.seconds:.2f} s. "
        f"With perfect play the first player wins {solution.scale.score(solution.initial_value):.12f}.",
        soft_wrap=True,
    )
    return solution


def _exact_score(spec: str, game: Game, solution: Solution) -> ExactScore:
    agent = make_agent(spec, game)
    with bar(f"asking {spec} everywhere", total=len(solution.positions), quiet=False) as progress:
        return exact_score(agent, solution, on_decision=lambda done, _: progress.update(done))


def _measure(console: Console, game: Game, solution: Solution) -> None:
    figures = ("vs perfect", "vs random", "regret a move", "ms a move")
    table = Sheet("agent", *figures, right=figures)
    for spec in FIELD:
        score = _exact_score(spec, game, solution)
        cells = (f"{score.vs_optimal:.6f}", f"{score.vs_random:.6f}", f"{score.regret:.6f}")
        table.add_row(spec, *cells, f"{score.milliseconds:.3f}")
    console.print(table)


def _tournament(console: Console, game: Game, games: int, seed: int) -> None:
    agents = [make_agent(spec, game) for spec in FIELD]
    total = games * len(agents) * (len(agents) - 1) // 2
    with bar("tournament", total=total, quiet=False) as progress:
        result = play_tournament(game, agents, games=games, seed=seed, on_game=progress.update)
    console.print(cross_table(result, console.width))


def _learn(console: Console, game: Game, out: Path, rounds: int, seed: int) -> Path:
    """Trains, or goes on with what an interrupted demo began; returns the run's folder."""
    from dicezero.learner.loop import train  # loads JAX
    from dicezero.presets.registry import get_preset

    folder = out / "run"

    def show(metrics: dict[str, Any]) -> None:
        if "vs_optimal" not in metrics:
            return
        searched, network = metrics["vs_optimal"], metrics["raw_vs_optimal"]
        dots = "█" * max(0, round(24 * (searched - 0.3) / 0.2))
        times = f"{metrics['seconds']:5.1f} s"
        console.print(
            f"round {metrics['round']:2}  {times}  {searched:.4f} (network alone {network:.4f})  {dots}"
        )

    last = train(
        get_preset(PRESET), game, folder, rounds=rounds, seed=seed, resume=folder.exists(), on_round=show
    )
    score = last.get("vs_optimal")
    reached = "not measured in its last round" if score is None else f"{score:.4f}"
    console.print(f"0.5 is perfect; {reached} after {last['seconds']:.0f} s of learning.")
    return folder


def _search(console: Console, game: Game, out: Path, seed: int) -> list[Path]:
    state = reach_choice(game, POSITION)
    with working(f"{SEARCHER} searches", quiet=False):
        result = uninterrupted(make_agent(SEARCHER, game, keep_tree=True).search(state, seed=seed))
    console.print(board(state) + "\n", markup=False)
    console.print(moves_table(state, result))
    console.print(summary(search_data(game, state, SEARCHER, result)), markup=False)
    files = [out / "board.svg"]
    files[0].write_text(board_svg(state), encoding="utf-8")
    if result.tree is not None:
        console.print(rich_tree(result.tree, max_depth=2, max_nodes=30))
        for ending in ("html", "svg"):
            files.append(
                save_tree(result.tree, out / f"tree.{ending}", game=f"{game}: {SEARCHER}", max_nodes=60)
            )
    return files
