"""The documentation as a site: it builds without a warning, is whole, and asks nothing of other hosts."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml

import dicezero
from dicezero.cli.app import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
if not os.environ.get("CI"):
    pytest.importorskip("mkdocs", reason="needs the extra docs")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site; a warning, a link or an anchor that leads nowhere has failed it."""
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_is_there(site):
    for page in (ROOT / "docs").rglob("*.md"):
        assert (site / page.relative_to(ROOT / "docs")).with_suffix(".html").is_file()
    assert (site / "project/architecture.html").is_file()
    assert (site / "files/examples/pig.py").is_file()
    assert (site / "files/github/workflows/wheels.yml").is_file()
    for page in site.rglob("*/*.html"):
        text = page.read_text(encoding="utf-8")
        for link, anchor in re.findall(r'(?:href|src)="([^"#:]+)(#[^"]+)?"', text):
            target = page.parent / unquote(link)
            assert target.exists(), f"{page.relative_to(site)} links to {link}"
            if anchor and target.suffix == ".html":
                assert f'id="{unquote(anchor[1:])}"' in target.read_text(encoding="utf-8"), f"{link}{anchor}"


def test_nothing_is_fetched_from_elsewhere(site):
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        fetched = re.findall(r'<(?:script|img|iframe|source)[^>]*src="(?:https?:)?//[^"]*"', text)
        fetched += re.findall(
            r'<link[^>]*rel="(?:stylesheet|preconnect|preload|icon)"[^>]*href="(?:https?:)?//[^"]*"', text
        )
        assert not fetched, page
    for style in site.rglob("*.css"):
        assert "url(http" not in style.read_text(encoding="utf-8")


def test_lists_and_tables_are_what_they_look_like(site):
    """Python-Markdown wants more blank lines and spaces than the pages have; the hooks put them in."""
    text = (site / "explanation/algorithms/planner.html").read_text(encoding="utf-8")
    assert "<li>\n<p><code>siblings</code>" in text or "<li><code>siblings</code>" in text
    assert text.count("<table>") >= 1
    assert not re.search(r"<p>\|", text)
    for page in site.rglob("*.html"):
        words = re.sub(r"<pre.*?</pre>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert not re.findall(r"\n(?:[-*|]|\d+\.) \S.*", words), page  # an item that became a line of text


def test_every_public_name_is_on_the_page_of_names(site):
    page = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
    built = (site / "reference/python.html").read_text(encoding="utf-8")
    for name in dicezero.__all__:
        if name != "__version__":
            assert f"\n::: dicezero.{name}\n" in page, f"put {name} into docs/reference/python.md"
            assert f'id="dicezero.{name}"' in built


def test_defaults_of_options_are_values_and_not_the_names_of_code(site):
    text = (site / "reference/commands.html").read_text(encoding="utf-8")
    shown = re.findall(r"<tr>\s*<td><code>([^<]*)</code></td>\s*<td><code>([^<]*)</code></td>", text)
    assert {("--judge", "pretrained(plies=2)"), ("--out", "demo"), ("FOLDERS", "runs")} <= set(shown)
    assert not [value for _, value in shown if re.match(r"_|\(|Path", value)]


def test_what_is_returned_is_told_in_one_row(site):
    built = (site / "reference/python.html").read_text(encoding="utf-8")
    tables = re.findall(r"Returns:.*?<tbody>(.*?)</tbody>", built, flags=re.DOTALL)
    assert tables
    assert [table.count("<tr") for table in tables] == [1] * len(tables)


def test_every_option_is_on_the_page_of_commands(site):
    text = (site / "reference/commands.html").read_text(encoding="utf-8")
    page = (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8")
    for name, (kind, what) in COMMANDS.items():
        assert f"\n| [`{name}`](#{name}) | {what} |\n" in page, f"put {name} into the table of commands"
        section = text.split(f'<h3 id="{name}">')[1].split("<h3 ")[0]
        command = getattr(importlib.import_module(f"dicezero.cli.{name}"), kind)
        for field in fields(command):
            option = field.name.strip("_").replace("_", "-")
            assert f"<code>--{option}</code>" in section or f"<code>{option.upper()}</code>" in section


def test_extra_docs_is_what_the_site_needs():
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert settings["theme"]["name"] == "material"
    assert settings["theme"]["font"] is False
    assert settings["strict"] is True
