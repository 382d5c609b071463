"""The fields of a configuration for a reader: name, type, default and meaning, from the dataclass itself."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import MISSING, asdict, dataclass, fields
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


@dataclass(frozen=True)
class FieldRecord:
    """One field.

    Attributes:
        name: as it is written.
        type: in words: ``int``, ``text``, or the choices there are.
        default: as plain data; None is also what has none.
        needed: whether it must be given.
        meaning: a sentence or two.
    """

    name: str
    type: str
    default: Any
    needed: bool
    meaning: str

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return asdict(self)


def field_records(config: type, *, prefix: str = "", of: Any = None) -> list[FieldRecord]:
    """The fields of a dataclass whose docstring has a section ``Attributes:``.

    Args:
        config: the dataclass.
        prefix: what stands before the names, such as ``play.``.
        of: an instance whose values are given as the defaults.
    """
    meanings = {name: text for kind in reversed(config.__mro__) for name, text in _meanings(kind)}
    types = get_type_hints(config)
    records = []
    for field in fields(config):
        default = field.default
        if of is not None:
            default = getattr(of, field.name)
        elif field.default_factory is not MISSING:
            default = field.default_factory()
        needed = default is MISSING
        meaning = meanings.get(field.name, "")
        value = None if needed else default
        records.append(
            FieldRecord(prefix + field.name, type_words(types[field.name]), value, needed, meaning)
        )
    return records


def type_words(kind: Any) -> str:
    """A type for a reader: ``int``, ``text``, ``a | b``, ``list of int``."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " | ".join(map(str, parts))
    if origin in (Union, UnionType):
        return " | ".join(type_words(part) for part in parts)
    if origin is tuple:
        return "list of " + type_words(parts[0])
    words = {str: "text", bool: "true | false", NoneType: "none"}
    return words.get(kind) or str(getattr(kind, "__name__", kind))


def _meanings(config: type) -> Iterator[tuple[str, str]]:
    """(field, meaning) from the section ``Attributes:``; one entry may be of several fields."""
    text = inspect.cleandoc(config.__doc__ or "")
    _, heading, section = text.partition("Attributes:\n")
    if not heading:
        return
    entry = re.compile(r"^ {4}(\w+(?:, \w+)*): (.*(?:\n {8}.*)*)", re.MULTILINE)
    for match in entry.finditer(section):
        meaning = re.sub(r"\s+", " ", match[2]).strip().replace("``", "")
        for name in match[1].split(", "):
            yield name, meaning
