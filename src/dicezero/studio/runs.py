"""The runs a studio shows: those under its folders, by id, and their metrics."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from dicezero.rules import Game, identify, load_game
from dicezero.rules.jsonable import finite
from dicezero.rules.objects import SourceRecord
from dicezero.runs.checkpoint import read_metrics
from dicezero.runs.code import GAME_CODE, run_game, same_code
from dicezero.runs.config import CONFIG, RunConfig
from dicezero.runs.errors import RunError
from dicezero.runs.folder import is_locked
from dicezero.runs.listing import find_runs
from dicezero.runs.manifest import MANIFEST, METRICS, belongings, read_run, weights_name

SCAN_SECONDS = 2.0  # a listing is at most so old
MAX_LINES = 1000  # of metrics in one answer


@dataclass(frozen=True)
class RunOffer:
    """A run that can be looked at and, where its game may be loaded, played against.

    Attributes:
        id: ``run-`` and a digest of its place and of the run itself: one trained anew there has another.
        name: its path below the folder it was found in.
        path: its folder.
        preset, game: what it is; the game as the studio offers it.
        round, target: the last finished round, and the one to stop after.
        rounds: those whose weights are there and can be played against, oldest first.
        weights: the sums of their files, beside ``rounds``.
        running: whether it is being trained now.
        damage: what is wrong with it; None where nothing is.
        locked: why nobody can play against it, though it is sound; None where anybody can.
    """

    id: str
    name: str
    path: str
    preset: str
    game: str
    round: int
    target: int
    rounds: tuple[int, ...]
    weights: tuple[str, ...]
    running: bool
    damage: str | None = None
    locked: str | None = None


class RunShelf:
    """Runs under the given folders and nowhere else: links that lead out of them are not followed."""

    def __init__(
        self, folders: Sequence[Path] = (), *, games: dict[str, Game] | None = None, trust: bool = False
    ) -> None:
        """Nothing is scanned yet.

        Args:
            folders: where to look.
            games: games of the studio's owner by name; a run of one of them can be played. With ``trust``
                the games found beside runs are added.
            trust: run the code of games that lies beside runs.
        """
        for folder in folders:
            if not folder.is_dir():
                raise RunError(f"{folder} is no folder; give one that holds runs, or a run's own")
        self._folders = tuple(folder.resolve() for folder in folders)
        self._games, self._trust = {} if games is None else games, trust
        self._lock = threading.Lock()
        self._scanned = -math.inf
        self._offers: dict[str, RunOffer] = {}
        self._seen: dict[Path, tuple[Any, RunOffer]] = {}

    def offers(self) -> tuple[RunOffer, ...]:
        """The runs there are, sound or not, in the order of folders and names."""
        with self._lock:
            if time.monotonic() - self._scanned > SCAN_SECONDS:
                offers = [self._offer(root, path) for root in self._folders for path in find_runs(root)]
                self._offers = {offer.id: offer for offer in offers if offer}
                self._scanned = time.monotonic()
            return tuple(self._offers.values())

    def offer(self, run_id: str) -> RunOffer:
        """The run of that id; RunError where there is none."""
        for offer in self.offers():
            if offer.id == run_id:
                return offer
        raise RunError(f"there is no run {run_id!r}; the catalog lists the runs")

    def metrics(self, run_id: str, start: int = 0) -> list[dict[str, Any]]:
        """At most 1000 lines of finished rounds from line ``start`` on."""
        offer = self.offer(run_id)
        path = Path(offer.path)
        if offer.damage or not self._contained(path):
            return []
        lines = read_metrics(path)[start : start + MAX_LINES]
        return [finite(line) for line in lines]

    def _offer(self, root: Path, path: Path) -> RunOffer | None:
        """What there is in one folder, looked at again only when a file has changed."""
        if not self._contained(path):
            return None
        marks = tuple(_mark(path / name) for name in (CONFIG, MANIFEST, METRICS, GAME_CODE))
        cached = self._seen.get(path)
        if cached is None or cached[0] != marks:
            cached = self._seen[path] = (marks, self._look(root, path))
        offer = cached[1]
        try:
            return replace(offer, running=is_locked(path))
        except OSError:
            return offer

    def _look(self, root: Path, path: Path) -> RunOffer:
        name = path.name if path == root else str(path.relative_to(root))
        config: RunConfig | None = None
        run_id, game, number = "", "", 0
        played: tuple[tuple[int, str], ...] = ()
        damage = locked = None
        try:
            config = RunConfig.read(path)
            game, playable = self._game(path, config)
            locked = None if playable else _locked(config)
            if (path / MANIFEST).exists() or any(belongings(path)):
                _, manifest = read_run(path)
                run_id, number = manifest.id, manifest.round
                read_metrics(path)
                if playable:
                    sums = manifest.sums
                    played = tuple((n, sums[weights_name(n)]) for n in manifest.rounds_with_weights)
        except (RunError, OSError) as error:
            damage = str(error)
        except Exception as error:  # judged alone: whatever is in one folder, the others are shown
            damage = f"{type(error).__name__}: {error}"
        digest = blake2b(f"{path}\0{run_id}".encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
        return RunOffer(
            id=f"run-{digest}",
            name=_shown(name),
            path=str(path),
            preset=_shown(str(config.preset.name)) if config else "?",
            game=game or (config.game if config else "?"),
            round=number,
            target=config.rounds if config else 0,
            rounds=() if damage else tuple(n for n, _ in played),
            weights=() if damage else tuple(digest for _, digest in played),
            running=False,
            damage=_shown(damage) if damage else None,
            locked=locked,
        )

    def _game(self, path: Path, config: RunConfig) -> tuple[str, bool]:
        """The run's game as the studio calls it, and whether it may be loaded: looking must not run code."""
        for name, game in self._games.items():
            if same_code(config, game):
                return name, True
        if config.source is None and ":" not in config.game:
            return str(load_game(config.game)), True
        if config.source is None or not (self._trust or self._named_file(config.source)):
            return config.game, False
        name = config.game
        if name in self._games:  # another file of that name
            name = f"{name} {config.source.sha256[:8]}"
        self._games[name] = run_game(path, config, trust=True)
        return name, True

    def _named_file(self, source: SourceRecord) -> bool:
        """Whether the studio's owner has named a game of this very file: its code runs here already."""
        own = (identify(game).source for game in self._games.values())
        return any(one is not None and one.record.sha256 == source.sha256 for one in own)

    def _contained(self, path: Path) -> bool:
        """Whether the run's files, links followed, are in one of the folders."""
        names = (CONFIG, MANIFEST, METRICS, GAME_CODE)
        return all(
            any((path / name).resolve().is_relative_to(folder) for folder in self._folders) for name in names
        )


def _locked(config: RunConfig) -> str:
    """Why code beside a run is not run, and both ways to have it run."""
    file = config.source.file if config.source else config.game.partition(":")[0]
    trust = "--trust to run the copy beside the run, or with " if config.source else ""
    return (
        f"{config.game} is code of somebody's own and is run only if you say so; start the studio with "
        f"{trust}--game path/to/{file}:Name"
    )


def _mark(path: Path) -> tuple[int, ...] | None:
    """Another one for another content: a file is replaced or rewritten, never changed without its clock."""
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns


def _shown(text: str) -> str:
    """A text that can be sent: a file's name may hold what no Unicode text does."""
    return text.encode("utf-8", "backslashreplace").decode()
