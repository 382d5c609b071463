"""The reference of the command line, from the dataclass of each command: what --help prints, as a page."""

from __future__ import annotations

import ast
import re
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src"
DIRECTIVE = re.compile(r"^::: dicezero\.cli\.(\w+)\.(\w+)\n(?:    .*\n)*", re.MULTILINE)


def on_page_markdown(markdown: str, **_: object) -> str:
    """MkDocs' hook: description, examples and options in the place of ``::: dicezero.cli.NAME.CLASS``."""
    return DIRECTIVE.sub(lambda match: described(match[1], match[2]), markdown)


def described(name: str, kind: str) -> str:
    """One command as Markdown."""
    tree = ast.parse((SOURCE / f"dicezero/cli/{name}.py").read_text(encoding="utf-8"))
    command = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == kind)
    parts = []
    for paragraph in (ast.get_docstring(command) or "").split("\n\n"):
        text = re.sub(r"(--[\w-]+)", r"`\1`", paragraph)
        example = re.match(r"Example: (.*)", paragraph, re.DOTALL)
        parts.append("    " + " ".join(example[1].split()) if example else text)
    following = [*command.body[1:], ast.Pass()]
    rows = [row for row in map(option, command.body, following) if row]
    table = ["| option | default | meaning |", "|---|---|---|", *rows] if rows else []
    return "\n\n".join([*parts, "\n".join(table)]) + "\n"


def option(field: ast.stmt, text: ast.stmt) -> str:
    """A row for a field and the string behind it, or nothing where they are something else."""
    if not (isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)):
        return ""
    name = field.target.id.strip("_").replace("_", "-")
    positional = "Positional" in ast.unparse(field.annotation)
    shown = name.upper() if positional else f"--{name}"
    value = "" if field.value is None else ast.unparse(field.value)
    default = {"False": "", "None": "", "()": "", "''": "", "": "needed"}.get(
        value, f"`{value.strip(chr(39))}`"
    )
    described_here = isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
    meaning = str(text.value.value) if described_here else help_of(ast.unparse(field.annotation))
    meaning = " ".join(meaning.split()).replace("|", "\\|")
    return f"| `{shown}` | {default} | {meaning} |"


def help_of(annotation: str) -> str:
    """What the type of an option says of it: the string GAME_HELP of the module console for a GameName."""
    tree = ast.parse((SOURCE / "dicezero/cli/console.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if (
            isinstance(node, ast.Assign)
            and ast.unparse(node.targets[0]) == "GAME_HELP"
            and "GameName" in annotation
        ):
            return str(ast.literal_eval(node.value))
    raise ValueError(f"an option of type {annotation} has no description; put a string behind it")
