"""The notebooks of examples/ run, print what is stored in them, and are small."""

from __future__ import annotations

import importlib.util
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))

spec = importlib.util.spec_from_file_location("notebooks", ROOT / "tools" / "notebooks.py")
assert spec is not None
assert spec.loader is not None
notebooks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(notebooks)


def test_there_are_two():
    assert [path.stem for path in NOTEBOOKS] == ["learn_a_dice_game", "textbook_search"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_is_stored_in_it(path: Path):
    if path.stem == "learn_a_dice_game":
        pytest.importorskip("jax")
    assert path.stat().st_size < 120_000
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    stored = [cell["outputs"] for cell in notebooks.code_cells(notebook)]
    assert [shape(outputs) for outputs in notebooks.run_cells(notebook, path.name)] == list(
        map(shape, stored)
    )


def shape(outputs: list) -> list:
    """What is printed, to the letter; of pictures and tables their kinds and that they are well-formed."""
    found: list = []
    for output in outputs:
        if output["output_type"] == "stream":
            found.append("".join(output["text"]))
            continue
        found.append(sorted(output["data"]))
        for kind in ("image/svg+xml", "text/html"):
            text = "".join(output["data"].get(kind, []))
            assert "<script" not in text
            if text:
                ElementTree.fromstring(f"<div>{re.sub('&nbsp;', ' ', text)}</div>")  # noqa: S314 - our own
    return found
