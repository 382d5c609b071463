"""What a user asks of the experiment, and results read back."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dicezero.experiments.ndmz import Say, Scale

_BYTES = 100_000_000


@dataclass(frozen=True)
class Request:
    """What is asked for.

    Attributes:
        out: where runs, data and figures go.
        algorithms: of the sweep; empty for all of them.
        simulations: numbers to compare; empty for the part's own.
        seeds: of training; the first is that of the bandits too.
        scale: how much of it.
        say: called with the progress.
    """

    out: Path
    algorithms: tuple[str, ...] = ()
    simulations: tuple[int, ...] = ()
    seeds: tuple[int, ...] = (0, 1, 2)
    scale: Scale = field(default_factory=Scale)
    say: Say | None = None

    def __post_init__(self) -> None:
        for n in self.simulations:
            if n < 1:
                raise ValueError(f"simulations={n} must be at least 1")
        if not self.seeds:
            raise ValueError("seeds is empty; give at least one")


def read_data(path: Path) -> dict[str, Any] | None:
    """A result file as it was written; None where there is none, or something else."""
    try:
        if path.stat().st_size > _BYTES:
            return None
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) else None
