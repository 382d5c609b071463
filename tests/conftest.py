from __future__ import annotations

import importlib
import signal
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

# A shell starts what runs in its background with Ctrl-C ignored, and children inherit that. With a handler
# here they have the usual one, so that the tests of Ctrl-C hold wherever they are run.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Lets the tests' objects go at the end.

    pytest's import hook is the loader of every module that it rewrites: the tests, packages with a plugin for
    pytest, and all whose names end in ``_test`` (``scipy.stats._page_trend_test``). Extension modules (NumPy,
    SciPy, pandas) hold such modules for good, so through the hook's configuration they would hold the session
    and all that tests are called with beyond the end of Python: "nanobind: leaked".
    """
    hook = config.pluginmanager.rewrite_hook
    if hook is not None:
        hook.config = None


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


@pytest.fixture(scope="session")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes the folder of a run that has not learned anything: (preset, game) -> its path, made once each."""
    from dicezero.presets.fitting import fitted, network_of
    from dicezero.presets.registry import PRESETS
    from dicezero.presets.settings import with_settings
    from dicezero.rules import load_game, spec_of
    from dicezero.runs.checkpoint import Checkpoint, begin, commit
    from dicezero.runs.config import RunConfig

    made: dict[tuple[str, str], Path] = {}

    def make(preset: str, game: str) -> Path:
        if (preset, game) not in made:
            small = {"widths": "8,8", **({"hidden": "8"} if PRESETS[preset].kind == "model" else {})}
            spec = spec_of(load_game(game))
            config = fitted(with_settings(PRESETS[preset], small), spec)
            folder = tmp_path_factory.mktemp("untrained") / preset
            folder.mkdir()
            run = RunConfig(config, game, seed=0, rounds=1)
            begin(folder, run)
            weights = network_of(config, spec).init(seed=1)
            commit(folder, run, Checkpoint(1, weights, weights, ()), {}, {"round": 1})
            made[preset, game] = folder
        return made[preset, game]

    return make
