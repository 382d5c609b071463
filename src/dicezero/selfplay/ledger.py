"""Who does what, and what is done: the book of a task that is handed out in chunks."""

from __future__ import annotations

from collections import Counter, deque

import numpy as np

from dicezero.selfplay.runtime import Part, RuntimeUnavailableError

_MOST_LOSSES = 3  # of one chunk: a chunk that ends every worker it meets is no accident


class Ledger:
    """The chunks of a task, by number: waiting, handed out or committed. Each is committed once."""

    def __init__(self, count: int) -> None:
        self._waiting = deque(range(count))
        self._parts: dict[int, Part] = {}
        self._losses: Counter[int] = Counter()
        self._count = count

    @property
    def done(self) -> bool:
        """Whether every chunk is committed."""
        return len(self._parts) == self._count

    @property
    def waiting(self) -> bool:
        """Whether there is one to hand out."""
        return bool(self._waiting)

    def next(self) -> int:
        """Hands one out."""
        return self._waiting.popleft()

    def commit(self, chunk: int, part: Part) -> bool:
        """Takes a chunk's results as arrays of our own; one that is here already stays as it is (False)."""
        if chunk in self._parts:
            return False
        # What arrives may be a view of shared memory, which a game that is remembered would occupy.
        self._parts[chunk] = {name: np.array(array) for name, array in part.items()}
        return True

    def lose(self, handed_out: list[int]) -> None:
        """Puts a lost worker's chunks, the one it was at first, back in front of the others.

        Raises:
            RuntimeUnavailableError: that chunk has ended one worker too many.
        """
        missing = [chunk for chunk in handed_out if chunk not in self._parts]
        self._waiting.extendleft(reversed(missing))
        if not missing:
            return
        self._losses[missing[0]] += 1
        if self._losses[missing[0]] >= _MOST_LOSSES:
            raise RuntimeUnavailableError(
                f"{_MOST_LOSSES} workers in a row died over the same chunk of work; it may need more "
                "memory than they have: see Ray's logs, or use --runtime local"
            )

    def parts(self) -> list[Part]:
        """All parts in order."""
        return [self._parts[chunk] for chunk in range(self._count)]
