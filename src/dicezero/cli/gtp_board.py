"""The board of a Go program behind GTP: moves of any colour in any order, undo, handicap."""

from __future__ import annotations

import re

from dicezero.rules import load_game
from dicezero.rules.errors import GameError
from dicezero.rules.names import Name, parse_name
from dicezero.rules.notation import GameText, parse_sgf, sgf_text
from dicezero.rules.protocol import Game, State

COLUMNS = "ABCDEFGHJKLMNOPQRST"
COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}


class GtpRefusalError(ValueError):
    """What is answered with a question mark."""


class GtpBoard:
    """A game of Go with the states that led to it. Every change is all or nothing."""

    def __init__(self, game_name: str) -> None:
        name = parse_name(game_name)
        if name.word != "go":
            raise GameError(f"GTP is for go, not {name.word}; for chess: dicezero uci AGENT")
        self._parameters = dict(name.parameters)
        self.game: Game = load_game(game_name)
        self.states: list[State] = [self.game.new_initial_state()]
        self.moves: list[tuple[int, int]] = []  # (colour, action) as they were played
        self.start: str | None = None

    @property
    def state(self) -> State:
        """The position now."""
        return self.states[-1]

    @property
    def size(self) -> int:
        """Lines of the board."""
        return int(self.game.get_parameters()["board_size"])  # type: ignore[attr-defined]

    @property
    def komi(self) -> float:
        """Points White has beforehand."""
        return float(self.game.get_parameters()["komi"])  # type: ignore[attr-defined]

    def clear(self, *, start: str | None = None) -> None:
        """A new game, from the empty board or from a position."""
        self.states = [self.game.new_initial_state(*([start] if start else []))]
        self.moves, self.start = [], start

    def resize(self, size: int) -> None:
        """Another size; the board is then empty."""
        self._rebuild(board_size=str(size))
        self.clear()

    def set_komi(self, komi: float) -> None:
        """Another komi; the stones stay."""
        self._rebuild(komi=f"{komi:g}")
        moves, start = self.moves, self.start
        self.clear(start=start)
        for colour, action in moves:
            self.play(colour, action)

    def play(self, colour: int, action: int) -> None:
        """A move of that colour, whosever turn it is; raises GtpRefusalError where it is illegal."""
        state = self.ready_state(colour)
        if action not in state.legal_actions():
            raise GtpRefusalError("illegal move")
        state.apply_action(action)
        self.states.append(state)
        self.moves.append((colour, action))

    def ready_state(self, colour: int) -> State:
        """A copy of the position in which that colour is to move.

        A side that moves twice is taken to have been passed in between; after the end of the game it goes on
        from the stones on the board.
        """
        state = self.state.clone()
        if state.is_terminal():
            return self._resumed(colour)
        if state.current_player() != colour:
            state.apply_action(self.size**2)
            if state.is_terminal():
                return self._resumed(colour)
        return state

    def undo(self) -> None:
        """Takes the last move back."""
        if len(self.states) == 1:
            raise GtpRefusalError("cannot undo")
        self.states.pop()
        self.moves.pop()

    def action(self, vertex: str) -> int:
        """The action of a vertex or ``pass``; raises GtpRefusalError where it is none."""
        text = vertex.upper()
        if text == "PASS":
            return self.size**2
        column, row = COLUMNS.find(text[:1]), text[1:]
        if not text or not (row.isascii() and row.isdigit() and len(row) <= 2):
            raise GtpRefusalError("syntax error: invalid vertex")
        if not (0 <= column < self.size and 1 <= int(row) <= self.size):
            raise GtpRefusalError("syntax error: vertex is not on the board")
        return (int(row) - 1) * self.size + column

    def vertex(self, action: int) -> str:
        """The name of an action."""
        if action == self.size**2:
            return "pass"
        return f"{COLUMNS[action % self.size]}{action // self.size + 1}"

    def stones(self, colour: int) -> list[int]:
        """The points with a stone of that colour."""
        rows = str(self.state).split("\n")[: self.size]
        mark = "XO"[colour]
        return [
            y * self.size + x
            for y, row in enumerate(reversed(rows))
            for x, cell in enumerate(row[3::2])
            if cell == mark
        ]

    def place_handicap(self, points: list[int]) -> None:
        """Black stones on an empty board; White is to move."""
        if self.moves or self.start:
            raise GtpRefusalError("board not empty")
        if len(set(points)) != len(points) or self.size**2 in points:
            raise GtpRefusalError("bad vertex list")
        rows = [
            "".join("X" if r * self.size + c in points else "." for c in range(self.size))
            for r in reversed(range(self.size))
        ]
        packed = re.sub(r"\.+", lambda run: str(len(run.group())), "/".join(rows))
        self.clear(start=f"{packed} w")

    def sgf(self) -> str:
        """The game so far; sides that moved twice in a row have a pass in between."""
        actions = tuple(self.state.history()) if self._is_one_line() else ()  # type: ignore[attr-defined]
        start = self.start if self._is_one_line() else self.state.position()  # type: ignore[attr-defined]
        return sgf_text(GameText(str(self.game), actions, ("Black", "White"), start=start))

    def load_sgf(self, text: str, moves: int | None) -> None:
        """The first game of the file, up to before its ``moves``-th move."""
        record = parse_sgf(text)[0]
        parameters = parse_name(record.game).parameters
        self._rebuild(board_size=parameters["board_size"], komi=parameters["komi"])
        self.clear(start=record.start)
        for action in record.actions[: None if moves is None else max(0, moves - 1)]:
            self.play(self.state.current_player(), action)

    def _is_one_line(self) -> bool:
        length = len(self.state.history())  # type: ignore[attr-defined]
        return length >= len(self.moves)

    def _rebuild(self, **changed: str) -> None:
        parameters = {**self._parameters, **changed}
        self.game = load_game(str(Name("go", parameters)))
        self._parameters = parameters

    def _resumed(self, colour: int) -> State:
        rows = self.state.position().split()[0]  # type: ignore[attr-defined]
        return self.game.new_initial_state(f"{rows} {'bw'[colour]}")  # type: ignore[call-arg]
