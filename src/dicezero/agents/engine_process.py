"""An outside program with a protocol of text lines: started, queried with a time limit, started again."""

from __future__ import annotations

import contextlib
import os
import queue
import select
import shlex
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import IO

from dicezero.agents.errors import AgentError
from dicezero.rules.names import quote

_DEBIAN_GAMES = "/usr/games"  # where Debian installs them; often not in the PATH of a service
_LINE_LIMIT = 10_000  # characters of one line that are kept
LONGEST = 86_400  # seconds that an answer may be waited for
_LINES_AHEAD = 10_000  # lines that nobody has read yet; a program that writes more has to wait


class EngineError(ValueError):
    """An outside program that hangs, dies, answers nonsense or plays an illegal move."""


class EngineGoneError(EngineError):
    """The program ended or did not answer in time; a new one may do better."""


def resolve_command(owner: str, command: str) -> list[str]:
    """The words of a command line, the program by its full path; raises AgentError where there is none."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise AgentError(f"{owner}: command={quote(command)} is not a command line: {error}") from None
    if not words:
        raise AgentError(f"{owner}: command is empty; give the program and its arguments")
    path = shutil.which(words[0]) or shutil.which(words[0], path=_DEBIAN_GAMES)
    if path is None:
        raise AgentError(
            f"{owner}: there is no program {quote(words[0])}; install it, or give its full path in command"
        )
    return [path, *words[1:]]


class EngineProcess:
    """One running program.

    Every question has a time limit, and nothing that it writes, or does not read, blocks us or fills memory.
    """

    def __init__(self, words: list[str], *, timeout_seconds: float) -> None:
        self.words = words
        self.timeout_seconds = timeout_seconds
        try:
            process = subprocess.Popen(  # noqa: S603 - the user's own command, and no shell
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                start_new_session=True,  # Ctrl-C is ours to handle; the program is ended below
            )
        except OSError as error:
            raise AgentError(f"{words[0]} cannot be started: {error.strerror}") from None
        self._process = process
        lines: queue.Queue[str | None] = queue.Queue(_LINES_AHEAD)
        closed = threading.Event()
        self._complaints: deque[str] = deque(maxlen=3)
        self._lines = lines
        assert process.stdout is not None  # noqa: S101 - Popen has made it
        assert process.stderr is not None  # noqa: S101
        read_lines(process.stdout, lambda line: _hand_on(lines, line, closed), ends=True)
        self._listening = read_lines(process.stderr, self._complaints.append)
        self._end = weakref.finalize(self, _end, process, closed)

    @property
    def name(self) -> str:
        """The program for a message."""
        return Path(self.words[0]).name

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def send(self, line: str) -> None:
        """Writes one line; raises EngineGoneError where nobody reads it."""
        stdin = self._process.stdin
        assert stdin is not None  # noqa: S101 - Popen has made it
        data, deadline = (line + "\n").encode("utf-8", "replace"), time.monotonic() + self.timeout_seconds
        try:
            while data:
                if not _has_room(stdin.fileno(), deadline - time.monotonic()):
                    raise self._silence()
                data = data[os.write(stdin.fileno(), data[:_ROOM]) :]
        except (OSError, ValueError) as error:
            if isinstance(error, EngineError):
                raise
            raise EngineGoneError(self._epitaph()) from None

    def read(self, *, seconds: float | None = None) -> str:
        """The next line; raises EngineGoneError where none comes in time."""
        limit = self.timeout_seconds if seconds is None else seconds
        if limit <= 0.0:  # a line may be there, if only of a program that writes without end
            raise self._silence()
        try:
            line = self._lines.get(timeout=limit)
        except queue.Empty:
            raise self._silence() from None
        if line is None:
            self._lines.put(None)  # further reads get the same
            raise EngineGoneError(self._epitaph())
        return line

    def close(self) -> None:
        """Ends the program."""
        self._end()

    def _silence(self) -> EngineGoneError:
        self.close()
        return EngineGoneError(
            f"{self.name} did not answer within {self.timeout_seconds:g} s; "
            "give it less to do, or more timeout_seconds"
        )

    def _epitaph(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        self._listening.join(1.0)  # its last lines may still be under way
        code = self._process.returncode
        how = f"ended with code {code}" if code is not None else "closed its output"
        last = next((line for line in reversed(self._complaints) if line.strip()), "")
        return f"{self.name} {how}" + (f": {last[:200].strip()}" if last else "")


def read_lines(
    stream: IO[str], take: Callable[[str | None], object] | Callable[[str], object], *, ends: bool = False
) -> threading.Thread:
    """A thread that hands on lines, each cut at a limit, until the stream ends; None then, with ``ends``.

    It holds no reference to the process object.
    """

    def loop() -> None:
        with contextlib.suppress(ValueError, OSError), stream:
            begins = True
            while piece := stream.readline(_LINE_LIMIT):
                if begins:  # what goes on after the limit is left out
                    take(piece.rstrip("\r\n"))
                begins = piece.endswith("\n")
        if ends:
            take(None)  # type: ignore[arg-type]

    thread = threading.Thread(target=loop, daemon=True)
    thread.start()
    return thread


def _hand_on(lines: queue.Queue[str | None], line: str | None, closed: threading.Event) -> None:
    """Puts a line where it will be read, and waits where there is no room; after the end nobody reads."""
    while True:
        try:
            lines.put(line, timeout=0.1)
            return
        except queue.Full:
            if closed.is_set():
                with contextlib.suppress(queue.Empty):
                    lines.get_nowait()


_ROOM = getattr(select, "PIPE_BUF", 4096)  # bytes that a pipe that has room takes at once


def _has_room(handle: int, seconds: float) -> bool:
    """Waits until the pipe takes ``_ROOM`` bytes; a system that does not report it is taken to have room."""
    if not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(handle, select.POLLOUT)
    return bool(poll.poll(max(0.0, 1000.0 * seconds)))


def _end(process: subprocess.Popen[str], closed: threading.Event) -> None:
    """Asks nicely by closing its input, then not: it and what it has started are ended."""
    closed.set()
    with contextlib.suppress(OSError, ValueError):
        if process.stdin is not None:
            process.stdin.close()
    try:
        process.wait(0.2)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)  # its session is its own
            else:
                process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5.0)
