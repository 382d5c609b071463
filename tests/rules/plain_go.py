"""Go as plainly as it can be written, every earlier board kept: the twin of the native rules."""

from __future__ import annotations

EMPTY, BLACK, WHITE = ".", "X", "O"
Board = tuple[str, ...]


def neighbours(size: int, point: int) -> list[int]:
    row, column = divmod(point, size)
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [r * size + c for r, c in around if 0 <= r < size and 0 <= c < size]


def chain(size: int, board: Board, point: int) -> tuple[set[int], set[int]]:
    """The stones connected to the one at the point, or the empty region, and the points around it."""
    stones, around, rest = {point}, set(), [point]
    while rest:
        for other in neighbours(size, rest.pop()):
            if board[other] != board[point]:
                around.add(other)
            elif other not in stones:
                stones.add(other)
                rest.append(other)
    return stones, around


def after(size: int, board: Board, point: int, mark: str) -> Board | None:
    """The board after a stone there; None where the point is taken or the stone would have no liberty."""
    if board[point] != EMPTY:
        return None
    cells = list(board)
    cells[point] = mark
    for other in neighbours(size, point):
        if cells[other] not in (EMPTY, mark):
            stones, around = chain(size, tuple(cells), other)
            if all(cells[liberty] != EMPTY for liberty in around):
                for stone in stones:
                    cells[stone] = EMPTY
    _, around = chain(size, tuple(cells), point)
    return tuple(cells) if any(cells[liberty] == EMPTY for liberty in around) else None


class PlainGo:
    """A game with all its boards."""

    def __init__(self, size: int, komi: float) -> None:
        self.size, self.komi = size, komi
        self.board: Board = (EMPTY,) * size**2
        self.seen = {self.board}
        self.turn, self.passes, self.plies = BLACK, 0, 0

    def is_over(self) -> bool:
        return self.passes == 2 or self.plies == 2 * self.size**2

    def legal(self) -> list[int]:
        boards = (after(self.size, self.board, point, self.turn) for point in range(self.size**2))
        points = [point for point, board in enumerate(boards) if board is not None and board not in self.seen]
        return [*points, self.size**2]

    def play(self, action: int) -> None:
        if action == self.size**2:
            self.passes += 1
        else:
            board = after(self.size, self.board, action, self.turn)
            assert board is not None
            self.board, self.passes = board, 0
            self.seen.add(board)
        self.plies += 1
        self.turn = WHITE if self.turn == BLACK else BLACK

    def lead(self) -> float:
        """Black's area minus White's minus komi."""
        total = -self.komi
        for point in range(self.size**2):
            owners = {self.board[point]}
            if self.board[point] == EMPTY:
                owners = {self.board[other] for other in chain(self.size, self.board, point)[1]}
            total += (owners == {BLACK}) - (owners == {WHITE})
        return total
