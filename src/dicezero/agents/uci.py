"""Chess programs as opponents: ``uci(command=stockfish,nodes=1000)``.

The Universal Chess Interface. Gardner's chess needs a program that knows it, such as Fairy-Stockfish.
"""

from __future__ import annotations

import itertools
import re
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
from dicezero.agents.line import line_of
from dicezero.rules.names import parse_name, quote
from dicezero.rules.protocol import Game, State
from dicezero.search.result import SearchResult

_VARIANTS = {"chess": "chess", "gardner_chess": "gardner"}  # our games as UCI_Variant calls them
_NUMBER = re.compile(r"-?[0-9]{1,15}")
DEFAULT_NODES = 1000


@dataclass(frozen=True)
class UciConfig:
    """How to run the program and how long it may search.

    Attributes:
        command: the program and its arguments; no shell.
        nodes, depth, seconds: the limit of one search; without any, 1000 nodes.
        options: the program's own options, ``"Skill Level=3;Threads=1"``.
        timeout_seconds: for one answer; one that takes longer is started again once (not for its first).
    """

    command: str
    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None
    options: str = ""
    timeout_seconds: float = 60.0

    def __post_init__(self) -> None:
        for name in ("nodes", "depth", "seconds", "timeout_seconds"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"{name}={value} must be positive")
            if value is not None and "seconds" in name and value > LONGEST:
                raise ValueError(f"{name}={value} must be at most {LONGEST}, a day")
        for part in self.parts():
            if "=" not in part:
                raise ValueError(f'options={quote(self.options)} must be like "Skill Level=3;Threads=1"')

    def parts(self) -> list[str]:
        """The options one by one, ``name=value``."""
        return [part.strip() for part in self.options.split(";") if part.strip()]

    def limit(self) -> str:
        """The arguments of ``go``."""
        words = [
            f"nodes {self.nodes}" if self.nodes else "",
            f"depth {self.depth}" if self.depth else "",
            f"movetime {max(1, round(1000 * self.seconds))}" if self.seconds else "",
        ]
        return " ".join(word for word in words if word) or f"nodes {DEFAULT_NODES}"


class UciConnection:
    """A running program that has listed its options."""

    def __init__(self, words: list[str], *, timeout_seconds: float) -> None:
        self.process = EngineProcess(words, timeout_seconds=timeout_seconds)
        try:
            self.process.send("uci")
            answer = self.until("uciok")
        except EngineGoneError as error:  # not to be tried again: it has never answered in UCI
            raise EngineError(f"{error}; does it speak UCI?") from None
        self.options = {
            line.split(" name ", 1)[1].split(" type ")[0].strip(): line
            for line in answer
            if line.startswith("option ") and " name " in line
        }

    def until(self, word: str) -> list[str]:
        """Lines up to the one that begins with the word, that one last."""
        deadline = time.monotonic() + self.process.timeout_seconds
        lines: list[str] = []
        while not lines or lines[-1].split(" ")[0] != word:
            lines.append(self.process.read(seconds=deadline - time.monotonic()).strip())
            del lines[:-1000]  # a program that talks without end is not to fill the memory
        return lines

    def set(self, option: str, value: str) -> None:
        """Sets an option that the program has; raises EngineError where it has not."""
        if option.lower() not in (name.lower() for name in self.options):
            options = ", ".join(self.options)[:1000]
            raise EngineError(f"{self.process.name} has no option {quote(option)}; it has: {options}")
        self.process.send(f"setoption name {option} value {value}")

    def ready(self) -> None:
        """Waits until what was sent has been taken in."""
        self.process.send("isready")
        self.until("readyok")


