"""Seeded changes of a corpus, for machines without a coverage-guided fuzzer and for the suite."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

CORPUS = Path(__file__).parents[2] / "tests" / "corpus"
_LONG = (b"9" * 12, b"1" + b"0" * 400, b"(" * 300, b"[" * 300, b"a" * 300)
_WORDS = (b"0", b"1", b"-1", b"1e999", b"NaN", b"null", b"true", b"\0")
_LETTERS = (b"\xff", b"\xc2\xb2", b"\xe2\x80\xae", b"\xed\xa0\x80", b"\xc3\xa9")  # some of them none
_PIECES = (*(bytes([byte]) for byte in b'()[]{}"\\,=:/|\n ;-'), *_LONG, *_WORDS, *_LETTERS)


def corpus(target: str) -> list[bytes]:
    """The files that are kept for a target, by name."""
    return [path.read_bytes() for path in sorted((CORPUS / target).iterdir())]


def changed(seeds: list[bytes], seed: int) -> Iterator[bytes]:
    """The seeds, then changes of them without end, the same for the same ``seed``."""
    yield from seeds
    lots = random.Random(seed)
    while True:
        data = bytearray(lots.choice(seeds))
        for _ in range(lots.randrange(1, 5)):
            _change(data, seeds, lots)
        yield bytes(data)


def _change(data: bytearray, seeds: list[bytes], lots: random.Random) -> None:
    at, how = lots.randrange(len(data) + 1), lots.randrange(7)
    until = min(len(data), at + lots.choice((1, 2, 5, 20)))
    if how == 0 and at < len(data):
        data[at] = lots.randrange(256)
    elif how == 1 and at < len(data):
        data[at] ^= 1 << lots.randrange(8)
    elif how == 2:
        del data[at:until]
    elif how == 3:
        data[at:at] = lots.choice(_PIECES)
    elif how == 4:
        data[at:until] = lots.choice(_PIECES)
    elif how == 5:
        data[at:at] = data[at:until] * lots.choice((1, 2, 40))
    else:
        other = lots.choice(seeds)
        data[at:] = other[lots.randrange(len(other) + 1) :]
