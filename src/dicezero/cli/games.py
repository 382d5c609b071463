"""``dicezero games``."""

from __future__ import annotations

from dataclasses import dataclass

from rich.table import Table

from dicezero.cli.console import emit
from dicezero.rules import list_games


@dataclass(frozen=True)
class Games:
    """List the games that can be named, with their parameters and traits.

    OpenSpiel's games are listed too when the package open_spiel is installed.

    Example: dicezero games --filter nannon
    """

    filter: str = ""
    """Only names that contain this."""
    json: bool = False
    """Print one JSON object: games (name, parameters, traits)."""

    def run(self) -> int:
        """Lists and prints."""
        records = [record for record in list_games() if self.filter in record.name]
        table = Table("game", "parameters", "players", "chance", "from", box=None, pad_edge=False, title=None)
        for record in records:
            parameters = ", ".join(f"{p.name}={p.default}" for p in record.parameters)
            table.add_row(record.name, parameters, record.players, record.chance, record.source)
        emit({"games": [record.as_dict() for record in records]}, table, as_json=self.json)
        return 0
