"""The reference of the command line, from the dataclass of each command: what --help prints, as a page."""

from __future__ import annotations

import ast
import re
from functools import partial
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
    named = constants(tree)
    rows = [row for row in map(partial(option, named), command.body, following) if row]
    table = ["| option | default | meaning |", "|---|---|---|", *rows] if rows else []
    return "\n\n".join([*parts, "\n".join(table)]) + "\n"


def constants(tree: ast.Module) -> dict[str, ast.expr]:
    """What names of the module stand for."""
    return {
        node.targets[0].id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }


def option(named: dict[str, ast.expr], field: ast.stmt, text: ast.stmt) -> str:
    """A row for a field and the string behind it, or nothing where they are something else.

    A default that is a name of the module is shown as what it stands for.
    """
    if not (isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)):
        return ""
    name = field.target.id.strip("_").replace("_", "-")
    positional = "Positional" in ast.unparse(field.annotation)
    shown = name.upper() if positional else f"--{name}"
    given = named.get(field.value.id, field.value) if isinstance(field.value, ast.Name) else field.value
    value = "" if given is None else re.sub(r"Path\(('[^']*')\)", r"\1", ast.unparse(given))
    value = re.sub(r"^\(('[^']*'),\)$", r"\1", value)
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
