"""A round's episodes as one NPZ file: arrays of all of them one after another, and where each ends."""

from __future__ import annotations

import io

import numpy as np

from dicezero.replay.npz import MOST_BYTES, read_arrays
from dicezero.rules.spec import GameSpec
from dicezero.selfplay.episode import (
    CHANCE,
    CHOICE_FIELDS,
    STEP_FIELDS,
    TERMINAL,
    ActionSet,
    Arrays,
    Episode,
    join_episodes,
    split_episodes,
)

_ALIKE = (("steps", "truncated"), tuple(STEP_FIELDS), tuple(CHOICE_FIELDS))  # groups of the same length
_FIELDS = {"steps": "i8", "truncated": "?"} | STEP_FIELDS | CHOICE_FIELDS
_SLACK = 1e-3  # of numbers that went through float32


def pack_episodes(episodes: list[Episode]) -> bytes:
    """The episodes as the bytes of an NPZ file; the same episodes give the same bytes.

    Raises:
        ValueError: they are more than a file may hold that is read back.
    """
    arrays, buffer = join_episodes(episodes), io.BytesIO()
    if (size := sum(array.nbytes + 128 for array in arrays.values())) > MOST_BYTES:
        raise ValueError(
            f"{len(episodes)} episodes of a round take {size >> 20} MiB, and a file of them holds "
            f"{MOST_BYTES >> 20}; lower games or max_moves: --set games={max(1, len(episodes) // 2)}"
        )
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def unpack_episodes(data: bytes, spec: GameSpec, *, name: str) -> list[Episode]:
    """The episodes of a shard.

    Raises:
        ValueError: not a shard, damaged, or of another game; ``name`` is the file's.
    """
    try:
        optional = ("auxiliary",) if spec.auxiliary else ()
        arrays: Arrays = read_arrays(data, ("observation", *_FIELDS), optional=optional, alike=_ALIKE)
    except ValueError as error:
        raise ValueError(f"{name} is not a file of episodes ({error}); remove it and train again") from error
    if spec.auxiliary:  # files of versions that did not have it hold none
        shape = len(arrays["steps"]), spec.auxiliary.size
        arrays.setdefault("auxiliary", np.full(shape, np.nan, np.float32))
    wrong = _what_is_wrong(arrays, spec)
    if wrong:
        raise ValueError(f"{name} holds no episodes of {spec.name}: {wrong}; remove it and train again")
    return split_episodes(arrays)


def _what_is_wrong(arrays: Arrays, spec: GameSpec) -> str | None:
    """The first thing that no episode of this game has, or None."""
    for key, kind in _FIELDS.items():
        if arrays[key].dtype != np.dtype(kind) or arrays[key].ndim != 1:
            return f"{key} is {arrays[key].dtype} {arrays[key].shape}"
    steps, choices, actions = arrays["steps"], arrays["choices"], ActionSet.of(spec)
    if not len(steps) or steps.min() < 1 or len(arrays["truncated"]) != len(steps):
        return "an episode has no step"
    if int(steps.max()) > len(arrays["actor"]):  # a sum of such would go over the largest number, and fit
        return f"an episode has {int(steps.max())} steps, and all have {len(arrays['actor'])}"
    total = int(steps.sum())
    for key in STEP_FIELDS:
        if len(arrays[key]) != total:
            return f"{key} has {len(arrays[key])} steps, not {total}"
    if choices.min() < 0 or any(len(arrays[key]) != int(choices.sum()) for key in CHOICE_FIELDS):
        return "policies do not fit the legal actions"
    seen = spec.observation
    shape = (int(arrays["observed"].sum()), *(seen.shape if seen else (0,)))
    if arrays["observation"].shape != shape or arrays["observation"].dtype != (seen.dtype if seen else "f4"):
        return f"observation is {arrays['observation'].dtype} {arrays['observation'].shape}, not {shape}"
    if spec.auxiliary and (wrong := _wrong_auxiliary(arrays, spec.auxiliary.size)):
        return wrong
    actor = arrays["actor"]
    if not np.isin(actor, (*range(spec.players), CHANCE, TERMINAL)).all():
        return "a step has an actor that the game does not have"
    if ((choices > 0) != (actor >= 0)).any() or (actor[np.cumsum(steps) - 1] != TERMINAL).any():
        return "its steps do not follow one another"
    for key, size in (("action", actions.size), ("legal", actions.choices)):
        if len(arrays[key]) and not 0 <= int(arrays[key].min()) <= int(arrays[key].max()) < size:
            return f"{key} leaves the range 0..{size - 1}"
    for key in ("observation", "reward", "value", "policy"):
        if arrays[key].dtype.kind == "f" and not np.isfinite(arrays[key]).all():
            return f"{key} has a value that is not finite"
    policy, most = arrays["policy"], max(abs(end) for end in spec.returns) * (1.0 + _SLACK)
    if len(policy) and not 0.0 <= policy.min() <= policy.max() <= 1.0 + _SLACK:
        return "policy has a probability that is none"
    if spec.rewards == "end" and np.abs(arrays["reward"]).max() > most:
        return f"reward has a value beyond the game's returns, {spec.returns}"
    return None


def _wrong_auxiliary(arrays: Arrays, size: int) -> str | None:
    """Of auxiliary targets: numbers of [-1, 1], or all of them NaN where they are not known."""
    auxiliary = arrays["auxiliary"]
    if auxiliary.dtype != np.float32 or auxiliary.shape != (len(arrays["steps"]), size):
        return f"auxiliary is {auxiliary.dtype} {auxiliary.shape}, not {(len(arrays['steps']), size)}"
    fine = (np.abs(auxiliary) <= 1.0 + _SLACK).all(axis=1) | np.isnan(auxiliary).all(axis=1)
    if not fine.all():
        return "auxiliary has a value outside [-1, 1]"
    return None
