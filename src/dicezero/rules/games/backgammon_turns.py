"""A turn of backgammon, checker by checker: where each may go, and the actions that two of them make.

An action of the rules is a pair of points, one for the larger die and one for the smaller, whichever is
played first; a person clicks one checker after the other. Cells have the names of player 0's points.
"""

from __future__ import annotations

from collections.abc import Sequence

from dicezero import _native
from dicezero.rules.board import Path

BAR, OFF = 25, 0


def point_name(point: int) -> str:
    """The name of the cell of a point as player 0 counts."""
    return str(point)


class Checkers:
    """Where both players' checkers stand, each in its own counting: off, points 1..24, bar."""

    def __init__(self, first: Sequence[int], second: Sequence[int]) -> None:
        self._counts = (tuple(first), tuple(second))

    def __getitem__(self, player: int) -> tuple[int, ...]:
        return self._counts[player]

    def may(self, player: int, point: int, die: int) -> bool:
        """Whether a checker may go from ``point`` by ``die``."""
        own, other = self[player], self[1 - player]
        if own[point] == 0 or (own[BAR] > 0 and point != BAR):
            return False
        target = point - die
        if target >= 1:
            return other[25 - target] <= 1
        return sum(own[7:]) == 0 and (target == 0 or sum(own[point + 1 :]) == 0)

    def moved(self, player: int, point: int, target: int) -> Checkers:
        """After a checker has gone to ``target``, and a lone enemy there to the bar."""
        own, other = list(self[player]), list(self[1 - player])
        own[point] -= 1
        own[target] += 1
        if target != OFF and other[25 - target] == 1:
            other[25 - target] = 0
            other[BAR] += 1
        return Checkers(own, other) if player == 0 else Checkers(other, own)

    def after(self, player: int, picked: Path) -> tuple[Checkers, tuple[int, ...]]:
        """After the whole moves of a path, and the dice that they took; what is no move is left out."""
        place, dice = self, []
        for start, end in zip(picked[0::2], picked[1::2], strict=False):
            point, target = point_of(player, start), point_of(player, end)
            if point is None or target is None or not 0 <= target < point or place[player][point] == 0:
                break
            place = place.moved(player, point, target)
            dice.append(point - target)
        return place, tuple(dice)


def cell_of(player: int, point: int) -> str:
    """The cell of a player's point."""
    if point == BAR:
        return f"bar{player}"
    if point == OFF:
        return f"off{player}"
    return point_name(point if player == 0 else 25 - point)


def point_of(player: int, cell: str) -> int | None:
    """The player's point of a cell; None for a name that is none."""
    return next((point for point in range(26) if cell_of(player, point) == cell), None)


def turns(state: _native.BackgammonState) -> dict[int, tuple[Path, ...]]:
    """Every legal action with the orders in which its checkers can be moved."""
    player, (large, small) = state.turn, state.dice
    place = Checkers(state.checkers(0), state.checkers(1))
    paths_by_action: dict[int, tuple[Path, ...]] = {}
    for action in state.legal_actions():
        steps = [(point, die) for point, die in ((action // 26, large), (action % 26, small)) if point]
        orders = dict.fromkeys((tuple(steps), tuple(reversed(steps))))
        paths = [path for order in orders if (path := _path(place, player, order)) is not None]
        paths_by_action[action] = tuple(paths) if paths else (("No move",),)
    return paths_by_action


def _path(place: Checkers, player: int, steps: Sequence[tuple[int, int]]) -> Path | None:
    """The cells of moves in this order; None where the rules do not allow it."""
    path: list[str] = []
    for point, die in steps:
        if not place.may(player, point, die):
            return None
        target = max(OFF, point - die)
        place = place.moved(player, point, target)
        path += [cell_of(player, point), cell_of(player, target)]
    return tuple(path) or None
