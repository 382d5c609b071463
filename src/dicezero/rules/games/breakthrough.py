"""Breakthrough, as OpenSpiel plays it, in a player's words."""

from __future__ import annotations

RULES = (
    "Bring one of your pieces to the far row, or take all of the other side's.",
    "A piece goes one step forward, straight or aslant, and takes aslant only.",
    "Click the piece, then the cell.",
)
