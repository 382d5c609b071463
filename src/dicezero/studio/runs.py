"""The runs a studio shows: those under its folders, by id, and their metrics."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from dicezero.rules.jsonable import finite
from dicezero.runs.checkpoint import CONFIG, MANIFEST, METRICS, Manifest, RunConfig, RunError
from dicezero.runs.folder import is_locked
from dicezero.runs.listing import find_runs
from dicezero.runs.loading import load_named

SCAN_SECONDS = 2.0  # a listing is at most so old
MAX_LINES = 1000  # of metrics in one answer


@dataclass(frozen=True)
class RunOffer:
    """A run that can be looked at and played against.

    Attributes:
        id: ``run-`` and a digest of its place.
        name: its path below the folder it was found in.
        path: its folder.
        preset, game: what it is; the game as ``str(game)``.
        round, target: the last finished round, and the one to stop after.
        rounds: those whose weights are there, oldest first.
        running: whether it is being trained now.
    """

    id: str
    name: str
    path: str
    preset: str
    game: str
    round: int
    target: int
    rounds: tuple[int, ...]
    running: bool


class RunShelf:
    """Runs under the given folders and nowhere else: links that lead out of them are not followed."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        for folder in folders:
            if not folder.is_dir():
                raise RunError(f"{folder} is no folder; give one that holds runs, or a run's own")
        self._folders = tuple(folder.resolve() for folder in folders)
        self._lock = threading.Lock()
        self._scanned = -math.inf
        self._offers: dict[str, RunOffer] = {}

    def offers(self) -> tuple[RunOffer, ...]:
        """The runs that can be read, in the order of folders and names."""
        with self._lock:
            if time.monotonic() - self._scanned > SCAN_SECONDS:
                found = [self._offer(root, path) for root in self._folders for path in find_runs(root)]
                self._offers = {offer.id: offer for offer in found if offer}
                self._scanned = time.monotonic()
            return tuple(self._offers.values())

    def offer(self, run_id: str) -> RunOffer:
        """The run of that id; RunError where there is none."""
        for offer in self.offers():
            if offer.id == run_id:
                return offer
        raise RunError(f"there is no run {run_id!r}; the catalog lists the runs")

    def metrics(self, run_id: str, start: int = 0) -> list[dict[str, Any]]:
        """At most 1000 lines from line ``start`` on; null where a number is not finite."""
        path = Path(self.offer(run_id).path) / METRICS
        if not path.is_file() or not self._inside(path):
            return []
        lines: list[dict[str, Any]] = []
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file):
                if number < start:
                    continue
                if len(lines) == MAX_LINES or not line.endswith("\n"):
                    break  # a line without its end is being written
                try:
                    data = json.loads(line)
                except ValueError as error:
                    raise RunError(f"{path}, line {number + 1} is damaged: {error}") from None
                lines.append(finite(data) if isinstance(data, dict) else {})
        return lines

    def _offer(self, root: Path, path: Path) -> RunOffer | None:
        if not all(self._inside(path / name) for name in (CONFIG, MANIFEST, METRICS)):
            return None
        try:
            config = RunConfig.read(path)
            # The game of a run may be somebody's file: looking at a run must not execute it.
            game = config.game if ":" in config.game else str(load_named(config.game))
            manifest = Manifest.read(path) if (path / MANIFEST).exists() else None
            running = is_locked(path)
        except (OSError, ValueError):
            return None
        digest = blake2b(str(path).encode(), digest_size=8).hexdigest()
        return RunOffer(
            id=f"run-{digest}",
            name=path.name if path == root else str(path.relative_to(root)),
            path=str(path),
            preset=config.preset.name,
            game=game,
            round=manifest.round if manifest else 0,
            target=config.rounds,
            rounds=manifest.rounds_with_weights if manifest else (),
            running=running,
        )

    def _inside(self, path: Path) -> bool:
        """Whether the file, links followed, is in one of the folders."""
        real = path.resolve()
        return any(real.is_relative_to(folder) for folder in self._folders)
