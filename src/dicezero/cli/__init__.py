"""The command line: ``dicezero COMMAND``; each command is a module with one frozen dataclass."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line (default: that of the process) and returns its exit code."""
    try:  # reading our own modules is long enough to be interrupted
        from dicezero.cli.app import main as run
        from dicezero.cli.interrupts import Patient
    except KeyboardInterrupt:
        print("dicezero: interrupted", file=sys.stderr)
        return 130
    with Patient():
        return run(argv)


__all__ = ["main"]