class UciAgent:
    """A chess program, wrapped. Every search starts with an empty hash table: one question, one answer."""

    def __init__(self, name: str, game: Game, config: UciConfig) -> None:
        word = parse_name(str(game)).word
        if word not in _VARIANTS:
            raise AgentError(f"uci plays {' and '.join(_VARIANTS)}, not {word}; for go use gtp(command=...)")
        self.name = name
        self.game = game
        self.config = config
        self._variant = _VARIANTS[word]
        self._words = resolve_command("uci", config.command)
        self._connection: UciConnection | None = None
        self._lock = threading.Lock()

    def search(self, state: State, *, seed: int) -> SearchResult:  # noqa: ARG002 - UCI has no seeds
        """Asks the program; where it dies or hangs, a new one is asked once more."""
        begin = time.perf_counter()
        with self._lock:
            try:
                answer = self._ask(state)
            except EngineGoneError:
                self._drop()
                answer = self._ask(state)
        words = answer[-1].split()
        action = self._action(state, words[1] if len(words) > 1 else "")
        info = _last_info(answer)
        return SearchResult(
            action=action,
            value=info.value,
            action_values={action: info.value},
            visits={action: info.nodes},
            nodes=info.nodes,
            leaves=info.nodes,
            cutoffs=0,
            principal_variation=(action,),
            stopped="answered",
            seconds=time.perf_counter() - begin,
            details={"depth": info.depth},
        )

    def close(self) -> None:
        """Ends the program; the next search starts it again."""
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.process.close()
        self._connection = None

    def _ask(self, state: State) -> list[str]:
        connection = self._connection or self._start()
        self._connection = connection
        connection.process.send("ucinewgame")
        if "Clear Hash" in connection.options:
            connection.process.send("setoption name Clear Hash")
        connection.process.send(self._position(state))
        connection.ready()
        connection.process.send(f"go {self.config.limit()}")
        return connection.until("bestmove")

    def _start(self) -> UciConnection:
        connection = UciConnection(self._words, timeout_seconds=self.config.timeout_seconds)
        if self._variant != "chess":
            line = connection.options.get("UCI_Variant", "")
            if self._variant not in line.split():
                raise EngineError(
                    f"{connection.process.name} does not play {self._variant}; fairy-stockfish does"
                )
            connection.set("UCI_Variant", self._variant)
        for part in self.config.parts():
            option, value = part.split("=", 1)
            connection.set(option.strip(), value.strip())
        connection.ready()
        return connection

    def _position(self, state: State) -> str:
        line = line_of(state)
        replay = self.game.new_initial_state(*([line.start] if line.start else []))
        moves = []
        for action in line.actions:
            moves.append(replay.uci(action))  # type: ignore[attr-defined]
            replay.apply_action(action)
        start = f"fen {line.start}" if line.start else "startpos"
        return f"position {start}" + (f" moves {' '.join(moves)}" if moves else "")

    def _action(self, state: State, move: str) -> int:
        for action in state.legal_actions():
            if state.uci(action) == move:  # type: ignore[attr-defined]
                return action
        raise EngineError(f"{self._words[0]} played {quote(move)}, which is illegal here")


@dataclass(frozen=True)
class _Info:
    """What the program reported of its search; the value is for the player to move, in [-1, 1]."""

    value: float = 0.0
    nodes: int = 1
    depth: int = 0


def _last_info(answer: list[str]) -> _Info:
    value, nodes, depth = 0.0, 1, 0
    for line in answer:
        words = line.split()
        if words[:1] != ["info"] or "string" in words[:2]:
            continue
        fields = dict(itertools.pairwise(words))
        nodes = _number(fields.get("nodes"), nodes)
        depth = _number(fields.get("depth"), depth)
        if "cp" in fields:
            value = centipawns_to_value(_number(fields["cp"], 0))
        elif "mate" in fields:
            value = 1.0 if _number(fields["mate"], 0) > 0 else -1.0
    return _Info(value, nodes, depth)


def _number(text: str | None, default: int) -> int:
    return int(text) if text is not None and _NUMBER.fullmatch(text) else default


def centipawns_to_value(centipawns: float) -> float:
    """The expected result in [-1, 1] of hundredths of a pawn, by the logistic curve of Elo."""
    return float(2.0 / (1.0 + 10.0 ** (-max(-4000.0, min(4000.0, centipawns)) / 400.0)) - 1.0)
