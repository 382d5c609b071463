"""Running the command line in the test's own process."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from dicezero.cli import main


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The one JSON object on stdout."""
        assert self.code in (0, 1), self.err
        return json.loads(self.out)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Runs ``dicezero`` with these words."""
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("DICEZERO_TRACEBACK", raising=False)

    def call(*words: str) -> Done:
        code = main(list(words))
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return call


@pytest.fixture
def refused(run: Callable[..., Done]) -> Callable[..., str]:
    """Runs a command that must be refused: exit 2, one line on stderr, nothing on stdout."""

    def call(*words: str) -> str:
        done = run(*words)
        assert done.code == 2, done
        assert done.out == ""
        assert done.err.startswith("dicezero: ")
        assert done.err.count("\n") == 1
        return done.err

    return call
