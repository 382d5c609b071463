"""Death at every file operation of a commit: the folder is as before the round or after it, never between."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import made
from outcome import Budget, Outcome

from dicezero.runs.folder import run_folder
from dicezero.runs.manifest import Manifest, rounds_done


def batch(budget: Budget) -> Outcome:
    """Each case is a death: a run's process dies at one file operation after another until it is done."""
    found, seed = Outcome(), budget.seed
    with tempfile.TemporaryDirectory() as place:
        whole = made.said(made.make_run(Path(place) / "whole"))
        for number, lots in budget:
            if found.cases >= budget.cases:
                break
            folder = Path(place) / f"run{number}"
            folder.mkdir()
            deaths = 0
            while True:
                before = rounds_done(folder)
                code = _rounds_until(folder, lots.randrange(1, 60))
                after = rounds_done(folder)
                if not before <= after <= 5:
                    found.fail(f"seed {seed} case {number}: round {before} became {after}")
                if code == 0:
                    break
                deaths += 1
                found.cases += 1
                if code != 9 or deaths > 200:
                    found.fail(f"seed {seed} case {number}: exit code {code} after {deaths} deaths")
                    break
            if code == 0 and made.said(folder) != whole:
                found.fail(f"seed {seed} case {number}: another end after {deaths} deaths")
    return found


def _rounds_until(folder: Path, operations: int) -> int:
    """Goes on with the run in a process that dies at file operation number ``operations``; its exit code."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 1
    try:
        _die_after(operations)
        with run_folder(folder, made.CONFIG, resume=True):
            done = rounds_done(folder)
            sums = dict(Manifest.read(folder).sums)
            for number in range(done + 1, 6):
                sums = made.do_round(folder, number, sums)
        code = 0
    finally:
        os._exit(code)


def _die_after(operations: int) -> None:
    """From now on the process dies at its so-and-so-many-th file operation, before or after it."""
    left, after = [operations], operations % 2

    def deadly(real):  # type: ignore[no-untyped-def]
        def call(*words, **options):  # type: ignore[no-untyped-def]
            left[0] -= 1
            if left[0] == 0 and not after:
                os._exit(9)
            result = real(*words, **options)
            if left[0] == 0:
                os._exit(9)
            return result

        return call

    for name in ("fsync", "replace", "unlink", "rename"):
        setattr(os, name, deadly(getattr(os, name)))
