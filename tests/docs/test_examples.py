"""Every command and every block of Python in README and the documentation: run, or at least understood."""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import os
import re
import shutil
import time
from pathlib import Path

import pytest
import tyro
from doc_blocks import PAGES, ROOT, Block, Command, blocks, commands

from dicezero.agents import AGENTS
from dicezero.cli.app import COMMANDS, _check_flags, main
from dicezero.presets.registry import get_preset
from dicezero.presets.settings import with_settings
from dicezero.rules.extras import EXTRAS

NOT_RUN = {"train", "reproduce", "bench", "demo", "studio", "engine", "gtp", "uci", "play", "report"}
ELSEWHERE = re.compile(r"\brun\(|\b(runs|downloads|results)/|\bgnubg\b|\bgtp\(|\buci\(")
CPU_SECONDS = 5.0  # of one example; what takes longer is to be marked
# What differs from run to run: times and rates.
VARIES = re.compile(r"\d[\d,.]* ?(s|ms|seconds)\b|(seconds|bytes) +[\d,.]+|\d[\d.,]* ?(k|M)?/s")


def runs(command: Command) -> bool:
    """Whether a command is quick and needs nothing that is not there."""
    if command.block.mark in ("long", "run"):
        return command.block.mark == "run"
    elsewhere = command.words[0] == "runs" or ELSEWHERE.search(command.line)
    return command.words[0] not in NOT_RUN and not elsewhere


def check(command: Command) -> None:
    """The command exists, its flags are known, its agents, preset and settings too."""
    name, *words = command.words
    assert name in COMMANDS, f"{command.block.name}: dicezero has no command {name}"
    kind = getattr(importlib.import_module(f"dicezero.cli.{name}"), COMMANDS[name][0])
    _check_flags(kind, name, list(words))
    if any(re.search(r"[\[\]…]|^\.\.\.|^[A-Z]+$", word) for word in words):
        return  # a form to be filled in
    parsed = tyro.cli(kind, args=words, config=(tyro.conf.FlagCreatePairsOff,))
    if name == "train":
        with_settings(get_preset(parsed.preset), dict(item.split("=", 1) for item in parsed.set))
    agents = [getattr(parsed, field, None) for field in ("agent", "first", "second")]
    for agent in [*filter(None, agents), *getattr(parsed, "agents", ())]:
        assert agent.split("(")[0] in AGENTS, f"{command.block.name}: no agent {agent}"


def plain(text: str) -> list[str]:
    """Lines without what differs from run to run, and without trailing blanks."""
    return [VARIES.sub("~", line).rstrip() for line in text.strip().splitlines()]


def same(shown: str, printed: str, where: str) -> None:
    """What the page shows is what was printed; a line of three dots stands for any lines."""
    at = 0
    rest = plain(printed)
    skipping = False
    for line in plain(shown):
        if line.strip() in ("...", "…"):
            skipping = True
            continue
        while skipping and at < len(rest) and rest[at] != line:
            at += 1
        assert at < len(rest), f"{where} shows {line!r}, and nothing like it was printed:\n{printed}"
        assert rest[at] == line, f"{where} shows\n{line}\nand this was printed\n{rest[at]}\nof\n{printed}"
        at, skipping = at + 1, False
    assert skipping or at == len(rest), f"{where} leaves out, without three dots:\n" + "\n".join(rest[at:])


def run_command(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    code = main(list(command.words))
    printed = capsys.readouterr()
    assert code in (0, 1), f"{command.block.name}: {command.line}\n{printed.err}"
    if command.printed:
        same(command.printed, printed.out, f"{command.block.name}: {command.line}")


def run_python(block: Block) -> None:
    tree = ast.parse(block.text)
    if block.mark == "part":
        return
    if block.mark == "long":
        imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        exec(compile(ast.Module(imports, []), block.name, "exec"), {})  # noqa: S102
        return
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, block.name, "exec"), {"__name__": "__main__"})  # noqa: S102
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS or os.environ.get("CI"):
            raise
        return  # an extra that this environment does not have
    if block.printed is not None:
        same(block.printed, printed.getvalue(), block.name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples(page: Path, tmp_path, monkeypatch, capsys):
    """Examples of a page are run in order, in one folder that has the examples of the repository."""
    found = [block for block in blocks(page) if block.language == "python" or block.file or commands(block)]
    if not found:
        return
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    for block in found:
        begin = time.process_time()
        if block.file:
            Path(block.file).write_text(block.text + "\n", encoding="utf-8")
        elif block.language == "python":
            run_python(block)
        for command in commands(block):
            if runs(command):
                run_command(command, capsys)
            else:
                check(command)
        took = time.process_time() - begin
        assert block.mark == "run" or took < CPU_SECONDS, (
            f"{block.name} took {took:.1f} s; put <!-- long --> on a line before it"
        )


def test_every_command_is_on_the_page_of_commands():
    page = (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8")
    for name, (kind, _) in COMMANDS.items():
        assert f"\n### {name}\n" in page, f"describe {name} in docs/reference/commands.md"
        assert f"::: dicezero.cli.{name}.{kind}\n" in page
