"""Texts of others' making, for a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TextIO

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def harmless(text: str) -> str:
    """The text with its control characters written out: a folder's name must not move a terminal's cursor."""
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def one_line(text: str) -> str:
    """The text as one line without control characters: a message is one line."""
    words = " ".join(text.split())
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in words)


def short_lines(stream: TextIO, most: int) -> Iterator[str]:
    """The lines of a stream, of each the first ``most`` characters: one without end must not fill memory."""
    begins = True
    while piece := stream.readline(most):
        if begins:
            yield piece
        begins = piece.endswith("\n")
