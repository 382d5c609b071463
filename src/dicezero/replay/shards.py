"""A round's games as one NPZ file: arrays of all games one after another, and where each ends."""

from __future__ import annotations

import io
import zipfile

import numpy as np

from dicezero.selfplay.record import FIELDS, ActionSet, GameRecord

_DTYPES = {
    "observation": "f4",
    "actor": "i1",
    "action": "i2",
    "legal": "?",
    "policy": "f4",
    "value": "f4",
    "outcome": "f4",
}


def pack_games(records: list[GameRecord]) -> bytes:
    """The games as the bytes of an NPZ file; the same games give the same bytes."""
    arrays = {name: np.concatenate([getattr(r, name) for r in records]) for name in FIELDS}
    ends = np.cumsum([len(record) for record in records], dtype=np.int64)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, ends=ends, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def unpack_games(data: bytes, actions: ActionSet, *, name: str) -> list[GameRecord]:
    """The games of a shard.

    Raises:
        ValueError: not a shard, damaged, or of another game; ``name`` says which file.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {key: file[key] for key in (*FIELDS, "ends")}
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{name} is not a file of games ({error}); remove it and train again") from error
    ends = arrays.pop("ends")
    steps = int(ends[-1]) if ends.ndim == 1 and ends.size else -1
    for key, array in arrays.items():
        wide = array.ndim == 2 and (key == "observation" or array.shape[1] == actions.choices)
        shaped = wide if key in ("observation", "legal", "policy") else array.ndim == 1
        if array.dtype != np.dtype(_DTYPES[key]) or not shaped or len(array) != steps:
            raise ValueError(f"{name}: {key} is {array.dtype} {array.shape}, which is no game of this kind")
    bounds = list(zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True))
    return [GameRecord(**{key: array[a:b] for key, array in arrays.items()}) for a, b in bounds]
