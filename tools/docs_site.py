"""Hooks of the documentation's site (mkdocs.yml): what docs/ links to outside of it goes along.

Pages link to files of the repository as they lie (``../../results/bench.json``), so that they can be followed
where the repository is read. In the site a linked file is copied to ``files/``, the pages at the root
(``ARCHITECTURE.md``, ...) become pages under ``project/``, and a link to what does not exist stops the build.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markdown.extensions.toc import slugify_unicode
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
ROOT_PAGES = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
PROJECT = {name: f"project/{name.lower()}" for name in ROOT_PAGES}
LINK = re.compile(r"(!?\[[^\]]*\]\()([^)#\s]+)(#[^)\s]*)?\)")
ITEM = re.compile(r"\s*(?:[-*]|\d\.) ")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


def source_of(uri: str) -> str:
    """The path in the repository of a page of the site."""
    origins = {page: name for name, page in PROJECT.items()}
    return origins.get(uri, f"docs/{uri}")


def target_of(path: str) -> str:
    """The place in the site of a file of the repository."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path == "README.md":
        return "index.md"
    seen = "/".join(part.lstrip(".") for part in path.split("/"))  # MkDocs leaves hidden folders out
    return PROJECT.get(path, f"files/{seen}")


def links(text: str) -> list[re.Match[str]]:
    """The relative links of a page, code left out."""
    code = [match.span() for match in FENCE.finditer(text)]
    found = (
        match for match in LINK.finditer(text) if "://" not in match[2] and not match[2].startswith("mailto:")
    )
    return [match for match in found if not any(low <= match.start() < high for low, high in code)]


def linked_path(page: str, link: str) -> str:
    """The path in the repository that a link of the page (a path in the repository) means."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), link))
    if not (ROOT / path).exists():
        raise PluginError(f"{page} links to {link}, which does not exist")
    return path


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Headings keep their letters in anchors, as where the repository is read: ``#einstein-würfelt``."""
    config.mdx_configs["toc"]["slugify"] = slugify_unicode
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages at the root, every linked file, and pages that the navigation does not name."""
    for name, uri in PROJECT.items():
        files.append(File.generated(config, uri, abs_src_path=str(ROOT / name)))
    for page in [file for file in files if file.is_documentation_page()]:
        source = source_of(page.src_uri)
        for match in links((ROOT / source).read_text(encoding="utf-8")):
            path = linked_path(source, match[2])
            uri = target_of(path)
            if (ROOT / path).is_file() and uri.startswith("files/") and files.get_file_from_path(uri) is None:
                files.append(File.generated(config, uri, abs_src_path=str(ROOT / path)))
    named = set(uris(config.nav))
    for page in sorted(files.documentation_pages(), key=lambda file: file.src_uri):
        section = {"howto": "How-to"}.get(page.src_uri.split("/")[0], page.src_uri.split("/")[0].capitalize())
        for entry in config.nav or []:
            if page.src_uri not in named and section in entry:
                entry[section].append(page.src_uri)
    return files


def uris(nav: Any) -> list[str]:
    """Every page that a navigation names."""
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav or []
    return [uri for part in parts for uri in uris(part)]


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Turns links out of docs/ into links within the site; a link to a folder becomes its name."""
    source = source_of(page.file.src_uri)
    pieces, end = [], 0
    for match in links(markdown):
        path = linked_path(source, match[2])
        here = posixpath.dirname(page.file.src_uri)
        if (ROOT / path).is_dir():
            new = match[1].lstrip("!")[1:-2]
        else:
            new = f"{match[1]}{posixpath.relpath(target_of(path), here or '.')}{match[3] or ''})"
        pieces += [markdown[end : match.start()], new]
        end = match.end()
    return with_lists("".join([*pieces, markdown[end:]]))


def with_lists(markdown: str) -> str:
    """Lists as Python-Markdown has them: after an empty line, what belongs to an item indented by four."""
    lines: list[str] = []
    marker = 0  # width of the marker of the list that the line may belong to; 0 outside lists
    child = fenced = False  # in a block that belongs to an item; in a block of code
    for line in markdown.splitlines():
        fenced ^= line.lstrip().startswith("```")
        indent = len(line) - len(line.lstrip())
        item = None if fenced else ITEM.match(line)
        if item and indent == 0:
            if lines and lines[-1] and (child or not marker):
                lines.append("")
            marker, child = len(item[0]), False
        elif line and indent == 0:
            if not marker or not lines[-1]:
                marker = 0
        elif marker and indent >= marker and (child or item or not lines[-1]):
            line, child = " " * (4 - marker) + line, True
        lines.append(line)
    return "\n".join(lines) + "\n"
