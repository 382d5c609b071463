"""What an attack came to, and the isolation that lets it go on after a crash."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
MOST_MEGABYTES = 3000  # that any process of an attack may have held at once
_MEMORY_DISK, _ROOM = Path("/dev/shm"), 2 << 30  # noqa: S108 - as a place for folders of random names


@dataclass
class Outcome:
    """Cases tried, and those that did not hold, with enough to make them again."""

    cases: int = 0
    failures: list[str] = field(default_factory=list)
    megabytes: int = 0  # the most that one process held
    cpu_seconds: float = 0.0  # of all processes that were waited for

    def fail(self, text: str) -> None:
        """A case that did not hold."""
        self.failures.append(" ".join(text.split())[:500])

    def add(self, other: Outcome) -> None:
        """What another process has tried."""
        self.cases += other.cases
        self.failures += other.failures
        self.cpu_seconds += other.cpu_seconds
        self.saw_memory(other.megabytes, "")

    def saw_memory(self, megabytes: int, where: str) -> None:
        """Memory is bounded, whatever is asked for."""
        self.megabytes = max(self.megabytes, megabytes)
        if where and megabytes > MOST_MEGABYTES:
            self.fail(f"{where}: {megabytes} MB at once")


@dataclass(frozen=True)
class Budget:
    """How much to try: until the time is up or so many cases are done, whichever comes first."""

    seed: int
    cases: int
    seconds: float = 1e9
    begin: float = field(default_factory=time.monotonic)

    def __iter__(self) -> Iterator[tuple[int, random.Random]]:
        """Number and generator of each case, the latter a function of seed and number; at least one case."""
        for number in range(self.cases):
            if number and not self.left:
                return
            yield number, random.Random(f"{self.seed}/{number}")

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return max(0.0, self.seconds - (time.monotonic() - self.begin))


def in_processes(attack: str, budget: Budget, *, batch: int, patience: float) -> Outcome:
    """Runs a module's ``batch(budget)`` in processes of their own, ``batch`` cases each.

    A process that dies by a signal, or hangs for ``patience`` seconds after its time, is a failure that names
    its seed.
    """
    found = Outcome()
    number = 0
    while found.cases < budget.cases and budget.left > 0:
        cases = min(batch, budget.cases - found.cases)
        part = Budget(budget.seed * 1_000_003 + number, cases, budget.left)
        found.add(_process(attack, part, patience))
        number += 1
    return found


def _process(attack: str, budget: Budget, patience: float) -> Outcome:
    found, where = Outcome(budget.cases), f"{attack} seed {budget.seed}"
    words = [sys.executable, str(HERE), "--batch", attack, "--seed", str(budget.seed)]
    words += ["--cases", str(budget.cases), "--seconds", str(budget.seconds)]
    with (
        tempfile.TemporaryDirectory(dir=_place(), prefix="torture-", ignore_cleanup_errors=True) as folder,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        # Ray has sockets in its folder, whose names may not be long.
        places = {"TMPDIR": folder, "RAY_TMPDIR": os.environ.get("RAY_TMPDIR", tempfile.gettempdir())}
        process = subprocess.Popen(words, stdout=out, stderr=err, cwd=folder, env=os.environ | places)
        hung = threading.Timer(min(budget.seconds, 86_400.0) + patience, process.kill)
        hung.start()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        late = not hung.is_alive()
        hung.cancel()
        told, complaints = (_text(stream) for stream in (out, err))
    lines = [line for line in told.splitlines() if line.startswith("{")]
    if late:
        found.fail(f"{where}: hung for {patience:.0f} s")
    elif process.returncode or not lines:
        found.fail(f"{where}: exit code {process.returncode}: {complaints[-300:]}")
    else:
        data = json.loads(lines[-1])
        found = Outcome(data["cases"], data["failures"], data["megabytes"])
    found.cpu_seconds = used.ru_utime + used.ru_stime
    found.saw_memory(used.ru_maxrss // 1024, where)
    return found


def _place() -> Path | None:
    """A disk in memory where there is one: what dies is a process, and no case has to wait for a disk."""
    if _MEMORY_DISK.is_dir() and shutil.disk_usage(_MEMORY_DISK).free > _ROOM:
        return _MEMORY_DISK
    return None


def _text(stream: object) -> str:
    stream.seek(0)  # type: ignore[attr-defined]
    return str(stream.read().decode(errors="replace"))  # type: ignore[attr-defined]
