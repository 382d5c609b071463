"""``dicezero match``."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass

from tyro.conf import Positional

from dicezero.agents import make_agent
from dicezero.cli.console import AgentName, bar, emit, working
from dicezero.cli.load import load
from dicezero.evaluation.arena import play_match, require_two_players


@dataclass(frozen=True)
class Match:
    """Two agents against each other, in pairs of games with the same dice and the seats swapped.

    The score is that of the first agent; its 95 % interval is computed from the pairs.

    Example: dicezero match optimal "uct(simulations=100)" --game nannon --games 1000 --seed 1
    """

    first: Positional[AgentName]
    """The agent whose score is reported, e.g. optimal, random, uct(simulations=1000)."""
    second: Positional[AgentName]
    """Its opponent."""
    game: str
    """A game for two: its name, or path/to/file.py:Name."""
    games: int = 100
    """How many games; an even number gives every deal of the dice to both seatings."""
    seed: int = 0
    """Of the dice and of the agents; the same seed gives the same games."""
    json: bool = False
    """Print one JSON object: score, wins, draws, losses, ci95, games, ..."""

    def run(self) -> int:
        """Plays and prints."""
        game = load(self.game)
        require_two_players(game)
        with working(f"preparing {self.first} and {self.second}", quiet=self.json):
            first, second = make_agent(self.first, game), make_agent(self.second, game)
        start = time.perf_counter()
        with bar(f"{first.name} - {second.name}", total=self.games, quiet=self.json) as progress:
            result = play_match(
                game,
                first,
                second,
                games=self.games,
                seed=self.seed,
                on_game=lambda played, score: progress.update(played, f"score {score:.3f}"),
            )
        seconds = time.perf_counter() - start
        low, high = result.ci95
        data = {
            "game": str(game),
            "agents": [first.name, second.name],
            "seed": self.seed,
            **asdict(result),
            "seconds": seconds,
        }
        text = (
            f"{first.name} against {second.name}, {game}, {result.games} games, seed {self.seed}\n"
            f"score  {result.score:.4f}   95 % {low:.4f} .. {high:.4f}\n"
            f"       {result.wins} won, {result.draws} drawn, {result.losses} lost; "
            f"{result.mean_plies:.1f} moves a game; {seconds:.1f} s"
        )
        emit(data, text, as_json=self.json)
        return 0
