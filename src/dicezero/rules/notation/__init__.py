"""Games in other people's files: SGF for Go, PGN for chess."""

from __future__ import annotations

from dicezero.rules.notation.files import file_text, read_games
from dicezero.rules.notation.moves import GameText, NotationError, replay
from dicezero.rules.notation.pgn import parse_pgn, pgn_text
from dicezero.rules.notation.sgf import parse_sgf, sgf_text

__all__ = [
    "GameText",
    "NotationError",
    "file_text",
    "parse_pgn",
    "parse_sgf",
    "pgn_text",
    "read_games",
    "replay",
    "sgf_text",
]
