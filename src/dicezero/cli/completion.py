"""``dicezero completion``."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any, Literal

import tyro
from tyro.conf import Positional


@dataclass(frozen=True)
class Completion:
    """Print a script that completes commands and options when you press Tab; it is made by tyro (shtab).

    bash: dicezero completion bash > ~/.local/share/bash-completion/completions/dicezero

    zsh: dicezero completion zsh > ~/.zfunc/_dicezero, with fpath+=~/.zfunc before compinit in ~/.zshrc

    tcsh: dicezero completion tcsh > ~/.dicezero.csh, and source ~/.dicezero.csh in ~/.tcshrc

    It takes effect in the next shell.

    Example: dicezero completion bash
    """

    shell: Positional[Literal["bash", "zsh", "tcsh"]]
    """Your shell."""

    def run(self) -> int:
        """Prints the script."""
        from dicezero.cli.app import COMMANDS, with_plain_hints

        commands: dict[str, Any] = {}
        for name, (kind, _) in COMMANDS.items():
            command = getattr(importlib.import_module(f"dicezero.cli.{name}"), kind)
            commands[name] = with_plain_hints(command)
        try:
            tyro.extras.subcommand_cli_from_dict(
                commands,
                prog="dicezero",
                args=["--tyro-print-completion", self.shell],
                config=(tyro.conf.FlagCreatePairsOff, tyro.conf.DisallowNone),
            )
        except SystemExit as done:
            return int(done.code or 0)
        return 0
