"""A manifest of an earlier round, as a backup may put back: nothing is deleted, the last round is found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools" / "torture"))

import made

from dicezero.runs.checkpoint import read_checkpoint
from dicezero.runs.errors import RunError
from dicezero.runs.folder import run_folder
from dicezero.runs.listing import summarise_run
from dicezero.runs.manifest import MANIFEST, METRICS, rounds_done
from dicezero.runs.repair import repair_run


@pytest.fixture
def past():
    return []


@pytest.fixture
def run(past, tmp_path):
    """Five rounds; ``past`` has the manifest of each, that of the beginning first."""
    return made.make_run(tmp_path / "run", manifests=past)


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("number", [0, 1, 2, 3])
@pytest.mark.parametrize("resume", [True, False])
def test_it_is_refused_and_the_last_round_found_again(run, past, number, resume):
    right = made.said(run)
    (run / MANIFEST).write_bytes(past[number])
    before = files(run)
    with (
        pytest.raises(RunError, match=f"of round {number}, but there are files of round 5"),
        run_folder(run, made.CONFIG, resume=resume),
    ):
        pytest.fail("it was taken for the run's last")
    assert files(run) == before
    assert summarise_run(run).state == "damaged"
    assert repair_run(run).round == 5
    assert made.said(run)["weights"] == right["weights"]
    with run_folder(run, made.CONFIG, resume=True):
        assert read_checkpoint(run).round == 5


def test_a_round_killed_before_its_commit_is_no_such_case(run, past):
    (run / MANIFEST).write_bytes(past[4])
    with run_folder(run, made.CONFIG, resume=True):
        assert rounds_done(run) == 4


def test_metrics_without_a_manifest_are_not_written_over(run):
    for path in run.iterdir():
        if path.name not in ("config.json", METRICS):
            path.unlink()
    before = files(run)
    with pytest.raises(RunError, match="has lost its manifest"), run_folder(run, made.CONFIG, resume=True):
        pytest.fail("it began anew")
    assert files(run) == before
