"""OpenSpiel's games here, and ours in OpenSpiel. ``pyspiel`` is imported only when needed."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterable
from typing import Any, cast

from dicezero.rules.errors import GameError
from dicezero.rules.names import Name, nearest, parse_name, parse_value, quote
from dicezero.rules.protocol import Game
from dicezero.rules.record import GameRecord, ParameterRecord

# The largest value of parameters that decide how much is allocated. OpenSpiel trusts them: some larger ones
# end the process, and beyond 26 most boards run out of letters for their columns.
_LARGEST = {
    "board_size": 26,
    "columns": 26,
    "dice_sides": 26,
    "diceoutcomes": 26,
    "dims": 4,
    "height": 26,
    "m": 26,
    "n": 26,
    "num_cols": 26,
    "num_dice": 10,
    "num_houses_per_player": 26,
    "num_rows": 26,
    "players": 10,
    "rows": 26,
    "size": 26,
    "width": 26,
}
_NUMBERS = re.compile(r"[0-9]+")
_FILES = re.compile("file|root|path|dir")  # in keys whose values OpenSpiel opens, however a name came here
_UNCHECKED = {"start_at": "the history; load the game inside it and apply the actions"}


def installed() -> bool:
    """Whether ``pyspiel`` can be imported."""
    return "pyspiel" in sys.modules or importlib.util.find_spec("pyspiel") is not None


def register_with_pyspiel() -> dict[str, str]:
    """Makes ``pyspiel.load_game("nannon(points=6)")`` and the like work; doing it twice changes nothing.

    Returns our names with those in OpenSpiel: ``dicezero_chess`` where OpenSpiel has a ``chess`` of its own.
    """
    from dicezero.rules.openspiel_games import register_all

    return register_all()


def load(name: Name, *, known: Iterable[str] = ()) -> Game:
    """The OpenSpiel game of that name, if the algorithms here can play it.

    Everything is checked before OpenSpiel sees it: its errors go to stderr, and some sizes end the process.

    Raises:
        GameError: no such game, a parameter it does not take, or a trait that does not fit.
    """
    import pyspiel

    register_with_pyspiel()
    parameters = _typed_parameters(name, known)
    game_type = _types()[name.word]
    if game_type.is_concrete:  # a wrapper's traits are those of the game inside it, known once it is loaded
        _check_traits(name.word, game_type, players=None)
    try:
        game = pyspiel.load_game(name.word, parameters)
        game.new_initial_state()
    except Exception as error:  # whatever OpenSpiel raises, the user named a game it cannot make
        raise GameError(
            f"OpenSpiel cannot make {name.word} with {parameters or 'no parameters'}: "
            f"{quote(str(error))}; change the parameters"
        ) from None
    check_if_openspiel(game)
    return cast(Game, game)


def check_if_openspiel(game: object) -> None:
    """Raises GameError if ``game`` is OpenSpiel's and has a trait that does not fit."""
    pyspiel = sys.modules.get("pyspiel")
    if pyspiel is not None and isinstance(game, pyspiel.Game):
        _check_traits(str(game), game.get_type(), players=game.num_players())


def records(*, exclude: Iterable[str] = ()) -> tuple[GameRecord, ...]:
    """OpenSpiel's games that fit, by name."""
    ours = register_with_pyspiel()
    skip = {*exclude, *ours.values()}
    return tuple(_record(t) for word, t in sorted(_types().items()) if word not in skip and _fits(t))


def _types() -> dict[str, Any]:
    import pyspiel

    return {t.short_name: t for t in pyspiel.registered_games()}


def _fits(game_type: Any) -> bool:
    if not game_type.is_concrete or not game_type.default_loadable:
        return False
    try:
        _check_traits(game_type.short_name, game_type, players=None)
    except GameError:
        return False
    return True


def _check_traits(owner: str, game_type: Any, *, players: int | None) -> None:
    """Refuses a game by its traits; ``players`` of a loaded game, None when only the type is known."""
    fewest = game_type.min_num_players if players is None else players
    wanted = [
        ("dynamics", game_type.dynamics.name, ("SEQUENTIAL",)),
        ("information", game_type.information.name, ("PERFECT_INFORMATION",)),
        ("chance_mode", game_type.chance_mode.name, ("DETERMINISTIC", "EXPLICIT_STOCHASTIC")),
        ("players", fewest, (1, 2)),
    ]
    if fewest == 2:
        wanted.append(("utility", game_type.utility.name, ("ZERO_SUM",)))
    for trait, value, fitting in wanted:
        if value not in fitting:
            need = " or ".join(str(f) for f in fitting)
            raise GameError(f"{owner} does not fit: {trait}={value}; choose a game with {trait}={need}")


def _typed_parameters(name: Name, known: Iterable[str] = ()) -> dict[str, Any]:
    """The parameters as OpenSpiel's types, each checked against what the game declares."""
    types = _types()
    if name.word not in types:
        games = {*known, *types}
        raise GameError(
            f"unknown game {quote(name.word)}; {nearest(name.word, games)}"
            f"{len(games)} are known; dicezero games lists those that fit"
        )
    if name.word in _UNCHECKED:
        raise GameError(f"{name.word} is not offered: OpenSpiel does not check {_UNCHECKED[name.word]}")
    specification = types[name.word].parameter_specification
    if files := [key for key in specification if _FILES.search(key) and key in name.parameters]:
        raise GameError(f"{name.word}: {files[0]} names a file; load it with pyspiel and pass the game")
    for key, default in specification.items():
        if default == {} and key not in name.parameters:
            raise GameError(f"{name.word}: {key} is missing; write {name.word}({key}=tic_tac_toe())")
    typed: dict[str, Any] = {}
    for key, text in name.parameters.items():
        if key not in specification:
            takes = f"it takes {', '.join(specification)}" if specification else "it takes none"
            hint = nearest(key, specification)
            raise GameError(f"{name.word}: unknown parameter {quote(key)}; {hint}{takes}")
        typed[key] = _typed(name.word, key, text, specification[key])
    return typed


def _typed(owner: str, key: str, text: str, default: Any) -> Any:
    """The text as a value of the default's type, small enough for OpenSpiel."""
    if isinstance(default, dict):  # a game inside a game
        inner = parse_name(text)
        return {"name": inner.word, **_typed_parameters(inner)}
    value = parse_value(owner, key, text, default)
    if isinstance(value, int) and not isinstance(value, bool):
        low = 1 if default > 0 else 0 if default == 0 else -1
        high = _LARGEST.get(key, 10**6)
        if not low <= value <= high:
            raise GameError(f"{owner}: {key}={value} is out of range; give {low}..{high}")
    numbers = _NUMBERS.findall(value) if isinstance(value, str) else ()
    if any(len(number) > 5 or int(number) > 10_000 for number in numbers):
        # Sizes may stand in a text: nim(pile_sizes=1000000000) would take all memory.
        raise GameError(f"{owner}: {key}={quote(text)} has a number above 10000; give smaller ones")
    return value


def _record(game_type: Any) -> GameRecord:
    most = min(game_type.max_num_players, 2)
    return GameRecord(
        name=game_type.short_name,
        source="openspiel",
        parameters=tuple(ParameterRecord(k, v) for k, v in game_type.parameter_specification.items()),
        players=str(most) if game_type.min_num_players == most else f"{game_type.min_num_players}..{most}",
        chance="none" if game_type.chance_mode.name == "DETERMINISTIC" else "dice",
        utility=game_type.utility.name.lower(),
    )
