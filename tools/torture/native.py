"""Every name of the native module, called with anything: an exception or an answer, never a crash."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
from outcome import Outcome

from dicezero import _native

_SKIPPED = (
    "__init_subclass__",
    "__subclasshook__",
    "__reduce__",
    "__reduce_ex__",
    "__class__",
    "__new__",
    "__del__",
    "__getattribute__",
    "__setattr__",
    "__delattr__",
    "__dir__",
    "__format__",
    "__sizeof__",
)
_LARGEST = 2_000  # sizes that are right are kept small: this is no test of patience


def batch(seed: int, cases: int) -> Outcome:
    """Each case is one call; objects that calls return are called in their turn."""
    found = Outcome()
    lots = random.Random(seed)
    names = [name for name in dir(_native) if not name.startswith("_")]
    alive: list[Any] = [_native.Nannon(points=4, checkers=2, sides=4), _native.TicTacToe()]
    alive += [game.new_initial_state() for game in alive]
    for _ in range(cases):
        found.cases += 1
        owner: Any = _native if lots.random() < 0.4 else lots.choice(alive)
        name = lots.choice(
            names if owner is _native else [n for n in dir(owner) if n not in _SKIPPED] or names
        )
        try:
            target = getattr(owner, name)
            words = [_value(lots, alive) for _ in range(lots.choice((0, 0, 1, 1, 2, 3, 4, 6)))]
            result = target(*words) if callable(target) else target
        except Exception:  # noqa: S112 - refused, which is right
            continue
        if type(result).__module__.startswith("dicezero") and len(alive) < 200:
            alive.append(result)
        elif type(result).__module__.startswith("dicezero"):
            alive[lots.randrange(len(alive))] = result
    return found


def _value(lots: random.Random, alive: list[Any]) -> Any:
    kind = lots.randrange(10)
    if kind < 3:
        return lots.choice(
            (-1, 0, 1, 2, 3, 5, 17, -(2**31), 2**31 - 1, 2**31, 2**63 - 1, -(2**63), 2**64, _LARGEST)
        )
    if kind < 5:
        return lots.choice(alive)
    if kind == 5:
        return lots.choice(
            (0.0, -1.5, 0.5, 1e308, math.inf, math.nan, True, None, "", "x", "nannon|1 2", b"\x00")
        )
    if kind == 6:
        shape = lots.choice(((0,), (1,), (3,), (2, 3), (0, 4), (2, 2, 2), (1, 34)))
        return np.full(
            shape, lots.choice((0, 1, -1, 100)), lots.choice((np.float32, np.float64, np.int32, np.uint64))
        )
    if kind == 7:
        return [lots.choice((0, 1, -1, 2.5, None, "a")) for _ in range(lots.randrange(5))]
    if kind == 8:
        return lots.choice((lambda *_: lots.choice((None, 1, [], "x")), len, {}, {"a": 1}, object()))
    return {lots.choice(("depth", "seed", "points", "x")): lots.randrange(5)}
