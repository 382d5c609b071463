"""The code of a game or network of somebody's own, beside the weights; run only with its user's consent."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from dicezero.model.network import Network
from dicezero.presets.fitting import network_of
from dicezero.rules import Game, GameError, Identity, identify, load_game, load_object, same_game
from dicezero.rules.objects import MOST_BYTES, UNKNOWN, Source, SourceRecord, is_object, source_of
from dicezero.rules.spec import GameSpec
from dicezero.runs.config import RunConfig
from dicezero.runs.errors import RunError
from dicezero.runs.files import read_bounded, sha256

GAME_CODE, NETWORK_CODE = "game.py", "network.py"
NETWORK_METHODS = (("shapes", "init", "check", "apply", "player"),)


def stored_code(folder: Path, name: str, record: SourceRecord) -> Source:
    """The code beside the run as the configuration describes it; nothing is run.

    Raises:
        RunError: it is not there or not what the run wrote.
    """
    data = read_bounded(folder / name, most_bytes=MOST_BYTES)
    if sha256(data) != record.sha256:
        raise RunError(f"{folder / name} is not what the run wrote; restore it from a copy, do not run it")
    return Source(record.file, record.name, data, str((folder / name).resolve()))


def run_game(folder: Path, config: RunConfig, game: str | Game | None = None, *, trust: bool = False) -> Game:
    """The game of a run. Code is run only if ``game`` names it or ``trust`` is given.

    Args:
        folder: of the run.
        config: of the run.
        game: the user's own: a name, ``path/file.py:Name`` or an object.
        trust: run the code in the run's folder, where its game is somebody's own.

    Raises:
        RunError: it is another game, or somebody's own that was neither named nor trusted.
        GameError: the game cannot be made.
    """
    chosen = _named(game) if isinstance(game, str) else game
    if config.source is None and not is_object(config.game):
        own = load_game(config.game)
        if chosen is not None and not same_game(chosen, own):
            raise RunError(f"{folder} has learned {config.game}, not {chosen}; give --game {config.game!r}")
        return own if chosen is None else chosen
    if chosen is not None:
        _check_given(folder, config, chosen)
        return chosen
    if trust and config.source is not None:
        return Identity(config.game, stored_code(folder, GAME_CODE, config.source)).load()
    raise RunError(untrusted(folder, config))


def run_network(
    folder: Path,
    config: RunConfig,
    spec: GameSpec,
    network: str | Network | None = None,
    *,
    trust: bool = False,
) -> Network:
    """The network of a run: its preset's, or somebody's own, under the same rule as a game of somebody's own.

    Raises:
        RunError: it is another one, or somebody's own that was neither given nor trusted.
        GameError: its code raised.
    """
    chosen = load_object(network, NETWORK_METHODS) if isinstance(network, str) else network
    if config.network is None:
        if chosen is not None:
            raise RunError(f"{folder} has learned with the network of {config.preset.name}; give no other")
        return network_of(config.preset, spec)
    if chosen is not None:
        own = source_of(chosen)
        if own is not None and config.network.sha256 not in (UNKNOWN, own.record.sha256):
            raise RunError(
                f"{own.place or own.file} is not the file of the network in {folder}: its SHA-256 is not "
                f"{config.network.sha256[:12]}...; give that file, or the copy, {folder / NETWORK_CODE}"
            )
        return cast("Network", chosen)
    if not trust or not config.network.known:
        raise RunError(
            f"{folder} has a network of somebody's own, {config.network}, and code is run only if you say "
            f"so: give load_run(path, network=...), or --trust to run the copy in {folder / NETWORK_CODE}"
        )
    return cast("Network", stored_code(folder, NETWORK_CODE, config.network).load(NETWORK_METHODS))


def network_code(network: Network | None) -> tuple[SourceRecord | None, dict[str, bytes]]:
    """What a run records of a network of somebody's own, and what lies beside it; nothing for a preset's."""
    if network is None:
        return None, {}
    source = source_of(network)
    if source is None:  # for example made in a notebook: it has to be given again whenever the run is loaded
        return SourceRecord(type(network).__module__, None, UNKNOWN), {}
    return source.record, {NETWORK_CODE: source.code}


def untrusted(folder: Path, config: RunConfig) -> str:
    """Why the game of a run is not loaded, and both ways to have it."""
    if config.source is None:
        return (
            f"{folder} has learned {config.game}, whose file could not be found when it was trained; "
            "give the game: --game path/file.py:Name, or load_run(path, game) in Python"
        )
    name = config.source.name or "Name(...)"
    return (
        f"{folder} has learned {config.game}, a game of somebody's own, and code is run only if you say so: "
        f"give --game path/to/{config.source.file}:{name} (SHA-256 {config.source.sha256[:12]}...), "
        f"or --trust to run the copy in {folder / GAME_CODE}"
    )


def same_code(config: RunConfig, game: Game) -> bool:
    """Whether ``game`` is the one that the run has learned, as far as its name and its code show."""
    identity = identify(game)
    if config.source is None or identity.source is None:
        return identity.name == config.game
    return identity.source.record.sha256 == config.source.sha256 and (
        identity.source.name == config.source.name or _made_alike(config.source, identity.source, game)
    )


def _check_given(folder: Path, config: RunConfig, chosen: Game) -> None:
    if same_code(config, chosen):
        return
    source = source_of(chosen)
    if config.source and source and source.record.sha256 != config.source.sha256:
        raise RunError(
            f"{source.place or source.file} is not the file that {folder} has learned from: its SHA-256 is "
            f"not {config.source.sha256[:12]}...; give that file, or the copy, "
            f"--game {folder / GAME_CODE}:{config.source.name}"
        )
    raise RunError(f"{folder} has learned {config.game}, not {identify(chosen).name}; give that game")


def _made_alike(record: SourceRecord, source: Source, chosen: Game) -> bool:
    """The same file, named by its user, and another name in it: whether both make the same game."""
    if record.name is None:
        return True
    try:
        return same_game(Identity(record.file, Source(record.file, record.name, source.code)).load(), chosen)
    except GameError:
        return False


def _named(text: str) -> Game:
    return load_game(cast("Game", load_object(text)) if is_object(text) else text)
