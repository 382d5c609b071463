"""Somebody else's game, from the command line: learned by every preset that fits, then measured and played.

Then the runs are moved, the game's own file is gone, and they are played in the studio. What does not fit is
refused in one line, exit code 2, and nothing is written.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from written import BOUNDED_GAMBLE, CORRIDOR, TWICE, UNBOUNDED_GAMBLE
from written_more import CAMERA, HALL, QUARRY, TIDES

from dicezero.cli import main
from dicezero.presets.registry import PRESETS
from dicezero.studio import messages as m
from dicezero.studio.catalog import Catalog
from dicezero.studio.hall import Hall
from dicezero.studio.service import Service

PIG = Path(__file__).parents[2] / "examples" / "pig.py"
RULES = {"alphazero", "gumbel-alphazero"}
TD = {"td-lambda"}
MUZERO = {"muzero", "gumbel-muzero", "full-gumbel-muzero"}
NDMZ = {"ndmz", "gumbel-ndmz"}
ONE_OF_EACH = {"gumbel-alphazero", "td-lambda", "gumbel-muzero", "gumbel-ndmz"}
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
        "quarry",
        "hall",
        "tides",
        "camera",
    ]
)
def game(request, tmp_path):
    """(the game's name, the presets that fit it, how many play)."""
    match request.param:
        case "quarry":  # 200 decisions, rewards on the way without a bound
            return written(tmp_path, "Quarry", QUARRY), RULES | TD | NDMZ, 1
        case "hall":  # 300 actions
            return written(tmp_path, "Hall", HALL), RULES | TD | NDMZ | MUZERO, 2
        case "tides":  # passes, moves twice and thrice running, dice between and a discount
            return written(tmp_path, "Tides", TIDES), RULES | TD | NDMZ, 2
        case "camera":  # colour images, channels last, and always truncated
            pytest.importorskip("gymnasium")
            return written(tmp_path, "Camera", CAMERA), NDMZ | MUZERO, 1
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


def play_in_the_studio(folder: Path, presets: set[str], players: int) -> None:
    """A table against every run of a folder, with what lies beside the runs alone."""
    hall = Hall(Catalog([folder], trust=True))
    studio = Service(hall)
    try:
        runs = {run.preset: run for run in studio.runs().runs}
        assert set(runs) == presets
        for run in runs.values():
            assert run.rounds
            few = None if run.preset == "td-lambda" else 2  # which looks one move ahead
            table = studio.new(m.NewGame(game=run.game, opponent=run.id, seat=0, seed=3, simulations=few))
            assert len(table.legal) > 0
            answered = 0
            for _ in range(4):
                if table.over or not table.legal:
                    break
                table = studio.move(table.id, m.Move(move=table.legal[-1].action))
                answered += sum(event.kind != "roll" and event.player == 1 for event in table.events)
            assert players == 1 or answered > 0 or table.over
    finally:
        hall.shutdown()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Continuous", "action_space is Box(-1.0, 1.0, (2,), float32); only Discrete actions"),
        ("Named", "only Discrete actions can be learned: wrap the environment"),
        ("kuhn_poker", "information=IMPERFECT_INFORMATION"),
        ("goofspiel", "dynamics=SIMULTANEOUS"),
        ("sheriff", "information=IMPERFECT_INFORMATION"),
        ("stones_and_gems", "chance_mode=SAMPLED_STOCHASTIC"),
    ],
)
def test_what_no_preset_can_learn_is_refused_by_its_trait(name, words, tmp_path, capsys):
    if name[0].isupper():
        pytest.importorskip("gymnasium")
        (tmp_path / "camera.py").write_text(CAMERA)
        name = f"{tmp_path / 'camera.py'}:{name}"
    else:
        pytest.importorskip("pyspiel")
    for preset in sorted(ONE_OF_EACH):
        out = tmp_path / "run"
        code, _, err = spoken(capsys, "train", preset, "--game", name, "--out", str(out))
        assert code == 2
        assert err.count("\n") == 1
        assert words in err
        assert not out.exists()


def test_every_preset_that_fits_learns_it_and_every_other_refuses(game, tmp_path, capsys, monkeypatch):
    name, fitting, players = game
    trained = fitting & ONE_OF_EACH if name.endswith(("Quarry", "Hall", "Tides", "Camera")) else fitting
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
        if preset not in trained:
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
    # Elsewhere, from another directory, and without the file the game came from.
    moved = tmp_path / "elsewhere" / "kept"
    moved.parent.mkdir()
    (tmp_path / "runs").rename(moved)
    for file in tmp_path.glob("*.py"):
        file.unlink()
    monkeypatch.chdir(moved.parent)
    play_in_the_studio(moved, trained, players)
