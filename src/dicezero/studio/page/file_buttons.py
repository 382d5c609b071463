"""Saving a game and loading one: a menu of endings, and a button that reads a file in the browser."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import events, ui

from dicezero.studio.game_files import MAX_CHARACTERS, endings, save
from dicezero.studio.page.session_view import SessionView
from dicezero.studio.session import Session

_WORDS = {
    ".sgf": "SGF, for Go programs",
    ".pgn": "PGN, for chess programs",
    ".mat": "MAT, for backgammon programs",
}
_READ = f"""async (e) => {{
  const file = e.target.files[0];
  if (!file) return;
  const text = file.size > {MAX_CHARACTERS} ? null : await file.text();
  e.target.value = "";
  emit([file.name.slice(-80), text]);
}}"""


def hand_out(view: SessionView, suffix: str, complain: Callable[[str], None]) -> None:
    """The line on the board as a file, for the browser to keep."""
    try:
        text = save(view.session, suffix, view.names)
    except ValueError as error:
        complain(str(error))
        return
    word = "".join(c if c.isalnum() else "-" for c in view.session.game.rpartition("/")[2])[:40]
    ui.download.content(text.encode(), f"{word.strip('-')}{suffix}", "text/plain")


class FileButtons:
    """*Save* with the endings that the game has, and *Load*."""

    def __init__(self, save: Callable[[str], None], load: Callable[[str, str], Awaitable[None]]) -> None:
        self._save, self._load = save, load
        self._shown: tuple[str, ...] | None = None
        with ui.element("div").classes("tools files"):
            self._button = ui.button("Save", icon="download").props("no-caps flat").classes("tool")
            with self._button:
                self._menu = ui.menu()
            ui.button("Load", icon="upload").props("no-caps flat").classes("tool").on(
                "click", js_handler="(e) => e.target.closest('.files').querySelector('input').click()"
            )
            chooser = ui.element("input").props(
                'type=file accept=".sgf,.pgn,.mat,.json" aria-label="a file with a game" hidden'
            )
            chooser.on("change", self._chosen, js_handler=_READ)

    def offer(self, session: Session) -> None:
        """The endings of this game."""
        suffixes = endings(session)
        if suffixes == self._shown:
            return
        self._shown = suffixes
        self._button.set_visibility(bool(suffixes))
        self._menu.clear()
        with self._menu:
            for suffix in suffixes:
                label = _WORDS.get(suffix, "JSON, for this studio")
                ui.menu_item(label, on_click=lambda _, suffix=suffix: self._save(suffix)).props(
                    f'data-save="{suffix}"'
                )

    async def _chosen(self, event: events.GenericEventArguments) -> None:
        name, text = (*event.args, "", "")[:2] if isinstance(event.args, list) else ("", "")
        await self._load(str(name)[:80], text if isinstance(text, str) else "x" * (MAX_CHARACTERS + 1))
