"""``dicezero games``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import tyro
from rich.console import RenderableType
from tyro.conf import Positional

from dicezero.cli.console import emit, stdout_width
from dicezero.cli.listing import assigned, fields_text
from dicezero.cli.sheet import Sheet
from dicezero.rules import list_games
from dicezero.rules.fields import FieldRecord, type_words
from dicezero.rules.names import nearest, quote
from dicezero.rules.record import GameRecord


@dataclass(frozen=True)
class Games:
    """List the games that can be named, or every parameter of one: name, type, default and meaning.

    A game is written as name(key=value,...), for example go(board_size=9). OpenSpiel's games are listed too
    when the package open_spiel is installed. A game need not have a name: path/to/file.py:Class is one of
    your own, gymnasium(id=CartPole-v1) and atari(game=pong) environments, tree.json a tree that is written
    out.

    Example: dicezero games nannon

    Example: dicezero games --filter chess --json
    """

    name: Positional[Annotated[str | None, tyro.conf.arg(metavar="[NAME]")]] = None
    """A game; all of them by default."""
    filter: str = ""
    """Only names that contain this."""
    json: bool = False
    """Print one JSON object: games (name, parameters with type, default and meaning, traits)."""

    def run(self) -> int:
        """Lists and prints."""
        records = [record for record in list_games() if self.filter in record.name]
        if self.name is not None:
            records = [_named(self.name, records)]
        shown: list[RenderableType] = [_page(records[0])] if self.name is not None else _table(records)
        emit({"games": [record.as_dict() for record in records]}, *shown, as_json=self.json)
        return 0


def _named(name: str, records: list[GameRecord]) -> GameRecord:
    for record in records:
        if record.name == name:
            return record
    hint = nearest(name, [record.name for record in records])
    raise ValueError(f"unknown game {quote(name)}; {hint}dicezero games lists those there are")


def _table(records: list[GameRecord]) -> list[RenderableType]:
    table = Sheet("game", "parameters", "players", "chance", "from")
    for record in records:
        parameters = assigned(_fields(record))
        table.add_row(record.name, parameters, record.players, record.chance, record.source)
    return [table, "the parameters of one: dicezero games NAME"]


def _page(record: GameRecord) -> str:
    head = f"{record.name}: players {record.players}, chance {record.chance}, from {record.source}"
    fields = _fields(record)
    return f"{head}\n{fields_text(fields, stdout_width()) if fields else 'it takes no parameters'}"


def _fields(record: GameRecord) -> list[FieldRecord]:
    """The parameters as fields of a configuration; a range stands before the meaning."""
    return [
        FieldRecord(
            name=p.name,
            type=type_words(type(p.default)),
            default=p.default,
            needed=False,
            meaning=" ".join(part for part in (p.range and f"{p.range}.", p.meaning) if part),
        )
        for p in record.parameters
    ]
