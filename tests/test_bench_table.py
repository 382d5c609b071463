"""The table of workloads names every module that measures something."""

from __future__ import annotations

import re
from pathlib import Path

from dicezero.bench.workloads import WORKLOADS

BENCH = Path(__file__).parents[1] / "src" / "dicezero" / "bench"


def test_every_module_with_rows_is_in_the_table():
    files = [f for f in BENCH.glob("*.py") if re.search(r"^def rows\(", f.read_text(), re.MULTILINE)]
    assert {f"dicezero.bench.{file.stem}" for file in files} <= {w.module for w in WORKLOADS.values()}
