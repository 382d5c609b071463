"""The command line: ``dicezero COMMAND``; each command is a module with one frozen dataclass."""

from dicezero.cli.app import main

__all__ = ["main"]
