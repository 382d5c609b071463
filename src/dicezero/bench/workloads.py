"""The workloads by name, and the peers they may be measured beside."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dicezero.bench.row import Row
from dicezero.rules.names import nearest, quote


@dataclass(frozen=True)
class Workload:
    """A module with ``rows(against: frozenset[str]) -> Iterator[Row]``."""

    module: str
    summary: str
    extra: str = ""  # without which there are no rows


WORKLOADS: dict[str, Workload] = {
    "playouts": Workload("dicezero.bench.playouts", "random games to the end"),
    "perft": Workload("dicezero.bench.perft", "lines of play counted"),
    "solving": Workload("dicezero.bench.solving", "exact solutions of Nannon"),
    "minimax": Workload("dicezero.bench.minimax", "alpha-beta and expectiminimax"),
    "uct": Workload("dicezero.bench.uct", "Monte Carlo tree search"),
    "network": Workload("dicezero.bench.network", "evaluations by a small network"),
    "board": Workload("dicezero.bench.board", "evaluations by networks for boards"),
    "planner": Workload("dicezero.bench.planner", "batched planning with a learned model"),
    "tuples": Workload("dicezero.bench.tuples", "n-tuple networks on 2048: moves learned from and chosen"),
    "learning": Workload("dicezero.bench.learning", "training steps, self-play and a whole round"),
    "selfplay": Workload("dicezero.bench.selfplay", "self-play with a network for boards"),
    "atari": Workload(
        "dicezero.bench.atari", "Atari on one core: steps, networks, self-play, training", "atari"
    ),
    "memory": Workload("dicezero.bench.memory", "bytes of a stored step and of a search, by actions"),
    "studio": Workload("dicezero.bench.studio", "a move over HTTP: one game, and fifty at once", "studio"),
    "ray": Workload("dicezero.bench.ray", "self-play by workers on Ray", "ray"),
}
# name: the module that must be importable
PEERS: dict[str, str] = {"mctx": "mctx", "openspiel": "pyspiel", "bitbully": "bitbully"}


def parse_peers(text: str) -> frozenset[str]:
    """Peers from ``mctx,openspiel``; raises ValueError for one that is not known."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in PEERS:
            raise ValueError(f"unknown peer {quote(name)}; {nearest(name, PEERS)}known: {', '.join(PEERS)}")
    return frozenset(names)


def available(peers: frozenset[str]) -> frozenset[str]:
    """Those of the peers that are installed."""
    return frozenset(peer for peer in peers if importlib.util.find_spec(PEERS[peer]) is not None)


def run_workloads(names: Sequence[str], against: frozenset[str]) -> Iterator[Row]:
    """The rows of the named workloads, of all if none is named.

    A peer that was asked for and is not installed makes a row too: its value is None.
    """
    for name in names:
        if name not in WORKLOADS:
            all_names = ", ".join(WORKLOADS)
            raise ValueError(f"unknown workload {quote(name)}; {nearest(name, WORKLOADS)}known: {all_names}")
    present = available(against)
    for name in names or WORKLOADS:
        extra, some = WORKLOADS[name].extra, False
        for row in importlib.import_module(WORKLOADS[name].module).rows(present):
            some = True
            yield row
            if row.peer is None:
                for peer in sorted(against - present):
                    yield Row(row.workload, row.unit, row.ours, peer=peer, peer_value=None, limit=row.limit)
        if name in names and extra and not some:
            raise ValueError(f'{name} needs dicezero[{extra}]: pip install "dicezero[{extra}]"')
