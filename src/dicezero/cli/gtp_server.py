"""Our agents in other people's Go programs: the Go Text Protocol, version 2, line by line."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from dicezero import __version__
from dicezero.agents import make_agent
from dicezero.agents.base import Agent, uninterrupted
from dicezero.cli.gtp_board import COLOURS, GtpBoard, GtpRefusalError
from dicezero.cli.plain import one_line, short_lines
from dicezero.rules.names import quote

_MOST_LINE = 10_000  # characters of a line that are looked at
_MOST_FILE = 10_000_000  # bytes of an SGF file that is read
_ANALYSE = "gfx/Final score/final_score\nhstring/All legal/all_legal\nstring/Show board/showboard"


class GtpServer:
    """Answers one command after the other; nothing a client writes ends it but ``quit``."""

    def __init__(self, agent: str, game: str, *, seed: int) -> None:
        self._spec = agent
        self._seed = seed
        self._board = GtpBoard(game)
        self._agent: Agent | None = make_agent(agent, self._board.game)
        self._commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: "dicezero",
            "version": lambda _: __version__,
            "known_command": lambda words: "true" if words[:1] and words[0] in self._commands else "false",
            "list_commands": lambda _: "\n".join(sorted(self._commands)),
            "quit": lambda _: "",
            "boardsize": self._boardsize,
            "query_boardsize": lambda _: str(self._board.size),
            "clear_board": self._clear_board,
            "komi": self._komi,
            "get_komi": lambda _: f"{self._board.komi:g}",
            "play": self._play,
            "genmove": lambda words: self._genmove(words, keep=True),
            "reg_genmove": lambda words: self._genmove(words, keep=False),
            "kgs-genmove_cleanup": lambda words: self._genmove(words, keep=True),
            "undo": self._undo,
            "showboard": lambda _: "\n" + repr(self._board.state),
            "final_score": self._final_score,
            "final_status_list": self._final_status_list,
            "fixed_handicap": lambda words: self._handicap(words, most=9),
            "place_free_handicap": lambda words: self._handicap(words, most=9),
            "set_free_handicap": self._set_free_handicap,
            "time_settings": lambda words: self._numbers(words, 3),
            "time_left": self._time_left,
            "set_random_seed": self._set_random_seed,
            "get_random_seed": lambda _: str(self._seed),
            "is_legal": self._is_legal,
            "all_legal": self._all_legal,
            "list_stones": lambda words: self._vertices(self._board.stones(self._colour(words))),
            "last_move": self._last_move,
            "move_history": self._move_history,
            "loadsgf": self._loadsgf,
            "printsgf": self._printsgf,
            "gogui-analyze_commands": lambda _: _ANALYSE,
        }

    def run(self, lines: TextIO, out: TextIO) -> None:
        """Until ``quit`` or the end of the input."""
        for line in short_lines(lines, _MOST_LINE):
            answer, goes_on = self.answer(line)
            if answer:
                out.write(answer)
                out.flush()
            if not goes_on:
                return

    def answer(self, line: str) -> tuple[str, bool]:
        """The answer to one line, empty for an empty one, and whether more is to come."""
        text = "".join(c for c in line[:_MOST_LINE].replace("\t", " ") if c.isprintable()).split("#")[0]
        words = text.split()
        number = ""
        if words and words[0].isascii() and words[0].isdigit():
            number = words.pop(0)[:18]
        if not words:
            return "", True
        command = self._commands.get(words[0])
        if command is None:
            return f"?{number} unknown command\n\n", True
        try:
            answer = command(words[1:])
        except GtpRefusalError as failure:
            return f"?{number} {one_line(str(failure))}\n\n", True
        except (
            Exception
        ) as error:  # an agent or a file that does not do: the client gets the error, and goes on
            return f"?{number} {one_line(str(error)) or type(error).__name__}\n\n", True
        return f"={number} {answer}".rstrip() + "\n\n", words[0] != "quit"

    # ---- the commands ----

    def _boardsize(self, words: list[str]) -> str:
        size = _integer(words, 0)
        if not 2 <= size <= 19:
            raise GtpRefusalError("unacceptable size")
        if size != self._board.size:
            self._agent = None
        self._board.resize(size)
        return ""

    def _clear_board(self, _: list[str]) -> str:
        self._board.clear()
        return ""

    def _komi(self, words: list[str]) -> str:
        try:
            komi = float(words[0])
        except (ValueError, IndexError):
            raise GtpRefusalError("syntax error: komi is not a number") from None
        if not math.isfinite(komi) or abs(komi) > 361:
            raise GtpRefusalError("syntax error: komi is out of range")
        if komi != self._board.komi:
            self._agent = None
            self._board.set_komi(komi)
        return ""

    def _play(self, words: list[str]) -> str:
        if len(words) < 2:
            raise GtpRefusalError("syntax error: play COLOUR VERTEX")
        self._board.play(self._colour(words), self._board.action(words[1]))
        return ""

    def _genmove(self, words: list[str], *, keep: bool) -> str:
        colour = self._colour(words)
        state = self._board.ready_state(colour)
        if self._agent is None:
            self._agent = make_agent(self._spec, self._board.game)
        seed = self._seed + len(self._board.moves)
        action = uninterrupted(self._agent.search(state, seed=seed)).action
        if keep:
            self._board.play(colour, action)
        return self._board.vertex(action)

    def _undo(self, _: list[str]) -> str:
        self._board.undo()
        return ""

    def _final_score(self, _: list[str]) -> str:
        lead = self._board.state.score()  # type: ignore[attr-defined]
        return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"

    def _final_status_list(self, words: list[str]) -> str:
        if words[:1] not in (["alive"], ["dead"], ["seki"]):
            raise GtpRefusalError("syntax error: alive, dead or seki")
        stones = self._board.stones(0) + self._board.stones(1) if words[0] == "alive" else []
        return self._vertices(stones)  # all stones on the board count as alive

    def _handicap(self, words: list[str], *, most: int) -> str:
        count = _integer(words, 0)
        points = handicap_points(self._board.size)
        if not 2 <= count <= min(most, len(points)):
            raise GtpRefusalError("invalid number of stones")
        even = [p for p in points if p != points[-1]] if len(points) == 9 else points
        chosen = (
            [*even[: count - 1], points[-1]] if count in (5, 7, 9) and len(points) == 9 else points[:count]
        )
        self._board.place_handicap(chosen)
        return self._vertices(chosen)

    def _set_free_handicap(self, words: list[str]) -> str:
        if len(words) < 2:
            raise GtpRefusalError("bad vertex list")
        self._board.place_handicap([self._board.action(word) for word in words])
        return ""

    def _numbers(self, words: list[str], count: int) -> str:
        for i in range(count):
            _integer(words, i)
        return ""

    def _time_left(self, words: list[str]) -> str:
        self._colour(words)
        return self._numbers(words[1:], 2)

    def _set_random_seed(self, words: list[str]) -> str:
        self._seed = abs(_integer(words, 0))
        return ""

    def _is_legal(self, words: list[str]) -> str:
        if len(words) < 2:
            raise GtpRefusalError("syntax error: is_legal COLOUR VERTEX")
        state = self._board.ready_state(self._colour(words))
        return str(int(self._board.action(words[1]) in state.legal_actions()))

    def _all_legal(self, words: list[str]) -> str:
        state = self._board.ready_state(self._colour(words))
        return self._vertices([a for a in state.legal_actions() if a != self._board.size**2])

    def _last_move(self, _: list[str]) -> str:
        if not self._board.moves:
            raise GtpRefusalError("no previous move known")
        colour, action = self._board.moves[-1]
        return f"{('black', 'white')[colour]} {self._board.vertex(action)}"

    def _move_history(self, _: list[str]) -> str:
        moves = reversed(self._board.moves)
        return "\n".join(
            f"{('black', 'white')[colour]} {self._board.vertex(action)}" for colour, action in moves
        )

    def _loadsgf(self, words: list[str]) -> str:
        if not words:
            raise GtpRefusalError("syntax error: loadsgf FILE [MOVE]")
        path = Path(words[0])
        if not path.is_file() or path.stat().st_size > _MOST_FILE:
            raise GtpRefusalError(f"cannot load file {quote(words[0])}")
        self._agent = None
        self._board.load_sgf(
            path.read_text(encoding="utf-8", errors="replace"), _integer(words, 1) if words[1:] else None
        )
        return "black" if self._board.state.current_player() != 1 else "white"

    def _printsgf(self, words: list[str]) -> str:
        text = self._board.sgf()
        if not words:
            return text.strip()
        Path(words[0]).write_text(text, encoding="utf-8")
        return ""

    def _colour(self, words: list[str]) -> int:
        if not words or words[0].lower() not in COLOURS:
            raise GtpRefusalError("syntax error: invalid colour")
        return COLOURS[words[0].lower()]

    def _vertices(self, actions: list[int]) -> str:
        return " ".join(self._board.vertex(action) for action in actions)


def _integer(words: list[str], at: int) -> int:
    text = words[at] if at < len(words) else ""
    if not text.removeprefix("-").isdigit() or not text.isascii() or len(text) > 9:
        raise GtpRefusalError("syntax error: not an integer")
    return int(text)


def handicap_points(size: int) -> list[int]:
    """The handicap points in the order of GTP's table; the centre last, where there is one."""
    if size < 7:
        return []
    edge = 2 if size < 13 else 3
    low, high, middle = edge, size - 1 - edge, size // 2
    points = [(low, low), (high, high), (high, low), (low, high)]  # row, column
    if size % 2 == 1 and size > 7:
        points += [(middle, low), (middle, high), (low, middle), (high, middle), (middle, middle)]
    return [row * size + column for row, column in points]
