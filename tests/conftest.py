from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Callable, Iterator

import pytest


@pytest.fixture
def value_iteration(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., dict[str, float]]]:
    """OpenSpiel's own value iteration, without what it needs for simultaneous moves only."""
    pytest.importorskip("pyspiel")
    algorithms = "open_spiel.python.algorithms"
    for name in ("lp_solver", "value_iteration"):
        monkeypatch.delitem(sys.modules, f"{algorithms}.{name}", raising=False)
    # Its linear-programming package is a heavy one, and not installed with it.
    monkeypatch.setitem(sys.modules, f"{algorithms}.lp_solver", types.ModuleType("lp_solver"))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)  # it walks all states by recursion, thousands deep
    yield importlib.import_module(f"{algorithms}.value_iteration").value_iteration
    sys.setrecursionlimit(limit)
