"""Choices of learning on boards at equal CPU time."""

from __future__ import annotations

import json
import math
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from dicezero.agents import make_agent
from dicezero.cli import main
from dicezero.evaluation.arena import play_match
from dicezero.experiments import ablations
from dicezero.experiments.ablations import OPENING, reproduce_ablations
from dicezero.experiments.board_variants import (
    ADOPTED,
    AGAIN,
    BASE,
    CHOICES,
    HALF,
    OPTIONS,
    VARIANTS,
    preset_of,
    variants_for,
)
from dicezero.model.board import BoardConfig
from dicezero.presets.fits import fits
from dicezero.presets.registry import get_preset
from dicezero.presets.suited import preset_for
from dicezero.rules import load_game
from dicezero.rules.spec import spec_of
from dicezero.runs.config import RunConfig
from dicezero.runs.manifest import rounds_done

TINY = {
    "board.channels": "4",
    "board.blocks": "1",
    "simulations": "2",
    "play.simulations": "2",
    "games": "4",
    "steps": "2",
    "batch": "8",
}
# Set by the preset, and no choice of strength: what is printed, and when.
UNMEASURED = {"measure_every"}


def test_every_variant_fits_go_and_differs_from_the_base() -> None:
    game = load_game("go(board_size=7)")
    assert set(variants_for(game, gauntlet=False)) == {BASE, *OPTIONS}
    assert set(variants_for(game, gauntlet=True)) == {BASE, AGAIN, HALF, *CHOICES}
    presets = {name: preset_of(name, game) for name in VARIANTS}
    assert presets.pop(AGAIN) == presets.pop(HALF) == presets[BASE]
    assert len(set(presets.values())) == len(VARIANTS) - 2
    assert all(fits(preset, spec_of(game)) is None for preset in presets.values())
    assert presets[BASE].loss.auxiliary == 1.0


def test_every_field_that_the_preset_for_boards_sets_is_varied() -> None:
    """A field that is set without a variant would be a choice that nobody has measured."""
    game = load_game("go(board_size=7)")
    plain, tower = get_preset("gumbel-alphazero"), preset_for("gumbel-alphazero", spec_of(game))
    chosen = {f.name for f in fields(plain) if getattr(plain, f.name) != getattr(tower, f.name)}
    assert {"board", "learning_rate", "full_share"} <= chosen
    base = preset_of(BASE, game)
    varied = {
        f.name
        for name in VARIANTS
        for f in fields(base)
        if getattr(preset_of(name, game), f.name) != getattr(base, f.name)
    }
    assert chosen - varied - {"rounds"} == UNMEASURED  # rounds are the length of the way of a rate that falls
    towers = {preset_of(name, game).board for name in VARIANTS}
    for field in (f.name for f in fields(BoardConfig) if f.name != "halvings"):
        assert any(
            board == replace(base.board, **{field: getattr(board, field)}) for board in towers - {base.board}
        )


def test_the_preset_for_boards_is_the_variant_that_was_adopted() -> None:
    game = load_game("go(board_size=7)")
    tower, adopted = preset_for("gumbel-alphazero", spec_of(game)), preset_of(ADOPTED, game)
    assert tower.full_share == adopted.full_share
    assert tower.buffer_games / tower.games == adopted.buffer_games / adopted.games  # rounds kept
    assert tower.board == adopted.board
    assert tower.fast_simulations == adopted.fast_simulations


def test_a_game_that_tells_nothing_beside_its_result_has_no_such_variant() -> None:
    names = variants_for(load_game("connect_four"), gauntlet=False)
    assert BASE in names
    assert "no auxiliary" not in names


def test_runs_get_their_minutes_and_are_not_trained_twice(tmp_path: Path) -> None:
    def make() -> dict[str, object]:
        return reproduce_ablations(
            tmp_path,
            game="go(board_size=3)",
            variants=(BASE, "no mixing"),
            minutes=0.01,
            games=4,
            settings=TINY,
        )

    first = make()
    rounds = [rounds_done(tmp_path / "runs" / f"{name}-seed-0") for name in ("base", "no-mixing")]
    assert min(rounds) >= 1
    again = make()
    assert rounds == [rounds_done(tmp_path / "runs" / f"{name}-seed-0") for name in ("base", "no-mixing")]
    assert first["tables"] == again["tables"]
    kept = json.loads((tmp_path / "ablations.json").read_text())
    rows = kept["tables"][0]["ratings"]
    assert [row["variant"] for row in rows] == [BASE, "no mixing"]
    assert all(row["cpu_seconds"] >= 0.6 for row in rows)
    assert sum(row["elo"] for row in rows) == pytest.approx(0.0, abs=1e-6)
    assert rows[0]["gain"] is None
    assert rows[1]["gain"]["elo"] == pytest.approx(rows[1]["elo"] - rows[0]["elo"])
    assert (tmp_path / "ablations.png").stat().st_size > 5000


