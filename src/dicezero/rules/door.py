"""What a game that is not ours answers, checked where it comes in; the twin of cpp/rules/foreign.h.

Native states are believed. A loop in Python that plays any game asks through these functions, so that a rule
broken by the game raises where it is broken, with the state and the remedy, whatever the algorithm. Each has
a short way for right answers of plain types, which nearly all are; anything else is looked at closely.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import count, pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dicezero.rules.protocol import CHANCE_PLAYER, TERMINAL_PLAYER, Game, State, max_outcomes, outcomes_of

_SLACK: Final = 1e-9
_ASKED_AGAIN: Final = (
    8  # every so often a state is asked twice: a change of mind is noticed within a few moves
)
_MOST_SHOWN: Final = 200  # characters of an answer that an error shows
_NO_ACTION: Final = -1  # below every id
_players_asked, _actions_asked = count(), count()


def checked_player(state: State, players: int) -> int:
    """Who is to act: 0..players-1, chance or nobody."""
    player: Any = state.current_player()
    if type(player) is not int or not (0 <= player < players or player in (CHANCE_PLAYER, TERMINAL_PLAYER)):
        player = _closely_checked_player(state, player, players)
    if next(_players_asked) % _ASKED_AGAIN == 0 and not _is_native(state):
        _check_kind(state, player)
    return int(player)


def checked_legal_actions(state: State, actions: int, *, twice: bool = False) -> list[int]:
    """The legal actions of a choice node: ids of 0..actions-1, sorted, at least one.

    Now and then, or always with ``twice``, the state is called a second time and has to return the same.
    """
    legal: Any = state.legal_actions()
    if _is_native(state):
        return list(legal)
    ids = _checked_ids(state, "legal_actions()", legal, actions, "num_distinct_actions()")
    if not ids:
        raise _broken(
            state,
            "there is no legal action though the game goes on",
            "end the game, or offer a pass as an action",
        )
    if twice or next(_actions_asked) % _ASKED_AGAIN == 0:
        again: Any = state.legal_actions()
        if list(again) != ids:
            raise _broken(
                state,
                f"legal_actions() is {_shown(again)}, and was {_shown(ids)} a moment ago",
                "make it depend on the state alone",
            )
    return ids


def checked_outcomes(state: State, outcomes: int) -> list[tuple[int, float]]:
    """(outcome, probability) of a chance node: ids of 0..outcomes-1, sorted; probabilities sum to 1."""
    if outcomes == 0:
        raise _broken(
            state,
            f"current_player() is {CHANCE_PLAYER}, where chance acts, in a game without chance",
            "let max_chance_outcomes() of the game say how many outcomes there are",
        )
    outcome_pairs: Any = outcomes_of(state)
    if _is_native(state):
        return list(outcome_pairs)
    remedy = "give (outcome, probability) pairs, sorted, whose probabilities sum to 1"
    try:
        pairs = [(outcome, _number(p)) for outcome, p in outcome_pairs]
    except (TypeError, ValueError, OverflowError):
        raise _broken(state, f"chance_outcomes() is {_shown(outcome_pairs)}", remedy) from None
    ids = _checked_ids(
        state, "chance_outcomes()", [outcome for outcome, _ in pairs], outcomes, "max_chance_outcomes()"
    )
    if not ids:
        raise _broken(state, "chance_outcomes() is empty at a chance node", remedy)
    if not all(0.0 < p <= 1.0 + _SLACK for _, p in pairs):
        raise _broken(
            state,
            f"chance_outcomes() {_shown(outcome_pairs)} has a probability that is not in (0, 1]",
            remedy,
        )
    total = math.fsum(p for _, p in pairs)
    if abs(total - 1.0) > _SLACK * len(pairs):
        raise _broken(state, f"the probabilities of chance_outcomes() sum to {total!r}", remedy)
    return [(i, p) for i, (_, p) in zip(ids, pairs, strict=True)]


def checked_clone(state: State) -> State:
    """A copy to be changed: another state, or what is done to the one would be done to the other."""
    copy: Any = state.clone()
    if copy is state:
        raise _broken(state, "clone() is the state itself", "give a copy that shares nothing that changes")
    if type(copy) is not type(state) and not hasattr(copy, "current_player"):
        raise _broken(state, f"clone() is {_shown(copy)}", "give a state")
    return copy  # type: ignore[no-any-return]


def checked_returns(state: State, players: int) -> list[float]:
    """What the players got: one finite number each, of two players one the other's loss."""
    return _checked_numbers(state, "returns()", state.returns(), players)


