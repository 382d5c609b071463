"""Ctrl-C during long work: once stops in good order, twice stops at once."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Final

from dicezero.selfplay.last_words import leave


def report_interrupted(what: str) -> int:
    """Reports on stderr that Ctrl-C ended it, and what was printed; the exit code."""
    print(f"dicezero: interrupted; {what}", file=sys.stderr)
    return 130


class Patient:
    """While it is entered, a Ctrl-C that comes at a bad moment is raised a moment later.

    Raised while JAX is being loaded, within its native modules, it would end the process with a crash. Raised
    within a callback of the garbage collector (JAX has one) it would be printed and lost.
    """

    _LOADED_WHOLE: Final = ("jax", "numpy", "ray", "pyspiel")
    _LOOK_SECONDS: Final = 0.02
    repeated = 0  # signals that were sent again, and are nobody's second Ctrl-C
    obeyed = False  # somebody has stopped already: nothing is sent again

    def __enter__(self) -> Patient:
        main = threading.current_thread() is threading.main_thread()
        self._entered = main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self._entered:
            signal.signal(signal.SIGINT, self._on_interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._entered:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        if not self._loading() and not _collecting(frame):
            signal.default_int_handler(number, frame)
        threading.Thread(target=self._repeat, daemon=True).start()

    @classmethod
    def _loading(cls) -> bool:
        specs = (getattr(sys.modules.get(name), "__spec__", None) for name in cls._LOADED_WHOLE)
        return any(getattr(spec, "_initializing", False) for spec in specs)

    @classmethod
    def _repeat(cls) -> None:
        time.sleep(cls._LOOK_SECONDS)
        while cls._loading():
            time.sleep(cls._LOOK_SECONDS)
        if not cls.obeyed:
            cls.repeated += 1
            os.kill(os.getpid(), signal.SIGINT)


def _collecting(frame: FrameType | None) -> bool:
    """Whether the frame is, or was called by, a callback of the garbage collector."""
    callbacks = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    while frame is not None and frame.f_code not in callbacks:
        frame = frame.f_back
    return frame is not None


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
        Patient.obeyed = Patient.obeyed or self.count > 0
        signal.set_wakeup_fd(self._before)
        self._speaking.close()  # ends the thread, which closes the other end

    def _listen(self) -> None:
        with self._listening:
            while signals := self._listening.recv(64):
                again = min(signals.count(signal.SIGINT), Patient.repeated)
                Patient.repeated -= again
                self.count += signals.count(signal.SIGINT) - again
                if self.count >= 2:
                    if sys.stderr.isatty():
                        os.write(2, b"\x1b[?25h\n")  # a live screen hides the cursor
                    os.write(2, b"dicezero: interrupted at once\n")
                    leave(130)
                if self.count and not again:
                    self._announce()
