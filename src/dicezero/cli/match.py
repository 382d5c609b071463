"""``dicezero match``."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from tyro.conf import Positional

from dicezero.agents import make_agent
from dicezero.cli.console import AgentName, GameName, emit
from dicezero.cli.game_book import GameBook
from dicezero.cli.interrupts import report_interrupted
from dicezero.cli.load import load
from dicezero.cli.measured import match_lines
from dicezero.cli.plain import one_line
from dicezero.cli.position import start
from dicezero.cli.progress import bar, working
from dicezero.evaluation.arena import (
    MatchBrokenOffError,
    MatchInterrupted,
    check_two_players,
    play_match,
)
from dicezero.evaluation.luck import solved_falls
from dicezero.evaluation.money import MoneyRules
from dicezero.evaluation.runs import luck_by, named_falls
from dicezero.evaluation.sprt import parse_sprt
from dicezero.rules.protocol import Game
from dicezero.rules.spec import spec_of
from dicezero.solve import Solution, solve

_MOST = 100_000  # games of a sequential test that finds no verdict


@dataclass(frozen=True)
class Match:
    """Two agents against each other, in pairs of games with the same dice and the seats swapped.

    The score (a draw is half a win) and the mean return are those of the first agent; their 95 % intervals
    are computed from the pairs. A game that does not end in time is a draw. --adjust solves the game and
    takes the luck of the dice out of a second score, which is unbiased too and far more precise. --sprt 0,20
    plays until it is clear whether the first agent is 0 or 20 Elo points stronger.

    Example: dicezero match optimal "uct(simulations=100)" --game nannon --games 1000 --seed 1
    """

    first: Positional[AgentName]
    """The agent whose score is reported, e.g. optimal, random, uct(simulations=1000)."""
    second: Positional[AgentName]
    """Its opponent."""
    game: GameName
    games: int | None = None
    """How many games (100; with --sprt at most 100000); an even number gives every deal to both seatings."""
    adjust: bool = False
    """Solve the game and take the luck of the dice out: adjusted_score, adjusted_ci95."""
    adjust_by: str | None = None
    """The same by the values of a run, e.g. run(path=DIR) or pretrained, where the game cannot be solved."""
    cube: bool = False
    """Play for money with a doubling cube: returns are points times what stands on it."""
    sprt: str | None = None
    """elo0,elo1: stop as soon as a sequential test knows which; on adjusted scores with --adjust."""
    alpha: float = 0.05
    """With --sprt: the probability of keeping elo1 where elo0 is true, and the other way round."""
    opening: int = 0
    """Random moves that both games of a pair begin with; without, agents without chance repeat themselves."""
    position: str | None = None
    """Where every game begins, in the game's own notation (FEN, position ID) or as a serialized state."""
    save: Path | None = None
    """Write every game to this file as it ends: .sgf (go), .pgn (chess), .mat (backgammon), .jsonl."""
    seed: int = 0
    """Random seed of dice and agents; the same seed gives the same games."""
    json: bool = False
    """Print one JSON object: score, mean_return, wins, draws, losses, ci95, games, ..."""

    def run(self) -> int:
        """Plays and prints."""
        game = load(self.game)
        check_two_players(spec_of(game))
        start_state = None if self.position is None else start(game, self.position)
        book = None if self.save is None else GameBook(self.save, game, start=self.position)
        test = parse_sprt(self.sprt, alpha=self.alpha, beta=self.alpha) if self.sprt else None
        games = self.games if self.games is not None else _MOST if test else 100
        with working(f"preparing {self.first} and {self.second}", quiet=self.json):
            first, second = make_agent(self.first, game), make_agent(self.second, game)
            solution = solve(game) if self.adjust else None
            luck = None if self.adjust_by is None or self.cube else luck_by(self.adjust_by, game)
            money = self._money(game, solution) if self.cube else None
        begin = time.perf_counter()
        with bar(f"{first.name} - {second.name}", total=games, quiet=self.json) as progress:
            stopped, failure = False, ""
            try:
                result = play_match(
                    game,
                    first,
                    second,
                    games=games,
                    seed=self.seed,
                    solution=solution,
                    luck=luck,
                    money=money,
                    sprt=test,
                    start=start_state,
                    opening=self.opening,
                    on_played=None if book is None else book.writer(first.name, second.name),
                    on_game=lambda played, score: progress.update(played, f"score {score:.3f}"),
                )
            except MatchInterrupted as stop:
                stopped, result = True, stop.result
            except MatchBrokenOffError as broken:
                failure, result = str(broken), broken.result
        seconds = time.perf_counter() - begin
        data = {
            "game": str(game),
            "agents": [first.name, second.name],
            "seed": self.seed,
            "opening": self.opening,
            "cube": None if money is None or money.summary is None else asdict(money.summary),
            **asdict(result),
            "seconds": seconds,
            "interrupted": stopped or bool(failure),
        }
        title = f"{first.name} against {second.name}, {game}, seed {self.seed}, {seconds:.1f} s"
        text = match_lines(result, title)
        if money is not None and (cubes := money.summary) is not None:
            text += (
                f"\ncube      turned in {cubes.doubled} games, passed in {cubes.passed}; "
                f"{cubes.mean_value:.2f} in the end on average, {cubes.largest_value} at the most"
            )
        if test:
            kept = {"H0": test.elo0, "H1": test.elo1, None: None}[result.sprt]
            verdict = "no verdict yet; play more games" if kept is None else f"{result.sprt}: {kept:+g} Elo"
            text += f"\nSPRT {test.elo0:+g} or {test.elo1:+g} Elo: {verdict} (ratio {result.sprt_ratio:.2f})"
        emit(data, text, as_json=self.json)
        if failure:
            stands = f"printed is the result of the {result.games} of {games} games that were over"
            print(one_line(f"dicezero: {failure}; {stands}"), file=sys.stderr)
            return 2
        return report_interrupted(f"after {result.games} of {games} games") if stopped else 0

    def _money(self, game: Game, solution: Solution | None) -> MoneyRules:
        """The cube, with the values that the luck is computed from."""
        if solution is not None:
            return MoneyRules(game, falls=solved_falls(solution))
        return MoneyRules(game, falls=None if self.adjust_by is None else named_falls(self.adjust_by, game))
