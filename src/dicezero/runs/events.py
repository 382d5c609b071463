"""A run's metrics as TensorBoard events: ``tensorboard --logdir runs``."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tensorboardX.proto.event_pb2 import Event, SessionLog
from tensorboardX.proto.summary_pb2 import Summary
from tensorboardX.record_writer import RecordWriter

from dicezero.runs.files import named

_NAME = "events.out.tfevents"
_GROUPS = ("loss", "seconds")  # loss_value is shown as loss/value
_STRENGTH = ("vs_optimal", "raw_vs_optimal", "vs_random", "regret", "score", "mean_return")


class Events:
    """The one file of events of a run.

    It is made from the committed rounds when a process takes up the run, and each round is added once it is
    committed. Whatever a killed process left, cut off or one round short, is replaced: no round is there
    twice and none is missing. Weights do not depend on it.
    """

    def __init__(self, folder: Path, rounds: Iterable[Mapping[str, Any]]) -> None:
        now = time.time()
        self.path = folder / f"{_NAME}.{now:.0f}.{os.getpid()}"
        temporary = folder / f".{_NAME}.{os.getpid()}.tmp"
        try:
            self._writer: Any = RecordWriter(str(temporary))
            self._write(Event(wall_time=now, file_version="brain.Event:2"))
            # A TensorBoard that is looking on forgets what it read from the file before this one.
            self._write(Event(wall_time=now, step=1, session_log=SessionLog(status=SessionLog.START)))
            for metrics in rounds:
                self._write(_event(metrics))
            self._writer.flush()
            # Over the old file, then to a new name, so that at no moment there are two files or none; the
            # name is new because TensorBoard goes on reading a file it has open.
            old = sorted(folder.glob(f"{_NAME}.*"))
            for extra in old[1:]:
                extra.unlink()
            if old:
                temporary = temporary.replace(old[0])
            temporary.replace(self.path)
        except OSError as error:
            raise named(error, self.path) from error

    def add(self, metrics: Mapping[str, Any]) -> None:
        """A round that was committed."""
        try:
            self._write(_event(metrics))
            self._writer.flush()
        except OSError as error:
            raise named(error, self.path) from error

    def close(self) -> None:
        """Ends the file."""
        self._writer.close()

    def _write(self, event: Event) -> None:
        self._writer.write(event.SerializeToString())


def _event(metrics: Mapping[str, Any]) -> Event:
    values = [
        Summary.Value(tag=_tag(name), simple_value=float(value))
        for name, value in metrics.items()
        if name not in ("round", "unix_seconds") and isinstance(value, int | float)
    ]
    wall_time = float(metrics.get("unix_seconds", time.time()))
    return Event(wall_time=wall_time, step=int(metrics["round"]), summary=Summary(value=values))


def _tag(name: str) -> str:
    group, _, rest = name.partition("_")
    if group in _GROUPS and rest:
        return f"{group}/{rest}"
    return f"strength/{name}" if name in _STRENGTH else f"round/{name}"
