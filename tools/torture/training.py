"""Training runs that die: SIGKILL at a file operation or at a random moment, then resumed until done.

Whatever was killed and whenever, the run must end as its twin that was left alone: every byte of weights,
moments, games and configuration, every figure but the clock's.
"""

from __future__ import annotations

import builtins
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from outcome import Budget, Outcome

from dicezero.bench.kills import KillCase, differences
from dicezero.cli import main
from dicezero.runs.manifest import rounds_done

_SMALL = {
    "games": 8,
    "buffer_games": 30,
    "batch": 16,
    "simulations": 4,
    "play.simulations": 4,
    "measure_every": 2,
}
_MODEL = {**_SMALL, "steps": 4, "hidden": 8, "widths": "8,8", "unroll": 2}
_CASES = (
    KillCase("gumbel-ndmz", _MODEL, rounds=5, keep_every=2),
    KillCase("alphazero", {**_SMALL, "widths": "8,8"}, rounds=5, keep_every=2),
    KillCase("td-lambda", {"games": 20, "measure_every": 2}, rounds=5, keep_every=2),
    KillCase("gumbel-alphazero", {**_SMALL, "widths": "8,8"}, rounds=5, keep_every=2, game="tic_tac_toe"),
    KillCase("gumbel-muzero", _MODEL, rounds=5, keep_every=2, game="tic_tac_toe"),
)
_PATIENCE = 300.0  # seconds for one process, on a busy machine
_MOST_DEATHS = 60  # of one run: a run that never ends is a failure


def batch(budget: Budget) -> Outcome:
    """Each case is one death; the seed chooses the preset."""
    found = Outcome()
    case = _CASES[budget.seed % len(_CASES)]
    with tempfile.TemporaryDirectory() as place:
        _prepare(Path(place) / "compiled")
        for name in ("whole", "again"):
            begin = time.monotonic()
            if (code := _process(case, Path(place) / name, None)) != 0:
                found.fail(f"{case.preset} seed {budget.seed}: the run left alone ended with {code}")
                return found
            seconds = time.monotonic() - begin  # of the second, which has nothing to compile
        if differing := differences(Path(place) / "whole", Path(place) / "again"):
            found.fail(f"{case.preset} seed {budget.seed}: {differing} differ between two runs left alone")
        for number, lots in budget:
            if found.failures or found.cases >= budget.cases:
                break
            _one_run(case, Path(place), number, seconds, lots, found)
    return found


def _prepare(cache: Path) -> None:
    """What every process would do first is done once: modules are imported, the twin compiles programs.

    What the twin compiled lies in files; processes that are to die only read them.
    """
    import jax

    import dicezero.learner.loop  # noqa: F401 - imported here, so that no child has to

    jax.config.update("jax_compilation_cache_dir", str(cache))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)


def _read_compiled_only() -> None:
    import jax

    jax.config.update("jax_persistent_cache_min_compile_time_secs", 1e9)


def _one_run(
    case: KillCase, place: Path, number: int, seconds: float, lots: random.Random, found: Outcome
) -> None:
    """One run, killed until it gets through."""
    folder, deaths = place / f"run{number}", []
    where = f"{case.preset} run {number}"
    while True:
        before = rounds_done(folder)
        # Later ones live longer: a machine that is busier now than when the twin was made gets through too.
        longest = seconds * (1 + len(deaths) / 4)
        how = (
            ("operation", lots.randrange(1, 70))
            if lots.random() < 0.6
            else ("moment", lots.uniform(0, longest))
        )
        code = _process(case, folder, how)
        after = rounds_done(folder)
        if after < before:
            found.fail(f"{where}: round {before} became {after} after {deaths}, {how}")
        if code == 0:
            break
        found.cases += 1
        deaths.append(how)
        if code != -signal.SIGKILL or len(deaths) > _MOST_DEATHS:
            found.fail(f"{where}: exit code {code} after {deaths[-3:]}")
            return
    if differing := differences(place / "whole", folder):
        found.fail(f"{where}: {differing} differ after {deaths}")


def _process(case: KillCase, folder: Path, death: tuple[str, Any] | None) -> int:
    """Begins or goes on with the run in a process that dies as told; its exit code."""
    child = os.fork()
    if not child:
        _child(case, folder, death)
    kind, when = death or ("", 0.0)
    deadline = time.monotonic() + (when if kind == "moment" else _PATIENCE)
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            return ended if kind == "moment" else -signal.SIGALRM  # it hung
        time.sleep(0.005)


def _child(case: KillCase, folder: Path, death: tuple[str, Any] | None) -> None:
    code = 1
    try:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1):
            os.dup2(nowhere, stream)
        if death:
            _read_compiled_only()
        if death and death[0] == "operation":
            _die_after(death[1], folder)
        code = main(case.words(folder)[3:])
    finally:
        os._exit(code)


def _die_after(operations: int, folder: Path) -> None:
    """From now on the process dies at its so-and-so-many-th file operation in the folder."""
    left, after = [operations], operations % 2 == 0

    def deadly(real: Any, *, always: bool = False) -> Any:
        def call(*words: Any, **options: Any) -> Any:
            counts = always or any(str(folder) in str(word) for word in words[:2])
            left[0] -= counts
            if counts and left[0] == 0 and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            result = real(*words, **options)
            if counts and left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return call

    os.fsync = deadly(os.fsync, always=True)
    for name in ("replace", "rename", "unlink", "remove", "mkdir", "rmdir", "truncate", "open"):
        setattr(os, name, deadly(getattr(os, name)))
    opened = deadly(builtins.open)
    builtins.open = opened
    sys.modules["io"].open = opened  # which pathlib uses
