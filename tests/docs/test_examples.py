"""Every command and every block of Python in README and the documentation: run, or at least understood."""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import os
import re
import shlex
import shutil
import sys
import time
import tomllib
from pathlib import Path

import pytest
import tyro
from doc_blocks import HISTORY, PAGES, ROOT, Block, Command, blocks, commands, in_the_text, others

from dicezero.agents import AGENTS
from dicezero.cli.app import COMMANDS, _check_flags, main
from dicezero.presets.registry import get_preset
from dicezero.presets.settings import with_settings
from dicezero.rules.extras import EXTRAS

CPU_SECONDS = 5.0  # of one example; what takes longer is to be marked
# What differs from run to run: times and rates.
VARIES = re.compile(r"\d[\d,.]* ?(s|ms|seconds)\b|(seconds|bytes) +[\d,.]+|\d[\d.,]* ?(k|M)?/s")


def check(command: Command, *, whole: bool = True) -> None:
    """The command exists, its flags are known; of one that is ``whole`` agents, preset and settings too."""
    name, *words = command.words
    if name == "COMMAND":
        return
    assert name in COMMANDS, f"{command.where}: dicezero has no command {name}"
    kind = getattr(importlib.import_module(f"dicezero.cli.{name}"), COMMANDS[name][0])
    _check_flags(kind, name, list(words))
    if not whole or any(re.search(r"[\[\]…]|^\.\.\.|^[A-Z]+$", word) for word in words):
        return  # a form to be filled in
    parsed = tyro.cli(kind, args=words, config=(tyro.conf.FlagCreatePairsOff,))
    if name == "train":
        with_settings(get_preset(parsed.preset), dict(item.split("=", 1) for item in parsed.set))
    agents = [getattr(parsed, field, None) for field in ("agent", "first", "second")]
    for agent in [*filter(None, agents), *getattr(parsed, "agents", ())]:
        assert agent.split("(")[0] in AGENTS, f"{command.where}: no agent {agent}"


def check_other(line: str, where: str, *, long: bool) -> None:
    """Targets of make, extras of pip and files of python exist; what else is called is marked as long."""
    assert long, f"{where}: {line} is not run here; put <!-- long --> on a line before it"
    program, *words = shlex.split(line.split(" | ")[0])
    if program == "make":
        targets = (ROOT / "Makefile").read_text(encoding="utf-8")
        name = next(word for word in words if "=" not in word)
        assert re.search(rf"^{re.escape(name)}:", targets, re.MULTILINE), f"{where}: no target {name}"
    elif program == "pip":
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
        for extra in re.findall(r"dicezero\[([\w,]+)\]", line):
            for one in extra.split(","):
                assert one in extras["project"]["optional-dependencies"], f"{where}: no extra {one}"
    elif program == "python":
        assert (ROOT / words[0]).exists(), f"{where}: no file {words[0]}"


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
    assert code in (0, 1), f"{command.where}: {command.line}\n{printed.err}"
    if command.printed:
        same(command.printed, printed.out, f"{command.where}: {command.line}")


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
    if page != HISTORY:
        for command in in_the_text(page):
            check(command, whole=False)
    found = [b for b in blocks(page) if b.language == "python" or b.file or commands(b) or others(b)]
    if not found:
        return
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for block in found:
        begin = time.process_time()
        if block.file:
            Path(block.file).write_text(block.text + "\n", encoding="utf-8")
        elif block.language == "python":
            run_python(block)
        for command in commands(block):
            if block.mark == "long":
                check(command)
            else:
                run_command(command, capsys)
        for line in others(block):
            check_other(line, block.name, long=block.mark == "long")
        took = time.process_time() - begin
        assert block.mark == "run" or took < CPU_SECONDS, (
            f"{block.name} took {took:.1f} s; put <!-- long --> on a line before it"
        )


def test_every_command_is_on_the_page_of_commands():
    page = (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8")
    for name, (kind, _) in COMMANDS.items():
        assert f"\n### {name}\n" in page, f"describe {name} in docs/reference/commands.md"
        assert f"::: dicezero.cli.{name}.{kind}\n" in page


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page != HISTORY], ids=lambda page: str(page.relative_to(ROOT))
)
def test_lines_wrap(page):
    """Prose and commands fit 120 columns; tables, pictures and single words that are longer do not wrap."""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith(("|", "![")) or re.fullmatch(r" *\(?`[^`]*`\S*", line):
            continue
        assert len(line) <= 120, f"{page.relative_to(ROOT)}:{number} has {len(line)} columns"