def checked_rewards(state: State, players: int) -> list[float]:
    """What the last action or outcome paid; the returns at the end of a game without ``rewards()``."""
    ask = getattr(state, "rewards", None)
    if callable(ask):
        return _checked_numbers(state, "rewards()", ask(), players)
    return checked_returns(state, players) if state.is_terminal() else [0.0] * players


def checked_frame(state: State, player: int, shape: tuple[int, ...], dtype: str) -> npt.NDArray[Any]:
    """[*shape], what ``player`` sees; finite numbers, as many as the game has announced."""
    observed: Any = state.observation_tensor(player)  # type: ignore[attr-defined]
    try:
        if getattr(getattr(observed, "dtype", None), "kind", "") == "c":  # NumPy would drop a part
            raise TypeError
        frame = np.array(observed, dtype)  # of its own: a state may write into its buffer again
    except (TypeError, ValueError, OverflowError):
        raise _broken(
            state, f"observation_tensor() is {_shown(observed)}", f"give numbers that fit {dtype}"
        ) from None
    if frame.size != math.prod(shape):
        raise _broken(
            state,
            f"observation_tensor() has {frame.size} values",
            f"give the {math.prod(shape)} that observation_tensor_shape() says, {shape}",
        )
    if frame.dtype.kind == "f" and not np.isfinite(frame).all():
        raise _broken(state, "observation_tensor() has a value that is not finite", "give finite floats")
    return frame.reshape(shape)


def checked_auxiliary(state: State, size: int) -> npt.NDArray[np.float32]:
    """[size], a finished game's auxiliary targets: numbers of [-1, 1]."""
    answer: Any = state.auxiliary_targets()  # type: ignore[attr-defined]
    try:
        targets = np.asarray(answer, np.float32).reshape(-1)
    except (TypeError, ValueError, OverflowError):
        raise _broken(state, f"auxiliary_targets() is {_shown(answer)}", "give numbers of [-1, 1]") from None
    if len(targets) != size:
        raise _broken(
            state, f"auxiliary_targets() has {len(targets)} values", f"give the {size} of auxiliary_shape()"
        )
    if not (np.abs(targets) <= 1.0 + _SLACK).all():  # NaN is not either
        raise _broken(state, "auxiliary_targets() has a value outside [-1, 1]", "divide by the largest")
    return targets


def check_position(state: State, sizes: tuple[int, int, int]) -> None:
    """Checks all that a position returns, for loops that can afford it; ``sizes`` as in ``checked_sizes``."""
    players, actions, outcomes = sizes
    cut_off = getattr(state, "is_truncated", None)
    if callable(cut_off) and cut_off():
        return  # by an environment, which offers no action then
    player = checked_player(state, players)
    if not _is_native(state):
        _check_kind(state, player)
    if player == CHANCE_PLAYER:
        checked_outcomes(state, outcomes)
    elif player == TERMINAL_PLAYER:
        checked_returns(state, players)
    else:
        checked_legal_actions(state, actions, twice=True)


