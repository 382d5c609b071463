"""The type stub of the native module is the one its build would give."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_stub_is_up_to_date():
    done = subprocess.run([sys.executable, ROOT / "tools" / "stubs.py", "--check"], timeout=120, check=False)
    assert done.returncode == 0, "src/dicezero/_native.pyi is out of date: run make stubs"
