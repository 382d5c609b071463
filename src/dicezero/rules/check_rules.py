"""What must hold at every position of a game, one rule a function: None when it holds, else what happened."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from dicezero.rules.draw import board_of
from dicezero.rules.errors import GameError
from dicezero.rules.jsonable import is_finite
from dicezero.rules.protocol import (
    CHANCE_PLAYER,
    TERMINAL_PLAYER,
    Game,
    State,
    is_chance,
    max_outcomes,
    outcomes_of,
)
from dicezero.rules.text_grid import from_openspiel


@dataclass(frozen=True)
class Visit:
    """A position and the actions that led to it."""

    game: Game
    state: State
    history: tuple[int, ...]


def _nothing(visit: Visit) -> str | None:
    del visit
    return None


@dataclass(frozen=True)
class Rule:
    """A rule with the remedy for breaking it; a line stops at a broken rule that is needed to go on."""

    name: str
    remedy: str
    test: Callable[[Visit], str | None] = _nothing
    needed_to_go_on: bool = False


@dataclass(frozen=True)
class Optional:
    """A method a game may leave out."""

    name: str
    offered: Callable[[Game, State], bool]


def text_of(state: object) -> str:
    """What the state, or the game, prints, or why it cannot."""
    try:
        return str(state)
    except Exception as error:
        return f"<str() raised {type(error).__name__}: {error}>"


Fingerprint: TypeAlias = tuple[str, int, tuple[int, ...], tuple[tuple[int, float], ...], tuple[float, ...]]


def fingerprint(state: State) -> Fingerprint:
    """All that can be seen of a state, to compare two by."""
    player = state.current_player()
    chance = tuple((int(a), float(p)) for a, p in outcomes_of(state)) if player == CHANCE_PLAYER else ()
    returns = tuple(state.returns()) if player == TERMINAL_PLAYER else ()
    return str(state), player, tuple(state.legal_actions()), chance, returns


def has_observation(game: Game, state: State) -> bool:
    """Whether ``observation_tensor`` is offered; an OpenSpiel game's type has it."""
    get_type = getattr(game, "get_type", None)
    return hasattr(state, "observation_tensor") and (
        get_type is None or bool(get_type().provides_observation_tensor)
    )


def _has_serialize(game: Game, state: State) -> bool:
    return hasattr(state, "serialize") and hasattr(game, "deserialize_state")


def _players(visit: Visit) -> str | None:
    player = visit.state.current_player()
    players = visit.game.num_players()
    if player not in (*range(players), CHANCE_PLAYER, TERMINAL_PLAYER):
        return f"current_player() is {player!r} in a game of {players}"
    if bool(visit.state.is_terminal()) != (player == TERMINAL_PLAYER):
        return f"current_player() is {player} but is_terminal() is {visit.state.is_terminal()}"
    rolls = getattr(visit.state, "is_chance_node", None)  # a game without chance may leave it out
    if rolls is not None and bool(rolls()) != (player == CHANCE_PLAYER):
        return f"current_player() is {player} but is_chance_node() is {rolls()}"
    return None


def _ids(ids: list[Any], limit: int, what: str) -> str | None:
    """Sorted, unique, whole and below the limit."""
    if any(isinstance(i, bool) or not hasattr(i, "__index__") for i in ids):
        return f"{what} {ids} are not all ints"
    if ids != sorted(set(ids)):
        return f"{what} {ids} are not sorted and unique"
    if ids and not (ids[0] >= 0 and ids[-1] < limit):
        return f"{what} {ids} leave the range 0..{limit - 1}"
    return None


def _legal_actions(visit: Visit) -> str | None:
    player = visit.state.current_player()
    actions = list(visit.state.legal_actions())
    if player == TERMINAL_PLAYER:
        return f"legal_actions() is {actions} at the end" if actions else None
    if not actions:
        return "legal_actions() is empty before the end"
    if player == CHANCE_PLAYER:
        outcomes = [action for action, _ in outcomes_of(visit.state)]
        return (
            None if actions == outcomes else f"legal_actions() is {actions}, chance_outcomes() has {outcomes}"
        )
    return _ids(actions, visit.game.num_distinct_actions(), "legal actions")


def _chance(visit: Visit) -> str | None:
    if visit.state.current_player() != CHANCE_PLAYER:
        return None
    if max_outcomes(visit.game) == 0:
        return "chance acts (current_player() is -1) in a game whose max_chance_outcomes() is 0 or missing"
    outcomes = list(outcomes_of(visit.state))
    if not all(0.0 < p <= 1.0 for _, p in outcomes):
        return f"chance_outcomes() {outcomes} has a probability that is not in (0, 1]"
    total = math.fsum(p for _, p in outcomes)
    if abs(total - 1.0) > 1e-9:
        return f"the probabilities of chance_outcomes() sum to {total!r}"
    return _ids([a for a, _ in outcomes], max_outcomes(visit.game), "chance outcomes")


