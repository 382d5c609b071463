"""Presets as text and as plain data: ``--set key=value``, and the JSON in a run's folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass, replace
from typing import Any, TypeVar

from dicezero.model.board import BoardConfig
from dicezero.model.ntuple import TupleConfig
from dicezero.presets.loss_weights import LossWeights
from dicezero.presets.registry import Preset
from dicezero.rules.names import nearest, quote
from dicezero.search.config import Dirichlet, Puct, SearchConfig

_TUPLES = ("widths", "q_range")  # lists in JSON
Record = TypeVar("Record")


def with_settings(preset: Preset, settings: Mapping[str, str]) -> Preset:
    """The preset with some fields set from text: its own, its search's, ``play.NAME``, ``puct.init``.

    A model given towers plays no deeper than it is unrolled in training, unless its hidden states are scaled
    or ``play.max_depth`` is set: what nothing scales may grow with every further step.
    """
    for key, text in settings.items():
        path = key.split(".")
        if not _has(preset, path[0]) and _has(preset.search, path[0]):
            path = ["search", *path]
        if key == "name" or not _is_leaf(preset, path):
            keys = [*_keys(preset), *_keys(preset.search)]
            hint = nearest(key, keys) or nearest(path[-1], keys)
            raise ValueError(
                f"unknown setting {quote(key)}; {hint}dicezero presets {preset.name} lists all of them"
            )
        preset = _replaced(preset, path, key, text)
    grows = preset.kind == "model" and preset.hidden_scaling == "none"
    if settings.get("architecture") == "board" and grows and "play.max_depth" not in settings:
        return replace(preset, play=replace(preset.play, max_depth=preset.play.max_depth or preset.unroll))
    return preset


def setting_text(value: Any) -> str:
    """A value of ``preset_to_json`` as ``with_settings`` reads it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


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


def _keys(owner: Any, prefix: str = "") -> list[str]:
    """Every key below a record that can be set."""
    keys: list[str] = []
    for f in fields(owner):
        value = getattr(owner, f.name)
        keys += _keys(value, f"{prefix}{f.name}.") if is_dataclass(value) else [prefix + f.name]
    return [key for key in keys if key != "name"]


def _has(owner: Any, name: str) -> bool:
    return is_dataclass(owner) and any(f.name == name for f in fields(owner))


def _is_leaf(owner: Any, path: Sequence[str]) -> bool:
    """Whether the path leads to a field that is no record itself."""
    for name in path:
        if not _has(owner, name):
            return False
        owner = getattr(owner, name)
    return not is_dataclass(owner)


def _replaced(owner: Record, path: Sequence[str], key: str, text: str) -> Record:
    """The record with the field at the end of the path set; ``key`` is what errors call it."""
    name, *rest = path
    before = getattr(owner, name)
    after = _replaced(before, rest, key, text) if rest else _typed(key, text, before)
    changed: Record = replace(owner, **{name: after})  # type: ignore[type-var]  # no type stands for dataclasses
    return changed


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
