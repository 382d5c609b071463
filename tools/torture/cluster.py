"""Training on Ray with its workers and raylet killed: it goes on, or ends with a line and is resumed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from outcome import Budget, Outcome

from dicezero.bench.kills import KillCase, differences

_SETTINGS = {
    "games": 24,
    "batch": 16,
    "simulations": 8,
    "play.simulations": 8,
    "steps": 4,
    "hidden": 8,
    "widths": "8,8",
}
_CASE = KillCase("gumbel-ndmz", {**_SETTINGS, "unroll": 2, "measure_every": 2}, rounds=8, keep_every=4)
_PATIENCE = 300.0
_TITLES = {  # how processes call themselves; the raylet ends when one of its agents does
    "worker": ("ray::IDLE", "ray::RayWorker"),
    "raylet": ("raylet",),
    "agent": ("ray::DashboardAgent", "ray::RuntimeEnvAgent"),
}


def batch(budget: Budget) -> Outcome:
    """Each case is one kill."""
    found = Outcome()
    with tempfile.TemporaryDirectory() as place:
        whole = Path(place) / "whole"
        subprocess.run(_CASE.words(whole), check=True, capture_output=True)
        for number, lots in budget:
            if found.cases >= budget.cases:
                break
            _one_run(Path(place) / f"run{number}", lots, whole, found, f"seed {budget.seed} run {number}")
    return found


def _one_run(folder: Path, lots: random.Random, whole: Path, found: Outcome, where: str) -> None:
    """Kills one or two workers of a run, or what is Ray's own; then what is left is done in one process."""
    whom = lots.choice(("worker", "worker", "raylet", "agent"))
    process = subprocess.Popen(
        [*_CASE.words(folder), "--runtime", "ray", "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    struck = 0
    for _ in range(lots.randrange(1, 3) if whom == "worker" else 1):
        victims = _victims(process, whom)
        time.sleep(lots.uniform(0, 2))
        for pid in lots.sample(victims, min(1, len(victims))):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
            struck += 1
    found.cases += struck
    try:
        told = process.communicate(timeout=_PATIENCE)[1].decode(errors="replace")
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        found.fail(f"{where}: hung after a kill of {whom}")
        return
    if process.returncode and not _is_told(told):
        found.fail(
            f"{where}: exit code {process.returncode} after a kill of {whom}, no line of ours: {told[-300:]}"
        )
    if process.returncode and whom == "worker" and "cannot be started" not in told:
        found.fail(f"{where}: a killed worker ended the run: {told[-300:]}")
    done = subprocess.run(_CASE.words(folder), capture_output=True, check=False)
    if done.returncode or (differing := differences(whole, folder)):
        found.fail(f"{where}: {done.stderr[-200:]!r} {differing if not done.returncode else ''} after {whom}")


def _is_told(text: str) -> bool:
    return any("dicezero" in line or "--resume" in line for line in text.splitlines())


def _victims(process: subprocess.Popen[bytes], whom: str) -> list[int]:
    """Processes under this one with that name, once there are some; none where the run is over before."""
    deadline = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        found = [pid for pid in _family(process.pid) if _title(pid).startswith(_TITLES[whom])]
        if found:
            return found
        time.sleep(0.2)
    return []


def _family(root: int) -> list[int]:
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found, grown = {root}, True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        found |= more
        grown = bool(more)
    return sorted(found - {root})


def _title(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    first = words[0].decode(errors="replace")
    return Path(first).name if first.endswith("raylet") else first
