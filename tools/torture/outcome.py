"""What an attack came to, and the isolation that lets it go on after a crash."""

from __future__ import annotations

import json
import os
import random
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


@dataclass
class Outcome:
    """Cases tried, and those that did not hold, with enough to make them again."""

    cases: int = 0
    failures: list[str] = field(default_factory=list)
    megabytes: int = 0  # the most that one process held

    def fail(self, text: str) -> None:
        """A case that did not hold."""
        self.failures.append(" ".join(text.split())[:500])

    def add(self, other: Outcome) -> None:
        """What another process has tried."""
        self.cases += other.cases
        self.failures += other.failures
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
    seconds: float
    cases: int
    begin: float = field(default_factory=time.monotonic)

    def __iter__(self) -> Iterator[random.Random]:
        """A generator for each case, a function of the seed and its number."""
        for number in range(self.cases):
            if time.monotonic() - self.begin > self.seconds:
                return
            yield random.Random(f"{self.seed}/{number}")

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return max(0.0, self.seconds - (time.monotonic() - self.begin))


def in_processes(attack: str, budget: Budget, *, batch: int, patience: float) -> Outcome:
    """Runs a module's ``batch(seed, cases)`` in processes of their own, ``batch`` cases each.

    A process that dies by a signal, or hangs, is a failure that names its seed.
    """
    found = Outcome()
    number = 0
    while found.cases < budget.cases and budget.left > 0:
        seed = budget.seed * 1_000_003 + number
        found.add(_process(attack, seed, min(batch, budget.cases - found.cases), patience))
        number += 1
    return found


def _process(attack: str, seed: int, cases: int, patience: float) -> Outcome:
    found, where = Outcome(cases), f"{attack} seed {seed}"
    words = [sys.executable, str(HERE), "--batch", attack, "--seed", str(seed), "--cases", str(cases)]
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        process = subprocess.Popen(words, stdout=out, stderr=err, cwd=folder)
        hung = threading.Timer(patience, process.kill)
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
        found = Outcome(data["cases"], data["failures"])
    found.saw_memory(used.ru_maxrss // 1024, where)
    return found


def _text(stream: object) -> str:
    stream.seek(0)  # type: ignore[attr-defined]
    return str(stream.read().decode(errors="replace"))  # type: ignore[attr-defined]
