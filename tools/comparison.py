"""What a comparison with another program's rules found, as a file under results/."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path


def write_comparison(
    path: Path, *, command: str, peers: Mapping[str, str], cpu_seconds: float, found: Mapping[str, object]
) -> None:
    """Writes one JSON object: what was run, beside what, for how long, and what came out."""
    versions = {"dicezero": version("dicezero"), "python": platform.python_version(), **peers}
    data = {"command": command, "versions": versions, "cpu_seconds": round(cpu_seconds, 1), **found}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
