"""Any other game: its own text as the board, its moves as buttons."""

from __future__ import annotations

from html import escape

from dicezero.rules.protocol import State
from dicezero.studio.page.boards.view import View


def plain(state: State, view: View) -> str:
    """The position as the game prints it, each legal move a button."""
    buttons = []
    for number, (action, name) in enumerate(view.moves.items(), 1):
        hinted = " hinted" if action == view.hint else ""
        key = f'<kbd aria-hidden="true">{number}</kbd>' if number <= 9 else ""
        buttons.append(
            f'<button type="button" class="move{hinted}" data-action="{action}" data-number="{number}" '
            f'aria-label="move {number}: {escape(name, quote=True)}">{key}{escape(name)}</button>'
        )
    return (
        f'<div class="board plain"><pre aria-label="position">{escape(str(state))}</pre>'
        f'<div class="choices">{"".join(buttons)}</div></div>'
    )
