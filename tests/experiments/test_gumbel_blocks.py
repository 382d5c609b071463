"""Figure 10 in miniature: games that are kept, positions that are held out, curves that are compared."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dicezero.experiments.gumbel import block_games, blocks
from dicezero.experiments.gumbel.block_games import fixed_games
from dicezero.experiments.gumbel.blocks import ARCHITECTURES, judge_blocks, measure_network, preset_of
from dicezero.experiments.gumbel.request import Request
from dicezero.experiments.ndmz import Scale
from dicezero.presets.fitting import network_of
from dicezero.runs.loading import first_weights


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    folder = tmp_path_factory.mktemp("games")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block_games, "SIMULATIONS", 2)
        return folder, fixed_games(folder, training=2, test=2)


def test_games_are_played_once_and_the_test_is_held_out(games, monkeypatch):
    folder, found = games
    assert sorted(path.name for path in folder.iterdir()) == [
        "test-00000-00002.npz",
        "training-00000-00002.npz",
    ]
    everything = found.training.batch(np.arange(found.training.decisions), unroll=0)
    taught = {row.tobytes() for row in everything.observation}
    assert not any(row.tobytes() in taught for row in found.test.observation)
    assert 10 < len(found.best) == len(found.test.legal)
    assert found.test.legal[np.arange(len(found.best)), found.best].all()
    assert set(np.unique(found.test.value)) <= {-1.0, 1.0}
    monkeypatch.setattr(block_games, "play_games", lambda *_, **__: pytest.fail("the games are there"))
    again = fixed_games(folder, training=2, test=2)
    assert (again.best == found.best).all()


def test_the_test_knows_a_teacher_from_a_beginner(games):
    _, found = games
    preset = preset_of("bottleneck, pooling", 4, steps=1)
    network = network_of(preset, found.spec)

    class Perfect:
        def player(self, _weights):
            def answer(observation, legal):
                start = next(
                    i
                    for i in range(len(found.best))
                    if found.test.observation[i].tobytes() == observation[0].tobytes()
                )
                rows = slice(start, start + len(observation))
                logits = np.zeros(legal.shape)
                logits[np.arange(len(legal)), found.best[rows]] = 1.0
                return logits, found.test.value[rows, 0]

            return answer

    perfect = measure_network(Perfect(), {}, found)
    assert (perfect["accuracy"], perfect["value_error"]) == (1.0, 0.0)
    beginner = measure_network(network, first_weights(network, seed=0), found)
    assert beginner["accuracy"] < 0.5
    assert beginner["value_error"] > 0.5
    assert beginner["accuracy_error"] > 0.0


def test_every_kind_of_block_is_another_network():
    presets = [preset_of(name, 8, steps=3) for name in ARCHITECTURES]
    assert len({preset.board for preset in presets}) == len(ARCHITECTURES) == 4
    assert {preset.steps for preset in presets} == {3}


def rows_of(gains: dict[str, float], *, seeds: int = 1, rates: dict[str, float] | None = None):
    """Made-up curves: accuracy falls with the rate, and each kind is above dense ones by its gain."""
    return [
        {
            "architecture": name,
            "blocks": size,
            "seed": seed,
            "rate": (rates or {}).get(name, 1.0) * 8000.0 / size,
            "accuracy": 0.4 + 0.01 * size + gain + 0.001 * seed,
            "accuracy_error": 0.005,
            "value_error": 0.6 - 0.01 * size - gain + 0.001 * seed,
            "value_error_error": 0.005,
        }
        for name, gain in gains.items()
        for size in (4, 8, 12)
        for seed in range(seeds)
    ]


def test_blocks_are_compared_at_the_same_rate():
    gains = {"dense": 0.0, "bottleneck": 0.05, "bottleneck, broadcast": 0.05, "bottleneck, pooling": 0.0}
    found = judge_blocks(rows_of(gains))
    assert [claim["verdict"] for claim in found] == ["confirmed", "not decidable", "refuted"]
    assert found[0]["numbers"]["accuracy gained"] == pytest.approx(0.05)
    assert found[0]["numbers"]["value_error gained"] == pytest.approx(0.05)
    assert judge_blocks(rows_of(gains, seeds=3))[0]["verdict"] == "confirmed"
    # Twice as fast for the same accuracy is better at the same rate, though no network is more accurate.
    faster = judge_blocks(rows_of({"dense": 0.0, "bottleneck": 0.0}, rates={"bottleneck": 2.0}))
    assert len(faster) == 1
    assert faster[0]["numbers"]["accuracy gained"] > 0.01
    assert judge_blocks(rows_of({"dense": 0.0, "bottleneck": 0.1}, rates={"bottleneck": 100.0})) == []


def test_the_part_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(block_games, "SIMULATIONS", 2)
    monkeypatch.setattr(blocks, "fixed_games", lambda *_, **__: fixed_games(tmp_path, training=2, test=2))
    monkeypatch.setattr(blocks, "BLOCKS", (1,))
    monkeypatch.setattr(blocks, "ROUNDS", 1)
    monkeypatch.setattr(blocks, "BATCH", 8)
    monkeypatch.setattr(blocks, "_RATE_SECONDS", 0.01)
    taught, seen = blocks._taught, []

    def dies(network, preset, games, *, seed):
        seen.append(preset.board)
        if len(seen) == 3:
            raise KeyboardInterrupt
        return taught(network, preset, games, seed=seed)

    monkeypatch.setattr(blocks, "_taught", dies)
    request = Request(tmp_path, seeds=(0,), scale=Scale(0.001))
    with pytest.raises(KeyboardInterrupt):
        blocks.blocks(request)
    blocks.blocks(request)
    assert len(seen) == 5  # the third was begun twice
    data = json.loads((tmp_path / "blocks.json").read_text(encoding="utf-8"))
    assert [row["architecture"] for row in data["rows"]] == list(ARCHITECTURES)
    assert all(row["rate"] > 100.0 for row in data["rows"])
    assert (tmp_path / "blocks.png").stat().st_size > 10_000
