"""Rows of a result file that are made one at a time: what is there is kept, what is missing is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dicezero.experiments.gumbel.request import read_data
from dicezero.experiments.result import write_result

Row = dict[str, Any]
Address = Mapping[str, Any]  # the key of a row: some of its entries


def known_rows(path: Path, addresses: Iterable[Address]) -> list[Row]:
    """The rows of these addresses that the file has, in their order."""
    kept = (read_data(path) or {}).get("rows", [])
    return [row for address in addresses for row in kept if _at(row, address)]


def filled(
    path: Path,
    addresses: Sequence[Address],
    make: Callable[[Address], Row],
    *,
    seeds: Sequence[int],
    on_row: Callable[[Row], None] | None = None,
) -> list[Row]:
    """The rows of these addresses in their order; each new one is written before the next is made.

    Rows of other addresses stay in the file: a part that is run with fewer seeds loses nothing.

    Args:
        path: the file.
        addresses: what is wanted.
        make: the entries of a row beside its address.
        seeds: of the file.
        on_row: called with each new row.
    """
    data = read_data(path) or {}
    kept: list[Row] = [row for row in data.get("rows", []) if isinstance(row, dict)]
    rows: list[Row] = []
    for address in addresses:
        row = next((row for row in kept if _at(row, address)), None)
        if row is None:
            row = {**address, **make(address)}
            kept.append(row)
            write_result(path, {"rows": kept}, seeds=seeds, hours=sum(_hours(row) for row in kept))
            if on_row:
                on_row(row)
        rows.append(row)
    return rows


def _at(row: Row, address: Address) -> bool:
    return all(row.get(key) == value for key, value in address.items())


def _hours(row: Row) -> float:
    return float(row.get("seconds", 0.0)) / 3600
