"""Go programs as opponents: ``gtp(command="gnugo --mode gtp --level 5 --chinese-rules")``.

The Go Text Protocol, version 2. The program gets the moves it has not seen yet and is asked for one.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from dicezero.agents.engine_process import (
    LONGEST,
    EngineError,
    EngineGoneError,
    EngineProcess,
    resolve_command,
)
from dicezero.agents.errors import AgentError
from dicezero.agents.line import Line, line_of
from dicezero.rules.names import parse_name, quote
from dicezero.rules.protocol import Game, State
from dicezero.search.result import SearchResult

_COLOURS = ("b", "w")
_MOST_LINES = 2_000  # of an answer


@dataclass(frozen=True)
class GtpConfig:
    """How to run the program.

    Attributes:
        command: the program and its arguments; no shell.
        timeout_seconds: for one answer; one that takes longer is started again once (not for its first).
        cleanup: where the program would pass and knows ``kgs-genmove_cleanup``, ask for that instead: it then
            plays on until dead stones are off the board, as area scoring of the board as it stands needs.
    """

    command: str
    timeout_seconds: float = 60.0
    cleanup: bool = True

    def __post_init__(self) -> None:
        if not 0 < self.timeout_seconds <= LONGEST:
            raise ValueError(
                f"timeout_seconds={self.timeout_seconds} must be positive, and at most {LONGEST} (a day)"
            )


class GtpConnection:
    """A running program and the GTP commands it knows."""

    def __init__(self, words: list[str], *, timeout_seconds: float) -> None:
        self.process = EngineProcess(words, timeout_seconds=timeout_seconds)
        try:
            self.commands = frozenset(self.ask("list_commands").split())
        except EngineGoneError as error:  # not to be tried again: it has never answered in GTP
            raise EngineError(f"{error}; does it speak GTP?") from None

    def ask(self, command: str) -> str:
        """The answer; raises EngineError where the program refuses, EngineGoneError where it fails."""
        name = self.process.name
        self.process.send(command)
        deadline = time.monotonic() + self.process.timeout_seconds
        lines: list[str] = []
        while True:
            line = self.process.read(seconds=deadline - time.monotonic())
            if lines and not line.strip():
                break
            if lines or line.startswith(("=", "?")):  # whatever comes before an answer is not part of it
                lines.append(line)
            if len(lines) > _MOST_LINES:
                self.process.close()
                raise EngineError(f"{name} answers {quote(command)} without end; check the program")
        answer = "\n".join([lines[0][1:].lstrip("0123456789").strip(), *lines[1:]]).strip()
        if lines[0].startswith("?"):
            raise EngineError(f"{name} refuses {quote(command)}: {answer[:200]}")
        return answer


class GtpAgent:
    """A Go program, wrapped. The same object can play both colours; every new game is set up on its board."""

    def __init__(self, name: str, game: Game, config: GtpConfig) -> None:
        word = parse_name(str(game)).word
        if word != "go":
            raise AgentError(f"gtp plays go, not {word}; for chess use uci(command=...)")
        self.name = name
        self.game = game
        self.config = config
        self._words = resolve_command("gtp", config.command)
        self._connection: GtpConnection | None = None
        self._program_line: Line | None = None  # what the program has on its board
        self._lock = threading.Lock()

    def search(self, state: State, *, seed: int) -> SearchResult:
        """Asks the program; where it dies or hangs, a new one is asked once more."""
        begin = time.perf_counter()
        with self._lock:
            try:
                vertex = self._move(state, seed)
            except EngineGoneError:
                self._drop()
                vertex = self._move(state, seed)
        action = self._action(state, vertex)
        return SearchResult(
            action=action,
            value=-1.0 if vertex == "resign" else 0.0,
            action_values={},
            visits={action: 1},
            nodes=1,
            leaves=1,
            cutoffs=0,
            principal_variation=(action,),
            stopped="resigned" if vertex == "resign" else "answered",
            seconds=time.perf_counter() - begin,
        )

    def close(self) -> None:
        """Ends the program; the next search starts it again."""
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.process.close()
        self._connection = self._program_line = None

    def _move(self, state: State, seed: int) -> str:
        """The program's vertex for the player to move, in lower case: d4, pass or resign."""
        if self._connection is None:
            self._connection = GtpConnection(self._words, timeout_seconds=self.config.timeout_seconds)
        connection = self._connection
        line = line_of(state)
        self._send_line(connection, line)
        if "set_random_seed" in connection.commands:
            connection.ask(f"set_random_seed {seed % (1 << 31)}")
        colour = _COLOURS[state.current_player()]
        vertex = connection.ask(f"genmove {colour}").lower()
        if vertex == "pass" and self.config.cleanup and "kgs-genmove_cleanup" in connection.commands:
            connection.ask("undo")
            vertex = connection.ask(f"kgs-genmove_cleanup {colour}").lower()
        if vertex != "resign":
            action = self._action(state, vertex)
            self._program_line = Line(line.start, (*line.actions, action))
        return vertex

    def _send_line(self, connection: GtpConnection, line: Line) -> None:
        """Brings the program's board up to the line, with as few commands as that takes."""
        sent = self._program_line
        new = sent is None or sent.start != line.start or sent.actions != line.actions[: len(sent.actions)]
        state = self.game.new_initial_state(*([line.start] if line.start else []))
        if new:
            parameters = self.game.get_parameters()  # type: ignore[attr-defined]
            connection.ask(f"boardsize {parameters['board_size']}")
            connection.ask("clear_board")
            connection.ask(f"komi {parameters['komi']}")
            for colour, vertex in _stones(state, parameters["board_size"]):
                connection.ask(f"play {colour} {vertex}")
        skipped = 0 if new or sent is None else len(sent.actions)
        self._program_line = None  # until it is through: half a line is no line
        for i, action in enumerate(line.actions):
            player = state.current_player()
            if i >= skipped:
                connection.ask(f"play {_COLOURS[player]} {state.action_to_string(player, action)}")
            state.apply_action(action)
        self._program_line = line

    def _action(self, state: State, vertex: str) -> int:
        player = state.current_player()
        text = "pass" if vertex == "resign" else vertex
        for action in state.legal_actions():
            if state.action_to_string(player, action).lower() == text:
                return action
        raise EngineError(
            f"{self._words[0]} played {quote(vertex)}, which is illegal here; if it repeats a position, "
            "tell the program of positional superko (gnugo: --positional-superko)"
        )


def _stones(state: State, size: int) -> list[tuple[str, str]]:
    """The stones of a start position as (colour, vertex)."""
    rows = str(state).split("\n")[:size]
    columns = "ABCDEFGHJKLMNOPQRST"
    return [
        (_COLOURS[mark == "O"], f"{columns[x]}{size - y}")
        for y, row in enumerate(rows)
        for x, mark in enumerate(row[3::2])
        if mark in "XO"
    ]
