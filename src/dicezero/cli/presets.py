"""``dicezero presets``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from typing import Annotated, Any

import tyro
from rich.console import RenderableType
from tyro.conf import Positional

from dicezero.cli.console import emit, stdout_width
from dicezero.cli.listing import fields_text
from dicezero.cli.sheet import Sheet
from dicezero.presets.registry import PRESETS, Preset, get_preset
from dicezero.rules.fields import FieldRecord, field_records

_FIXED = ("name", "kind")  # what makes a preset the one it is
_WAYS = {"td": "looks one move ahead", "rules": "searches the rules", "model": "searches a learned model"}


@dataclass(frozen=True)
class Presets:
    """List the ways to learn, or every setting of one of them: name, type, default and meaning.

    A setting is given to dicezero train as --set name=value. Those of the search in self-play have bare
    names; those of the search that is measured and played with are called play.NAME.

    Example: dicezero presets gumbel-ndmz
    """

    name: Positional[Annotated[str | None, tyro.conf.arg(metavar="[NAME]")]] = None
    """A preset; all of them by default."""
    json: bool = False
    """Print one JSON object: presets (name, summary, parameters with type, default and meaning)."""

    def run(self) -> int:
        """Lists and prints."""
        presets = list(PRESETS.values()) if self.name is None else [get_preset(self.name)]
        data = {"presets": [_as_dict(preset) for preset in presets]}
        shown: list[RenderableType] = []
        if self.name is None:
            table = Sheet("preset", "how it learns")
            for preset in presets:
                table.add_row(preset.name, summary(preset))
            shown += [table, "every setting of one: dicezero presets NAME"]
        else:
            shown += [
                f"{self.name}: {summary(presets[0])}",
                fields_text(settings(presets[0]), stdout_width()),
            ]
        emit(data, *shown, as_json=self.json)
        return 0


def summary(preset: Preset) -> str:
    """A preset in a line, from what it is."""
    words = [_WAYS.get(preset.kind, preset.kind)]
    if preset.kind != "td":
        rule = "Gumbel" if preset.search.root == "gumbel" else preset.search.root.upper()
        words.append(f"{rule}, {preset.search.simulations} simulations")
    words.append(f"{preset.rounds} rounds of {preset.games} games")
    return "; ".join(words)


def settings(preset: Preset) -> list[FieldRecord]:
    """Everything that ``--set`` can change, with the preset's own values."""
    return [record for record in _leaves(preset, "") if record.name not in _FIXED]


def _leaves(owner: Any, prefix: str) -> Iterator[FieldRecord]:
    """The fields of a record and of the records in it."""
    for record in field_records(type(owner), prefix=prefix, of=owner):
        if is_dataclass(record.default):
            yield from _leaves(record.default, "" if record.name == "search" else f"{record.name}.")
        else:
            yield record


def _as_dict(preset: Preset) -> dict[str, Any]:
    parameters = [record.as_dict() for record in settings(preset)]
    return {"name": preset.name, "summary": summary(preset), "parameters": parameters}
