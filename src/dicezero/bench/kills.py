"""Runs killed at random moments and resumed each time, beside the same runs left alone.

    python -m dicezero.bench.kills --kills 20 --seed 0 --out results/kills.json

Every process is ended with SIGKILL at a moment drawn from the seed: in its start and first round, or some
rounds on and a part of a round. In the end the run must be the undisturbed one's twin: every byte of its
weights, of Adam's moments, of its games and of its manifest, and every figure of metrics.jsonl but the
clock's.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dicezero.runs.config import CONFIG
from dicezero.runs.folder import is_locked
from dicezero.runs.manifest import MANIFEST, METRICS, Manifest, rounds_done
from dicezero.runs.versions import versions

_CLI = (sys.executable, "-c", "import sys; from dicezero.cli import main; sys.exit(main())")
_POLL_SECONDS = 0.005
_SMALL = {"games": 20, "buffer_games": 70, "batch": 32, "simulations": 8, "play.simulations": 8}
GAME = "nannon(points=4,checkers=2,sides=4)"
CASES = {
    "gumbel-ndmz": {**_SMALL, "steps": 20, "hidden": 16, "widths": "16,16", "unroll": 3, "measure_every": 3},
    "alphazero": {**_SMALL, "early_rounds": 5, "early_epochs": 2, "widths": "16,16", "measure_every": 3},
}


@dataclass(frozen=True)
class KillCase:
    """A small run to be killed."""

    preset: str
    settings: Mapping[str, Any]
    rounds: int
    keep_every: int = 5
    game: str = GAME

    def words(self, folder: Path) -> list[str]:
        """Its command line; it begins and resumes alike."""
        arguments = [*_CLI, "train", self.preset, "--game", self.game, "--out", str(folder), "--seed", "1"]
        arguments += [
            "--rounds",
            str(self.rounds),
            "--keep-every",
            str(self.keep_every),
            "--json",
            "--resume",
        ]
        for key, value in self.settings.items():
            arguments += ["--set", f"{key}={value}"]
        return arguments


def measure_kills(case: KillCase, *, kills: int, seed: int, folder: Path) -> dict[str, Any]:
    """Makes the run undisturbed in ``folder/whole`` and killed in ``folder/killed``; returns what differs.

    The answer has ``kills`` that struck, ``rounds_at_kill`` (the committed round each struck at) and
    ``differences``: the names of files that are not the same, none if all is well.
    """
    begin = time.perf_counter()
    whole, killed = folder / "whole", folder / "killed"
    to_first, a_round = _left_alone(case, whole)
    rng = random.Random(seed)
    struck: list[int] = []
    while len(struck) < kills:
        # Counted in rounds first, so that a machine that is busy now and idle then makes no difference: every
        # process may do its share of the rounds, and the last kill still finds the run unfinished.
        rounds = rng.randrange(max(1, case.rounds // kills))
        if not _killed_after(case, killed, rounds, rng.uniform(0.0, a_round if rounds else to_first)):
            break
        struck.append(_round(killed))
    subprocess.run(case.words(killed), check=True, capture_output=True)  # noqa: S603 - our own words
    return {
        "preset": case.preset,
        "game": case.game,
        "settings": dict(case.settings),
        "rounds": case.rounds,
        "kills": len(struck),
        "rounds_at_kill": struck,
        "differences": differences(whole, killed),
        "seconds": round(time.perf_counter() - begin, 1),
    }


def differences(first: Path, second: Path) -> list[str]:
    """The names of files in which two runs differ: all but the report and the events, which carry clocks."""
    names = []
    mine, others = ({p.name for p in run.iterdir() if _is_compared(p.name)} for run in (first, second))
    for name in sorted(mine | others):
        if name not in mine & others or (first / name).read_bytes() != (second / name).read_bytes():
            names.append(name)
    one, other = (
        replace(Manifest.read(run), metrics="", id="") for run in (first, second)
    )  # its sum has clocks
    if one != other:
        names.append(MANIFEST)
    if _timeless(first) != _timeless(second):
        names.append(METRICS)
    return names


def _is_compared(name: str) -> bool:
    return name.endswith((".safetensors", ".npz")) or name == CONFIG


def _timeless(run: Path) -> list[dict[str, Any]]:
    # As they are: whether they are what the run wrote is another question.
    lines = [json.loads(line) for line in (run / METRICS).read_text(encoding="utf-8").splitlines()]
    return [{key: value for key, value in line.items() if "seconds" not in key} for line in lines]


def _round(run: Path) -> int:
    return rounds_done(run)


def _begin(case: KillCase, run: Path) -> subprocess.Popen[bytes]:
    """A process of the run that has taken its folder, or is over."""
    process = subprocess.Popen(  # noqa: S603 - our own words
        case.words(run), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    while process.poll() is None and not (run.is_dir() and is_locked(run)):
        time.sleep(_POLL_SECONDS)
    return process


def _left_alone(case: KillCase, run: Path) -> tuple[float, float]:
    """Trains without disturbance; seconds to the first round's end, and of a later round."""
    process = _begin(case, run)
    begin = first = time.monotonic()
    while process.poll() is None:
        if first == begin and rounds_done(run):
            first = time.monotonic()
        time.sleep(_POLL_SECONDS)
    _, complaint = process.communicate()
    if process.returncode:
        raise RuntimeError(f"the undisturbed run failed: {complaint.decode()}")
    return first - begin, (time.monotonic() - first) / max(1, case.rounds - 1)


def _killed_after(case: KillCase, run: Path, rounds: int, seconds: float) -> bool:
    """Lets the run do so many rounds, live so long, and kills it; False where it was over before."""
    process = _begin(case, run)
    target = _round(run) + rounds
    while process.poll() is None and _round(run) < target:
        time.sleep(_POLL_SECONDS)
    deadline = time.monotonic() + seconds
    while process.poll() is None and _round(run) == target and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)  # a round that ends before its time is up is as good a moment
    process.send_signal(signal.SIGKILL)  # does nothing to a process that is over
    _, complaint = process.communicate()
    if process.returncode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"the killed run could not be resumed: {complaint.decode()}")
    return process.returncode != 0


def main() -> int:
    """Runs the cases and writes what came out; exit code 1 where a run differs or got away."""
    parser = argparse.ArgumentParser(prog="python -m dicezero.bench.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("results/kills.json"))
    chosen = parser.parse_args()
    rows = []
    for preset, settings in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            case = KillCase(preset, settings, chosen.rounds)
            rows.append(measure_kills(case, kills=chosen.kills, seed=chosen.seed, folder=Path(folder)))
            print(json.dumps(rows[-1]), flush=True)
    command = f"python -m dicezero.bench.kills --kills {chosen.kills} --rounds {chosen.rounds}"
    data = {
        "command": f"{command} --seed {chosen.seed} --out {chosen.out}",
        "seed": chosen.seed,
        "versions": versions(),
        "runs": rows,
    }
    chosen.out.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    return 0 if all(row["kills"] == chosen.kills and not row["differences"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
