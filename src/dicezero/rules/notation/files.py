"""Which notation a game has, and whole files of games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dicezero.rules.names import parse_name, quote
from dicezero.rules.notation.moves import GameText, NotationError
from dicezero.rules.notation.pgn import parse_pgn, pgn_text
from dicezero.rules.notation.sgf import parse_sgf, sgf_text

_MOST_BYTES = 50_000_000
_SUFFIXES = {"go": ".sgf", "chess": ".pgn", "gardner_chess": ".pgn"}


def suffix_of(game: str) -> str:
    """The ending of files with games of that name; raises NotationError where it has none."""
    word = parse_name(game).word
    if word not in _SUFFIXES:
        raise NotationError(f"{word} has no file notation; {', '.join(_SUFFIXES)} have")
    return _SUFFIXES[word]


def file_text(records: Sequence[GameText]) -> str:
    """The games as one file: a PGN file, or an SGF collection."""
    parts = []
    for number, record in enumerate(records, 1):
        chess = suffix_of(record.game) == ".pgn"
        parts.append(pgn_text(record, round_number=number) if chess else sgf_text(record))
    return "".join(parts)


def read_games(path: Path) -> tuple[GameText, ...]:
    """The games of an .sgf or .pgn file; raises NotationError where it is none."""
    readers = {".sgf": parse_sgf, ".pgn": parse_pgn}
    if path.suffix.lower() not in readers:
        raise NotationError(f"{quote(str(path))} is neither .sgf nor .pgn")
    if path.stat().st_size > _MOST_BYTES:
        raise NotationError(f"{quote(str(path))} is larger than {_MOST_BYTES // 1_000_000} MB")
    return readers[path.suffix.lower()](path.read_text(encoding="utf-8", errors="replace"))
