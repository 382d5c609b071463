"""A position and its actions for a reader: the board, the names of moves, and the move that a text means."""

from __future__ import annotations

import contextlib

from dicezero.rules.protocol import State, is_chance, outcomes_of


def board(state: State) -> str:
    """The position for a reader: our games draw a board as their ``repr``, others have their text."""
    return repr(state) if type(state).__module__ == "dicezero._native" else str(state)


def is_over(state: State) -> bool:
    """Whether the game has ended, or was cut off by its environment."""
    cut_off = getattr(state, "is_truncated", None)
    return state.is_terminal() or (callable(cut_off) and bool(cut_off()))


def action_strings(state: State) -> dict[int, str]:
    """Each legal action, or chance outcome, with its name."""
    player = state.current_player()
    if is_chance(state):
        return {a: state.action_to_string(player, a) for a, _ in outcomes_of(state)}
    return {a: state.action_to_string(player, a) for a in state.legal_actions()}


def options(state: State, limit: int = 12) -> str:
    """The legal actions for a message: names with ids, the first few of many."""
    names = action_strings(state)
    listed = ", ".join(f"{name} (or {action})" for action, name in list(names.items())[:limit])
    return listed + (f", … {len(names) - limit} more" if len(names) > limit else "")


def find_action(state: State, text: str) -> int | None:
    """The action that ``text`` names, by its string or else by its id; None where there is none."""
    names = action_strings(state)
    for action, name in names.items():
        if name == text:
            return action
    if text.isascii() and text.isdigit() and len(text) < 10 and int(text) in names:
        return int(text)
    if type(state).__module__.startswith("dicezero.") and not is_chance(state):
        with contextlib.suppress(ValueError):  # a game may know other names, such as UCI's in chess
            return int(state.string_to_action(text))  # type: ignore[attr-defined]
    return None
