"""``dicezero bench``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import tyro
from tyro.conf import Positional

from dicezero.bench.row import Row
from dicezero.bench.workloads import WORKLOADS, parse_peers, run_workloads
from dicezero.cli.console import emit
from dicezero.cli.progress import bar
from dicezero.cli.sheet import Sheet


@dataclass(frozen=True)
class Bench:
    """Measure speed here and now, beside that of other packages on the same work in the same run.

    Every figure is a rate (more is better); 'ratio' is ours over the peer's. A peer that is not installed is
    reported as absent.

    Example: dicezero bench playouts uct --against openspiel
    """

    workloads: Positional[Annotated[tuple[str, ...], tyro.conf.arg(metavar="[WORKLOAD ...]")]] = ()
    """Which ones; all of them if none is named."""
    against: str = ""
    """Peers to measure too, separated by commas: mctx, openspiel."""
    list_: Annotated[bool, tyro.conf.arg(name="list")] = False
    """List the workloads and measure nothing."""
    json: bool = False
    """Print one JSON object: rows (workload, unit, ours, peer, peer_value, ratio, limit, limit_share)."""

    def run(self) -> int:
        """Measures and prints."""
        if self.list_:
            table = Sheet("workload", "what is measured")
            for name, workload in WORKLOADS.items():
                table.add_row(name, workload.summary)
            emit({"workloads": {n: w.summary for n, w in WORKLOADS.items()}}, table, as_json=self.json)
            return 0
        rows = []
        with bar("measuring", quiet=self.json) as progress:
            for row in run_workloads(self.workloads, parse_peers(self.against)):
                rows.append(row)
                progress.update(len(rows), f"{row.workload}: {rate(row.ours)} {row.unit}")
        emit({"rows": [row.as_dict() for row in rows]}, _table(rows), as_json=self.json)
        return 0


def rate(value: float | None) -> str:
    """A figure in few characters: 30.3 M, 797 k, 12.5."""
    if value is None:
        return ""
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"


def _table(rows: list[Row]) -> Sheet:
    headings = ("workload", "ours", "unit", "peer", "peer's", "ratio", "of the limit")
    table = Sheet(*headings, right=("ours", "peer's", "ratio", "of the limit"))
    for row in rows:
        table.add_row(
            row.workload,
            rate(row.ours),
            row.unit,
            row.peer or "",
            "absent" if row.peer and row.peer_value is None else rate(row.peer_value),
            f"{row.ratio:.1f}x" if row.ratio else "",
            f"{row.limit_share:.0%}" if row.limit_share else "",
        )
    return table
