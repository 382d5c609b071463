"""Positions worth a look, with what they show: a game's module may offer them as ``STUDIES``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Study:
    """A position for the search page.

    Attributes:
        title: what it is called in a list.
        position: in the game's own notation.
        text: what it shows, in a sentence or two.
        agents: (name, title) of the searches that show it, the first one first.
    """

    title: str
    position: str
    text: str
    agents: tuple[tuple[str, str], ...] = ()