def checked_sizes(game: Game) -> tuple[int, int, int]:
    """(players, actions, outcomes) as the game announces them."""
    sizes = (game.num_players(), game.num_distinct_actions(), max_outcomes(game))
    for name, size, low in zip(
        ("num_players", "num_distinct_actions", "max_chance_outcomes"), sizes, (1, 1, 0), strict=True
    ):
        if isinstance(size, bool) or not hasattr(size, "__index__") or size < low:
            raise ValueError(f"{name}() of {game} is {_shown(size)}; give a whole number of at least {low}")
    return sizes


def _is_native(state: State) -> bool:
    return type(state).__module__ == "dicezero._native"


def _closely_checked_player(state: State, player: Any, players: int) -> int:
    """A player of another type than int, such as numpy's, or a wrong one."""
    try:
        number = int(player.__index__())
    except (AttributeError, TypeError):
        number = players
    if number in (CHANCE_PLAYER, TERMINAL_PLAYER) or 0 <= number < players:
        return number
    raise _broken(
        state,
        f"current_player() is {_shown(player)}",
        f"give 0..{players - 1}, {CHANCE_PLAYER} where chance acts, {TERMINAL_PLAYER} at the end",
    )


def _check_kind(state: State, player: int) -> None:
    """That the state is over, or chance's, by all of its methods or by none."""
    for name, expected in (("is_terminal", TERMINAL_PLAYER), ("is_chance_node", CHANCE_PLAYER)):
        if hasattr(state, name) and bool(getattr(state, name)()) is not (player == expected):
            raise _broken(
                state,
                f"{name}() is {player != expected}, and current_player() is {player}",
                f"let {name}() be true where current_player() is {expected}, and nowhere else",
            )


def _checked_ids(state: State, what: str, answer: Any, limit: int, name: str) -> list[int]:
    """Sorted ids below ``limit``; short for a list of ints in order, which is what nearly all games give."""
    if type(answer) is list:
        last = _NO_ACTION
        for i in answer:
            if type(i) is not int or i <= last:
                break
            last = i
        else:
            if last < limit:
                return answer
    return _closely_checked_ids(state, what, answer, limit, name)


def _closely_checked_ids(state: State, what: str, answer: Any, limit: int, name: str) -> list[int]:
    """Ids in any sequence and of any type that stands for a whole number, or what is wrong with them."""
    remedy = f"give sorted ids in 0..{name}-1, 0..{limit - 1}"
    try:
        ids = [int(i.__index__()) for i in answer]
    except (TypeError, AttributeError):
        raise _broken(state, f"{what} {_shown(answer)} is no list of ints", remedy) from None
    if ids and not (min(ids) >= 0 and max(ids) < limit):
        raise _broken(state, f"{what} {_shown(answer)} leaves the range", remedy)
    if any(b <= a for a, b in pairwise(ids)):
        raise _broken(state, f"{what} {_shown(answer)} is not sorted and unique", remedy)
    return ids


def _checked_numbers(state: State, what: str, answer: Sequence[float], players: int) -> list[float]:
    try:
        values = [_number(x) for x in answer]
    except (TypeError, ValueError, OverflowError):
        values = []
    if len(values) != players or not all(map(math.isfinite, values)):
        raise _broken(
            state, f"{what} is {_shown(answer)}", f"give a finite number for each of {players} players"
        )
    if players == 2 and abs(values[0] + values[1]) > _SLACK * max(1.0, abs(values[0])):
        raise _broken(
            state,
            f"{what} {_shown(answer)} does not sum to 0",
            "make what one player wins what the other loses",
        )
    return values


def _number(value: Any) -> float:
    """A number of any real type; TypeError for texts and complex numbers, which ``float`` may well read."""
    if not hasattr(value, "__float__") or isinstance(value, np.complexfloating):
        raise TypeError
    return float(value)


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except Exception:
        return f"a {type(value).__name__} whose repr() raised"
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 3] + "..."


def _broken(state: State, what: str, remedy: str) -> ValueError:
    try:
        where = str(state)
    except Exception:
        where = "(str() of it raised)"
    return ValueError(f"{what}; {remedy}. At the state:\n{where}")
