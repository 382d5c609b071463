"""A result file: data, what it takes to make them again, and what the runs behind them have cost."""

from __future__ import annotations

import json
import os
import platform
import shlex
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from dicezero.runs.checkpoint import read_metrics
from dicezero.runs.files import write_atomically
from dicezero.runs.manifest import read_run

_PACKAGES = ("dicezero", "jax", "jaxlib", "numpy", "optax")


def command() -> str:
    """What was typed, so that a shell takes it again."""
    return shlex.join(["dicezero", *sys.argv[1:]])


def write_result(path: Path, data: Mapping[str, Any], *, seeds: Sequence[int], hours: float) -> None:
    """Writes ``data`` with the command, seeds, versions, machine and hours of computing."""
    made = {
        "command": command(),
        "seeds": list(seeds),
        "hours": hours,
        "versions": {"python": platform.python_version(), **_versions()},
        "machine": {"processor": _processor(), "cores": os.cpu_count(), "system": platform.system()},
    }
    text = _lines({**made, **data})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, (text + "\n").encode())
    path.chmod(0o644)  # results are for others to read


def trained(run: Path, number: int) -> dict[str, Any]:
    """What a run is and what its rounds up to that one have cost."""
    config, _ = read_run(run)
    line = read_metrics(run, rounds=number)[-1]
    return {
        "run": run.name,
        "preset": config.preset.name,
        "seed": config.seed,
        "round": number,
        "cpu_seconds": line["cpu_seconds"],
    }


def _lines(data: Mapping[str, Any]) -> str:
    """JSON with a line a key at the top: files of many numbers stay readable and small."""
    rows = [f" {json.dumps(key)}: {json.dumps(value, allow_nan=False)}" for key, value in data.items()]
    return "{\n" + ",\n".join(rows) + "\n}"


def _versions() -> dict[str, str]:
    versions = {}
    for name in _PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = "source tree"
    return versions


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
