"""What is known of a solution beside its values; the header of its file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Facts:
    """How a game was solved, and how it pays.

    Attributes:
        game: its name.
        states: with a value; in Nannon as the paper counts them, finished and unreachable ones included.
        iterations: sweeps over the part of the game that took most.
        residual: no value differs from that of its successors by more.
        seconds: what solving took.
        tolerance: what was asked for.
        low, high: the least and the greatest return, of the game or else as found; may be infinite.
        discount: what a payment counts after one more decision.
        on_the_way: whether the game pays before its end.
        cyclic: whether positions repeat.
    """

    game: str
    states: int
    iterations: int
    residual: float
    seconds: float
    tolerance: float
    low: float
    high: float
    discount: float
    on_the_way: bool
    cyclic: bool

    @classmethod
    def of(
        cls, game: str, table: Any, *, iterations: int, residual: float, seconds: float, tolerance: float
    ) -> Facts:
        """Those of a native table that was just solved."""
        low, high = table.returns_range
        return cls(
            game=game,
            states=table.states,
            iterations=iterations,
            residual=residual,
            seconds=seconds,
            tolerance=tolerance,
            low=low,
            high=high,
            discount=table.discount,
            on_the_way=table.pays_on_the_way,
            cyclic=table.cyclic,
        )

    @property
    def paid(self) -> bool:
        """Whether a state's value is more than the mean or the best of its successors' values."""
        return self.on_the_way or self.discount != 1.0

    def header(self) -> dict[str, object]:
        """As JSON knows it: an infinite bound is None."""
        return {k: None if v in (math.inf, -math.inf) else v for k, v in asdict(self).items()}

    @classmethod
    def from_header(cls, header: Mapping[str, Any]) -> Facts:
        """Undoes ``header``; ValueError for a value that is missing or of a wrong kind."""
        values: dict[str, Any] = {}
        for field in fields(cls):
            value = header.get(field.name)
            if value is None and field.name in ("low", "high"):
                value = -math.inf if field.name == "low" else math.inf
            kinds = {"str": (str,), "int": (int,), "float": (float, int), "bool": (bool,)}[str(field.type)]
            if type(value) not in kinds:
                raise ValueError(f"{field.name}={value!r} in its header is not a {field.type}")
            values[field.name] = value
        return cls(**values)
