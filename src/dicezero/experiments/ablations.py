"""What each choice of learning on boards is worth: runs of equal CPU time, then matches between them.

Every run trains ``gumbel-alphazero`` with a small tower until it has had its minutes of processor time, so
that what costs more must also bring more. In a tournament all play all. In a gauntlet, for many variants,
each plays the base alone, as two runs of it that differ by their seed: how far those are apart is what luck
makes of a run, and how far the base is from itself after half its minutes is what time is worth. Every match
is written as it ends; what the result file has already is not played again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dicezero.agents.learned import RunAgent
from dicezero.agents.learned_config import RunAgentConfig
from dicezero.evaluation.arena import play_match
from dicezero.evaluation.ratings import bradley_terry
from dicezero.experiments.board_variants import AGAIN, BASE, COMMON, HALF, VARIANTS, preset_of, variants_for
from dicezero.experiments.figure import Panel, Series, draw
from dicezero.experiments.result import write_result
from dicezero.learner.loop import Metrics, train
from dicezero.presets.preset import Preset
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game
from dicezero.rules.protocol import Game
from dicezero.runs.checkpoint import read_metrics
from dicezero.runs.manifest import rounds_done
from dicezero.selfplay.seeds import address_seed

GAME = "go(board_size=7)"
MINUTES = 10.0
GAMES = 40  # of a pairing
OPENING = 4  # random moves that both games of a pair begin with
RESULT, FIGURE = "ablations.json", "ablations.png"
_ROUNDS = 100_000  # more than anybody has minutes for
_ROUNDS_A_MINUTE = 6  # of the base on 7x7 Go
_OTHER_SEED = 1_000  # what the seed of a run of the base differs by from its twin's
_YARDSTICKS = (BASE, AGAIN)

Say = Callable[[str], None]
Row = dict[str, Any]


class _TimeUp(Exception):  # noqa: N818 - no error: the run has had its minutes
    """Ends training after a committed round."""


def train_for(preset: Preset, game: Game, folder: Path, *, minutes: float, seed: int) -> Metrics:
    """Trains until the run has had so many minutes of processor time; goes on where it was stopped."""
    done = read_metrics(folder)[-1] if rounds_done(folder) else None
    if done is not None and done["cpu_seconds"] >= 60 * minutes:
        return done
    last: list[Metrics] = []

    def after_round(metrics: Metrics) -> None:
        last[:] = [metrics]
        if metrics["cpu_seconds"] >= 60 * minutes:
            raise _TimeUp

    with suppress(_TimeUp):
        train(
            preset, game, folder, rounds=_ROUNDS, seed=seed, keep_every=0, resume=True, on_round=after_round
        )
    return last[0]


@dataclass(frozen=True)
class _Field:
    """The runs of one seed and the matches between them.

    Attributes:
        game: what they have learned.
        out: where their folders are.
        seed: of all of them, and of their matches.
        games: of a match.
        gauntlet: only the base's runs are played against.
        ends: of each variant that has been trained, its last round.
        matches: those that have been played.
    """

    game: Game
    out: Path
    seed: int
    games: int
    gauntlet: bool
    ends: dict[str, Metrics]
    matches: list[Row]

    def folder(self, name: str) -> Path:
        return self.out / "runs" / f"{name.replace(' ', '-')}-seed-{self.seed}"

    def train(self, name: str, preset: Preset, minutes: float) -> None:
        seed = self.seed + (_OTHER_SEED if name == AGAIN else 0)
        minutes *= 0.5 if name == HALF else 1.0
        self.ends[name] = train_for(preset, self.game, self.folder(name), minutes=minutes, seed=seed)

    def play_newest(self, kept: Sequence[Row]) -> None:
        """The variant trained last against those before it; ``kept`` matches are not played again."""
        *before, name = self.ends
        for place, rival in enumerate(before):
            if self.gauntlet and rival not in _YARDSTICKS:
                continue
            key: Row = {
                "pair": [rival, name],
                "rounds": [self.ends[rival]["round"], self.ends[name]["round"]],
                "games": self.games,
                "match_seed": address_seed(self.seed, place, len(before)),
            }
            earlier = next((row for row in kept if key.items() <= row.items()), None)
            self.matches.append(earlier or {**key, **self._match(rival, name, key["match_seed"])})

    def _match(self, first: str, second: str, seed: int) -> Row:
        seats = [
            RunAgent(name, self.game, RunAgentConfig(str(self.folder(name)))) for name in (first, second)
        ]
        match = play_match(self.game, *seats, games=self.games, seed=seed, opening=OPENING)
        return {"score": match.score, "wins": match.wins, "draws": match.draws, "losses": match.losses}

    def scores(self) -> list[list[float | None]]:
        """[n][n], of row against column; None where it was not played."""
        met: dict[tuple[str, str], float] = {}
        for match in self.matches:
            (first, second), score = match["pair"], match["score"]
            met[first, second], met[second, first] = score, 1.0 - score
        return [[met.get((row, column)) for column in self.ends] for row in self.ends]

    def table(self) -> Row:
        """Ratings, of which the mean is 0, and what each gains over the base."""
        scores = self.scores()
        points = [[0.0 if score is None else score * self.games for score in row] for row in scores]
        met = [[0 if score is None else self.games for score in row] for row in scores]
        rows = [
            {
                "variant": rating.name,
                "elo": rating.elo,
                "error95": rating.error95,
                "gain": self.gain(rating.name),
                "rounds": self.ends[rating.name]["round"],
                "cpu_seconds": self.ends[rating.name]["cpu_seconds"],
            }
            for rating in bradley_terry(tuple(self.ends), points, met)
        ]
        return {"seed": self.seed, "ratings": rows, "scores": scores, "matches": self.matches}

    def gain(self, name: str) -> Row | None:
        """Elo over the base by the games against its runs alone, with the interval of these games."""
        rivals = [rival for rival in _YARDSTICKS if name not in _YARDSTICKS or (name, rival) == (AGAIN, BASE)]
        places, scores = list(self.ends), self.scores()
        against = [scores[places.index(name)][places.index(rival)] for rival in rivals if rival in places]
        played = [score for score in against if score is not None]
        if not played:
            return None
        games, points = self.games * len(played), self.games * sum(played)
        one, other = bradley_terry((name, BASE), [[0, points], [games - points, 0]], [[0, games], [games, 0]])
        return {"elo": one.elo - other.elo, "error95": one.error95 + other.error95, "games": games}


def reproduce_ablations(
    out: Path,
    *,
    game: str = GAME,
    variants: Sequence[str] = (),
    seeds: Sequence[int] = (0,),
    minutes: float = MINUTES,
    games: int = GAMES,
    gauntlet: bool = False,
    settings: Mapping[str, str] | None = None,
    say: Say | None = None,
) -> dict[str, Any]:
    """Trains and plays what is missing and writes ``ablations.json`` and ``ablations.png``.

    Args:
        out: runs, data and figure.
        game: what is learned.
        variants: some of VARIANTS; by default those that are something else than the base on this game: the
            options, in a gauntlet the choices.
        seeds: of the runs, a tournament or gauntlet each.
        minutes: of processor time a run.
        games: of a pairing.
        gauntlet: every variant plays the base alone; the base is then always among the variants.
        settings: of every run beside those of the variant, as ``--set`` takes them.
        say: called with what is done.
    """
    begin, loaded, settings = time.perf_counter(), load_game(game), settings or {}
    names = tuple(variants) or variants_for(loaded, gauntlet=gauntlet)
    if gauntlet:  # who is played against comes first
        names = (BASE, *sorted(set(names) - {BASE}, key=lambda name: (name != AGAIN, names.index(name))))
    presets = {name: _paced(with_settings(preset_of(name, loaded), settings), minutes) for name in names}
    kept = _kept(out / RESULT, game)
    data: dict[str, Any] = {
        "game": game,
        "minutes": minutes,
        "games": games,
        "gauntlet": gauntlet,
        "settings": {**COMMON, **settings},
        "variants": {name: VARIANTS[name] for name in names},
        "tables": [],
    }
    for seed in seeds:
        field = _Field(loaded, out, seed, games, gauntlet, {}, [])
        earlier = data["tables"]
        for name, preset in presets.items():
            field.train(name, preset, minutes)
            if say:
                say(f"{name}, seed {seed}: {field.ends[name]['round']} rounds in {minutes:g} CPU minutes")
            field.play_newest(kept.get(seed, ()))
            if field.matches:
                data["tables"] = [*earlier, field.table()]
                hours = (time.perf_counter() - begin) / 3600
                write_result(out / RESULT, data, seeds=seeds, hours=hours)
        if say:
            for row in data["tables"][-1]["ratings"]:
                say(f"seed {seed}, {_worth(row, gauntlet=gauntlet)}")
    _draw(out / FIGURE, game, minutes, names, data["tables"], gauntlet=gauntlet)
    return {**data, "hours": (time.perf_counter() - begin) / 3600}


def _paced(preset: Preset, minutes: float) -> Preset:
    """A learning rate that falls has fallen when the minutes are over."""
    if preset.schedule == "constant":
        return preset
    return replace(preset, rounds=max(2, round(_ROUNDS_A_MINUTE * minutes)))


def _kept(path: Path, game: str) -> dict[int, list[Row]]:
    """The matches of an earlier call on the same game, by seed."""
    if not path.exists():
        return {}
    stored = json.loads(path.read_text(encoding="utf-8"))
    tables = stored["tables"] if stored["game"] == game else ()
    return {table["seed"]: table.get("matches", []) for table in tables}


def _worth(row: Row, *, gauntlet: bool) -> str:
    shown = row["gain"] if gauntlet else row
    return f"{row['variant']}: " + (f"{shown['elo']:+.0f} ± {shown['error95']:.0f}" if shown else "0")


def _draw(
    path: Path,
    game: str,
    minutes: float,
    names: Sequence[str],
    tables: Sequence[Mapping[str, Any]],
    *,
    gauntlet: bool,
) -> None:
    """A bar a variant for every seed: ratings, or of a gauntlet what is gained over the base."""
    shown = [name for name in names if name != BASE] if gauntlet else list(names)
    places = tuple(float(i) for i in range(len(shown)))
    lines = {}
    for table in tables:
        rows = {row["variant"]: row["gain"] if gauntlet else row for row in table["ratings"]}
        elo = tuple(rows[name]["elo"] for name in shown)
        low = tuple(rows[name]["elo"] - rows[name]["error95"] for name in shown)
        high = tuple(rows[name]["elo"] + rows[name]["error95"] for name in shown)
        lines[f"seed {table['seed']}"] = Series(places, elo, low, high)
    title = f"{game}, {minutes:g} CPU minutes each"
    label = "Elo over the base" if gauntlet else "Elo"
    draw(path, [Panel(title, "", label, lines, bars=True, names=tuple(shown))])
