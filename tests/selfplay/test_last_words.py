"""A line of ours where Ray ends the process without asking."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = """
import os
from dicezero.selfplay.ray_cluster import LastWords
words = LastWords("gone")
{end}
os._exit(1)
"""


@pytest.mark.parametrize(("end", "said"), [("", "gone\n"), ("words.close()", "")])
def test_last_words_are_said_only_where_nothing_else_could_be(end, said):
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(end=end)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (1, said)
