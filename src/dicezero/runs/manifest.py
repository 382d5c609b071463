"""``manifest.json``: what the last commit lists, and the names of a run's files."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dicezero.runs.config import CONFIG, RunConfig
from dicezero.runs.errors import RunError
from dicezero.runs.files import write_atomically
from dicezero.runs.sealed import read_sealed, refuse_unknown, sealed, text, whole_number

MANIFEST, METRICS = "manifest.json", "metrics.jsonl"
WEIGHTS, OPTIMISER, SHARDS = (
    "weights-*.safetensors",
    "optimiser-*.safetensors",
    ("games-*.npz", "fresh-*.npz"),
)


_FIELDS = ("round", "shards", "kept", "made_with", "id", "config", "metrics", "sha256")


def weights_name(round_number: int) -> str:
    """The file of the weights after a round."""
    return f"weights-{round_number:05d}.safetensors"


def optimiser_name(round_number: int) -> str:
    """The file of Adam's moments after a round."""
    return f"optimiser-{round_number:05d}.safetensors"


def shard_name(round_number: int) -> str:
    """The file of a round's games."""
    return f"games-{round_number:05d}.npz"


def fresh_name(round_number: int) -> str:
    """The file of what a round's reanalysis found for older games."""
    return f"fresh-{round_number:05d}.npz"


def shard_round(name: str) -> int:
    """The round of a shard, games or findings, by its name; RunError where it is no shard's."""
    match = re.fullmatch(r"(?:games|fresh)-(\d{5,9})\.npz", name)
    if not match:
        raise RunError(f"{MANIFEST} names the shard {name!r}, which is no file of games; train again")
    return int(match[1])


@dataclass(frozen=True)
class Manifest:
    """What the last commit lists; what it does not name does not exist."""

    round: int  # 0 before the first commit
    shards: tuple[str, ...]  # as they came
    kept: tuple[int, ...]  # rounds whose weights stay, oldest first
    made_with: dict[str, str]  # versions of what made the last round
    sums: dict[str, str]  # SHA-256 by file name
    config: str  # the sum of what may not change in the configuration
    metrics: str  # the sum of the lines of all committed rounds
    id: str  # drawn when the run began: another run in the same folder has another

    def __post_init__(self) -> None:
        rounds = [shard_round(name) for name in self.shards]
        names = [name for number in sorted(set(rounds)) for name in (shard_name(number), fresh_name(number))]
        if list(self.shards) != [name for name in names if name in self.shards]:
            raise ValueError("the shards are not in the order in which rounds write them")
        if any(not 0 < number <= self.round for number in self.kept) or any(map(self._beyond, self.shards)):
            raise ValueError(f"a shard or kept round is beyond round {self.round}")
        if list(self.kept) != sorted(set(self.kept)):
            raise ValueError("the kept rounds are not in order")
        needed = set(self.shards) | {weights_name(number) for number in self.rounds_with_weights}
        if not needed <= self.sums.keys() <= needed | {optimiser_name(self.round)}:
            raise ValueError("its sums are not those of its files")

    @property
    def last_shard(self) -> int:
        """The last round that files may be of: the manifest's own, or the next where it was played ahead."""
        return max([self.round, *map(shard_round, self.shards)])

    @property
    def rounds_with_weights(self) -> tuple[int, ...]:
        """The rounds that can be loaded, oldest first."""
        return tuple(sorted({*self.kept, *([self.round] if self.round else [])}))

    def _beyond(self, shard: str) -> bool:
        """Whether no such shard can be there yet: of the next round its games alone may be, played ahead."""
        number = shard_round(shard)
        ahead = bool(self.round) and shard == shard_name(number)
        return not 0 < number <= self.round + ahead

    def write(self, folder: Path) -> None:
        """Commits: from now on this is the run's state."""
        data = {
            "round": self.round,
            "shards": list(self.shards),
            "kept": list(self.kept),
            "made_with": self.made_with,
            "id": self.id,
            "config": self.config,
            "metrics": self.metrics,
            "sha256": self.sums,
        }
        write_atomically(folder / MANIFEST, sealed(data))

    @staticmethod
    def read(folder: Path) -> Manifest:
        """The run's manifest; RunError where there is none or it is something else."""
        if not (folder / MANIFEST).is_file():
            raise RunError(_missing(folder))
        return read_sealed(folder / MANIFEST, _from_plain)


def new_id() -> str:
    """For a run that begins, or goes on otherwise than it would have."""
    return secrets.token_hex(8)


def read_run(folder: Path) -> tuple[RunConfig, Manifest]:
    """What the run is and how far it is, seen to belong together; RunError where they do not."""
    config = RunConfig.read(folder)
    manifest = Manifest.read(folder)
    if manifest.config != config.identity_sum:
        raise RunError(
            f"{folder}: {CONFIG} is not that of the run whose {MANIFEST} this is: game, seed or preset were "
            f"changed; restore it from a copy, or see dicezero runs --repair {folder}"
        )
    return config, manifest


def rounds_done(folder: Path) -> int:
    """The last committed round; 0 where nothing has begun."""
    return Manifest.read(folder).round if (folder / MANIFEST).exists() else 0


def belongings(folder: Path) -> Iterator[Path]:
    """Files of rounds in the folder, whether the manifest names them or not."""
    for pattern in (WEIGHTS, OPTIMISER, *SHARDS):
        yield from sorted(folder.glob(pattern))


def newest_file_round(folder: Path) -> int:
    """The highest round that a file of the folder is named after; 0 where there is none."""
    matches = (re.search(r"-(\d{5,9})\.", path.name) for path in belongings(folder))
    return max((int(match[1]) for match in matches if match), default=0)


def check_last(folder: Path, manifest: Manifest) -> None:
    """RunError where files are there that a round after the manifest's next one must have written.

    The next round's are there when it was killed before its commit. Ask only while nobody trains the run.
    """
    if (newest := newest_file_round(folder)) > manifest.last_shard + 1:
        raise RunError(
            f"{folder}: {MANIFEST} is of round {manifest.round}, but there are files of round {newest}: it "
            "is not the run's last; nothing was changed; put the last one back, or let "
            f"dicezero runs --repair {folder} make it again"
        )


def _missing(folder: Path) -> str:
    if any(belongings(folder)) or (folder / METRICS).exists():
        return (
            f"{folder} has lost its {MANIFEST}, but not its weights, games or metrics: nothing was changed; "
            f"dicezero runs --repair {folder} makes it again from the files that are whole"
        )
    if (folder / CONFIG).is_file():
        return f"{folder} holds no finished round yet: there is no {MANIFEST}; give --resume to begin it"
    return f"{folder} is no run: there is no {MANIFEST}; give a folder that dicezero train wrote"


def _from_plain(data: Mapping[str, Any]) -> Manifest:
    refuse_unknown(data, _FIELDS)
    if not isinstance(data["shards"], list) or not isinstance(data["kept"], list):
        raise TypeError("shards and kept must be lists")
    return Manifest(
        whole_number(data, "round", low=0),
        tuple(text({"shard": name}, "shard", longest=32) for name in data["shards"]),
        tuple(whole_number({"kept": number}, "kept", low=1) for number in data["kept"]),
        {key: text(data["made_with"], key) for key in data["made_with"]},
        {key: text(data["sha256"], key, longest=64) for key in data["sha256"]},
        text(data, "config", longest=64),
        text(data, "metrics", longest=64),
        text(data, "id", longest=64),
    )
