"""Every name of the native module, called with anything: an exception or an answer, never a crash."""

from __future__ import annotations

import sys
from pathlib import Path

from outcome import Outcome

from dicezero import _native

sys.path.insert(0, str(Path(__file__).parents[1] / "native_fuzz"))

from calls import Fuzzer


def batch(seed: int, cases: int) -> Outcome:
    """Each case is one call; objects that calls return are called in their turn."""
    fuzzer = Fuzzer(_native, seed)
    for _ in range(cases):
        fuzzer.call()
    found = Outcome(cases)
    for line in fuzzer.broken:
        found.fail(f"seed {seed}: {line}")
    return found
