"""Every name of the native module, called with anything: an exception or an answer, never a crash."""

from __future__ import annotations

import sys
from pathlib import Path

from outcome import Budget, Outcome

from dicezero import _native

sys.path.insert(0, str(Path(__file__).parents[1] / "native_fuzz"))

from calls import Fuzzer
from draw import limit_memory


def batch(budget: Budget) -> Outcome:
    """Each case is one call; objects that calls return are called in their turn."""
    limit_memory()
    found, fuzzer = Outcome(), Fuzzer(_native, budget.seed)
    for _ in budget:
        fuzzer.call()
        found.cases += 1
    for line in fuzzer.broken:
        found.fail(f"seed {budget.seed}: {line}")
    return found
