from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest


@pytest.fixture
def program(tmp_path: Path):
    """Makes a command that runs a Python script: the body of a loop over stripped input lines, with say()."""

    def make(body: str, before: str = "") -> str:
        path = tmp_path / f"engine{len(list(tmp_path.iterdir()))}.py"
        loop = textwrap.indent(textwrap.dedent(body), "    ")
        path.write_text(
            "import sys, time, os, pathlib\n"
            "def say(text): print(text, flush=True)\n"
            f"{textwrap.dedent(before)}\n"
            f"for line in map(str.strip, sys.stdin):\n{loop}\n"
        )
        return f"{sys.executable} -S {path}"

    return make
