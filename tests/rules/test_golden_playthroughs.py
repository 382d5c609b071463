"""One recorded game of each native game: what the rules show must not change unnoticed."""

import json
import runpy
from pathlib import Path

import pytest

from dicezero.rules import list_games

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "playthroughs.py"))
NATIVE = [record.name for record in list_games() if record.source == "dicezero"]


@pytest.mark.parametrize("name", NATIVE)
def test_the_game_still_shows_what_was_recorded(name):
    path = ROOT / "tests" / "golden" / f"playthrough_{name}.json"
    assert path.exists(), f"{name} has no playthrough; add it to GAMES and run: {TOOL['COMMAND']}"
    golden = json.loads(path.read_text(encoding="utf-8"))
    assert golden["made_by"]["command"] == TOOL["COMMAND"]
    actions = [step["action"] for step in golden["steps"][:-1]]
    now = json.loads(json.dumps(TOOL["playthrough"](name, actions)))
    assert now["game"] == golden["game"]
    for i, (step, recorded) in enumerate(zip(now["steps"], golden["steps"], strict=True)):
        assert step == recorded, f"step {i}; if the change is meant, run: {TOOL['COMMAND']}"
    assert now["returns"] == golden["returns"]
