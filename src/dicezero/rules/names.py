"""The grammar of names, OpenSpiel's: ``name`` or ``name(key=value,...)``; a value may be such a name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from dicezero.rules.errors import GameError

_WORD = re.compile(r"[A-Za-z0-9_]+")
INT_MIN, INT_MAX = -(2**31), 2**31 - 1


@dataclass(frozen=True)
class Name:
    """A parsed name. Values are text as written; who owns the name gives them a type."""

    word: str
    parameters: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        """The name as it is written."""
        inside = ",".join(f"{key}={value}" for key, value in self.parameters.items())
        return f"{self.word}({inside})" if inside else self.word


def quote(text: str) -> str:
    """Text for one line of an error message: quoted, escaped, shortened."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def parse_name(text: str) -> Name:
    """Splits ``word(key=value,...)``; raises GameError that says where the text leaves the grammar."""
    text = text.strip()
    word, bracket, rest = text.partition("(")
    word = word.strip()
    if not _WORD.fullmatch(word):
        raise GameError(f"{quote(text)} is not a name; write name or name(key=value,...)")
    if not bracket:
        return Name(word)
    inside = _inside_brackets(text, rest)
    parameters: dict[str, str] = {}
    for part in _split(inside) if inside.strip() else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not _WORD.fullmatch(key):
            raise GameError(f"{quote(part)} in {quote(text)} is not a parameter; write key=value")
        if not value:
            raise GameError(f"{key} in {quote(text)} has no value; write {key}=value")
        if key in parameters:
            raise GameError(f"{key} is given twice in {quote(text)}; give it once")
        parameters[key] = value
    return Name(word, parameters)


def parse_int(owner: str, key: str, value: str) -> int:
    """An int parameter from its text; raises GameError when it is none or does not fit 32 bits."""
    if not re.fullmatch(r"[+-]?[0-9]+", value):
        raise GameError(f"{owner}: {key}={quote(value)} is not a whole number; give an int such as {key}=6")
    # Very long digit strings are refused by their length: int() itself has a limit.
    if len(value) > 12 or not INT_MIN <= int(value) <= INT_MAX:
        raise GameError(f"{owner}: {key}={value[:40]} does not fit 32 bits; give a smaller number")
    return int(value)


def nearest(word: str, known: Iterable[str]) -> str:
    """``"did you mean a, b? "`` for the known words that look like this one, or an empty text."""
    close = difflib.get_close_matches(word[:60], sorted(known), n=3, cutoff=0.6)
    return f"did you mean {', '.join(close)}? " if close else ""


def _inside_brackets(text: str, rest: str) -> str:
    """What stands between the first bracket and the last, which must be its partner."""
    depth = 1
    for i, char in enumerate(rest):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            if rest[i + 1 :].strip():
                raise GameError(f"{quote(text)} goes on after its closing bracket; end it at ')'")
            return rest[:i]
    raise GameError(f"{quote(text)} has no closing bracket; add ')'")


def _split(inside: str) -> list[str]:
    """The parts between commas that are not inside brackets."""
    parts, depth = [""], 0
    for char in inside:
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]
