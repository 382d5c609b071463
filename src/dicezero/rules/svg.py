"""The picture of a position that has no board: its text as one SVG element, nothing from outside."""

from __future__ import annotations

from html import escape


def words(text_lines: list[str]) -> str:
    """Lines of text in a fixed-width font and in the colour of the page's text."""
    width = 8 * max((len(line) for line in text_lines), default=0) + 20
    height = 18 * len(text_lines) + 22
    rows = "".join(
        f'<text x="10" y="{22 + 18 * i}" xml:space="preserve" font-family="monospace" font-size="13" '
        f'fill="currentColor">{escape(line)}</text>'
        for i, line in enumerate(text_lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(" ".join(text_lines))}">{rows}</svg>'
    )
