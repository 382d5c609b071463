"""Options of learning on boards at equal CPU time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dicezero.cli import main
from dicezero.experiments.ablations import BASE, VARIANTS, preset_of, reproduce_ablations, variants_for
from dicezero.presets.fits import fits
from dicezero.rules import load_game
from dicezero.rules.spec import spec_of
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


def test_every_variant_fits_go_and_differs_from_the_base() -> None:
    game = load_game("go(board_size=7)")
    assert set(variants_for(game)) == set(VARIANTS)
    presets = {name: preset_of(name, game) for name in VARIANTS}
    assert len(set(presets.values())) == len(VARIANTS)
    assert all(fits(preset, spec_of(game)) is None for preset in presets.values())
    assert presets[BASE].loss.auxiliary == 1.0


def test_a_game_that_tells_nothing_beside_its_result_has_no_such_variant() -> None:
    names = variants_for(load_game("connect_four"))
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
    assert (tmp_path / "ablations.png").stat().st_size > 5000


def test_an_unknown_variant_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["reproduce", "boards", "--algorithms", "no mixin", "--out", str(tmp_path)]) == 2
    assert "no mixing" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())
