"""How a state of one of our games came about: what outside programs have to receive."""

from __future__ import annotations

from dataclasses import dataclass

from dicezero.rules.protocol import State


@dataclass(frozen=True)
class Line:
    """The position a game began with (None: the game's own start) and every action since."""

    start: str | None
    actions: tuple[int, ...]


def line_of(state: State) -> Line:
    """The line that led to a native state, from its serialized form ``name|start|actions``."""
    parts = state.serialize().split("|")  # type: ignore[attr-defined]
    actions = tuple(int(number) for number in parts[-1].split(",") if number)
    return Line(start=parts[1] if len(parts) > 2 else None, actions=actions)
