"""Kept rounds of runs against named opponents: how strength grew with processor time.

An opponent is any agent's name: a search, a program outside (``gtp(command=...)``, ``uci(command=...)``)
or an earlier round of the run itself, ``run(path=DIR,round=10)``. Every match is written as it ends; what
the result file has already is not played again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dicezero.agents import make_agent
from dicezero.agents.learned import RunAgent
from dicezero.agents.learned_config import RunAgentConfig
from dicezero.evaluation.arena import check_two_players, play_match
from dicezero.experiments.figure import Panel, Series, draw
from dicezero.experiments.result import command, trained, write_result
from dicezero.rules import load_game
from dicezero.rules.protocol import Game
from dicezero.rules.spec import spec_of
from dicezero.runs.manifest import read_run, weights_name

GAMES = 40  # of a match
OPENING = 2  # random moves that both games of a pair begin with
SEED = 1
RESULT, FIGURE = "opponents.json", "opponents.png"
_SHOWN = ("games", "wins", "draws", "losses", "score", "ci95", "distinct")  # of a match

Say = Callable[[str], None]
Row = dict[str, Any]  # a match: what plays whom, and what came of it


@dataclass(frozen=True)
class Terms:
    """How matches are played.

    Attributes:
        games: of a match; an even number gives both colours to both.
        opening: random moves that both games of a pair begin with.
        seed: of openings and agents.
        every: kept rounds are measured that are multiples of it, and the last.
    """

    games: int = GAMES
    opening: int = OPENING
    seed: int = SEED
    every: int = 1


def measure_opponents(
    out: Path,
    runs: Sequence[Path],
    opponents: Sequence[str],
    *,
    simulations: Sequence[int | None] = (None,),
    terms: Terms | None = None,
    say: Say | None = None,
) -> dict[str, Any]:
    """Plays what is missing and writes ``opponents.json`` and ``opponents.png``.

    Args:
        out: where to; matches that are there already stay.
        runs: their folders, all of one game.
        opponents: names of agents.
        simulations: of the runs' searches; None plays with the run's own number.
        terms: of the matches.
        say: called with a line for each match.

    Raises:
        ValueError: the runs learn several games, or a game for one player.
        AgentError: an opponent is unknown or fails; what was played before is written.
    """
    begin, terms = time.perf_counter(), terms or Terms()
    game = _game_of(runs)
    data = _read(out / RESULT)
    rows, spent = data["matches"], data["hours"]
    data["game"] = str(game)
    for agent, key in _players(runs, game, simulations, terms):
        for opponent in opponents:
            match = {**key, "opponent": opponent, "opening": terms.opening, "match_seed": terms.seed}
            if any(_same(row, match, terms.games) for row in rows):
                continue
            match_result = asdict(
                play_match(
                    game,
                    agent,
                    make_agent(opponent, game),
                    games=terms.games,
                    seed=terms.seed,
                    opening=terms.opening,
                )
            )
            result = {name: match_result[name] for name in _SHOWN} | {"ci95": list(match_result["ci95"])}
            rows.append(match | result)
            data["calls"] = [*(call for call in data["calls"] if call != command()), command()]
            data["hours"] = spent + (time.perf_counter() - begin) / 3600
            write_result(out / RESULT, data, seeds=[terms.seed], hours=data["hours"])
            if say:
                say(shown(rows[-1]))
    _draw(out / FIGURE, str(game), rows)
    return data


def draw_opponents(out: Path) -> dict[str, Any]:
    """Draws the matches that ``opponents.json`` has, and plays none.

    Raises:
        ValueError: there is no such file.
    """
    if not (out / RESULT).exists():
        raise ValueError(
            f"{out / RESULT} is not there to be drawn; give --runs and --opponents to play matches"
        )
    data = _read(out / RESULT)
    _draw(out / FIGURE, data["game"], data["matches"])
    return data


def shown(row: Mapping[str, Any]) -> str:
    """A match in words."""
    low, high = row["ci95"]
    budget = "" if row["simulations"] is None else f", {row['simulations']} simulations"
    return (
        f"{row['run']} round {row['round']}{budget} against {row['opponent']}: {row['score']:.3f} "
        f"({low:.2f} to {high:.2f}, {row['games']} games)"
    )


def _game_of(runs: Sequence[Path]) -> Game:
    names = sorted({read_run(run)[0].game for run in runs})
    if len(names) != 1:
        raise ValueError(f"--runs have learned {', '.join(names)}; give runs of one game")
    game = load_game(names[0])
    check_two_players(spec_of(game))
    return game


def _players(
    runs: Sequence[Path], game: Game, simulations: Sequence[int | None], terms: Terms
) -> Iterator[tuple[RunAgent, Row]]:
    """Each kept round with each number of simulations, and its key among the others."""
    for run in runs:
        manifest = read_run(run)[1]
        kept = manifest.rounds_with_weights
        for number in (n for n in kept if n % terms.every == 0 or n == kept[-1]):
            for budget in simulations:
                agent = RunAgent("run", game, RunAgentConfig(str(run), budget, round=number))
                sums = {"weights": manifest.sums[weights_name(number)][:16], "simulations": budget}
                yield agent, {**trained(run, number), **sums}


def _same(row: Mapping[str, Any], match: Mapping[str, Any], games: int) -> bool:
    return row["games"] == games and all(row.get(key) == value for key, value in match.items())


def _read(path: Path) -> dict[str, Any]:
    """What was played so far, of which game, the calls that it was played by and their hours."""
    stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {
        "game": stored.get("game", ""),
        "calls": stored.get("calls", []),
        "matches": stored.get("matches", []),
        "hours": stored.get("hours", 0.0),
    }


def _draw(path: Path, game: str, rows: Sequence[Row]) -> None:
    """A line for each opponent and number of simulations: score by minutes of training."""
    runs, lines = {row["run"] for row in rows}, dict[str, list[Row]]()
    for row in rows:
        who = "" if len(runs) == 1 else f"{row['run']}, "
        budget = "" if row["simulations"] is None else f"{row['simulations']} simulations "
        lines.setdefault(f"{who}{budget}against {row['opponent']}", []).append(row)
    series = {}
    for name, points in lines.items():
        points.sort(key=lambda row: row["round"])
        columns = [(row["cpu_seconds"] / 60, row["score"], *row["ci95"]) for row in points]
        series[name] = Series(*(tuple(column) for column in zip(*columns, strict=True)))
    draw(path, [Panel(game, "CPU minutes of training", "score", series, level=(0.5, "even"))])