def test_in_a_gauntlet_each_plays_both_runs_of_the_base_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[tuple[str, str]] = []

    def counted(game: Any, first: Any, second: Any, **options: Any) -> Any:
        played.append((first.name, second.name))
        return play_match(game, first, second, **options)

    monkeypatch.setattr(ablations, "play_match", counted)

    def make(*variants: str) -> dict[str, Any]:
        return reproduce_ablations(
            tmp_path,
            game="go(board_size=3)",
            variants=variants,
            minutes=0.005,
            games=6,
            gauntlet=True,
            settings=TINY,
        )

    make("lambda 1", AGAIN)
    assert played == [(BASE, AGAIN), (BASE, "lambda 1"), (AGAIN, "lambda 1")]
    table = make(BASE, AGAIN, "lambda 1", "explore 20")["tables"][0]
    assert played[3:] == [(BASE, "explore 20"), (AGAIN, "explore 20")]  # what is known is not played again
    assert table["scores"][2][3] is None  # two that are not the base do not meet
    runs = [RunConfig.read(tmp_path / "runs" / f"{name}-seed-0") for name in ("base", "base-again")]
    assert runs[0].preset == runs[1].preset
    assert runs[0].seed != runs[1].seed

    match = table["matches"][-1]
    game = load_game("go(board_size=3)")
    seats = [
        make_agent(f"run(path={tmp_path}/runs/{name}-seed-0)", game) for name in ("base-again", "explore-20")
    ]
    plain = play_match(game, *seats, games=6, seed=match["match_seed"], opening=OPENING)
    assert (match["pair"], match["score"]) == ([AGAIN, "explore 20"], plain.score)

    gain = table["ratings"][3]["gain"]
    won = 6 * (table["scores"][3][0] + table["scores"][3][1])
    odds = (won + 0.5) / (12 - won + 0.5)  # a virtual draw keeps it finite
    assert gain["games"] == 12
    assert gain["elo"] == pytest.approx(400 * math.log10(odds))
    share = odds / (1 + odds)
    spread = 1.96 * 400 / math.log(10) / math.sqrt(13 * share * (1 - share))
    assert gain["error95"] == pytest.approx(spread, rel=1e-3)
    assert table["ratings"][1]["gain"]["games"] == 6  # the second run of the base has met the first alone


def test_a_rate_falls_within_the_minutes_and_half_the_time_is_half_of_it(tmp_path: Path) -> None:
    settings = {**TINY, "games": "2", "steps": "1"}
    found = reproduce_ablations(
        tmp_path,
        game="go(board_size=3)",
        variants=(HALF, "cosine"),
        minutes=0.02,
        games=2,
        gauntlet=True,
        settings=settings,
    )
    rows = {row["variant"]: row for row in found["tables"][0]["ratings"]}
    assert 0.6 <= rows[HALF]["cpu_seconds"] <= rows[BASE]["cpu_seconds"]
    assert rows[HALF]["rounds"] < rows[BASE]["rounds"]
    config = RunConfig.read(tmp_path / "runs" / "cosine-seed-0")
    assert config.preset.rounds == 2
    assert config.preset.learning_rate_at(1) == pytest.approx(1e-4)


def test_wrong_requests_are_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for words, why in (
        (["boards", "--algorithms", "no mixin"], "no mixing"),
        (["boards", "--gauntlet", "--algorithms", "32 simulations"], "64 simulations"),
        (["gumbel", "--gauntlet"], "--gauntlet belongs to the experiment boards"),
    ):
        assert main(["reproduce", *words, "--out", str(tmp_path)]) == 2
        assert why in capsys.readouterr().err
        assert not any(tmp_path.iterdir())
