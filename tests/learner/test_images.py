"""Atari's games learned from images, end to end with a tiny tower; killed and resumed they end the same."""

from __future__ import annotations

import json

import pytest
from tiny import contents

from dicezero.cli import main
from dicezero.model.board import BoardConfig
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.presets.suited import preset_for
from dicezero.rules import load_game
from dicezero.rules.spec import GameSpec, ObservationSpec, spec_of

pytest.importorskip("ale_py")
TINY = (
    "games=2",
    "buffer_games=3",
    "batch=4",
    "steps=2",
    "unroll=2",
    "simulations=3",
    "play.simulations=3",
    "board.channels=4",
    "board.halvings=3",
    "reanalyse=0.5",
    "priority=0.6",
    "measure_every=0",
)


def trained(folder, game: str, rounds: int, *more: str) -> None:
    settings = [word for setting in TINY for word in ("--set", setting)]
    name = f"atari(game={game},size=32,actions=full,max_frames=60)"
    words = ["train", "gumbel-muzero", "--game", name, "--out", str(folder), "--rounds", str(rounds)]
    assert main([*words, *settings, "--json", *more]) == 0


def test_a_run_of_images_resumes_exactly(tmp_path, capsys):
    trained(tmp_path / "whole", "pong", 3)
    trained(tmp_path / "parts", "pong", 1)
    trained(tmp_path / "parts", "pong", 3, "--resume")
    capsys.readouterr()
    (kept, lines), (resumed, again) = contents(tmp_path / "whole"), contents(tmp_path / "parts")
    kept.pop("config.json"), resumed.pop("config.json")  # the rounds that it was asked for
    assert kept == resumed
    assert lines == again
    assert [line["decisions"] for line in lines] == [30, 30, 30]


@pytest.mark.parametrize("game", ["ms_pacman", "beam_rider"])
def test_other_games_are_learned_and_evaluated(game: str, tmp_path, capsys):
    trained(tmp_path / "run", game, 1)
    capsys.readouterr()
    assert main(["evaluate", str(tmp_path / "run"), "--games", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["truncated"] == 2
    assert found["human_normalised"] < 0.2


def test_large_images_get_a_tower_and_small_ones_do_not():
    spec = spec_of(load_game("atari(game=pong)"))
    for name in ("gumbel-muzero", "gumbel-ndmz"):
        preset = preset_for(name, spec)
        assert preset.architecture == "board"
        assert preset.board.sides((4, 84, 84)) == (6, 6)
        assert preset.value_target == "n_step"
    assert BoardConfig(halvings=4).sides((4, 96, 96)) == (6, 6)
    small = GameSpec("small", 1, 2, 0, observation=ObservationSpec((1, 12, 10), "uint8", "image"))
    assert preset_for("gumbel-muzero", small).architecture == "mlp"


@pytest.mark.parametrize(("name", "settings"), [("td-lambda", {}), ("gumbel-ndmz", {"endings": "0.2"})])
def test_priorities_are_for_models(name: str, settings: dict[str, str]):
    with pytest.raises(
        ValueError, match=r"priority=0\.5 must be 0: it is for models, and not beside endings"
    ):
        with_settings(PRESETS[name], settings | {"priority": "0.5"})
