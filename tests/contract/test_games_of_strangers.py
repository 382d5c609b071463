"""Somebody else's game, from the command line: learned by every preset that fits, then measured and played.

What does not fit is refused in one line, exit code 2, and nothing is written.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from written import BOUNDED_GAMBLE, CORRIDOR, TWICE, UNBOUNDED_GAMBLE

from dicezero.cli import main
from dicezero.presets.registry import PRESETS

PIG = Path(__file__).parents[2] / "examples" / "pig.py"
RULES = {"alphazero", "gumbel-alphazero"}
TD = {"td-lambda"}
MUZERO = {"muzero", "gumbel-muzero", "full-gumbel-muzero"}
NDMZ = {"ndmz", "gumbel-ndmz"}
# One network and one loss a kind, so that a kind is compiled once a game.
SMALL = {
    "games": "3",
    "buffer_games": "12",
    "batch": "8",
    "steps": "2",
    "simulations": "3",
    "play.simulations": "3",
    "hidden": "8",
    "widths": "8,8",
    "activation": "relu",
    "unroll": "2",
    "max_moves": "12",
    "loss.l2": "0",
    "loss.weight_decay": "0",
    "loss.chance": "1",
    "measure_every": "2",
}


def written(folder: Path, name: str, code: str) -> str:
    (folder / f"{name.lower()}.py").write_text(code)
    return f"{folder / f'{name.lower()}.py'}:{name}"


@pytest.fixture(
    params=[
        "pig",
        "gamble",
        "undeclared",
        "twice",
        "breakthrough",
        "os pig",
        "2048",
        "corridor",
        "cartpole",
    ]
)
def game(request, tmp_path):
    """(the game's name, the presets that fit it, how many play)."""
    match request.param:
        case "pig":
            return f"{PIG}:Pig", RULES | TD | NDMZ, 2
        case "gamble":
            return written(tmp_path, "Gamble", BOUNDED_GAMBLE), RULES | TD | NDMZ, 2
        case "undeclared":
            return written(tmp_path, "Gamble", UNBOUNDED_GAMBLE), RULES | TD | NDMZ, 2
        case "twice":
            return written(tmp_path, "Twice", TWICE), RULES | TD | NDMZ, 2
        case "breakthrough":
            pytest.importorskip("pyspiel")
            return "breakthrough(rows=5,columns=5)", RULES | TD | NDMZ | MUZERO, 2
        case "os pig":
            pytest.importorskip("pyspiel")
            return "pig(winscore=20)", RULES | TD | NDMZ, 2
        case "2048":
            pytest.importorskip("pyspiel")
            return "2048", RULES | TD | NDMZ, 1
        case "corridor":
            pytest.importorskip("gymnasium")
            return written(tmp_path, "Corridor", CORRIDOR.replace("DISCOUNT", "0.8")), NDMZ | MUZERO, 1
    pytest.importorskip("gymnasium")
    return "gymnasium(id=CartPole-v1)", NDMZ | MUZERO, 1


def spoken(capsys, *words: str) -> tuple[int, dict, str]:
    """(exit code, the JSON object on stdout, stderr) of a command line."""
    capsys.readouterr()
    code = main([*words, "--json"])
    out, err = capsys.readouterr()
    return code, json.loads(out) if out else {}, err


def test_every_preset_that_fits_learns_it_and_every_other_refuses(game, tmp_path, capsys):
    name, fitting, players = game
    options = [word for pair in SMALL.items() for word in ("--set", "=".join(pair))]
    code, report, _ = spoken(capsys, "check", name, "--games", "3")
    assert code == 0
    assert {preset for preset, verdict in report["presets"].items() if verdict == "fits"} == fitting
    for preset in PRESETS:
        out = tmp_path / "runs" / preset
        words = ["train", preset, "--game", name, "--out", str(out), "--rounds", "2", *options]
        if preset not in fitting:
            code, _, err = spoken(capsys, *words)
            assert code == 2
            assert not out.exists()
            assert err.count("\n") == 1
            assert report["presets"][preset] in err
            continue
        code, last, err = spoken(capsys, *words)
        assert code == 0, err
        lines = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
        assert [line["round"] for line in lines] == [1, 2]
        assert all(line["mean_length"] > 0 and "mean_return" in line for line in lines)
        assert "meter" in last  # every run is measured
        assert players == 2 or last["meter"].startswith("mean_return")
        code, found, err = spoken(capsys, "evaluate", str(out), "--game", name, "--games", "2")
        assert code == 0, err
        assert "mean_return" in found
        if players == 2:
            code, found, err = spoken(
                capsys, "match", f'run(path="{out}")', "random", "--game", name, "--games", "2"
            )
            assert code == 0, err
            assert found["games"] == 2
