"""Frames of images: stored once as they came, stacked when samples are drawn, not moved by later rounds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero.learner.training import _by_chance
from dicezero.replay import reanalyse, shards
from dicezero.replay.buffer import Replay
from dicezero.replay.shards import pack_episodes
from dicezero.rules.spec import GameSpec, ObservationSpec
from dicezero.selfplay.episode import TERMINAL, Episode

SHAPE = (1, 3, 2)


def spec(stack: int) -> GameSpec:
    seen = ObservationSpec(SHAPE, "uint8", "image", stack)
    return GameSpec("film", 1, 2, 0, rewards="each step", observation=seen, simulator="episodes")


def film(length: int, first: int) -> Episode:
    """An episode of ``length`` decisions whose frames are all ``first``, all ``first + 1``, ..."""
    actor = np.array([0] * length + [TERMINAL], np.int8)
    frames = (first + np.arange(length)) % 256
    return Episode(
        observation=np.broadcast_to(frames[:, None, None, None], (length, *SHAPE)).astype(np.uint8),
        observed=actor == 0,
        actor=actor,
        action=np.array([0] * length + [3], np.int32),
        reward=np.zeros(length + 1, np.float32),
        choices=np.array([2] * length + [0], np.int32),
        value=np.zeros(length + 1, np.float32),
        legal=np.tile([0, 1], length).astype(np.int32),
        policy=np.full(2 * length, 0.5, np.float32),
    )


def stacked(episodes: list[Episode], stack: int) -> Any:
    """[D, O], by hand: the frames up to each decision, the first one repeated before it."""
    rows = []
    for episode in episodes:
        for at in range(len(episode.observation)):
            frames = [episode.observation[max(0, at - back)] for back in range(stack - 1, -1, -1)]
            rows.append(np.concatenate(frames).ravel() / 255)
    return np.array(rows, np.float32)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.integers(1, 6), min_size=1, max_size=3), min_size=1, max_size=4),
    st.integers(1, 4),
    st.integers(1, 7),
)
def test_samples_see_the_stack_of_their_own_episode(rounds: list[list[int]], stack: int, capacity: int):
    replay = Replay(spec(stack), capacity=capacity)
    made: list[Episode] = []
    for number, lengths in enumerate(rounds, 1):
        new = [film(length, 50 * number + 10 * i) for i, length in enumerate(lengths)]
        replay.add(new, round_number=number)
        made += new
        want = stacked(made[-capacity:], stack)
        batch = replay.batch(np.arange(replay.decisions), unroll=2, following=True)
        np.testing.assert_allclose(batch.observation, want, atol=1e-7)
        assert batch.following is not None
        inside = ~np.isin(np.arange(len(want)), np.cumsum([len(e) - 1 for e in made[-capacity:]]) - 1)
        np.testing.assert_allclose(batch.following[inside, 0], want[np.flatnonzero(inside) + 1], atol=1e-7)
        assert not batch.following[~inside, 0].any()


def test_frames_are_in_memory_once_and_do_not_move():
    replay = Replay(spec(4), capacity=6)
    replay.add([film(5, 0), film(4, 100)], round_number=1)
    assert replay.decisions == 9
    block = replay.kept[0].placed.block
    replay.add([film(3, 30)], round_number=2)
    assert replay.decisions == 12
    assert replay.kept[1].placed.block is block
    assert np.shares_memory(replay.kept[1].episode.observation, block)
    assert block.dtype == np.uint8
    assert block.nbytes == 9 * 6


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(1, 8))
def test_long_episodes_are_searched_again_in_pieces(lengths: list[int], rows: int):
    replay = Replay(spec(2), capacity=9)
    replay.add([film(length, 7 * i) for i, length in enumerate(lengths)])
    batches = list(reanalyse._batches(replay.kept, rows))
    assert all(sum(len(piece.steps) for piece in batch) == rows for batch in batches[:-1])
    steps = [(p.place, int(step)) for batch in batches for p in batch for step in p.steps]
    assert steps == [(i, step) for i, length in enumerate(lengths) for step in range(length)]
    seen = [reanalyse._positions(None, replay, batch, states=False) for batch in batches]  # type: ignore[arg-type]
    together = np.concatenate([positions.observation for positions in seen])
    np.testing.assert_array_equal(together, replay.batch(np.arange(len(steps)), unroll=0).observation)


def test_a_round_that_could_not_be_read_back_is_refused(monkeypatch):
    monkeypatch.setattr(shards, "MOST_BYTES", 2_000)
    pack_episodes([film(3, 0)])
    with pytest.raises(ValueError, match=r"lower games or max_moves: --set games=10$"):
        pack_episodes([film(3, 0)] * 20)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(-5, 5, width=32), min_size=2, max_size=12), st.sampled_from([0.3, 0.6, 1.0]))
def test_prioritised_samples_are_drawn_by_their_error_and_weighed_back(values: list[float], priority: float):
    """The target is the outcome, 0: the error is the search's value."""
    replay = Replay(spec(1), capacity=3)
    searched = np.array([*values, 0.0], np.float32)
    replay.add([replace(film(len(values), 0), value=searched)])
    chances = replay.chances(priority)
    assert chances.sum() == pytest.approx(1.0)
    size = np.abs(searched[:-1].astype(np.float64))
    order = np.argsort(size, kind="stable")
    assert (np.diff(chances[order]) >= -1e-12).all()
    if size.mean() > 1e-3:
        want = (size + 0.05 * size.mean()) ** priority
        np.testing.assert_allclose(chances, want / want.sum(), rtol=1e-4)
    batch = replay.batch(np.arange(len(values)), unroll=1, chances=chances)
    # What a sample is expected to count is the same for all: 1 / N.
    np.testing.assert_allclose(chances * batch.mask[:, 0], 1 / len(values), rtol=1e-5)
    drawn = np.concatenate(list(_by_chance(np.random.default_rng(0), chances, 500, 20)))
    shares = np.bincount(drawn, minlength=len(values)) / len(drawn)
    assert np.abs(shares - chances).max() < 0.03
