"""Which game it is, so that it means the same in another folder, on another day, on another machine."""

from __future__ import annotations

import weakref
from contextlib import suppress
from dataclasses import dataclass
from typing import cast

from dicezero.rules.errors import GameError
from dicezero.rules.objects import Source, is_object, source_of
from dicezero.rules.protocol import Game
from dicezero.rules.registry import load_game


@dataclass(frozen=True)
class Identity:
    """A game's name, and its code where it is somebody's own.

    Attributes:
        name: one that ``load_game`` takes, or ``file.py:Name`` with a colon, which it refuses.
        source: the code; None for a game that has a name of its own, or whose code cannot be found.
    """

    name: str
    source: Source | None = None

    @property
    def key(self) -> str:
        """Equal for games that are the same, code included."""
        return f"{self.name}#{self.source.record.sha256}" if self.source else self.name

    def load(self) -> Game:
        """The game, made anew; runs its code where it is somebody's own."""
        if self.source is not None:
            return load_game(cast("Game", self.source.load()))
        if is_object(self.name):
            raise GameError(
                f"{self.name} has no file that could be read; put the game into a file of its own"
            )
        return load_game(self.name)


_known: dict[int, tuple[weakref.ref[Game], Identity]] = {}  # by id: finding out may load a game


def identify(game: Game) -> Identity:
    """The game's name: what it prints where ``load_game`` makes the same of it, else its file and class."""
    cached = _known.get(id(game))
    if cached is not None and cached[0]() is game:
        return cached[1]
    identity, key = _identify(game), id(game)
    with suppress(TypeError):  # no weak references to it
        _known[key] = (weakref.ref(game, lambda _: _known.pop(key, None)), identity)
    return identity


def _identify(game: Game) -> Identity:
    printed = str(game)
    try:
        named = load_game(printed)
        if type(named) is type(game) and str(named) == printed:
            return Identity(printed)
    except GameError:
        pass
    source = source_of(game)
    if source is not None:
        return Identity(f"{source.file}:{source.name or type(game).__name__}", source)
    return Identity(f"{type(game).__module__}:{type(game).__qualname__}")


def same_game(first: Game, second: Game) -> bool:
    """Whether both are the same: of one name, or alike in class and print."""
    if type(first) is type(second) and first == second:
        return True
    own_print = type(first).__str__ is not object.__str__ or type(first).__repr__ is not object.__repr__
    return own_print and type(first).__name__ == type(second).__name__ and str(first) == str(second)
