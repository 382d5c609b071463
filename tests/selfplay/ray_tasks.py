"""Tasks that go wrong in a worker; a module of its own, since it is sent to workers by value."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path

from dicezero.selfplay.tasks import SelfPlay


@dataclass(frozen=True)
class DeadlySelfPlay(SelfPlay):
    """Self-play whose second chunk of the second round kills its worker, so many times, half way through."""

    marks: str = ""  # a folder: one file for each death
    deaths: int = 1

    def do(self, player, numbers, on_progress=None):
        part = super().do(player, numbers, on_progress)
        died = len(list(Path(self.marks).iterdir()))
        if self.round_index == 1 and numbers.start == self.chunk and died < self.deaths:
            Path(self.marks, str(died)).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return part


@dataclass(frozen=True)
class FailingSelfPlay(SelfPlay):
    """Self-play that a game of the user's own stops."""

    def do(self, player, numbers, on_progress=None):
        del player, on_progress
        raise ValueError(f"game {numbers.start} did not end; give it a limit of moves")
