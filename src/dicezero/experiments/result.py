"""A result file: data, and what it takes to make them again."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from dicezero.runs.files import write_atomically

_PACKAGES = ("dicezero", "jax", "jaxlib", "numpy", "optax")


def write_result(path: Path, data: Mapping[str, Any], *, seeds: Sequence[int], hours: float) -> None:
    """Writes ``data`` with the command, seeds, versions, machine and hours of computing."""
    made = {
        "command": " ".join(["dicezero", *sys.argv[1:]]),
        "seeds": list(seeds),
        "hours": hours,
        "versions": {"python": platform.python_version(), **_versions()},
        "machine": {"processor": _processor(), "cores": os.cpu_count(), "system": platform.system()},
    }
    text = _lines({**made, **data})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, (text + "\n").encode())
    path.chmod(0o644)  # results are for others to read


def _lines(data: Mapping[str, Any]) -> str:
    """JSON with a line a key at the top: files of many numbers stay readable and small."""
    rows = [f" {json.dumps(key)}: {json.dumps(value, allow_nan=False)}" for key, value in data.items()]
    return "{\n" + ",\n".join(rows) + "\n}"


def _versions() -> dict[str, str]:
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "source tree"
    return found


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
