"""Hex, as OpenSpiel plays it: what is not in its text."""

from __future__ import annotations

RULES = (
    "Click a free cell to put a piece there; pieces never move and are never taken.",
    "Orange wins with a chain from the upper edge to the lower, blue with one from the left to the right. "
    "One of the two is always built: there are no draws.",
)
NOTES = ("joins the upper edge with the lower", "joins the left edge with the right")
