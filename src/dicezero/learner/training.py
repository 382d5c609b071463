"""The training of one round: which samples each step sees, and what the loss was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dicezero.learner.losses import Terms
from dicezero.learner.step import STEPS_AT_ONCE, Trainer
from dicezero.presets.registry import Preset
from dicezero.replay.buffer import Batch, Replay
from dicezero.replay.turned import turned_batch
from dicezero.selfplay.seeds import address_seed

Numbers: TypeAlias = npt.NDArray[np.int64]

_SAMPLES, _TURNS = 1 << 40, (1 << 40) + 1  # addresses no game's number reaches


class TrainingError(ValueError):
    """Training that went wrong; what was committed before is intact."""


def learn(
    trainer: Trainer,
    replay: Replay,
    preset: Preset,
    *,
    seed: int,
    round_index: int,
    on_step: Callable[[int, int], None] | None = None,
) -> dict[str, float]:
    """The round's training steps; returns each term's mean.

    Args:
        trainer: learns.
        replay: the games to learn from.
        preset: how many steps, how large, how fast.
        seed: of the run.
        round_index: of the round, from 0.
        on_step: called with (steps done, steps of the round).

    Raises:
        TrainingError: a term of the loss is not finite; names the round and the term.
    """
    steps = preset.steps_at(round_index, replay.decisions, replay.played)
    rng, turns = (np.random.default_rng(address_seed(seed, round_index, use)) for use in (_SAMPLES, _TURNS))
    rate = preset.learning_rate_at(round_index)
    unroll = preset.unroll if preset.kind == "model" else 0
    terms: list[Terms] = []
    if on_step:
        on_step(0, steps)  # the first step of a process compiles and takes a while
    endings = replay.endings(unroll) if preset.endings else np.empty(0, np.int64)
    chances = replay.chances(preset.priority) if preset.priority else None
    draws = (
        _draws(rng, replay.decisions, preset, steps, endings)
        if chances is None
        else _by_chance(rng, chances, preset.batch, steps)
    )
    done = 0
    while chosen := list(islice(draws, STEPS_AT_ONCE)):
        batch = replay.batch(
            np.concatenate(chosen),
            unroll=unroll,
            following=preset.loss.consistency > 0.0,
            chances=chances,
        )
        if preset.symmetries:
            batch = _turned(batch, replay, turns)
        terms.append(trainer.steps(batch, count=len(chosen), learning_rate=rate))
        done += len(chosen)
        if on_step:
            on_step(done, steps)
    losses = {
        name: np.concatenate([several[name] for several in terms])
        for name in sorted(terms[0], key=_total_last)
    }
    finite = np.stack([np.isfinite(values) for values in losses.values()])  # [terms, steps]
    first = int(finite.all(axis=0).argmin())  # after the first bad step every term is bad
    for name, values in losses.items():
        if not np.isfinite(value := values[first]):
            raise TrainingError(
                f"round {round_index + 1}: the loss term {name!r} is {value}; the round is dropped and the "
                "last one stands; lower learning_rate"
            )
    return {name: float(values.mean()) for name, values in losses.items()}


def _turned(batch: Batch, replay: Replay, rng: np.random.Generator) -> Batch:
    """Each sample on a board turned by a symmetry of its own."""
    symmetries = replay.spec.symmetries
    return (
        turned_batch(batch, symmetries, rng.integers(len(symmetries), size=len(batch.legal)))
        if symmetries
        else batch
    )


def _total_last(name: str) -> tuple[bool, str]:
    """Orders the terms of the loss, so that a bad one is found before the sum it spoils."""
    return name == "total", name


def _draws(
    rng: np.random.Generator, decisions: int, preset: Preset, steps: int, endings: Numbers
) -> Iterator[Numbers]:
    """[batch] numbers of decisions for each step; some from ``endings``, the rest from ``_passes``."""
    few = round(preset.endings * preset.batch) if len(endings) else 0
    for chosen in _passes(
        rng, decisions, preset.batch - few, steps, whole=not (preset.steps or preset.reuse)
    ):
        if few:
            chosen = np.concatenate([chosen, endings[rng.integers(len(endings), size=few)]])
        yield chosen


def _by_chance(
    rng: np.random.Generator, chances: npt.NDArray[np.float64], count: int, steps: int
) -> Iterator[Numbers]:
    """[count] numbers of decisions for each step, each drawn with its own probability."""
    ends = np.cumsum(chances)
    for _ in range(steps):
        drawn = np.searchsorted(ends, rng.random(count) * ends[-1], side="right")
        yield np.minimum(drawn, len(chances) - 1)


def _passes(
    rng: np.random.Generator, decisions: int, count: int, steps: int, *, whole: bool
) -> Iterator[Numbers]:
    """[count] numbers of decisions for each step: drawn freely, or (``whole``) pass after pass over all.

    What a pass leaves over opens the next: every batch has the same size, so one compiled step serves all.
    """
    if not whole or decisions < count:
        for _ in range(steps):
            yield rng.integers(decisions, size=count)
        return
    left = np.empty(0, np.int64)
    for _ in range(steps):
        if len(left) < count:
            left = np.concatenate([left, rng.permutation(decisions)])
        yield left[:count]
        left = left[count:]
