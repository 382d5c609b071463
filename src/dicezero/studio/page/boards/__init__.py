"""Boards as SVG or HTML: pure functions of a position, with elements to click, to focus and to read aloud."""

from dicezero.studio.page.boards.draw import board_html
from dicezero.studio.page.boards.view import View

__all__ = ["View", "board_html"]
