"""``config.json``: what a run is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dicezero.presets.registry import Preset
from dicezero.presets.settings import preset_from_json, preset_to_json
from dicezero.rules.objects import SourceRecord
from dicezero.runs.errors import RunError
from dicezero.runs.files import write_atomically
from dicezero.runs.sealed import read_sealed, refuse_unknown, sealed, sum_of, text, whole_number

CONFIG = "config.json"
KEEP_EVERY = 10  # rounds whose weights outlast the next round, unless configured otherwise
_IDENTITY = ("preset", "game", "seed", "source", "network")
_SUMS = frozenset("0123456789abcdef")


@dataclass(frozen=True)
class RunConfig:
    """What a run is: with preset, game, seed and the code, every weight of every round is determined.

    Attributes:
        preset: how it learns.
        game: what it learns: a name that ``load_game`` takes, or ``file.py:Name``, which means nothing but
            beside ``source``.
        seed: of everything.
        rounds: the round to stop after; a resumed run may be given another.
        keep_every: the weights of every so many rounds are kept for good; 0 keeps the last round's only.
        source: of a game of somebody's own, which code it is; the code itself is ``game.py``.
        network: of a network of somebody's own, the same; the code is ``network.py``.
        stored: of a configuration that was read, ``identity`` as it was written. It stays so when the run
            goes on: sums of a version that knew fewer settings remain right.
    """

    preset: Preset
    game: str
    seed: int
    rounds: int
    keep_every: int = KEEP_EVERY
    source: SourceRecord | None = None
    network: SourceRecord | None = None
    stored: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise ValueError(f"rounds={self.rounds} must be at least 1")
        if self.rounds >= 2**31:
            raise ValueError(f"rounds={self.rounds} must be at most {2**31 - 1}")
        if self.keep_every < 0:
            raise ValueError(f"keep_every={self.keep_every} must be at least 0; 0 keeps the last round only")
        own = (self.preset, self.game, self.seed, self.source, self.network)
        if self.stored is not None and _identity(self.stored) != own:
            raise ValueError("stored is another run's identity; leave it out")

    @property
    def identity(self) -> dict[str, Any]:
        """All that may not change when a run goes on, as plain data."""
        if self.stored is not None:
            return dict(self.stored)
        data = {"game": self.game, "seed": self.seed, "preset": preset_to_json(self.preset)}
        codes = {"source": self.source, "network": self.network}
        return data | {key: asdict(record) for key, record in codes.items() if record}

    @property
    def identity_sum(self) -> str:
        """Its sum: a manifest belongs to the configuration that has it."""
        return sum_of(self.identity)

    def write(self, folder: Path) -> None:
        """Puts it into the folder."""
        data = {**self.identity, "rounds": self.rounds, "keep_every": self.keep_every}
        write_atomically(folder / CONFIG, sealed(data))

    @staticmethod
    def read(folder: Path) -> RunConfig:
        """The run's configuration; RunError where there is none."""
        if not (folder / CONFIG).is_file():
            raise RunError(
                f"{folder} is no run: there is no {CONFIG}; give a folder that dicezero train wrote"
            )
        return read_sealed(folder / CONFIG, RunConfig.from_plain)

    @staticmethod
    def from_plain(data: Mapping[str, Any]) -> RunConfig:
        """From plain data; ValueError, TypeError or LookupError where it is something else."""
        refuse_unknown(data, (*_IDENTITY, "rounds", "keep_every"))
        stored = {key: data[key] for key in data if key in _IDENTITY}
        preset, game, seed, source, network = _identity(stored)
        rounds, keep_every = whole_number(data, "rounds", low=1), whole_number(data, "keep_every", low=0)
        return RunConfig(preset, game, seed, rounds, keep_every, source, network, stored)


def _identity(
    data: Mapping[str, Any],
) -> tuple[Preset, str, int, SourceRecord | None, SourceRecord | None]:
    """What may not change when a run goes on, in the order of ``_IDENTITY``."""
    return (
        preset_from_json(data["preset"]),
        text(data, "game"),
        whole_number(data, "seed", low=-(2**63), high=2**64),
        _record(data.get("source")),
        _record(data.get("network")),
    )


def _record(data: Mapping[str, Any] | None) -> SourceRecord | None:
    if data is None:
        return None
    refuse_unknown(data, ("file", "name", "sha256"))
    name = text(data, "name") if data["name"] is not None else None
    source = SourceRecord(text(data, "file", longest=255), name, text(data, "sha256", longest=64))
    if len(source.sha256) != 64 or not _SUMS.issuperset(source.sha256):
        raise ValueError("sha256 is no sum")
    return source
