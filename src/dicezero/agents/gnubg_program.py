"""GNU Backgammon as a program of its own, over its external-player socket.

One line goes out, one comes back. A position is a FIBS board line; gnubg answers with its move, or after the
word ``evaluation`` with six numbers. The socket is a file in a folder of its own: no port can be taken.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import weakref
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from dicezero.agents.engine_process import read_lines
from dicezero.agents.errors import AgentError
from dicezero.search.cube import CubeOwner

_START_SECONDS = 30.0  # until gnubg has read its networks and listens; a second as a rule
_BAR = 25
_MOST_POINTS = 3.0  # a game without a cube is worth
_MOST_BYTES = 1 << 16  # of an answer
_FALLBACK_PATH = "/usr/games"  # where Debian puts it, which is not on everybody's PATH


# Runs a program and ends it when our end of the pipe is closed, however we come to our end: a gnubg that has
# lost its player would wait for another one for good.
_GUARDED = """exec 3<&0
"$0" "$@" </dev/null 3<&- &
program=$!
(read -r _ <&3; kill -9 $program) 2>/dev/null &
wait $program
code=$?
kill -9 $! 2>/dev/null
exit $code"""

_CUBES: dict[CubeOwner, tuple[int, int, int]] = {"centre": (1, 1, 1), "mover": (2, 1, 0), "other": (2, 0, 1)}


def fibs_board(
    own: Sequence[int], other: Sequence[int], dice: tuple[int, int] = (0, 0), cube: CubeOwner = "centre"
) -> str:
    """The board line of FIBS for a mover who plays towards its point 1 in a money game.

    Args:
        own: [26] the mover's checkers: borne off, on its points 1..24, on the bar.
        other: [26] the other side's, in its own counting.
        dice: (0, 0) before the roll.
        cube: who may double.
    """
    points = [own[p] - other[25 - p] for p in range(1, 25)]
    # Somebody may double: gnubg takes a board on which neither may for an offered cube.
    fields = [
        "me",
        "you",
        0,
        0,
        0,
        -other[25],
        *points,
        own[25],
        1,
        *dice,
        *dice,
        *_CUBES[cube],
        0,
        1,
        -1,
        0,
        25,
    ]
    fields += [own[0], other[0], own[25], other[25], 0, 0, 0, 0]
    return "board:" + ":".join(map(str, fields))


def parse_move(answer: str) -> tuple[tuple[int, int], ...]:
    """The legs (from, to) of an answer such as ``"8/5* 6/5"``; 25 is the bar, 0 is off, none is a pass.

    Raises:
        AgentError: gnubg answered something else than a move.
    """
    try:
        legs = tuple(
            (int(a), int(b)) for a, _, b in (leg.partition("/") for leg in answer.replace("*", "").split())
        )
    except ValueError:
        legs = ((_BAR + 1, 0),)
    if len(legs) > 4 or any(not 0 <= end < start <= _BAR for start, end in legs):
        raise AgentError(f"gnubg answered {answer[:80]!r} instead of a move; check its version (1.07)")
    return legs


class GnubgProgram:
    """A running gnubg, started on first use and again when it has died."""

    def __init__(self, *, plies: int, timeout_seconds: float) -> None:
        """Looks for the program; nothing is started yet.

        Raises:
            AgentError: gnubg is not installed.
        """
        path = shutil.which("gnubg") or shutil.which("gnubg", path=_FALLBACK_PATH)
        if path is None:
            raise AgentError("gnubg is not installed; apt install gnubg, or put it on the PATH")
        self._path = path
        self._plies = plies
        self._timeout_seconds = timeout_seconds
        self._lock = threading.Lock()
        self._running: _Running | None = None

    def move(
        self, own: Sequence[int], other: Sequence[int], dice: tuple[int, int]
    ) -> tuple[tuple[int, int], ...]:
        """What gnubg plays with ``dice``: legs (from, to) of one die each."""
        return parse_move(self.ask(fibs_board(own, other, dice)))

    def equity(self, own: Sequence[int], other: Sequence[int]) -> float:
        """Points a game that the mover may expect before its roll, cubeless, at this program's plies."""
        return self.outputs(own, other)[5]

    def outputs(
        self, own: Sequence[int], other: Sequence[int], cube: CubeOwner | None = None
    ) -> tuple[float, ...]:
        """What the mover may expect before its roll, at this program's plies.

        Probabilities to win, to win a gammon or more, a backgammon, to lose a gammon or more, a backgammon,
        and the equity: cubeless, or with a ``cube``, in units of it.
        """
        board = fibs_board(own, other, cube=cube or "centre")
        how = "cubeless" if cube is None else "cubeful"
        answer = self.ask(f"evaluation fibsboard {board} plies {self._plies} {how}")
        try:
            numbers = tuple(map(float, answer.split()[:6]))
        except ValueError:
            numbers = ()
        if len(numbers) < 6 or not abs(numbers[5]) <= _MOST_POINTS + 1e-3:
            raise AgentError(
                f"gnubg answered {answer[:80]!r} instead of an evaluation; check its version (1.07)"
            )
        return numbers

    def ask(self, line: str) -> str:
        """One line out, one line back. A gnubg that died or hangs is started again, once.

        Raises:
            AgentError: it failed twice; the message says how.
        """
        with self._lock:
            failure = ""
            for _ in range(2):
                try:
                    if self._running is None:
                        self._running = _Running(self._path, self._plies, self._timeout_seconds)
                    return self._running.ask(line)
                except TimeoutError:
                    failure = (
                        f"did not answer within {self._timeout_seconds:g} seconds; raise timeout_seconds"
                    )
                except OSError as error:
                    failure = f"died ({error}); try it alone: {self._path} -t"
                self._stop()
            raise AgentError(f"gnubg {failure}")

    def close(self) -> None:
        """Ends the program; the next question starts it again."""
        with self._lock:
            self._stop()

    def _stop(self) -> None:
        if self._running is not None:
            self._running.close()
            self._running = None


