"""From a name, or an object, to a game: ours first, then OpenSpiel's, then whatever follows the protocol."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from dicezero import _native
from dicezero.rules import openspiel
from dicezero.rules.environment import environment_of
from dicezero.rules.errors import GameError
from dicezero.rules.gymnasium import load_gymnasium
from dicezero.rules.names import Name, nearest, parse_int, parse_name, quote
from dicezero.rules.protocol import Game, State, missing_method
from dicezero.rules.record import GameRecord, ParameterRecord

NativeGame: TypeAlias = _native.Nannon | _native.TicTacToe | _native.ConnectFour


@dataclass(frozen=True)
class _Native:
    """One of ours: how to make it and what it may be given."""

    make: Callable[..., NativeGame]
    parameters: tuple[ParameterRecord, ...] = ()


_NATIVE: dict[str, _Native] = {
    "nannon": _Native(
        _native.Nannon,
        (
            ParameterRecord("points", 6, "2..20"),
            ParameterRecord("checkers", 3, "1..sides-1"),
            ParameterRecord("sides", 6, "2..points"),
        ),
    ),
    "tic_tac_toe": _Native(_native.TicTacToe),
    "connect_four": _Native(
        _native.ConnectFour,
        (
            ParameterRecord("rows", 6, "1..15, (rows + 1) * columns at most 64"),
            ParameterRecord("columns", 7, "1..16"),
        ),
    ),
}


def load_game(game: str | Game) -> Game:
    """The game of that name, or the object itself once it is known to follow the protocol.

    Args:
        game: ``"nannon"``, ``"nannon(points=8,checkers=4)"``, any OpenSpiel game of perfect information for
            one or two players such as ``"pig(winscore=50)"``, a ``pyspiel.Game``, or an object with
            the methods of :class:`dicezero.rules.Game`.

    Raises:
        GameError: the name, a parameter, a trait or a method does not fit; the message says which.
    """
    if not isinstance(game, str):
        return _checked_object(game)
    name = parse_name(game)
    if name.word in _NATIVE:
        return _make_native(name)
    if name.word == "gymnasium":
        return load_gymnasium(name)
    if openspiel.installed():
        return openspiel.load(name, known=_NATIVE)
    raise GameError(
        f"unknown game {quote(name.word)}; {nearest(name.word, _NATIVE)}"
        f"known: {', '.join(_NATIVE)}; pip install 'dicezero[openspiel]' adds OpenSpiel's games"
    )


def load_state(text: str) -> State:
    """The state of one of our games that ``state.serialize()`` wrote; its moves are checked again."""
    name, bar, _ = text.partition("|")
    if not bar or parse_name(name).word not in _NATIVE:
        raise GameError(f"{quote(text)} is not a state of {', '.join(_NATIVE)}; give what serialize() wrote")
    return _make_native(parse_name(name)).deserialize_state(text)


def list_games() -> tuple[GameRecord, ...]:
    """Every game that can be named here: ours, then those of OpenSpiel that fit, when it is installed."""
    ours = tuple(_native_record(word) for word in _NATIVE)
    return ours + (openspiel.records(exclude=_NATIVE) if openspiel.installed() else ())


def _make_native(name: Name) -> NativeGame:
    entry = _NATIVE[name.word]
    known = [p.name for p in entry.parameters]
    values: dict[str, int] = {}
    for key, text in name.parameters.items():
        if key not in known:
            remedy = f"it takes {', '.join(known)}" if known else "it takes none"
            raise GameError(f"{name.word}: unknown parameter {quote(key)}; {nearest(key, known)}{remedy}")
        values[key] = parse_int(name.word, key, text)
    try:
        return entry.make(**values)
    except ValueError as error:  # the native constructor names parameter, value and range
        raise GameError(str(error)) from None


def _checked_object(game: object) -> Game:
    if isinstance(game, type):
        raise GameError(f"{game.__name__} is a class; give an instance of it, such as {game.__name__}()")
    environment = environment_of(game, name=type(game).__name__, make=lambda: copy.deepcopy(game))
    if environment is not None:
        return environment
    openspiel.check_if_openspiel(game)
    method = missing_method(game)
    if method is not None:
        raise GameError(
            f"{type(game).__name__} is no game: it has no method {method}(); "
            "give a name, an OpenSpiel game, or an object with the methods of dicezero.rules.Game"
        )
    assert isinstance(game, Game)  # noqa: S101 - what missing_method established, for the type checker
    try:
        state = game.new_initial_state()
    except Exception as error:
        raise GameError(
            f"{type(game).__name__}.new_initial_state() raised {type(error).__name__}: {error}; "
            "it must return the state before the first move"
        ) from error
    method = missing_method(game, state)
    if method is not None:
        raise GameError(
            f"{type(state).__name__} is no state: it has no method {method}(); "
            "add it as dicezero.rules.State describes it"
        )
    return game


def _native_record(word: str) -> GameRecord:
    game = _NATIVE[word].make()
    return GameRecord(
        name=word,
        source="dicezero",
        parameters=_NATIVE[word].parameters,
        players="2",
        chance="dice" if game.max_chance_outcomes() else "none",
        utility="zero_sum",
        actions=game.num_distinct_actions(),
        observation_shape=tuple(game.observation_tensor_shape()),
    )
