"""What a game that is not ours answers, checked where it comes in; the twin of cpp/rules/foreign.h.

Native states are believed. A loop in Python that plays any game asks through these functions, so that a rule
broken by the game raises where it is broken, with the state and the remedy, whatever the algorithm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import count, pairwise
from typing import Any, Final

from dicezero.rules.protocol import CHANCE_PLAYER, TERMINAL_PLAYER, Game, State

_SLACK: Final = 1e-9
_ASKED_AGAIN: Final = 16  # every so often legal_actions() is asked twice
_calls = count()


def checked_player(state: State, players: int) -> int:
    """Who is to act: 0..players-1, chance or nobody."""
    said: Any = state.current_player()
    if _is_native(state):
        return int(said)
    fine = isinstance(said, int) or hasattr(said, "__index__")
    if not fine or (said not in (CHANCE_PLAYER, TERMINAL_PLAYER) and not 0 <= said < players):
        raise _broken(
            state,
            f"current_player() is {_shown(said)}",
            f"give 0..{players - 1}, {CHANCE_PLAYER} where chance acts, {TERMINAL_PLAYER} at the end",
        )
    return int(said)


def checked_legal_actions(state: State, actions: int) -> list[int]:
    """The legal actions of a choice node: ids of 0..actions-1, sorted, at least one."""
    said = state.legal_actions()
    if _is_native(state):
        return list(said)
    ids = _ids(state, "legal_actions()", said, actions, "num_distinct_actions()")
    if not ids:
        raise _broken(
            state,
            "there is no legal action though the game goes on",
            "end the game, or offer a pass as an action",
        )
    if next(_calls) % _ASKED_AGAIN == 0 and (again := list(state.legal_actions())) != list(said):
        raise _broken(
            state,
            f"legal_actions() is {_shown(again)}, and was {_shown(said)} a moment ago",
            "make it depend on the state alone",
        )
    return ids


def checked_outcomes(state: State, outcomes: int) -> list[tuple[int, float]]:
    """(outcome, probability) of a chance node: ids of 0..outcomes-1, sorted; probabilities sum to 1."""
    said = state.chance_outcomes()
    if _is_native(state):
        return list(said)
    remedy = "give (outcome, probability) pairs, sorted, whose probabilities sum to 1"
    try:
        pairs = [(outcome, float(p)) for outcome, p in said]
    except (TypeError, ValueError):
        raise _broken(state, f"chance_outcomes() is {_shown(said)}", remedy) from None
    ids = _ids(
        state, "chance_outcomes()", [outcome for outcome, _ in pairs], outcomes, "max_chance_outcomes()"
    )
    if not ids:
        raise _broken(state, "chance_outcomes() is empty at a chance node", remedy)
    if not all(0.0 < p <= 1.0 + _SLACK for _, p in pairs):
        raise _broken(
            state, f"chance_outcomes() {_shown(said)} has a probability that is not in (0, 1]", remedy
        )
    total = math.fsum(p for _, p in pairs)
    if abs(total - 1.0) > _SLACK * len(pairs):
        raise _broken(state, f"the probabilities of chance_outcomes() sum to {total!r}", remedy)
    return [(i, p) for i, (_, p) in zip(ids, pairs, strict=True)]


def checked_returns(state: State, players: int) -> list[float]:
    """What the players got: one finite number each, of two players one the other's loss."""
    return _numbers(state, "returns()", state.returns(), players)


def checked_rewards(state: State, players: int) -> list[float]:
    """What the last action or outcome paid; the returns at the end of a game without ``rewards()``."""
    ask = getattr(state, "rewards", None)
    if callable(ask):
        return _numbers(state, "rewards()", ask(), players)
    return checked_returns(state, players) if state.is_terminal() else [0.0] * players


def checked_sizes(game: Game) -> tuple[int, int, int]:
    """(players, actions, outcomes) as the game announces them."""
    sizes = (game.num_players(), game.num_distinct_actions(), game.max_chance_outcomes())
    for name, size, low in zip(
        ("num_players", "num_distinct_actions", "max_chance_outcomes"), sizes, (1, 1, 0), strict=True
    ):
        if isinstance(size, bool) or not hasattr(size, "__index__") or size < low:
            raise ValueError(f"{name}() of {game} is {_shown(size)}; give a whole number of at least {low}")
    return sizes


def _is_native(state: State) -> bool:
    return type(state).__module__ == "dicezero._native"


def _ids(state: State, what: str, said: Sequence[Any], limit: int, name: str) -> list[int]:
    remedy = f"give sorted ids in 0..{name}-1, 0..{limit - 1}"
    try:
        plain = [i.__index__() for i in said]
    except (TypeError, AttributeError):
        raise _broken(state, f"{what} {_shown(said)} is no list of ints", remedy) from None
    if plain and not (min(plain) >= 0 and max(plain) < limit):
        raise _broken(state, f"{what} {_shown(said)} leaves the range", remedy)
    if any(b <= a for a, b in pairwise(plain)):
        raise _broken(state, f"{what} {_shown(said)} is not sorted and unique", remedy)
    return plain


def _numbers(state: State, what: str, said: Sequence[float], players: int) -> list[float]:
    try:
        values = [float(x) for x in said]
    except (TypeError, ValueError):
        values = []
    if len(values) != players or not all(map(math.isfinite, values)):
        raise _broken(
            state, f"{what} is {_shown(said)}", f"give a finite number for each of {players} players"
        )
    if players == 2 and abs(values[0] + values[1]) > _SLACK * max(1.0, abs(values[0])):
        raise _broken(
            state,
            f"{what} {_shown(said)} does not sum to 0",
            "make what one player wins what the other loses",
        )
    return values


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:197] + "..."


def _broken(state: State, what: str, remedy: str) -> ValueError:
    try:
        where = str(state)
    except Exception:
        where = "(str() of it raised)"
    return ValueError(f"{what}; {remedy}. At the state:\n{where}")
