"""Calls of the native surface, one after the other, and what came back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from draw import Draws
from informed import informed
from surface import Entry, surface

_CALLS = 25  # of a class, of which one has to return
_TURNS = 100  # of an entry: some are right one time in fifteen


class Fuzzer:
    """Draws something to call and its arguments; keeps what calls return, to draw it again."""

    def __init__(self, native: ModuleType, seed: int) -> None:
        self.draws = Draws(native, seed)
        self.entries = surface(native)
        self.seen: Counter[str] = Counter()  # results: an exception's name, or "returned"
        self.called: Counter[str] = Counter()  # by entry
        self.returned: Counter[str] = Counter()
        self.broken: list[str] = []  # SystemError and MemoryError: an answer, and never a right one

    def call(self, tell: Callable[[str], None] | None = None) -> None:
        """One call: each entry has its turn before any has its next."""
        number = sum(self.called.values())
        if number % len(self.entries) == 0:
            self.draws.rng.shuffle(self.entries)
        entry = self.entries[number % len(self.entries)]
        self.draws.begin_call()
        self.called[entry.name] += 1
        given, named = self._arguments(entry)
        if tell is not None:
            tell(f"{entry.name} {[_shown(a) for a in given]} { {k: _shown(v) for k, v in named.items()} }")
        try:
            result = entry.call(*given, **named)
        except Exception as error:
            kind = type(error).__name__
            self.seen[kind] += 1
            if isinstance(error, SystemError | MemoryError | UnicodeError):
                self.broken.append(f"{entry.name}({', '.join(map(_shown, given))}): {kind}: {error}"[:300])
            return
        self.seen["returned"] += 1
        self.returned[entry.name] += 1
        self.draws.keep(result)

    def never(self) -> list[str]:
        """Classes and entries that were refused every time: behind the refusal nothing was tried."""
        kinds = [k for k, (calls, returned) in self.by_class().items() if calls >= _CALLS and not returned]
        return sorted(
            [*kinds, *(n for n, turns in self.called.items() if turns >= _TURNS and not self.returned[n])]
        )

    def by_class(self) -> dict[str, tuple[int, int]]:
        """(calls, those that returned) of each class, functions together as one."""
        kinds = {entry.name: entry.kind for entry in self.entries}
        found: dict[str, tuple[int, int]] = {}
        for name, kind in sorted(kinds.items(), key=lambda pair: pair[1]):
            calls, returned = found.get(kind, (0, 0))
            found[kind] = calls + self.called[name], returned + self.returned[name]
        return found

    def _arguments(self, entry: Entry) -> tuple[list[Any], dict[str, Any]]:
        draws = self.draws
        owner: list[Any] = []
        if entry.owner is not None:
            try:
                owner = [draws.own(entry.owner)]
            except IndexError:  # none has been made yet: a stranger in its place
                owner = [draws.anything()]
        draws.owner = owner[0] if owner else None
        found = informed(draws, entry.name)
        if found is not None:
            return [*owner, *found[0]], found[1]
        parameters = draws.rng.choice(entry.overloads)
        given = [p for p in parameters if not p.optional or draws.rng.random() < 0.6]
        plain = [draws.argument(p) for p in given if not p.keyword]
        if draws.rng.random() < 0.02:
            plain.append(draws.anything())
        return [*owner, *plain], {p.name: draws.argument(p) for p in given if p.keyword}


def _shown(value: Any) -> str:
    return f"{value.dtype}{list(value.shape)}" if isinstance(value, np.ndarray) else f"{value!r}"[:60]
