"""Kept rounds of a run against named opponents: what is played, kept, played again and refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dicezero.agents import make_agent
from dicezero.cli import main
from dicezero.evaluation.arena import play_match
from dicezero.experiments import opponents
from dicezero.experiments.opponents import Terms, measure_opponents
from dicezero.learner.loop import train
from dicezero.presets.registry import get_preset
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game

_SMALL = {"games": "4", "steps": "1", "batch": "8", "simulations": "2", "measure_every": "0"}
_TERMS = Terms(games=4, opening=1, seed=3, every=2)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "ttt"
    preset = with_settings(get_preset("gumbel-alphazero"), _SMALL)
    train(preset, load_game("tic_tac_toe"), folder, rounds=5, keep_every=1)
    return folder


def test_each_match_is_the_match_of_that_round(run: Path, tmp_path: Path) -> None:
    found = measure_opponents(tmp_path, [run], ["random", "minimax"], simulations=(0, 2), terms=_TERMS)
    rows = found["matches"]
    assert [row["round"] for row in rows] == [2] * 4 + [4] * 4 + [5] * 4  # multiples of two, and the last
    assert {(row["opponent"], row["simulations"]) for row in rows} == {
        (opponent, budget) for opponent in ("random", "minimax") for budget in (0, 2)
    }
    game, row = load_game("tic_tac_toe"), rows[4]
    agent = make_agent(f"run(path={run},round=4,simulations=0)", game)
    again = play_match(game, agent, make_agent(row["opponent"], game), games=4, seed=3, opening=1)
    assert (row["wins"], row["draws"], row["losses"]) == (again.wins, again.draws, again.losses)
    assert json.loads((tmp_path / "opponents.json").read_text())["matches"] == rows
    assert (tmp_path / "opponents.png").read_bytes().startswith(b"\x89PNG")


def test_what_was_played_is_not_played_again_and_what_failed_loses_nothing(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="nobody"):
        measure_opponents(tmp_path, [run], ["random", "nobody"], terms=_TERMS)
    begun = json.loads((tmp_path / "opponents.json").read_text())["matches"]
    assert [(row["round"], row["opponent"]) for row in begun] == [(2, "random")]
    played = []

    def counted(*seats, **options):  # type: ignore[no-untyped-def]
        played.append(seats)
        return play_match(*seats, **options)

    monkeypatch.setattr(opponents, "play_match", counted)
    rows = measure_opponents(tmp_path, [run], ["random"], terms=_TERMS)["matches"]
    assert rows[0] == begun[0]
    assert len(rows) == 3
    assert len(played) == 2
    other = Terms(games=6, opening=1, seed=3, every=5)
    monkeypatch.setattr(
        "sys.argv", ["dicezero", "reproduce", "opponents", "--opponents", "uct(simulations=2)"]
    )
    found = measure_opponents(tmp_path, [run], ["random"], terms=other)
    assert len(found["matches"]) == 4
    assert len(found["calls"]) == 2
    assert found["calls"][1] == "dicezero reproduce opponents --opponents 'uct(simulations=2)'"


def test_stored_matches_are_drawn_and_not_played(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["reproduce", "opponents", "--out", str(tmp_path)]
    assert main(out) == 2
    assert "opponents.json is not there to be drawn" in capsys.readouterr().err
    measure_opponents(tmp_path, [run], ["random"], terms=_TERMS)
    figure, stored = tmp_path / "opponents.png", (tmp_path / "opponents.json").read_bytes()
    first = figure.read_bytes()
    figure.unlink()
    monkeypatch.setattr(opponents, "play_match", None)
    assert main(out) == 0
    assert "round 4 against random" in capsys.readouterr().out
    assert figure.read_bytes() == first
    assert (tmp_path / "opponents.json").read_bytes() == stored


def test_wrong_requests_are_one_line(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["--out", str(tmp_path)]
    for words, why in (
        (["opponents", "--runs", str(run)], "opponents needs --runs"),
        (["opponents", "--opponents", "random"], "opponents needs --runs"),
        (["boards", "--opponents", "random"], "belongs to the experiment opponents"),
        (["opponents", "--runs", str(tmp_path / "none"), "--opponents", "random"], "none"),
    ):
        assert main(["reproduce", *words, *out]) == 2
        assert why in capsys.readouterr().err
    assert (
        main(["reproduce", "opponents", "--runs", str(run), "--opponents", "random", "--games", "2", *out])
        == 0
    )
    assert "against random" in capsys.readouterr().out
