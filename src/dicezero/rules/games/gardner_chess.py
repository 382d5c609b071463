"""Gardner's chess for people: drawn as chess is."""

from __future__ import annotations

from dicezero.rules.games.chess import RULES, board, board_text, phase

__all__ = ["RULES", "TITLE", "UNSEEN", "board", "board_text", "phase"]

TITLE = "Gardner's chess, 5x5"
UNSEEN = ("history",)
