"""The attack on everything that is promised, as a program: seeded, bounded in time, with a table at the end.

python tools/torture --minutes 30 --seed 0 --out results/torture.json
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
os.environ.setdefault("JAX_PLATFORMS", "cpu")

from outcome import Budget, in_processes


@dataclass(frozen=True)
class Attack:
    """What is attacked, how often in a whole run of half an hour, and its share of the time of two cores."""

    name: str
    what: str
    cases: int
    share: float
    batch: int  # cases a process
    patience: float = 300.0  # seconds a process may take beyond its time


ATTACKS = (
    Attack("training", "training killed at file operations and at random moments", 100, 0.40, 20, 900.0),
    Attack("server", "requests and WebSocket frames", 100_000, 0.35, 50_000),
    Attack("commands", "command lines", 10_000, 0.35, 500),
    Attack("native", "calls of the native module with anything", 100_000, 0.20, 4_000),
    Attack("damage", "files changed, cut, exchanged, lost", 2_000, 0.15, 250),
    Attack("hostile", "files of others' making with right sums", 2_000, 0.10, 250),
    Attack("commits", "death at file operations of a commit", 1_000, 0.10, 100),
    Attack("lying", "Python games that break the rules", 2_000, 0.05, 250),
    # The last: what the others leave of the time is for the slowest, where Ray begins anew each time.
    Attack("cluster", "workers and raylets of Ray killed under a training run", 10, 0.30, 5, 900.0),
)
_printing = threading.Lock()


class Clock:
    """Shares the time out: what an attack leaves when its cases are done is for those that come after it."""

    def __init__(self, seconds: float, jobs: int, attacks: Sequence[Attack]) -> None:
        self.end, self.jobs = time.monotonic() + seconds, jobs
        self.unfinished = {attack.name: attack.share for attack in attacks}

    def share(self, attack: Attack) -> float:
        """Seconds for an attack that begins now."""
        left = self.end - time.monotonic()
        return left * min(1.0, self.jobs * attack.share / sum(self.unfinished.values()))


def main() -> int:
    """Attacks and prints the table; exit code 1 where something did not hold."""
    parser = argparse.ArgumentParser(prog="torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="attacks, with commas between")
    parser.add_argument("--jobs", type=int, default=2, help="attacks at once")
    parser.add_argument(
        "--counts", action="store_true", help="go on until the counts are reached, however long"
    )
    parser.add_argument("--out", type=Path)
    parser.add_argument("--batch", help=argparse.SUPPRESS)
    parser.add_argument("--cases", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=1e9, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.batch:
        budget = Budget(chosen.seed, chosen.cases, chosen.seconds)
        found = importlib.import_module(chosen.batch).batch(budget)
        print(json.dumps(asdict(found)), flush=True)
        os._exit(0)  # whatever a lying game or a spoiled object would do at the end
    names = [name for name in chosen.only.split(",") if name] or [attack.name for attack in ATTACKS]
    if unknown := set(names) - {attack.name for attack in ATTACKS}:
        parser.error(f"--only {chosen.only}: there is no attack {min(unknown)!r}")
    begin = time.monotonic()
    asked = [attack for attack in ATTACKS if attack.name in names]
    clock = Clock(60.0 * (10_000.0 if chosen.counts else chosen.minutes), chosen.jobs, asked)
    with ThreadPoolExecutor(chosen.jobs) as pool:
        rows = list(pool.map(lambda attack: _row(attack, clock, chosen.seed), asked))
    failures = [failure for row in rows for failure in row["failures"]]
    for failure in failures[:50]:
        print(f"did not hold: {failure}")
    taken = (time.monotonic() - begin) / 60
    cases = sum(int(row["cases"]) for row in rows)
    print(f"{cases:,} cases in {taken:.1f} minutes, {len(failures)} did not hold")
    if chosen.out:
        _write(chosen.out, " ".join(["python tools/torture", *sys.argv[1:]]), rows, taken)
    return 1 if failures else 0


def _row(attack: Attack, clock: Clock, seed: int) -> dict[str, object]:
    begin = time.monotonic()
    budget = Budget(seed, attack.cases, clock.share(attack))
    found = in_processes(attack.name, budget, batch=attack.batch, patience=attack.patience)
    seconds = time.monotonic() - begin
    del clock.unfinished[attack.name]
    with _printing:
        print(
            f"{attack.name:9} {found.cases:8,} of {attack.cases:8,} cases "
            f"{len(found.failures):4,} did not hold {seconds:7.1f} s {found.cpu_seconds:7.1f} CPU s "
            f"{found.megabytes:5,} MB   {attack.what}",
            flush=True,
        )
    return {
        "attack": attack.name,
        "what": attack.what,
        "cases": found.cases,
        "meant": attack.cases,
        "seconds": round(seconds, 1),
        "cpu_seconds": round(found.cpu_seconds, 1),
        "megabytes": found.megabytes,
        "failures": found.failures,
    }


def _write(path: Path, command: str, rows: list[dict[str, object]], minutes: float) -> None:
    from dicezero.runs.versions import versions

    load = [round(value, 1) for value in os.getloadavg()] if hasattr(os, "getloadavg") else []
    data = {
        "command": command,
        "minutes": round(minutes, 1),
        "load_at_the_end": load,
        "versions": versions(),
        "attacks": rows,
    }
    path.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
