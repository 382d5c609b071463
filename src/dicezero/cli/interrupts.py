"""Ctrl-C during long work: once stops in good order, twice stops at once."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from types import TracebackType

from dicezero.selfplay.last_words import leave


def told_interrupted(what: str) -> int:
    """Says on stderr that Ctrl-C ended it, and what was printed; the exit code."""
    print(f"dicezero: interrupted; {what}", file=sys.stderr)
    return 130


class Interrupts:
    """While it is entered, the first Ctrl-C is announced and raises KeyboardInterrupt as ever.

    The second ends the process with exit code 130, wherever it stands. A thread listens on the signals' own
    channel, so neither waits for a long native call to come back.
    """

    def __init__(self, announce: Callable[[], None]) -> None:
        self.count = 0
        self._announce = announce
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is not threading.main_thread():
            return self  # signals belong to the main thread
        self._listening, self._speaking = socket.socketpair()
        self._speaking.setblocking(False)
        self._before = signal.set_wakeup_fd(self._speaking.fileno(), warn_on_full_buffer=False)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread is None:
            return
        signal.set_wakeup_fd(self._before)
        self._speaking.close()  # ends the thread, which closes the other end

    def _listen(self) -> None:
        with self._listening:
            while heard := self._listening.recv(64):
                self.count += heard.count(signal.SIGINT)
                if self.count >= 2:
                    if sys.stderr.isatty():
                        os.write(2, b"\x1b[?25h\n")  # a live screen hides the cursor
                    os.write(2, b"dicezero: interrupted at once\n")
                    leave(130)
                if self.count:
                    self._announce()
