"""``dicezero check``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text
from tyro.conf import Positional

from dicezero.cli.console import GameName, emit
from dicezero.cli.load import load_unchecked
from dicezero.cli.progress import working
from dicezero.cli.sheet import Sheet
from dicezero.presets.fits import fits
from dicezero.presets.registry import PRESETS
from dicezero.rules import check_game, load_game, spec_of
from dicezero.rules.spec import GameSpec, describe


@dataclass(frozen=True)
class Check:
    """Test a game, yours or any other: its rules at random positions, its traits, and which presets fit it.

    Each rule that is broken is reported with the position and a remedy; the exit code is then 1.
    The module of a game of yours is imported, so its code runs: check only what you trust.

    Example: dicezero check examples/pig.py:Pig
    """

    game: Positional[GameName]
    games: int = 100
    """Random games to play."""
    max_moves: int = 10_000
    """A game with more actions than this counts as one that never ends."""
    seed: int = 0
    """Random seed; the same seed plays the same games."""
    json: bool = False
    """Print one JSON object: rules (what is broken), presets (fits, or the reason), spec, passed, ..."""

    def run(self) -> int:
        """Checks and prints; 1 if the game fails."""
        named: Any = load_unchecked(self.game)
        with working(f"checking {self.game}", quiet=self.json):
            report = check_game(named, games=self.games, max_moves=self.max_moves, seed=self.seed)
            spec = spec_of(load_game(named)) if report.passed else None
        verdicts = _verdicts(spec)
        data: dict[str, Any] = report.as_dict()
        data |= {"rules": data["failures"], "presets": verdicts, "spec": spec.as_dict() if spec else None}
        emit(data, _page(str(report), spec, verdicts), as_json=self.json)
        return 0 if report.passed else 1


def _verdicts(spec: GameSpec | None) -> dict[str, str]:
    """Each preset with "fits" or the reason why not; a game whose rules are broken fits none."""
    if spec is None:
        return dict.fromkeys(PRESETS, "rules: the game breaks some; mend them first")
    return {name: fits(preset, spec) or "fits" for name, preset in PRESETS.items()}


def _page(report: str, spec: GameSpec | None, verdicts: dict[str, str]) -> RenderableType:
    if spec is None:
        return report
    traits = Sheet("trait", "value", header=False)
    for name, text in describe(spec).items():
        traits.add_row(name, text)
    presets = Sheet("preset", "verdict", header=False)
    for name, verdict in verdicts.items():
        presets.add_row(name, Text(verdict, style="green" if verdict == "fits" else ""))
    return Group(report, "", traits, "", presets)
