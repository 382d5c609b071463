"""Numbers, flags and masks of games and environments that are not ours, checked where they come in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from dicezero.rules.errors import GameError

_MOST_SHOWN = 100  # characters of an answer in a message


def in_words(error: Exception) -> str:
    """An error of somebody else's code in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def shown(answer: object) -> str:
    """An answer for a message: one line, not too long."""
    try:
        return " ".join(repr(answer)[:_MOST_SHOWN].split())
    except Exception:  # its own code
        return f"a {type(answer).__name__} whose repr() raised"


def number(answer: Any) -> float:
    """A number; NaN where it is none, or too large for a float."""
    try:
        array = np.asarray(answer)
        return float(array.item()) if array.size == 1 and array.dtype.kind in "biufO" else math.nan
    except (TypeError, ValueError, OverflowError):
        return math.nan


def truth(game: object, name: str, answer: Any) -> bool:
    """Whether an episode is over: true or false of Python, of NumPy, or 0 and 1."""
    value = number(answer)
    if value not in (0.0, 1.0):
        raise GameError(f"{game}: step() gave {name}={shown(answer)}; give True or False")
    return bool(value)


def allowed_actions(game: object, info: Any, actions: int, *, over: bool = False) -> list[int]:
    """The actions that ``info`` allows: all, or those that its ``action_mask`` has set."""
    if not isinstance(info, Mapping):
        raise GameError(f"{game}: info is a {type(info).__name__}; give a dictionary, as Gymnasium has it")
    mask = info.get("action_mask")
    if mask is None or over:
        return list(range(actions))
    try:
        array = np.asarray(mask)
        fits = array.shape == (actions,) and array.dtype.kind in "biuf" and bool(np.isin(array, (0, 1)).all())
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise GameError(f"{game}: info['action_mask'] is {shown(mask)}; give {actions} numbers, each 0 or 1")
    if not array.any():
        raise GameError(f"{game}: info['action_mask'] allows no action, and the episode is not over")
    return [int(action) for action in np.flatnonzero(array)]


def number_of(game: object, name: str, default: float) -> float:
    """A number that a game has as an attribute or a function without arguments; the default if neither."""
    ask = getattr(game, name, None)
    try:
        return default if ask is None else float(ask() if callable(ask) else ask)
    except (TypeError, ValueError, OverflowError) as error:
        raise GameError(f"{game}: {name}() is no number ({error}); let it return one") from error


def length_of(game: object) -> int:
    """Decisions of the longest game, 0 where there is no bound."""
    length = number_of(game, "max_game_length", 0.0)
    if not 0.0 <= length < 2**63:
        raise GameError(f"{game}: max_game_length() is {length}; give a number of actions, 0 for no bound")
    return int(length)
