"""Saved solutions: what is written comes back, and nothing else is accepted."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plain import Climb, find_states

from dicezero.rules import load_game
from dicezero.solve import Solution, SolutionFileError, optimal, solve, uniform

SMALL = "nannon(points=4,checkers=2,sides=4)"


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("solutions") / "small.solution"
    solve(SMALL).save(path)
    return path


@pytest.mark.parametrize("game", [SMALL, "tic_tac_toe", Climb()])
def test_round_trip(game, tmp_path: Path) -> None:
    before = solve(game)
    before.save(tmp_path / "a")
    after = Solution.load(tmp_path / "a", game=None if isinstance(game, str) else game)
    assert isinstance(after.values, np.memmap)
    assert np.array_equal(before.values, after.values)
    assert (after.states, after.iterations, after.residual) == (
        before.states,
        before.iterations,
        before.residual,
    )
    for state in list(find_states(before.game).values())[:500]:
        assert after.first_player_value(state) == before.first_player_value(state)
    even = uniform(after.positions)
    assert after.evaluate(optimal(after), even) == before.evaluate(optimal(before), uniform(before.positions))
    after.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b"]


@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_changed_bit_is_found(saved: Path, tmp_path: Path, data: st.DataObject) -> None:
    raw = bytearray(saved.read_bytes())
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= 1 << data.draw(st.integers(0, 7))
    (tmp_path / "changed").write_bytes(raw)
    with pytest.raises(SolutionFileError):
        Solution.load(tmp_path / "changed")


@given(data=st.data())
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_cut_is_found(saved: Path, tmp_path: Path, data: st.DataObject) -> None:
    raw = saved.read_bytes()
    (tmp_path / "cut").write_bytes(raw[: data.draw(st.integers(0, len(raw) - 1))])
    with pytest.raises(SolutionFileError):
        Solution.load(tmp_path / "cut")
    (tmp_path / "long").write_bytes(raw + b"\0")
    with pytest.raises(SolutionFileError, match="bytes"):
        Solution.load(tmp_path / "long")


@given(st.binary(max_size=300))
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_foreign_files_are_refused(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "foreign").write_bytes(raw)
    with pytest.raises(SolutionFileError, match="not a solution"):
        Solution.load(tmp_path / "foreign")


def rewrite(path: Path, target: Path, **changes: object) -> None:
    """The file with its header changed and signed again: what a checksum cannot catch."""
    raw = path.read_bytes()
    magic, version, length, _ = struct.unpack_from("<8sIII", raw)
    header = json.loads(raw[20 : 20 + length]) | changes
    body = raw[20 + length :]
    text = json.dumps(header).encode()
    target.write_bytes(struct.pack("<8sIII", magic, version, len(text), zlib.crc32(text)) + text + body)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": "nannon(points=5,checkers=2,sides=5)"}, "does not hold the states"),
        ({"game": "tic_tac_toe"}, "does not hold the states"),
        ({"game": "no such game"}, "cannot be loaded"),
        ({"game": 7}, "game=7"),
        ({"states": 1}, "1 states"),
        ({"iterations": "many"}, "iterations"),
        ({"arrays": []}, "bytes"),
        ({"arrays": [{"name": "values", "count": -4, "sha256": ""}]}, "describes an array"),
        ({"arrays": [{"name": "values", "count": 2**39, "sha256": ""}]}, "bytes"),
        ({"arrays": [{"name": "surprise", "count": 4, "sha256": ""}]}, "describes an array"),
        ({"arrays": "none"}, "lists no arrays"),
    ],
)
def test_headers_are_checked(saved: Path, tmp_path: Path, changes: dict[str, object], message: str) -> None:
    rewrite(saved, tmp_path / "odd", **changes)
    with pytest.raises(SolutionFileError, match=message):
        Solution.load(tmp_path / "odd")


def test_wrong_version_game_and_place(saved: Path, tmp_path: Path) -> None:
    raw = bytearray(saved.read_bytes())
    raw[8] = 1
    (tmp_path / "new").write_bytes(raw)
    with pytest.raises(SolutionFileError, match="version 1"):
        Solution.load(tmp_path / "new")
    with pytest.raises(SolutionFileError, match="solves 'nannon"):
        Solution.load(saved, game=load_game("tic_tac_toe"))
    with pytest.raises(SolutionFileError, match="cannot be read"):
        Solution.load(tmp_path / "absent")
    with pytest.raises(SolutionFileError, match="cannot be read"):
        Solution.load(tmp_path)


def test_changed_rules_are_noticed(tmp_path: Path) -> None:
    class Shorter(Climb):
        def __str__(self) -> str:
            return "climb(top=3)"

    solve(Climb(3)).save(tmp_path / "climb")
    after = Solution.load(tmp_path / "climb", game=Shorter(2))
    with pytest.raises(SolutionFileError, match="rules"):
        after.positions.state(0)


def test_a_failed_save_leaves_the_old_file(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "kept"
    target.write_bytes(b"old")

    def fail(_: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("dicezero.solve.container.os.fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        Solution.load(saved).save(target)
    assert target.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["kept"]
