"""Which notation a game has, and whole files of games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dicezero.rules.errors import GameError
from dicezero.rules.names import parse_name, quote
from dicezero.rules.notation.json_game import json_text, parse_json
from dicezero.rules.notation.mat import mat_text, parse_mat
from dicezero.rules.notation.moves import GameText, NotationError, add_game
from dicezero.rules.notation.pgn import parse_pgn, pgn_text
from dicezero.rules.notation.sgf import parse_sgf, sgf_text
from dicezero.rules.ordinary import read_ordinary
from dicezero.rules.protocol import Game

_MOST_BYTES = 50_000_000
_SUFFIXES = {"go": ".sgf", "chess": ".pgn", "gardner_chess": ".pgn", "backgammon": ".mat"}
_READERS = {".sgf": parse_sgf, ".pgn": parse_pgn, ".mat": parse_mat, ".json": parse_json}
LINES = ".jsonl"  # many games, a JSON object a line


def suffixes_of(game: str) -> tuple[str, ...]:
    """The endings of files that a game of that name can be saved in: its own notation, then JSON."""
    try:
        own = _SUFFIXES.get(parse_name(game).word)
    except GameError:  # a game of somebody's own, such as path/pig.py:Pig
        own = None
    return (".json",) if own is None else (own, ".json")


def record_text(record: GameText, suffix: str, *, number: int = 1, game: Game | None = None) -> str:
    """One game as the file of that ending has it.

    Args:
        record: the game.
        suffix: one of ``suffixes_of`` its name, or ``.jsonl``.
        number: the game's place in its file.
        game: in place of the one that the record names, for games of somebody's own (JSON only).
    """
    if suffix in (".json", LINES):
        return json_text(record, game=game, indent=suffix != LINES)
    if suffix not in suffixes_of(record.game):
        suffixes = " or ".join(suffixes_of(record.game))
        raise NotationError(f"games of {record.game} are saved as {suffixes}, not {quote(suffix)}")
    if suffix == ".pgn":
        return pgn_text(record, round_number=number)
    return mat_text(record, game_number=number) if suffix == ".mat" else sgf_text(record)


def file_text(records: Sequence[GameText]) -> str:
    """The games as one file of their own notation; raises NotationError where they have none but JSON."""
    parts = []
    for number, record in enumerate(records, 1):
        suffix = suffixes_of(record.game)[0]
        if suffix == ".json":
            raise NotationError(f"{record.game} has no file notation of its own; save it as {LINES}")
        parts.append(record_text(record, suffix, number=number))
    return "".join(parts)


def parse_games(text: str, suffix: str) -> tuple[GameText, ...]:
    """The games of a file with that ending, games of ours only; raises NotationError where it is none."""
    if suffix == LINES:
        games: list[GameText] = []
        for line in text.splitlines():
            for record in parse_json(line) if line.strip() else ():
                add_game(games, record)
        return tuple(games)
    if suffix not in _READERS:
        raise NotationError(f"{quote(suffix)} is no file of games; known: {', '.join((*_READERS, LINES))}")
    return _READERS[suffix](text)


def read_games(path: Path) -> tuple[GameText, ...]:
    """The games of a file, by its ending; raises NotationError where it is none."""
    suffix = path.suffix.lower()
    if suffix not in (*_READERS, LINES):
        suffixes = ", ".join((*_READERS, LINES))
        raise NotationError(f"{quote(str(path))} is no file of games; known: {suffixes}")
    return parse_games(read_ordinary(path, most_bytes=_MOST_BYTES).decode("utf-8", "replace"), suffix)
