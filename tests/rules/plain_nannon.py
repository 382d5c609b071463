"""Nannon once more, slow and plain, from the text of the rules: the oracle for the native game.

A side is a sorted list of the places of its checkers: 0 is HOME, 1..n its own points, n + 1 SAFETY.
"""

from __future__ import annotations

from fractions import Fraction


class PlainNannon:
    """One position. ``roll`` is None while a die is to fall; ``opening`` until the first has fallen."""

    def __init__(self, points: int, checkers: int, sides: int) -> None:
        self.n, self.k, self.d = points, checkers, sides
        self.places = [list(range(checkers)), list(range(checkers))]
        self.turn, self.roll, self.opening = 0, None, True

    def copy(self) -> PlainNannon:
        other = PlainNannon(self.n, self.k, self.d)
        other.places = [list(side) for side in self.places]
        other.turn, other.roll, other.opening = self.turn, self.roll, self.opening
        return other

    def winner(self) -> int | None:
        for player in (0, 1):
            if self.places[player] == [self.n + 1] * self.k:
                return player
        return None

    def player(self) -> int:
        if self.winner() is not None:
            return -4
        return -1 if self.roll is None else self.turn

    def outcomes(self) -> list[tuple[int, Fraction]]:
        """(roll - 1, probability); the opening by listing all pairs of different faces."""
        if not self.opening:
            return [(face, Fraction(1, self.d)) for face in range(self.d)]
        faces = range(1, self.d + 1)
        differences = [abs(a - b) for a in faces for b in faces if a != b]
        return [(r - 1, Fraction(differences.count(r), len(differences))) for r in range(1, self.d)]

    def opponents_at(self, point: int) -> int:
        """The opponent's own number of a point of the mover's."""
        return self.n + 1 - point

    def may_land(self, place: int) -> bool:
        if place >= self.n + 1:
            return True
        if place in self.places[self.turn]:
            return False
        theirs = self.places[1 - self.turn]
        there = self.opponents_at(place)
        if there not in theirs:
            return True
        neighbours = [p for p in (there - 1, there + 1) if 1 <= p <= self.n]
        return not any(p in theirs for p in neighbours)

    def legal(self) -> list[int]:
        """Places to move from, or the pass, n + 1."""
        sources = {p for p in self.places[self.turn] if p <= self.n}
        return sorted(p for p in sources if self.may_land(p + self.roll)) or [self.n + 1]

    def actions(self) -> list[int]:
        player = self.player()
        if player == -4:
            return []
        return [outcome for outcome, _ in self.outcomes()] if player == -1 else self.legal()

    def apply(self, action: int) -> None:
        if self.roll is None:
            self.roll, self.opening = action + 1, False
            return
        if action != self.n + 1:
            mine, theirs = self.places[self.turn], self.places[1 - self.turn]
            to = min(action + self.roll, self.n + 1)
            mine.remove(action)
            mine.append(to)
            mine.sort()
            if to <= self.n and self.opponents_at(to) in theirs:
                theirs.remove(self.opponents_at(to))
                theirs.append(0)
                theirs.sort()
        self.turn, self.roll = 1 - self.turn, None

    def observation(self, viewer: int) -> list[float]:
        mine, theirs = self.places[viewer], self.places[1 - viewer]
        values = [float(p in mine) for p in range(1, self.n + 1)]
        values += [float(self.n + 1 - p in theirs) for p in range(1, self.n + 1)]
        for side in (mine, theirs):
            for place in (0, self.n + 1):
                values += [float(c < side.count(place)) for c in range(self.k)]
        values += [float(self.roll == r) for r in range(1, self.d + 1)]
        return values + [float(self.player() == who) for who in (viewer, 1 - viewer, -1, -4)]


def perft(state: PlainNannon, depth: int) -> list[int]:
    counts = [0] * (depth + 1)

    def visit(at: PlainNannon, level: int) -> None:
        counts[level] += 1
        if level < depth:
            for action in at.actions():
                child = at.copy()
                child.apply(action)
                visit(child, level + 1)

    visit(state, 0)
    return counts
