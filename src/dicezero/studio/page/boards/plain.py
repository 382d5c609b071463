"""Any other game: its own picture or text as the board, its moves as buttons."""

from __future__ import annotations

import base64
from html import escape

from dicezero.rules.protocol import State
from dicezero.search.explicit import ExplicitState
from dicezero.studio.page.boards.view import View

_LARGEST = 500_000  # characters of a picture


def plain(state: State, view: View, *, complaint: str = "") -> str:
    """The position as the game draws or prints it, each legal move a button."""
    buttons = []
    for number, (action, name) in enumerate(view.moves.items(), 1):
        more = " hinted" if action == view.hint else ""
        key = f'<kbd aria-hidden="true">{number}</kbd>' if number <= 9 else ""
        buttons.append(
            f'<button type="button" class="move{more}" data-action="{action}" data-number="{number}" '
            f'aria-label="move {number}: {escape(name, quote=True)}">{key}{escape(name)}</button>'
        )
    if view.pending is not None:
        name = state.action_to_string(state.current_player(), view.pending)
        buttons.append(f'<p class="pending-move">{escape(name)}</p>')
    choices = f'<div class="choices">{"".join(buttons)}</div>'
    return f'<div class="board plain">{_picture(state, complaint)}{choices}</div>'


def _picture(state: State, complaint: str) -> str:
    """What ``to_svg()`` draws, as an image: nothing in it is run or fetched; else the text."""
    draw, text = getattr(state, "to_svg", None), str(state)
    words = f'<pre aria-label="position" style="--lines:{len(text.splitlines())}">{escape(text)}</pre>'
    if callable(draw) and not complaint:
        try:
            drawn = draw()
        except Exception as error:  # somebody's own code may fail in any way
            drawn, complaint = None, f"to_svg() raised {type(error).__name__}: {error}"
        if isinstance(drawn, str) and drawn.lstrip().startswith("<svg") and len(drawn) <= _LARGEST:
            data = base64.b64encode(drawn.encode()).decode()
            label = escape(text, quote=True)
            kind = "own drawn-tree" if isinstance(state, ExplicitState) else "own"
            words = f'<img class="{kind}" alt="{label}" src="data:image/svg+xml;base64,{data}"/>'
        elif not complaint:
            complaint = f"to_svg() must return one <svg> element of at most {_LARGEST} characters"
    return words + (f'<p class="complaint" role="alert">{escape(complaint)}</p>' if complaint else "")
