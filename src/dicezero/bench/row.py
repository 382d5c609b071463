"""One line of a benchmark: ours beside a peer, or beside what the machine can do, in the same run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A measured figure. Absent peers and limits are None, never zero."""

    workload: str
    unit: str
    ours: float
    peer: str | None = None
    peer_value: float | None = None
    limit: float | None = None

    @property
    def ratio(self) -> float | None:
        """Ours over the peer's: above 1 we are faster (units are rates)."""
        return self.ours / self.peer_value if self.peer_value else None

    @property
    def limit_share(self) -> float | None:
        """Ours over the machine's limit."""
        return self.ours / self.limit if self.limit else None

    def as_dict(self) -> dict[str, str | float | None]:
        """The JSON form."""
        return {
            "workload": self.workload,
            "unit": self.unit,
            "ours": self.ours,
            "peer": self.peer,
            "peer_value": self.peer_value,
            "ratio": self.ratio,
            "limit": self.limit,
            "limit_share": self.limit_share,
        }
