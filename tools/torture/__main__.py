"""The attack on everything that is promised, as a program: seeded, bounded in time, with a table at the end.

python tools/torture --minutes 30 --seed 0 --out results/torture.json
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
os.environ.setdefault("JAX_PLATFORMS", "cpu")

from outcome import Budget, Outcome, in_processes


@dataclass(frozen=True)
class Attack:
    """What is attacked, how often in a whole run of half an hour, and its share of the time."""

    name: str
    what: str
    cases: int
    share: float
    batch: int  # cases a process; 0 where the attack runs a server or processes of its own


ATTACKS = (
    Attack("kills", "death at file operations of a commit", 3_000, 0.15, 25),
    Attack("damage", "files changed, cut, exchanged, lost", 2_000, 0.10, 200),
    Attack("hostile", "files of others' making with right sums", 5_000, 0.10, 500),
    Attack("lying", "Python games that break the rules", 5_000, 0.15, 100),
    Attack("native", "calls of the native module with anything", 200_000, 0.15, 2_000),
    Attack("commands", "command lines", 10_000, 0.15, 250),
    Attack("server", "requests and WebSocket frames", 100_000, 0.20, 0),
)


def main() -> int:
    """Attacks and prints the table; exit code 1 where something did not hold."""
    parser = argparse.ArgumentParser(prog="torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="attacks, with commas between")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--batch", help=argparse.SUPPRESS)
    parser.add_argument("--cases", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.batch:
        found = importlib.import_module(chosen.batch).batch(chosen.seed, chosen.cases)
        print(json.dumps(asdict(found)), flush=True)
        os._exit(0)  # whatever a lying game or a spoiled object would do at the end
    names = [name for name in chosen.only.split(",") if name] or [attack.name for attack in ATTACKS]
    rows = [_row(attack, chosen.minutes, chosen.seed) for attack in ATTACKS if attack.name in names]
    failures = [failure for row in rows for failure in row["failures"]]
    for failure in failures[:50]:
        print(f"did not hold: {failure}")
    if chosen.out:
        command = f"python tools/torture --minutes {chosen.minutes:g} --seed {chosen.seed}"
        chosen.out.write_text(
            json.dumps({"command": command, "attacks": rows}, indent=2) + "\n", encoding="utf-8"
        )
    return 1 if failures else 0


def _row(attack: Attack, minutes: float, seed: int) -> dict[str, object]:
    begin = time.monotonic()
    budget = Budget(seed, 60.0 * minutes * attack.share, attack.cases)
    run: Callable[[Budget], Outcome]
    if attack.batch:
        found = in_processes(attack.name, budget, batch=attack.batch)
    else:
        run = importlib.import_module(attack.name).attack
        found = run(budget)
    seconds = time.monotonic() - begin
    held = found.cases - len(found.failures)
    print(
        f"{attack.name:9} {found.cases:8,} cases {held:8,} held {seconds:7.1f} s   {attack.what}", flush=True
    )
    return {
        "attack": attack.name,
        "what": attack.what,
        "cases": found.cases,
        "seconds": round(seconds, 1),
        "failures": found.failures,
    }


if __name__ == "__main__":
    sys.exit(main())
