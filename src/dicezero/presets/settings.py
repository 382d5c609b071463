"""Presets as text and as plain data: ``--set key=value``, and the JSON in a run's folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any, TypeVar

from dicezero.model.board import BoardConfig
from dicezero.model.ntuple import TupleConfig
from dicezero.presets.loss_weights import LossWeights
from dicezero.presets.registry import Preset
from dicezero.rules.names import nearest, quote
from dicezero.search.config import Dirichlet, Puct, SearchConfig

_TUPLES = ("widths", "q_range")  # lists in JSON
Record = TypeVar("Record")
_PARTS = ("search", "play", "loss", "board", "tuples")  # fields of a preset that have fields of their own


def with_settings(preset: Preset, settings: Mapping[str, str]) -> Preset:
    """The preset with some fields set from text: its own, its search's, ``play.NAME`` or ``loss.NAME``.

    A model given towers plays no deeper than it is unrolled in training, unless its hidden states are scaled
    or ``play.max_depth`` is set: what nothing scales may grow with every further step.
    """
    for key, text in settings.items():
        part, _, name = key.rpartition(".")
        if not part and not _has(preset, key) and _has(preset.search, key):
            part = "search"
        owner: Any = getattr(preset, part, None) if part in _PARTS else preset if not part else None
        if owner is None or not _has(owner, name) or key in ("name", *_PARTS):
            hint = nearest(key, _keys(preset)) or nearest(name, _keys(preset))
            raise ValueError(
                f"unknown setting {quote(key)}; {hint}dicezero presets {preset.name} lists all of them"
            )
        changed: Any = replace(owner, **{name: _typed(key, text, getattr(owner, name))})
        if part == "search":
            changed = replace(preset, search=changed)
        elif part == "play":
            changed = replace(preset, play=changed)
        elif part == "loss":
            changed = replace(preset, loss=changed)
        elif part == "board":
            changed = replace(preset, board=changed)
        elif part == "tuples":
            changed = replace(preset, tuples=changed)
        preset = changed
    grows = preset.kind == "model" and preset.hidden_scaling == "none"
    if settings.get("architecture") == "board" and grows and "play.max_depth" not in settings:
        return replace(preset, play=replace(preset.play, max_depth=preset.play.max_depth or preset.unroll))
    return preset


def preset_to_json(preset: Preset) -> dict[str, Any]:
    """The preset as plain data."""
    data: dict[str, Any] = json.loads(json.dumps(asdict(preset)))
    return data


def preset_from_json(data: Mapping[str, Any]) -> Preset:
    """The preset that ``preset_to_json`` wrote, be it of a version that had fewer settings.

    A setting that is not there has its default, which is what versions without it did.

    Raises:
        ValueError, TypeError or LookupError: it is something else, or has a setting that is not known here.
    """
    kinds = {"loss": LossWeights, "board": BoardConfig, "tuples": TupleConfig}
    parts: dict[str, Any] = {name: _record(kind, data[name]) for name, kind in kinds.items() if name in data}
    parts |= {name: _search_from_json(data[name]) for name in ("search", "play")}
    return _record(Preset, data, parts)


def _search_from_json(data: Mapping[str, Any]) -> SearchConfig:
    kinds = {"puct": Puct, "dirichlet": Dirichlet}
    parts: dict[str, Any] = {name: _record(kind, data[name]) for name, kind in kinds.items() if name in data}
    return _record(SearchConfig, data, parts)


def _record(kind: type[Record], data: Mapping[str, Any], parts: Mapping[str, Any] | None = None) -> Record:
    """The record with these fields; ``parts`` are those that are records themselves."""
    if not isinstance(data, Mapping):
        raise TypeError(f"{kind.__name__} is made of settings by name, not of {type(data).__name__}")
    names = {f.name for f in fields(kind)}  # type: ignore[arg-type]  # no type stands for dataclasses
    if unknown := sorted(data.keys() - names):
        raise ValueError(f"{quote(unknown[0])} is no setting that this version of dicezero knows")
    plain = {name: tuple(value) if name in _TUPLES else value for name, value in data.items()}
    return kind(**{**plain, **(parts or {})})


def _keys(preset: Preset) -> list[str]:
    """Every key that can be set."""
    own = [f.name for f in (*fields(preset), *fields(preset.search)) if f.name not in ("name", *_PARTS)]
    return own + [f"{part}.{f.name}" for part in _PARTS[1:] for f in fields(getattr(preset, part))]


def _has(owner: Any, name: str) -> bool:
    return any(f.name == name for f in fields(owner))


def _typed(key: str, text: str, like: Any) -> Any:
    """``text`` as a value of the type of ``like``."""
    if isinstance(like, str):
        return text
    if isinstance(like, bool):
        if text not in ("true", "false"):
            raise ValueError(f"{key}={quote(text)} does not fit; give true or false")
        return text == "true"
    try:
        if isinstance(like, tuple):
            return tuple(type(like[0])(part) for part in text.strip("()").split(",") if part.strip())
        if isinstance(like, int | float):
            return type(like)(text)
    except ValueError:
        raise ValueError(f"{key}={quote(text)} does not fit; give something like {like!r}") from None
    raise ValueError(f"{key} cannot be set as text; use the Python interface")
