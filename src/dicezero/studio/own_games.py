"""Games of the studio's owner: named on the command line or trusted beside a run, with their parameters."""

from __future__ import annotations

import inspect
import sys
from collections import OrderedDict
from dataclasses import fields, is_dataclass, replace
from typing import Any

from dicezero.rules import GameError, identify, load_game, same_game
from dicezero.rules.names import Name, nearest, parse_name, parse_value, quote
from dicezero.rules.protocol import Game
from dicezero.rules.record import ParameterRecord

MOST = 10_000  # the largest whole number that a page may give somebody's own game
_KEPT = 32  # games made with other parameters
_FOR_PROGRAMMERS = ("Args:", "Attributes:", "Raises:", "Returns:", "Example:")  # sections of a docstring


def split_name(name: str) -> tuple[str, Name]:
    """What comes before a game's own word (``path/pig.py:`` or nothing), and the word with its parameters.

    A file without a word in it, such as ``tree.json``, is all before it.
    """
    place, colon, word = name.rpartition(":") if "(" not in name else _before_bracket(name)
    try:
        return place + colon, parse_name(word)
    except GameError:
        return name, Name("")


class OwnGames:
    """Games by the name they are offered under; safe for many threads, as a dictionary is.

    A game that is a dataclass can be asked for with other values of its fields: ``pig.py:Pig(target=20)``.

    Attributes:
        named: what was named or trusted; trusting a run's code adds to it.
    """

    def __init__(self, games: dict[str, Game]) -> None:
        self.named = games
        self._made: OrderedDict[str, Game] = OrderedDict()

    def get(self, name: str) -> Game | None:
        """The game of that name, made if it differs from a named one in its parameters alone; else None.

        Raises:
            GameError: a parameter that the game does not have, or that it refuses.
        """
        made = self.named.get(name) or self._made.get(name)
        if made is not None:
            return made
        place, word = split_name(name)
        if not word.word or not word.parameters:
            return None
        for own_name, game in list(self.named.items()):
            own_place, own_word = split_name(own_name)
            if (own_place, own_word.word) == (place, word.word) and self.parameters(game):
                return self._make(name, game, word)
        return None

    def parameters(self, game: Game) -> tuple[ParameterRecord, ...]:
        """The numbers and switches among the fields of a game that is a dataclass."""
        if not is_dataclass(game) or isinstance(game, type):
            return ()
        values = [(field.name, getattr(game, field.name)) for field in fields(game) if field.init]
        return tuple(
            ParameterRecord(name, value) for name, value in values if isinstance(value, bool | int | float)
        )

    def name_of(self, game: Game) -> str | None:
        """The name under which this very object is offered; None for a game that is not here."""
        for name, own in (*self.named.items(), *self._made.items()):
            if own is game:
                return name
        return None

    def _make(self, name: str, game: Game, word: Name) -> Game:
        defaults = {record.name: record.default for record in self.parameters(game)}
        values: dict[str, Any] = {}
        for key, text in word.parameters.items():
            if key not in defaults:
                takes = f"{nearest(key, defaults)}it takes {', '.join(defaults)}"
                raise GameError(f"{word.word}: unknown parameter {quote(key)}; {takes}")
            values[key] = parse_value(word.word, key, text, defaults[key])
            if abs(values[key]) > MOST:
                raise GameError(f"{word.word}: {key}={text[:40]} must be at most {MOST} here")
        try:
            made = load_game(replace(game, **values))  # type: ignore[type-var]
        except Exception as error:  # a game of somebody's own may refuse in any way
            raise GameError(f"{quote(name)} cannot be had: {error}; check its parameters") from None
        for own in self.named.values():  # a run may have learned this very game, under a shorter name
            if same_game(own, made) and _code(own) == _code(made):
                made = own
        self._made[name] = made
        while len(self._made) > _KEPT:
            self._made.popitem(last=False)
        return made


def rules_of(game: Game) -> tuple[str, ...]:
    """The paragraphs of the docstrings of somebody's own game: of its file, then its class."""
    kind = type(game)
    if kind.__module__.partition(".")[0] in ("dicezero", "pyspiel"):  # that describes the class
        return ()
    written = inspect.cleandoc(kind.__doc__ or "")
    if written.startswith(f"{kind.__name__}("):  # what dataclass writes where there is nothing
        written = ""
    file = inspect.cleandoc(getattr(sys.modules.get(kind.__module__), "__doc__", None) or "")
    paragraphs = f"{file}\n\n{written}".split("\n\n")
    parts = dict.fromkeys(" ".join(part.replace("``", "").split()) for part in paragraphs if part.strip())
    return tuple(part for part in parts if not part.startswith(_FOR_PROGRAMMERS))


def _code(game: Game) -> str | None:
    source = identify(game).source
    return None if source is None else source.record.sha256


def _before_bracket(name: str) -> tuple[str, str, str]:
    head, bracket, rest = name.partition("(")
    place, colon, word = head.rpartition(":")
    return place, colon, word + bracket + rest
