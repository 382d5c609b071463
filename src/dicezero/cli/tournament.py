"""``dicezero tournament``."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated

import tyro
from rich.text import Text
from tyro.conf import Positional

from dicezero.agents import make_agent
from dicezero.cli.console import GameName, emit, stdout_width
from dicezero.cli.interrupts import report_interrupted
from dicezero.cli.load import load
from dicezero.cli.progress import bar, working
from dicezero.cli.sheet import Sheet
from dicezero.evaluation.ratings import Rating
from dicezero.evaluation.tournament import TournamentInterrupted, TournamentResult, play_tournament

BAR_WIDTH = 14  # characters


@dataclass(frozen=True)
class Tournament:
    """Every agent against every other: a cross-table of scores, and ratings with 95 % error bars.

    Each pairing is a match with duplicate dice and the seats swapped. Ratings are Bradley-Terry by maximum
    likelihood on Elo's scale, the mean of the field at 0; one imaginary draw a pairing keeps them finite.

    Example: dicezero tournament random greedy optimal --game nannon --games 200
    """

    agents: Positional[Annotated[tuple[str, ...], tyro.conf.arg(metavar="AGENT ...")]]
    """Two or more agents."""
    game: GameName
    games: int = 100
    """Games for each pairing."""
    opening: int = 0
    """Random moves that both games of a pair begin with; without, agents without chance repeat themselves."""
    seed: int = 0
    """Random seed of dice and agents."""
    json: bool = False
    """Print one JSON object: agents, table, ratings, games."""

    def run(self) -> int:
        """Plays and prints."""
        game = load(self.game)
        with working("preparing the agents", quiet=self.json):
            agents = [make_agent(spec, game) for spec in self.agents]
        pairings = len(agents) * (len(agents) - 1) // 2
        with bar("tournament", total=pairings * self.games, quiet=self.json) as progress:
            stopped = False
            try:
                result = play_tournament(
                    game,
                    agents,
                    games=self.games,
                    seed=self.seed,
                    opening=self.opening,
                    on_game=lambda done, note: progress.update(done, note),
                )
            except TournamentInterrupted as stop:
                stopped, result = True, stop.result
        data = {
            "game": str(game),
            "agents": list(result.names),
            "games": self.games,
            "seed": self.seed,
            "opening": self.opening,
            "table": [list(row) for row in result.scores],
            "ratings": [asdict(rating) for rating in result.ratings],
            "interrupted": stopped,
        }
        table = cross_table(result, stdout_width())
        emit(data, f"{game}, {self.games} games a pairing", table, as_json=self.json)
        return report_interrupted("the table has the pairings that were over") if stopped else 0


def cross_table(result: TournamentResult, width: int) -> Sheet:
    """The cross-table, strongest first, with a bar a rating where ``width`` columns have room for it."""
    order = sorted(range(len(result.names)), key=lambda i: -result.ratings[i].elo)
    names = max(map(len, result.names)) + 4
    with_bars = names + 2 * 7 + BAR_WIDTH + 2 + 7 * len(order) <= width
    places = [f"vs {place}" for place in range(1, len(order) + 1)]
    headings = ("agent", "Elo", "95 %", *([""] if with_bars else []), *places)
    table = Sheet(*headings, right=("Elo", "95 %", "", *places))
    low = min(r.elo - r.error95 for r in result.ratings)
    high = max(r.elo + r.error95 for r in result.ratings)
    for place, i in enumerate(order, 1):
        rating = result.ratings[i]
        cells = ["-" if (score := result.scores[i][j]) is None else f"{score:.3f}" for j in order]
        bars = [_bar(rating, low, high)] if with_bars else []
        figures = (f"{rating.elo:+z.0f}", f"± {rating.error95:.0f}")
        table.add_row(f"{place} {rating.name}", *figures, *bars, *cells)
    return table


def _bar(rating: Rating, low: float, high: float, width: int = BAR_WIDTH) -> Text:
    """The rating as a dot and its error as a line, on the scale of the whole field."""

    def column(elo: float) -> int:
        return round((elo - low) / max(high - low, 1e-9) * (width - 1))

    left, middle, right = (column(rating.elo + k * rating.error95) for k in (-1, 0, 1))
    cells = ["─" if left <= i <= right else " " for i in range(width)]
    cells[middle] = "●"
    return Text("".join(cells), style="cyan")
