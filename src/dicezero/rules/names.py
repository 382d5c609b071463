r"""The grammar of names, OpenSpiel's: ``name`` or ``name(key=value,...)``; a value may be such a name.

A value with characters of the grammar in it stands in double quotes, where ``\"`` is a quote and ``\\`` a
backslash: ``run(path="a, b (c)")``. Names are made by ``str(Name(...))``, which quotes where it must.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from dicezero.rules.errors import GameError

_WORD = re.compile(r"[A-Za-z0-9_]+")
INT_MIN, INT_MAX = -(2**31), 2**31 - 1


@dataclass(frozen=True)
class Name:
    """A parsed name. Values are text without their quotes; who owns the name gives them a type.

    Attributes:
        word: what it names.
        parameters: texts by key, in the order written.
        quoted: the keys whose values stood in quotes: those are texts, whatever they look like.
    """

    word: str
    parameters: dict[str, str] = field(default_factory=dict)
    quoted: frozenset[str] = field(default=frozenset(), compare=False)

    def __str__(self) -> str:
        """The name as it is written; ``parse_name`` reads it back."""
        inside = ",".join(f"{key}={self._written(key)}" for key in self.parameters)
        return f"{self.word}({inside})" if inside else self.word

    def _written(self, key: str) -> str:
        value = self.parameters[key]
        return quoted(value) if key in self.quoted or not _stands_alone(value) else value


def quoted(value: str) -> str:
    """A value in double quotes, with what is special in them escaped."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def quote(text: str) -> str:
    """Text for one line of an error message: quoted, escaped, shortened."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def parse_name(text: str) -> Name:
    """Splits ``word(key=value,...)``; raises GameError that names where the text leaves the grammar."""
    text = text.strip()
    word, bracket, rest = text.partition("(")
    word = word.strip()
    if not _WORD.fullmatch(word):
        raise GameError(f"{quote(text)} is not a name; write name or name(key=value,...)")
    if not bracket:
        return Name(word)
    inside, after = _until_closed(rest)
    if after is None:
        raise GameError(f"{quote(text)} has no closing bracket; add ')'")
    if after.strip():
        raise GameError(
            f"{quote(text)} goes on after its closing bracket; end it at ')', or write a value with brackets "
            'in quotes, key="..."'
        )
    parameters: dict[str, str] = {}
    in_quotes = set()
    for part in _split(inside) if inside.strip() else []:
        key, equals, written = (piece.strip() for piece in part.partition("="))
        if not equals or not _WORD.fullmatch(key):
            raise GameError(
                f"{quote(part)} in {quote(text)} is not a parameter; write key=value, and a value "
                'with a comma in quotes, key="..."'
            )
        if not written:
            raise GameError(f"{key} in {quote(text)} has no value; write {key}=value")
        if key in parameters:
            raise GameError(f"{key} is given twice in {quote(text)}; give it once")
        if written.startswith('"'):
            in_quotes.add(key)
            written = _unquoted(written, key, text)
        parameters[key] = written
    return Name(word, parameters, frozenset(in_quotes))


def parse_int(owner: str, key: str, value: str) -> int:
    """An int parameter from its text; raises GameError when it is none or does not fit 32 bits."""
    if not re.fullmatch(r"[+-]?[0-9]+", value):
        raise GameError(f"{owner}: {key}={quote(value)} is not a whole number; give an int such as {key}=6")
    # Very long digit strings are refused by their length: int() itself has a limit.
    if len(value) > 12 or not INT_MIN <= int(value) <= INT_MAX:
        raise GameError(f"{owner}: {key}={value[:40]} does not fit 32 bits; give a smaller number")
    return int(value)


def parse_value(
    owner: str, key: str, text: str, default: int | float | bool | str
) -> int | float | bool | str:
    """A parameter from its text, as a value of the default's type; raises GameError when it is none."""
    if isinstance(default, bool):
        if text.lower() not in ("true", "false"):
            raise GameError(f"{owner}: {key}={quote(text)} is not true or false; give one of them")
        return text.lower() == "true"
    if isinstance(default, int):
        return parse_int(owner, key, text)
    if isinstance(default, float):
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not abs(number) <= 1e6:
            raise GameError(
                f"{owner}: {key}={quote(text)} is no number up to a million; give {key}={default}"
            )
        return number
    return text


def nearest(word: str, names: Iterable[str]) -> str:
    """``"did you mean a, b? "`` for the known words that look like this one, or an empty text."""
    close = difflib.get_close_matches(word[:60], sorted(names), n=3, cutoff=0.6)
    return f"did you mean {', '.join(close)}? " if close else ""


def _stands_alone(value: str) -> bool:
    """Whether a value is read back as it is without quotes: brackets in pairs, no comma outside of them."""
    if not value or value != value.strip() or value.startswith('"'):
        return False
    inside, after = _until_closed(value + ")", key_read=True)
    return after == "" and inside == value and len(_split(f"k={value}")) == 1


def _until_closed(rest: str, *, key_read: bool = False) -> tuple[str, str | None]:
    """What stands before the bracket that closes, and after it; None where none does."""
    depth = 1
    for i, char, plain in _scan(rest, key_read=key_read):
        if plain:
            depth += (char == "(") - (char == ")")
            if depth == 0:
                return rest[:i], rest[i + 1 :]
    return rest, None


def _split(inside: str) -> list[str]:
    """The parts between commas that are not inside brackets or quotes."""
    parts, depth = [""], 0
    for _, char, plain in _scan(inside):
        if plain:
            depth += (char == "(") - (char == ")")
        if plain and char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]


def _scan(text: str, *, key_read: bool = False) -> Iterator[tuple[int, str, bool]]:
    """Each character with its place, and whether it is one of the grammar rather than inside quotes.

    Quotes open where a value begins, after the first ``=`` of a parameter; elsewhere they are ordinary.
    """
    state = "value" if key_read else "key"  # then "open" right after its "=", "quoted", "escaped"
    for i, char in enumerate(text):
        if state == "escaped":
            state = "quoted"
        elif state == "quoted":
            state = "escaped" if char == "\\" else "value" if char == '"' else "quoted"
        elif state == "open" and char == '"':
            state = "quoted"
        else:
            yield i, char, True
            if char in "(,":
                state = "key"
            elif state == "key" and char == "=":
                state = "open"
            elif state == "open" and not char.isspace():
                state = "value"
            continue
        yield i, char, False


def _unquoted(written: str, key: str, text: str) -> str:
    """A value without its quotes; a backslash before anything but a quote or a backslash is itself."""
    match = re.fullmatch(r'"((?:[^"\\]|\\.)*)"', written, re.DOTALL)
    if match is None:
        raise GameError(
            f'{key} in {quote(text)} does not end with its quotes; write {key}="...", quotes inside as \\"'
        )
    return re.sub(r'\\(["\\])', r"\1", match[1])
