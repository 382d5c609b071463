"""A line on stderr where the process is ended by a library, and none where it ends by its own will."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from typing import ClassVar, NoReturn


class LastWords:
    """Prints a line on stderr should this process end without having closed this.

    When its raylet dies, Ray ends the process from native code, where nothing of ours is called. A child
    waits at a pipe that only we hold: a line through it means that all is well, its end that we are gone. It
    is in a session of its own, as Ctrl-C in a terminal goes to everybody in ours.
    """

    open: ClassVar[set[LastWords]] = set()

    def __init__(self, line: str) -> None:
        shell = shutil.which("sh")
        self._child: subprocess.Popen[bytes] | None = None
        if shell is not None:
            script = 'read -r line || printf "%s\\n" "$1" >&2'
            self._child = subprocess.Popen(  # noqa: S603 - our own script
                [shell, "-c", script, "sh", line], stdin=subprocess.PIPE, start_new_session=True
            )
            self.open.add(self)

    def close(self, timeout: float = 5.0) -> None:
        """The line is not needed."""
        self.open.discard(self)
        if self._child is not None:
            with contextlib.suppress(OSError, ValueError, subprocess.SubprocessError):
                self._child.communicate(b"well\n", timeout=timeout)
            self._child = None


def leave(code: int) -> NoReturn:
    """Ends the process at once and by its own will: nothing is taken down, and nothing is printed."""
    for watch in tuple(LastWords.open):
        watch.close(timeout=0.5)
    os._exit(code)
