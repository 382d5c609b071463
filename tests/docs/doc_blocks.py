"""The examples of README and the documentation: blocks of code, the commands in them, what they print.

A block is fenced, or indented by four. ``<!-- long -->`` on a line before a block says that it takes too long
for the tests, or needs what they have not: its commands are parsed and its imports tried, no more.
``<!-- run -->`` says that it takes longer than others and is run all the same. ``<!-- part -->`` says that a
block of Python is a piece of something larger. Commands in the text, in backticks, are parsed too.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
HISTORY = ROOT / "CHANGELOG.md"  # its commands are those of their day
SHELL = ("indented", "console", "sh", "bash", "")  # languages of blocks whose lines are commands
OTHERS = re.compile(r"(?:curl|docker|helm|kubectl|make|pip|printf|python|ray) ")
MARK = re.compile(r"<!-- (long|part|run) -->")


@dataclass(frozen=True)
class Block:
    """Code on a page."""

    page: Path
    line: int  # of its first line, from 1
    language: str  # of the fence; "indented" without one
    text: str
    mark: str = ""  # long, part, run or nothing
    printed: str | None = None  # of Python: the block of text right behind it
    file: str = ""  # its title: the example is saved under that name

    @property
    def name(self) -> str:
        """Page and line, as tests are named."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"


@dataclass(frozen=True)
class Command:
    """A line that begins with dicezero, and what the page says it prints."""

    where: str  # page and line
    words: tuple[str, ...]  # without dicezero
    printed: str = ""

    @property
    def line(self) -> str:
        """As it would be typed."""
        return shlex.join(["dicezero", *self.words])


def blocks(page: Path) -> list[Block]:
    """Every block of code on a page, in order."""
    found: list[Block] = []
    lines = page.read_text(encoding="utf-8").splitlines()
    mark, at = "", 0
    while at < len(lines):
        line = lines[at]
        if match := MARK.fullmatch(line.strip()):
            mark = match[1]
        elif fence := re.fullmatch(r'( *)```(\w*)(?: title="([\w.]+)")?', line):
            end = next(i for i in range(at + 1, len(lines)) if lines[i].strip() == "```")
            text = "\n".join(row[len(fence[1]) :] for row in lines[at + 1 : end])
            follows = found and found[-1].language == "python" and not "".join(lines[_end_of(found[-1]) : at])
            if fence[2] in ("", "text") and follows:
                found[-1] = Block(**{**vars(found[-1]), "printed": text})
            else:
                found.append(Block(page, at + 2, fence[2], text, mark, file=fence[3] or ""))
            mark, at = "", end
        elif line.startswith("    ") and (at == 0 or not lines[at - 1].strip() or mark):
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            text = "\n".join(row[4:] for row in lines[at:end]).rstrip()
            found.append(Block(page, at + 1, "indented", text, mark))
            mark, at = "", end - 1
        elif line.strip():
            mark = ""
        at += 1
    return found


def _end_of(block: Block) -> int:
    """The line, from 0, behind the closing fence of a block."""
    return block.line + block.text.count("\n") + 1


def commands(block: Block) -> list[Command]:
    """The commands in a block that are dicezero's."""
    if block.language not in SHELL:
        return []
    found: list[Command] = []
    rows = re.sub(r"\\\n\s*", "", block.text).splitlines()
    prompts = any(row.startswith("$ ") for row in rows)
    words: tuple[str, ...] | None = None
    printed: list[str] = []
    for row in [*rows, "$ end"]:
        if prompts and not row.startswith("$ "):
            printed.append(row)
            continue
        if words is not None:
            found.append(Command(block.name, words, "\n".join(printed).strip()))
        words, printed = None, []
        line = row.removeprefix("$ ")
        if line.startswith("dicezero "):
            words = tuple(shlex.split(line, comments=True))[1:]
    return found


def others(block: Block) -> list[str]:
    """The lines of a block that call other programs, without their comments."""
    if block.language not in SHELL:
        return []
    rows = re.sub(r"\\\n\s*", "", block.text).splitlines()
    lines = [row.removeprefix("$ ") for row in rows]
    return [line.split("  #")[0].strip() for line in lines if OTHERS.match(line)]


def in_the_text(page: Path) -> list[Command]:
    """The commands that stand in backticks among the words of a page."""
    text = re.sub(
        r"```.*?```", lambda code: "\n" * code[0].count("\n"), page.read_text("utf-8"), flags=re.DOTALL
    )
    found = []
    for match in re.finditer(r"(?<!`)`dicezero ([^`]+)`(?!`)", text):
        line = text.count("\n", 0, match.start()) + 1
        words = tuple(shlex.split(" ".join(match[1].split(" > ")[0].split())))
        found.append(Command(f"{page.relative_to(ROOT)}:{line}", words))
    return found
