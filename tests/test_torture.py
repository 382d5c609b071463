"""A short version of ``make torture``: a few cases of each attack that needs no server and no cluster."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

TORTURE = Path(__file__).parents[1] / "tools" / "torture"
CASES = {
    "training": 2,
    "commits": 2,
    "damage": 60,
    "hostile": 60,
    "lying": 120,
    "native": 2500,
    "commands": 60,
}


@pytest.mark.parametrize("attack", CASES)
def test_it_holds(attack, tmp_path):
    """In a process of its own: a crash is a failure, not the end of the tests."""
    words = [sys.executable, str(TORTURE), "--batch", attack, "--seed", "11", "--cases", str(CASES[attack])]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads([line for line in done.stdout.splitlines() if line.startswith("{")][-1])
    assert found["failures"] == []
    assert found["cases"] >= CASES[attack]


def test_a_case_that_does_not_hold_is_told(tmp_path):
    """The program can fail: a run whose weights are not checked is found out."""
    code = (
        f"import sys; sys.path.insert(0, {str(TORTURE)!r})\n"
        "import damage\n"
        "from dicezero.runs import checkpoint\n"
        "real = checkpoint.sha256\n"
        "checkpoint.read_checked = lambda folder, name, sums: (folder / name).read_bytes()\n"
        "from outcome import Budget\n"
        "print(len(damage.batch(Budget(1, 60)).failures))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert int(done.stdout.split()[-1]) > 0


def test_a_lie_that_goes_through_is_told(tmp_path):
    """A search that believes everything is found out."""
    code = (
        f"import sys; sys.path.insert(0, {str(TORTURE)!r})\n"
        "import lying\n"
        "def believe(game):\n"
        "    state = game.new_initial_state()\n"
        "    for action in (0, 0, 0, 0, 0, 0):\n"
        "        state.legal_actions(), state.chance_outcomes(), state.current_player()\n"
        "        state.apply_action(action)\n"
        "    state.returns()\n"
        "lying.ALGORITHMS = {'believe': believe}\n"
        "from outcome import Budget\n"
        "print(len(lying.batch(Budget(1, 60)).failures))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert int(done.stdout.split()[-1]) > 20


def test_memory_is_watched():
    spec = importlib.util.spec_from_file_location("torture_outcome", TORTURE / "outcome.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)  # another package has the name
    spec.loader.exec_module(module)
    MOST_MEGABYTES, found = module.MOST_MEGABYTES, module.Outcome()  # noqa: N806
    found.saw_memory(MOST_MEGABYTES, "a process")
    assert found.failures == []
    found.saw_memory(MOST_MEGABYTES + 1, "a process")
    assert found.failures == [f"a process: {MOST_MEGABYTES + 1} MB at once"]
    assert found.megabytes == MOST_MEGABYTES + 1
