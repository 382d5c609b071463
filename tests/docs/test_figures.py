"""The trees in the documentation are what the commands beside them draw."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from dicezero.cli import main

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["figure.svg", "tree.svg"])
def test_a_figure_is_drawn_so_today(name, tmp_path, monkeypatch, capsys):
    page = (ROOT / "docs" / "howto" / "trees.md").read_text(encoding="utf-8").replace("\\\n", " ")
    kind = "alphabeta.*figure.html" if name == "figure.svg" else "expectiminimax.*tree.svg"
    (line,) = re.findall(rf"\$ dicezero (search .*{kind}.*)", page)
    monkeypatch.chdir(ROOT)
    words = [*shlex.split(line)[:-1], str(tmp_path / name)]
    assert words[-2] == "--tree"
    assert main(words) == 0
    capsys.readouterr()
    drawn, shown = tmp_path / name, ROOT / "docs" / "images" / name
    assert drawn.read_bytes() == shown.read_bytes(), f"draw it again: dicezero {line}"
