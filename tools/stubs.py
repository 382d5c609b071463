"""Writes src/dicezero/_native.pyi from the native module; ``--check`` compares (exit 1 if it differs)."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

STUB = Path(__file__).parents[1] / "src" / "dicezero" / "_native.pyi"


def generated() -> str:
    """The stub as nanobind makes it from the module that is importable now."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "_native.pyi"
        command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "dicezero._native", "-o", str(file)]
        subprocess.run(command, check=True)
        return file.read_text(encoding="utf-8")


def main() -> int:
    """Writes or compares."""
    text = generated()
    if "--check" in sys.argv[1:]:
        return 0 if STUB.read_text(encoding="utf-8") == text else 1
    STUB.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
