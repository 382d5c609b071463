"""A game between two named players, as a file holds it."""

from __future__ import annotations

from dataclasses import dataclass

from dicezero.rules.errors import GameError
from dicezero.rules.protocol import Game, State
from dicezero.rules.registry import load_game

MOST_GAMES = 100_000  # of a file


class NotationError(ValueError):
    """A file that cannot be read, or a game that has no notation."""


@dataclass(frozen=True)
class Double:
    """A doubling cube offered, and the answer.

    Attributes:
        place: of the roll that it was offered before, among the game's actions, counted from 0.
        taken: else it was passed, and the game was over.
    """

    place: int
    taken: bool


@dataclass(frozen=True)
class GameText:
    """One game of a file.

    Attributes:
        game: its name, such as ``go(board_size=9,komi=7.5)``.
        actions: from the start, all legal.
        players: the first player's name and the second's (Black and White in Go, White and Black in chess).
        result: as in the file, or what the game ended with; empty where it is unknown.
        start: the position it begins with, None for the game's own start.
        doubles: of a money game with a cube, in their order; the last may be passed, after all actions.
        cube: whether there was a cube, turned or not.
    """

    game: str
    actions: tuple[int, ...]
    players: tuple[str, str] = ("?", "?")
    result: str = ""
    start: str | None = None
    doubles: tuple[Double, ...] = ()
    cube: bool = False


def add_game(games: list[GameText], game: GameText) -> None:
    """Adds a game of a file; raises NotationError where there are too many for one."""
    if len(games) >= MOST_GAMES:
        raise NotationError(f"there are more than {MOST_GAMES} games in the file; split it")
    games.append(game)


def first_state(record: GameText, game: Game | None = None) -> State:
    """The state that the record begins with; ``game`` in place of the one that it names."""
    try:
        game = load_game(record.game) if game is None else game
        return game.new_initial_state(*([record.start] if record.start else []))
    except (GameError, ValueError) as error:
        raise NotationError(str(error)) from None


def replay(record: GameText, game: Game | None = None) -> State:
    """The state that the record ends with; raises NotationError at the first action that is illegal."""
    state = first_state(record, game)
    for number, action in enumerate(record.actions, 1):
        try:
            state.apply_action(action)
        except ValueError as error:
            raise NotationError(f"move {number}: {error}") from None
    return state