class _Running:
    """One process with its folder and its connection."""

    def __init__(self, path: str, plies: int, timeout_seconds: float) -> None:
        folder = Path(tempfile.mkdtemp(prefix="dicezero-gnubg-"))
        socket_path, commands = folder / "socket", folder / "commands"
        commands.write_text(
            f"set evaluation chequerplay evaluation plies {plies}\n"
            "set evaluation chequerplay evaluation cubeful off\n"
            "set evaluation chequerplay evaluation prune off\n"
            "set evaluation chequerplay evaluation noise 0\n"
            "set jacoby off\n"
            f"external {socket_path}\n",
            encoding="utf-8",
        )
        # Its settings live in HOME; ours must not depend on a person's.
        environment = {**os.environ, "HOME": str(folder)}
        process = subprocess.Popen(  # noqa: S603 - the gnubg that was found
            ["/bin/sh", "-c", _GUARDED, path, "--tty", "--quiet", "--no-rc", "--commands", str(commands)],
            stdin=subprocess.PIPE,
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=environment,
            cwd=folder,
        )
        self._process = process
        self._socket = socket.socket(socket.AF_UNIX)
        self._close = weakref.finalize(self, _end, process, folder, self._socket)
        assert process.stdout is not None  # noqa: S101 - Popen has made it
        log: deque[str] = deque(maxlen=3)
        listening = read_lines(process.stdout, log.append)
        self._timeout_seconds = timeout_seconds
        self._buffer = b""
        try:
            self._connect(process, socket_path, log, listening)
        except BaseException:
            self.close()
            raise

    def _connect(
        self, process: subprocess.Popen[str], path: Path, log: deque[str], listening: threading.Thread
    ) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while True:
            with contextlib.suppress(FileNotFoundError, ConnectionRefusedError):
                self._socket.connect(str(path))
                return
            if process.poll() is not None:
                listening.join(1.0)  # its last lines may still be under way
                last = next((line.strip() for line in reversed(log) if line.strip()), "no output")
                raise OSError(f"exit code {process.returncode}: {last[:120]}")
            if time.monotonic() > deadline:
                raise OSError(f"it did not listen within {_START_SECONDS:g} seconds")
            time.sleep(0.02)

    def ask(self, line: str) -> str:
        deadline = time.monotonic() + self._timeout_seconds
        self._socket.settimeout(self._timeout_seconds)
        self._socket.sendall(line.encode("ascii") + b"\n")
        while b"\n" not in self._buffer:
            self._socket.settimeout(max(1e-3, deadline - time.monotonic()))  # for all of the answer
            received = self._socket.recv(4096)
            if not received:
                raise OSError("it closed the connection")
            self._buffer += received
            if time.monotonic() > deadline:
                raise TimeoutError
            if len(self._buffer) > _MOST_BYTES:
                raise OSError("it answers without end")
        answer, _, self._buffer = self._buffer.partition(b"\n")
        return answer.decode("ascii", errors="replace").strip()

    def close(self) -> None:
        self._close()


def _end(process: subprocess.Popen[str], folder: Path, connection: socket.socket) -> None:
    """Ends the process and removes its folder; also called when nobody asks it any more."""
    connection.close()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # it leads a group of its own: shell, gnubg and guard
    process.wait()
    if process.stdin is not None:
        process.stdin.close()
    shutil.rmtree(folder, ignore_errors=True)
