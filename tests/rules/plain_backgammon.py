"""Backgammon's turns once more, slow and plain, from the text of the rules: the oracle for the native game.

A side is a list of 26 counts in its own counting: borne off, points 1..24, the bar.
"""

from __future__ import annotations

import base64
from itertools import permutations

Side = tuple[int, ...]
START = tuple({24: 2, 13: 5, 8: 3, 6: 5}.get(point, 0) for point in range(26))


def steps(own: Side, other: Side, die: int) -> list[tuple[Side, Side]]:
    """Every way to move one checker by one die."""
    found = []
    for start in range(1, 26):
        if own[start] == 0 or (own[25] > 0 and start != 25):
            continue
        end = start - die
        if end <= 0:
            all_home = not any(own[7:])
            if not all_home or (end < 0 and any(own[start + 1 :])):
                continue
            end = 0
        elif other[25 - end] >= 2:
            continue
        mine, theirs = list(own), list(other)
        mine[start] -= 1
        mine[end] += 1
        if end > 0 and theirs[25 - end] == 1:
            theirs[25 - end] = 0
            theirs[25] += 1
        found.append((tuple(mine), tuple(theirs)))
    return found


def turns(own: Side, other: Side, large: int, small: int) -> set[tuple[Side, Side]]:
    """Every position after a turn: both dice if possible, else the larger, else the smaller."""
    orders = [(large,) * 4] if large == small else list(permutations((large, small)))
    by_length: dict[int, set[tuple[Side, Side]]] = {}
    for order in orders:
        level = {(own, other)}
        by_length.setdefault(0, set()).update(level)
        for played, die in enumerate(order, start=1):
            level = {after for position in level for after in steps(*position, die)}
            by_length.setdefault(played, set()).update(level)
    most = max(length for length, positions in by_length.items() if positions)
    if most == 1 and large != small:
        return set(steps(own, other, large)) or set(steps(own, other, small))
    return by_length[most]


def position_id(own: Side, other: Side) -> str:
    """GNU Backgammon's ID of the position with ``own`` to move."""
    bits = [bit for side in (other, own) for point in side[1:] for bit in [1] * point + [0]]
    bits += [0] * (80 - len(bits))
    key = bytes(sum(bits[8 * i + k] << k for k in range(8)) for i in range(10))
    return base64.b64encode(key).decode()[:14]