def _returns(visit: Visit) -> str | None:
    if not visit.state.is_terminal():
        return None
    returns, players = list(visit.state.returns()), visit.game.num_players()
    if len(returns) != players or not all(is_finite(r) for r in returns):
        return f"returns() is {returns} in a game of {players}"
    if players == 2 and abs(sum(returns)) > 1e-9:
        return f"returns() {returns} sum to {sum(returns)!r}, not to 0"
    low = getattr(visit.game, "min_utility", lambda: -math.inf)()
    high = getattr(visit.game, "max_utility", lambda: math.inf)()
    if not all(low - 1e-9 <= r <= high + 1e-9 for r in returns):
        return f"returns() {returns} leave min_utility()..max_utility(), {low}..{high}"
    return None


def _observation(visit: Visit) -> str | None:
    if not has_observation(visit.game, visit.state):
        return None
    shape = list(visit.game.observation_tensor_shape())  # type: ignore[attr-defined]
    for player in range(visit.game.num_players()):
        values = [float(v) for v in visit.state.observation_tensor(player)]  # type: ignore[attr-defined]
        if len(values) != math.prod(shape):
            return f"observation_tensor({player}) has {len(values)} values, its shape is {shape}"
        if not all(is_finite(v) for v in values):
            return f"observation_tensor({player}) has a value that is not finite"
    return None


def prints_address(state: object) -> bool:
    """Whether a state prints Python's default: an address, which another position may have later."""
    kind = type(state)
    return kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__


def _text(visit: Visit) -> str | None:
    if prints_address(visit.state):
        return f"str(state) is Python's default, {object.__repr__(visit.state)[:40]}..."
    return None if str(visit.state) == str(visit.state.clone()) else "a clone prints another text"


def _action_strings(visit: Visit) -> str | None:
    player = visit.state.current_player()
    actions = list(visit.state.legal_actions())
    names = [visit.state.action_to_string(player, action) for action in actions]
    if not all(isinstance(name, str) for name in names):
        return f"action_to_string() gives {names}, not all text"
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        return f"action_to_string() gives {twice!r} to more than one legal action"
    if hasattr(visit.state, "string_to_action"):
        for name, action in zip(names, actions, strict=True):
            back = visit.state.string_to_action(player, name)
            if back != action:
                return f"action {action} is {name!r}, but string_to_action({name!r}) is {back}"
    return None


def _serialize(visit: Visit) -> str | None:
    # Writing a state may replay its history, so only some positions of a line are tried: 0, 1, 2, 4, 8, ...
    move = len(visit.history)
    if not _has_serialize(visit.game, visit.state) or (move & (move - 1) and not visit.state.is_terminal()):
        return None
    text = visit.state.serialize()  # type: ignore[attr-defined]
    again = visit.game.deserialize_state(text)  # type: ignore[attr-defined]
    if fingerprint(again) != fingerprint(visit.state):
        return f"deserialize_state({text[:60]!r}) is another position"
    return None


def _board(visit: Visit) -> str | None:
    hook = getattr(visit.state, "board", None)
    if not callable(hook) or from_openspiel(visit.state):
        return None
    for seat in range(visit.game.num_players()):
        try:
            board = board_of(visit.state, seat)
        except GameError as error:
            return str(error)
        legal = () if is_chance(visit.state) else visit.state.legal_actions()
        strange = [action for action in board.paths if action not in legal] if board is not None else []
        if strange:
            return f"board() lets action {strange[0]} be clicked, which is not legal"
    return None


TEXT = Rule(
    "text",
    "write __str__ so that it shows all of the position (or offer key()): states that print alike are one to "
    "the solvers and to tables of searches",
    _text,
)
POSITION_RULES = (
    Rule(
        "players",
        "let current_player() be 0, 1, -1 exactly at chance nodes, and -4 exactly at the end",
        _players,
        needed_to_go_on=True,
    ),
    Rule(
        "chance",
        "give each outcome a positive probability, 1 in all, and sorted ids below max_chance_outcomes()",
        _chance,
        needed_to_go_on=True,
    ),
    Rule(
        "legal_actions",
        "return sorted unique ids below num_distinct_actions(); chance outcomes at theirs; none at the end",
        _legal_actions,
        needed_to_go_on=True,
    ),
    Rule(
        "returns",
        "return one finite number a player, summing to zero with two, within min_utility() and max_utility()",
        _returns,
    ),
    Rule(
        "observation",
        "return finite numbers, always as many as in observation_tensor_shape()",
        _observation,
    ),
    TEXT,
    Rule(
        "action_strings",
        "give every legal action of a position its own text, and string_to_action() the way back",
        _action_strings,
    ),
    Rule("serialize", "let deserialize_state() undo serialize()", _serialize),
    Rule("board", "return rows, columns, cells and legal actions as docs/howto/add-a-game.md has it", _board),
)
CLONE = Rule("clone", "copy in clone() whatever apply_action() changes, lists and dicts too")
OPTIONAL = (
    Optional("observation_tensor", has_observation),
    Optional("string_to_action", lambda _, state: hasattr(state, "string_to_action")),
    Optional("serialize", _has_serialize),
)
