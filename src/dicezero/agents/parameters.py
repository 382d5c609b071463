"""Parameters of a named agent: text to the typed fields of the configuration it belongs to."""

from __future__ import annotations

from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from dicezero.agents.errors import AgentError
from dicezero.rules.names import nearest, quote

Config = TypeVar("Config")
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def parse_parameters(
    owner: str, config: type[Config], text: dict[str, str], *, fixed: dict[str, Any] | None = None
) -> Config:
    """An instance of the dataclass ``config`` from ``key=value`` texts.

    What the configuration itself refuses (its checks at birth) is reported verbatim. Fields in
    ``fixed`` belong to the agent and cannot be given.

    Raises:
        AgentError: a parameter is unknown, missing, of the wrong type or out of range.
    """
    types = get_type_hints(config)
    values: dict[str, Any] = dict(fixed or {})
    names = [field.name for field in fields(config)]  # type: ignore[arg-type]
    allowed = [name for name in names if name not in values and is_plain(types[name])]
    for key, value in text.items():
        if key not in allowed:
            raise unknown_parameter(owner, key, allowed)
        values[key] = _typed(owner, key, value, types[key])
    for field in fields(config):  # type: ignore[arg-type]
        if field.default is MISSING and field.default_factory is MISSING and field.name not in values:
            raise AgentError(f"{owner}: {field.name} is missing; write {owner}({field.name}=...)")
    try:
        return config(**values)
    except ValueError as error:
        raise AgentError(f"{owner}: {error}") from None


def unknown_parameter(owner: str, key: str, allowed: list[str]) -> AgentError:
    """The error for a key that an agent does not take."""
    takes = f"it takes {', '.join(allowed)}" if allowed else "it takes none"
    return AgentError(f"{owner}: unknown parameter {quote(key)}; {nearest(key, allowed)}{takes}")


def is_plain(kind: Any) -> bool:
    """Whether a parameter of this type can be written as text."""
    if get_origin(kind) in (Union, UnionType):
        return any(is_plain(part) for part in get_args(kind))
    return get_origin(kind) is Literal or kind in (int, float, bool, str)


def _typed(owner: str, key: str, text: str, kind: Any) -> Any:
    """The value of a plain type; a union takes the first of its types that the text fits."""
    if get_origin(kind) in (Union, UnionType):
        return _first_that_fits(owner, key, text, kind)
    if get_origin(kind) is Literal:
        for choice in get_args(kind):
            if str(choice) == text:
                return choice
        allowed = ", ".join(map(str, get_args(kind)))
        raise AgentError(f"{owner}: {key}={quote(text)} is unknown; give one of {allowed}")
    if kind is bool:
        if text.lower() not in _TRUTH:
            raise AgentError(f"{owner}: {key}={quote(text)} must be true or false")
        return _TRUTH[text.lower()]
    if kind is str:
        return text
    try:
        if len(text) > 40:
            raise ValueError
        return kind(text)
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        raise AgentError(f"{owner}: {key}={quote(text)} must be {what}") from None


def _first_that_fits(owner: str, key: str, text: str, kind: Any) -> Any:
    parts = [part for part in get_args(kind) if is_plain(part) or part is NoneType]
    if NoneType in parts and text.lower() == "none":
        return None
    complaint: AgentError | None = None
    for part in parts:
        if part is not NoneType:
            try:
                return _typed(owner, key, text, part)
            except AgentError as error:
                complaint = complaint or error
    raise complaint or AgentError(f"{owner}: {key}={quote(text)} cannot be given as text")
