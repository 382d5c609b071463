"""Gymnasium's spaces as actions and frames."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero.rules.errors import GameError
from dicezero.rules.spec import ObservationSpec

Frame = npt.NDArray[np.float32] | npt.NDArray[np.uint8]


def actions_of(name: str, space: Any) -> tuple[int, int]:
    """(the first action's number, how many there are)."""
    count = getattr(space, "n", None)
    if space is None or count is None or np.ndim(count) != 0:
        raise GameError(
            f"{name}: action_space is {space}; only Discrete actions can be learned: wrap the environment in "
            "one whose action_space is Discrete"
        )
    return int(getattr(space, "start", 0)), int(count)


def observation_of(name: str, space: Any, stack: int) -> tuple[Callable[[Any], Frame], ObservationSpec]:
    """How an observation becomes a frame, and what a frame is."""
    if space is None:
        raise GameError(f"{name}: there is no observation_space; give one as Gymnasium has it")
    shape, dtype = getattr(space, "shape", None), getattr(space, "dtype", None)
    if getattr(space, "n", None) is not None and np.ndim(space.n) == 0:  # Discrete: one of n
        start, count = int(getattr(space, "start", 0)), int(space.n)

        def one_hot(observation: Any) -> Frame:
            frame = np.zeros(count, np.float32)
            if not 0 <= int(observation) - start < count:
                raise ValueError(f"{observation} is not in {space}")
            frame[int(observation) - start] = 1.0
            return frame

        return one_hot, ObservationSpec((count,), stack=stack)
    if not shape or dtype is None:
        return _flattened(space, stack)
    if len(shape) == 3 and dtype == np.bool_:  # yes or no: a byte each, which a network sees as 0 or 1

        def bits(observation: Any) -> Frame:
            return np.ascontiguousarray(np.moveaxis(_bytes(observation, most=1), -1, 0) * np.uint8(255))

        return bits, ObservationSpec((shape[2], shape[0], shape[1]), "uint8", "planes", stack)
    if len(shape) == 3:  # pictures come as [height, width, channels]
        picture = dtype == np.uint8

        def planes(observation: Any) -> Frame:
            if picture:
                return np.ascontiguousarray(np.moveaxis(_bytes(observation), -1, 0))
            return np.ascontiguousarray(np.moveaxis(np.asarray(observation, np.float32), -1, 0))

        sizes = (shape[2], shape[0], shape[1])
        layout: Any = "image" if picture else "planes"
        return planes, ObservationSpec(sizes, "uint8" if picture else "float32", layout, stack)
    if len(shape) == 2 and dtype == np.uint8:
        return _grey, ObservationSpec((1, *shape), "uint8", "image", stack)

    def flat(observation: Any) -> Frame:
        return np.asarray(observation, np.float32).ravel()

    return flat, ObservationSpec((int(np.prod(shape)),), stack=stack)


def _grey(observation: Any) -> Frame:
    return _bytes(observation)[None]


def _bytes(observation: Any, *, most: int = 255) -> npt.NDArray[np.uint8]:
    """An observation as bytes; ValueError where it has other values, which no cast is to hide."""
    array = np.asarray(observation)
    with np.errstate(invalid="ignore"):
        cast = array.astype(np.uint8)
    if (array.dtype != np.uint8 and not np.array_equal(cast, array)) or (most < 255 and (cast > most).any()):
        raise ValueError(f"it has values other than whole numbers in 0..{most}")
    return cast


def _flattened(space: Any, stack: int) -> tuple[Callable[[Any], Frame], ObservationSpec]:
    """Tuples and dictionaries, laid out flat as Gymnasium does it."""
    spaces = importlib.import_module("gymnasium.spaces")

    def flat(observation: Any) -> Frame:
        return np.asarray(spaces.flatten(space, observation), np.float32)

    try:
        size = int(spaces.flatdim(space))
    except (NotImplementedError, ValueError, TypeError) as error:
        raise GameError(f"observation_space {space} cannot be laid out flat: {error}") from error
    return flat, ObservationSpec((size,), stack=stack)
