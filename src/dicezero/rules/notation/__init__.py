"""Games in files: SGF for Go, PGN for chess, MAT for backgammon, JSON for any game."""

from __future__ import annotations

from dicezero.rules.notation.files import (
    LINES,
    file_text,
    parse_games,
    read_games,
    record_text,
    suffixes_of,
)
from dicezero.rules.notation.json_game import json_name, json_text, parse_json
from dicezero.rules.notation.mat import mat_text, parse_mat
from dicezero.rules.notation.moves import Double, GameText, NotationError, first_state, replay
from dicezero.rules.notation.pgn import parse_pgn, pgn_text
from dicezero.rules.notation.sgf import parse_sgf, sgf_text

__all__ = [
    "LINES",
    "Double",
    "GameText",
    "NotationError",
    "file_text",
    "first_state",
    "json_name",
    "json_text",
    "mat_text",
    "parse_games",
    "parse_json",
    "parse_mat",
    "parse_pgn",
    "parse_sgf",
    "pgn_text",
    "read_games",
    "record_text",
    "replay",
    "sgf_text",
    "suffixes_of",
]
