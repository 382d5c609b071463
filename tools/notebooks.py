"""Runs the cells of examples/*.ipynb and stores what they show: python tools/notebooks.py [FILE ...].

A plain interpreter is enough: a cell is executed, its last expression shown as a notebook would show it (SVG,
HTML, text). What is shown is stored up to a size; tests/project/test_notebooks.py runs the cells again.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
MOST_CHARACTERS = 30_000  # of one output that is stored


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells with code."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run_cells(notebook: dict[str, Any], name: str) -> list[list[dict[str, Any]]]:
    """The outputs of every cell of code, one namespace for all, in a folder that is thrown away."""
    space: dict[str, Any] = {"__name__": "__main__"}
    found = []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for number, cell in enumerate(code_cells(notebook), 1):
            tree = ast.parse("".join(cell["source"]), f"{name}, cell {number}")
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(tree, f"{name}, cell {number}", "exec"), space)  # noqa: S102 - our own notebooks
                value = (
                    eval(compile(ast.Expression(last.value), f"{name}, cell {number}", "eval"), space)  # noqa: S307
                    if isinstance(last, ast.Expr)
                    else None
                )
            found.append(_outputs(printed.getvalue(), value, number))
    return found


def _outputs(printed: str, value: Any, number: int) -> list[dict[str, Any]]:
    outputs: list[dict[str, Any]] = []
    if printed:
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.splitlines(keepends=True)})
    if value is not None:
        data: dict[str, Any] = {}
        for kind, method in (("image/svg+xml", "_repr_svg_"), ("text/html", "_repr_html_")):
            text = getattr(value, method)() if hasattr(value, method) else ""
            if text and len(text) <= MOST_CHARACTERS:
                data[kind] = text.splitlines(keepends=True)
        data["text/plain"] = [repr(value)] if len(repr(value)) <= 200 else [f"<{type(value).__name__}>"]
        outputs.append(
            {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data}
        )
    return outputs


def main() -> int:
    """Runs and rewrites the notebooks that are named, or all."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    for path in map(Path, sys.argv[1:] or sorted((ROOT / "examples").glob("*.ipynb"))):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for number, (cell, outputs) in enumerate(
            zip(code_cells(notebook), run_cells(notebook, path.name), strict=True), 1
        ):
            cell["outputs"], cell["execution_count"] = outputs, number
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(path)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
