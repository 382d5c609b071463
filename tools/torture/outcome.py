"""What an attack came to, and the isolation that lets it go on after a crash."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent


@dataclass
class Outcome:
    """Cases tried, and those that did not hold, with enough to make them again."""

    cases: int = 0
    failures: list[str] = field(default_factory=list)

    def fail(self, text: str) -> None:
        """A case that did not hold."""
        self.failures.append(" ".join(text.split())[:500])

    def add(self, other: Outcome) -> None:
        """What another process has tried."""
        self.cases += other.cases
        self.failures += other.failures


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


def in_processes(attack: str, budget: Budget, *, batch: int, patience: float = 120.0) -> Outcome:
    """Runs a module's ``batch(seed, cases)`` in processes of their own, ``batch`` cases each.

    A process that dies by a signal, or hangs, is a failure that names its seed.
    """
    found = Outcome()
    for number in range(-(-budget.cases // batch)):
        if budget.left <= 0:
            break
        seed = budget.seed * 1_000_003 + number
        cases = min(batch, budget.cases - number * batch)
        with tempfile.TemporaryDirectory() as folder:
            words = [sys.executable, str(HERE / "__main__.py"), "--batch", attack]
            words += ["--seed", str(seed), "--cases", str(cases)]
            try:
                done = subprocess.run(
                    words,
                    capture_output=True,
                    text=True,
                    errors="replace",
                    timeout=patience,
                    cwd=folder,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                found.cases += cases
                found.fail(f"{attack} seed {seed}: hung for {patience:.0f} s")
                continue
        lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
        if done.returncode or not lines:
            found.cases += cases
            found.fail(f"{attack} seed {seed}: exit code {done.returncode}: {done.stderr[-300:]}")
            continue
        data = json.loads(lines[-1])
        found.add(Outcome(data["cases"], data["failures"]))
    return found


Batch = Callable[[int, int], Outcome]
