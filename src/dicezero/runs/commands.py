"""The command lines that belong to a run: to make it again, to go on, to play it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dicezero.presets.registry import PRESETS, Preset
from dicezero.presets.settings import preset_to_json, setting_text
from dicezero.presets.suited import preset_for
from dicezero.rules import GameError, load_game
from dicezero.rules.names import Name
from dicezero.rules.spec import spec_of
from dicezero.runs.code import GAME_CODE
from dicezero.runs.config import KEEP_EVERY, RunConfig

_OF_THE_GAME = (
    "players",
    "discount",
    "value_scale",
    "q_range",
    "terminal",
)  # settled by its spec, anew each time


def train_command(config: RunConfig, folder: Path) -> str:
    """What makes this run from nothing."""
    arguments = [*_head(config, folder), "--rounds", str(config.rounds)]
    if config.keep_every != KEEP_EVERY:
        arguments += ["--keep-every", str(config.keep_every)]
    for key, value in _changes(config):
        arguments += ["--set", f"{key}={value}"]
    return shlex.join(arguments)


def resume_command(config: RunConfig, folder: Path) -> str:
    """What goes on with it."""
    return shlex.join([*_head(config, folder), "--rounds", str(config.rounds), "--resume"])


def play_command(config: RunConfig, folder: Path) -> str:
    """What lets a person play it."""
    return shlex.join(
        ["dicezero", "play", str(Name("run", {"path": str(folder)})), "--game", _game(config, folder)]
    )


def evaluate_command(config: RunConfig, folder: Path) -> str:
    """What measures it."""
    trust = ["--trust"] if config.source else []
    return shlex.join(["dicezero", "evaluate", str(folder), "--exact", *trust])


def flat_settings(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Nested settings as (dotted name, value)."""
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from flat_settings(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _head(config: RunConfig, folder: Path) -> list[str]:
    arguments = [
        "dicezero",
        "train",
        config.preset.name,
        "--game",
        _game(config, folder),
        "--out",
        str(folder),
    ]
    return [*arguments, "--seed", str(config.seed)]


def _game(config: RunConfig, folder: Path) -> str:
    """The game as a command takes it; one of somebody's own is found beside the run."""
    return f"{folder / GAME_CODE}:{config.source.name}" if config.source else config.game


def _named_preset(config: RunConfig) -> Preset | None:
    """What the name of the run's preset stands for when the game is trained by command."""
    if config.preset.name not in PRESETS or config.source:
        return PRESETS.get(config.preset.name)
    try:
        return preset_for(config.preset.name, spec_of(load_game(config.game)))
    except GameError:  # of a package that is not installed here
        return PRESETS[config.preset.name]


def _changes(config: RunConfig) -> Iterator[tuple[str, str]]:
    """The settings in which the run differs from the preset of its name."""
    base = _named_preset(config)
    if base is None:
        return
    usual = dict(flat_settings(preset_to_json(base)))
    for key, value in flat_settings(preset_to_json(config.preset)):
        if key.rpartition(".")[2] in _OF_THE_GAME and key.startswith(("search.", "play.")):
            continue
        if value != usual.get(key):
            yield key, setting_text(value)
