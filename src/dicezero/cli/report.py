"""``dicezero report``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from tyro.conf import Positional

from dicezero.cli.console import emit
from dicezero.runs.report import write_report

RunFolder = Annotated[Path, tyro.conf.arg(metavar="DIR")]


@dataclass(frozen=True)
class Report:
    """Make a run's report.html again: its curves, its settings and its commands on one page.

    dicezero train makes it every few rounds and at the end.

    Example: dicezero report runs/first
    """

    path: Positional[RunFolder]
    """The folder that dicezero train wrote."""
    json: bool = False
    """Print one JSON object: report, the file."""

    def run(self) -> int:
        """Writes the page."""
        made = write_report(self.path)
        emit({"report": str(made)}, str(made), as_json=self.json)
        return 0
