"""From a name, or an object, to a game: ours first, then OpenSpiel's, then whatever follows the protocol."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dicezero import _native
from dicezero.rules import openspiel
from dicezero.rules.atari import load_atari
from dicezero.rules.environment import environment_of
from dicezero.rules.errors import GameError
from dicezero.rules.gymnasium import load_gymnasium
from dicezero.rules.names import Name, nearest, parse_name, parse_value, quote
from dicezero.rules.objects import remember, source_of
from dicezero.rules.protocol import Game, State, missing_methods
from dicezero.rules.record import GameRecord, ParameterRecord


@dataclass(frozen=True)
class _Native:
    """One of ours: how to make it and what it may be given."""

    make: Callable[..., Any]
    parameters: tuple[ParameterRecord, ...] = ()


# The list is cpp/bindings/games.def.
_NATIVE: dict[str, _Native] = {
    name: _Native(make, tuple(ParameterRecord(*info) for info in parameters))
    for name, make, parameters in _native.registered_games()
}


def load_game(game: str | Game) -> Game:
    """The game of that name, or the object itself once it is known to follow the protocol.

    Args:
        game: ``"nannon"``, ``"nannon(points=8,checkers=4)"``, any OpenSpiel game of perfect information for
            one or two players such as ``"pig(winscore=50)"``, a ``pyspiel.Game``, or an object with
            the methods of :class:`dicezero.rules.Game`.

    Raises:
        GameError: the name, a parameter, a trait or a method does not fit; the message names it.
    """
    if not isinstance(game, str):
        return _checked_object(game)
    _refuse_files(game)
    name = parse_name(game)
    if name.word in _NATIVE:
        return _make_native(name)
    if name.word == "gymnasium":
        return load_gymnasium(name)
    if name.word == "atari":
        return load_atari(name)
    if openspiel.installed():
        return openspiel.load(name, known=_NATIVE)
    raise GameError(
        f"unknown game {quote(name.word)}; {nearest(name.word, _NATIVE)}"
        f"known: {', '.join(_NATIVE)}; OpenSpiel's games need dicezero[openspiel]: "
        'pip install "dicezero[openspiel]"'
    )


def _refuse_files(text: str) -> None:
    """A file is named where it is meant, never by the way: its code would be run."""
    place = text.partition("(")[0].strip()
    if ":" in place:
        raise GameError(
            f"{quote(text)} is not a name; load_object({quote(text)}) runs that code and gives its game"
        )
    if place.endswith(".json"):
        raise GameError(f"{quote(text)} is not a name; ExplicitGame.read({quote(text)}) reads a tree")


def load_state(text: str) -> State:
    """The state of one of our games that ``state.serialize()`` wrote; its moves are checked again."""
    name, bar, _ = text.partition("|")
    if not bar or parse_name(name).word not in _NATIVE:
        raise GameError(f"{quote(text)} is not a state of {', '.join(_NATIVE)}; give what serialize() wrote")
    game: Any = _make_native(parse_name(name))
    state: State = game.deserialize_state(text)
    return state


def list_games() -> tuple[GameRecord, ...]:
    """Every game that can be named here: ours, then those of OpenSpiel that fit, when it is installed."""
    ours = tuple(_native_record(word) for word in _NATIVE)
    return ours + (openspiel.records(exclude=_NATIVE) if openspiel.installed() else ())


def _make_native(name: Name) -> Game:
    entry = _NATIVE[name.word]
    defaults = {p.name: p.default for p in entry.parameters}
    values: dict[str, int | float | bool | str] = {}
    for key, text in name.parameters.items():
        if key not in defaults:
            remedy = f"it takes {', '.join(defaults)}" if defaults else "it takes none"
            raise GameError(f"{name.word}: unknown parameter {quote(key)}; {nearest(key, defaults)}{remedy}")
        values[key] = parse_value(name.word, key, text, defaults[key])
    try:
        game: Game = entry.make(**values)
    except (TypeError, ValueError) as error:  # the native constructor names parameter, value and range
        raise GameError(str(error)) from None
    return game


def _checked_object(game: object) -> Game:
    if isinstance(game, type):
        raise GameError(f"{game.__name__} is a class; give an instance of it, such as {game.__name__}()")
    environment = environment_of(game, name=type(game).__name__, make=lambda: copy.deepcopy(game))
    if environment is not None:
        remember(environment, source_of(game))
        return environment
    openspiel.check_if_openspiel(game)
    if missing := missing_methods(game):
        raise GameError(
            f"{type(game).__name__} is no game: it has no method {missing}; "
            "give a name, an OpenSpiel game, or an object with the methods of dicezero.rules.Game"
        )
    assert isinstance(game, Game)  # noqa: S101 - what missing_methods established, for the type checker
    try:
        state = game.new_initial_state()
    except Exception as error:
        raise GameError(
            f"{type(game).__name__}.new_initial_state() raised {type(error).__name__}: {error}; "
            "it must return the state before the first move"
        ) from error
    try:
        missing = missing_methods(game, object() if state is None else state)
    except Exception as error:
        raise GameError(
            f"{type(game).__name__}.max_chance_outcomes() raised {type(error).__name__}: {error}; "
            "it must return the number of chance outcomes"
        ) from error
    if missing:
        raise GameError(
            f"{type(state).__name__} is no state: it has no method {missing}; "
            "add it as dicezero.rules.State describes it"
        )
    return game


def _native_record(word: str) -> GameRecord:
    game = _NATIVE[word].make()
    return GameRecord(
        name=word,
        source="dicezero",
        parameters=_NATIVE[word].parameters,
        players=str(game.num_players()),
        chance="dice" if game.max_chance_outcomes() else "none",
        utility="zero_sum" if game.num_players() == 2 else "general_sum",
        actions=game.num_distinct_actions(),
        observation_shape=tuple(game.observation_tensor_shape()),
    )
