"""What each option of learning on boards is worth: runs of equal CPU time, then a tournament.

Every run trains ``gumbel-alphazero`` with a small tower at a constant rate until it has had its minutes of
processor time, so that what costs more must also bring more. Then all play all, and ratings say the rest.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from dicezero.agents.learned import RunAgent
from dicezero.agents.learned_config import RunAgentConfig
from dicezero.evaluation.tournament import play_tournament
from dicezero.experiments.figure import Panel, Series, draw
from dicezero.experiments.result import write_result
from dicezero.learner.loop import Metrics, train
from dicezero.presets.preset import Preset
from dicezero.presets.registry import get_preset
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game
from dicezero.rules.names import nearest, quote
from dicezero.rules.protocol import Game
from dicezero.rules.spec import spec_of
from dicezero.runs.checkpoint import read_metrics
from dicezero.runs.manifest import rounds_done

GAME = "go(board_size=7)"
MINUTES = 10.0
GAMES = 40  # of a pairing
OPENING = 4  # random moves that both games of a pair begin with
BASE = "base"
_ROUNDS = 100_000  # more than anybody has minutes for

# One way to train, and what is changed of it.
_COMMON = {
    "architecture": "board",
    "board.channels": "32",
    "board.blocks": "5",
    "board.bottleneck": "0",
    "board.mixing": "pooling",
    "board.mixing_every": "3",
    "simulations": "32",
    "play.simulations": "32",
    "fast_simulations": "8",
    "full_share": "0.3",
    "games": "200",
    "buffer_games": "4000",
    "steps": "150",
    "batch": "256",
    "learning_rate": "1e-3",
    "schedule": "constant",
    "explore_moves": "10",
    "value_lambda": "0.97",
    "measure_every": "0",
}
VARIANTS: dict[str, dict[str, str]] = {
    BASE: {},
    "no symmetries": {"symmetries": "false"},
    "no playout cap": {"fast_simulations": "0", "simulations": "16"},
    "no auxiliary": {"loss.auxiliary": "0"},
    "no mixing": {"board.mixing": "none"},
    "broadcast": {"board.mixing": "broadcast"},
    "bottleneck": {"board.bottleneck": "16"},
}

Say = Callable[[str], None]


class _TimeUp(Exception):  # noqa: N818 - no error: the run has had its minutes
    """Ends training after a committed round."""


def preset_of(name: str, game: Game) -> Preset:
    """The preset of a variant; auxiliary targets are learned where the game has any.

    Raises:
        ValueError: there is no such variant.
    """
    if name not in VARIANTS:
        raise ValueError(
            f"algorithms: unknown {quote(name)}; {nearest(name, VARIANTS)}give {', '.join(VARIANTS)}"
        )
    told = {"loss.auxiliary": "1"} if spec_of(game).auxiliary else {}
    return with_settings(get_preset("gumbel-alphazero"), {**_COMMON, **told, **VARIANTS[name]})


def variants_for(game: Game) -> tuple[str, ...]:
    """The variants that are something else than the base on this game."""
    spec, base = spec_of(game), preset_of(BASE, game)
    names = [name for name in VARIANTS if name == BASE or preset_of(name, game) != base]
    return tuple(name for name in names if spec.symmetries or name != "no symmetries")


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


def reproduce_ablations(
    out: Path,
    *,
    game: str = GAME,
    variants: Sequence[str] = (),
    seeds: Sequence[int] = (0,),
    minutes: float = MINUTES,
    games: int = GAMES,
    settings: Mapping[str, str] | None = None,
    say: Say | None = None,
) -> dict[str, Any]:
    """Trains what is missing, plays the tournaments and writes ``ablations.json`` and ``ablations.png``.

    Args:
        out: runs, data and figure.
        game: what is learned.
        variants: some of VARIANTS; all that make a difference by default.
        seeds: of the runs, a tournament each.
        minutes: of processor time a run.
        games: of a pairing.
        settings: of every run beside those of the variant, as ``--set`` takes them.
        say: hears what is done.
    """
    begin, loaded = time.perf_counter(), load_game(game)
    names = tuple(variants) or variants_for(loaded)
    presets = {name: with_settings(preset_of(name, loaded), settings or {}) for name in names}
    tables: list[dict[str, Any]] = []
    for seed in seeds:
        ends, agents = {}, []
        for name, preset in presets.items():
            folder = out / "runs" / f"{name.replace(' ', '-')}-seed-{seed}"
            ends[name] = train_for(preset, loaded, folder, minutes=minutes, seed=seed)
            if say:
                say(f"{name}, seed {seed}: {ends[name]['round']} rounds in {minutes:g} CPU minutes")
            agents.append(RunAgent(name, loaded, RunAgentConfig(str(folder))))
        found = play_tournament(loaded, agents, games=games, seed=seed, opening=OPENING)
        rows = [
            {
                "variant": rating.name,
                "elo": rating.elo,
                "error95": rating.error95,
                "rounds": ends[rating.name]["round"],
                "cpu_seconds": ends[rating.name]["cpu_seconds"],
            }
            for rating in found.ratings
        ]
        tables.append({"seed": seed, "ratings": rows, "scores": [list(row) for row in found.scores]})
        if say:
            for row in rows:
                say(f"seed {seed}, {row['variant']}: {row['elo']:+.0f} ± {row['error95']:.0f}")
    data = {
        "game": game,
        "minutes": minutes,
        "games": games,
        "settings": {**_COMMON, **(settings or {})},
        "variants": {name: VARIANTS[name] for name in names},
        "tables": tables,
    }
    hours = (time.perf_counter() - begin) / 3600
    write_result(out / "ablations.json", data, seeds=seeds, hours=hours)
    _draw(out / "ablations.png", game, minutes, names, tables)
    return {**data, "hours": hours}


def _draw(
    path: Path, game: str, minutes: float, names: Sequence[str], tables: Sequence[Mapping[str, Any]]
) -> None:
    """A bar a variant for every seed."""
    places = tuple(float(i) for i in range(len(names)))
    lines = {}
    for table in tables:
        rows = {row["variant"]: row for row in table["ratings"]}
        elo = tuple(rows[name]["elo"] for name in names)
        low = tuple(rows[name]["elo"] - rows[name]["error95"] for name in names)
        high = tuple(rows[name]["elo"] + rows[name]["error95"] for name in names)
        lines[f"seed {table['seed']}"] = Series(places, elo, low, high)
    title = f"{game}, {minutes:g} CPU minutes each"
    draw(path, [Panel(title, "", "Elo", lines, bars=True, names=tuple(names))])
