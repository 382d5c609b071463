"""Boards as SVG or HTML: pure functions of a position, with elements to click, to focus and to read aloud."""

from dicezero.studio.page.boards.arrows import arrows_of
from dicezero.studio.page.boards.draw import board_html, is_text
from dicezero.studio.page.boards.picking import read_path
from dicezero.studio.page.boards.view import Arrow, Cube, View

__all__ = ["Arrow", "Cube", "View", "arrows_of", "board_html", "is_text", "read_path"]
