"""Gardner's chess for people: drawn as chess is."""

from __future__ import annotations

from dicezero.rules.games.chess import board_svg, board_text, status

__all__ = ["TITLE", "board_svg", "board_text", "status"]

TITLE = "Gardner's chess, 5x5"
