"""A game of the studio as a file, and a file as a game: nothing in a file is ever run."""

from __future__ import annotations

from dataclasses import dataclass

from dicezero.agents.cube import turned_cube
from dicezero.rules.games import is_doubled, native_name
from dicezero.rules.names import quote
from dicezero.rules.notation import (
    GameText,
    NotationError,
    first_state,
    json_name,
    parse_games,
    parse_json,
    record_text,
    replay,
    suffixes_of,
)
from dicezero.rules.protocol import Game, max_outcomes
from dicezero.studio.catalog import Catalog
from dicezero.studio.session import Session

MAX_CHARACTERS = 60_000  # of a file; a message of the page's has at most 64 KiB


@dataclass(frozen=True)
class Loaded:
    """A game from a file.

    Attributes:
        game: its name, as the catalog offers it.
        record: what was played, every action legal.
        note: what a reader should know: how much was read, or that the file holds further games.
    """

    game: str
    record: GameText
    note: str


def endings(session: Session) -> tuple[str, ...]:
    """The endings that the session's game can be saved under, its own notation first."""
    if session.table.spec.simulator != "states":
        return ()
    return suffixes_of(session.game)


def save(session: Session, suffix: str, players: tuple[str, str]) -> str:
    """The text of a file with the line on the board; raises NotationError for an ending it does not have."""
    with session.lock:
        actions, doubles = session.table.actions, session.doubles
    record = GameText(
        session.game,
        actions,
        players,
        start=session.start,
        doubles=doubles,
        cube=session.doubling is not None,
    )
    return record_text(record, suffix, game=session.table.game)


def load(name: str, text: str, catalog: Catalog) -> Loaded:
    """The first game of a file that somebody has chosen.

    Raises:
        NotationError: too long, of no known kind, or with a mistake, whose line is named.
        GameError: of a game that is not offered here.
    """
    if len(text) > MAX_CHARACTERS:
        raise NotationError(f"{quote(name)} has more than {MAX_CHARACTERS} characters, which is no one game")
    suffix = "." + name.lower().rpartition(".")[2]
    if suffix == ".json":
        game = json_name(text)
        records = parse_json(text, game=catalog.game(game))
    else:
        records = parse_games(text, suffix)
        game = records[0].game
    record = records[0]
    replay(record, catalog.game(game))  # it must be offered here, and the actions legal in it
    if record.cube or record.doubles:
        _check_cube(record, catalog.game(game))
    played = "moves and rolls" if max_outcomes(catalog.game(game)) else "moves"
    note = f"Loaded {len(record.actions)} {played}."
    return Loaded(game, record, f"The first of {len(records)} games in the file." if records[1:] else note)


def _check_cube(record: GameText, game: Game) -> None:
    """Raises NotationError where the game knows no cube, or one of the doubles could not be offered."""
    start = first_state(record, game)
    if not is_doubled(native_name(start) or ""):
        raise NotationError(f"{quote(record.game)} is not played with a doubling cube; leave its doubles out")
    try:
        turned_cube(start, record.actions, record.doubles)
    except ValueError as error:
        raise NotationError(str(error)) from None
