"""The page around the views: head, title bar, tabs and the theme."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from importlib.resources import files

from nicegui import Client, ui

from dicezero.studio.api import PREFIX
from dicezero.studio.catalog import Catalog
from dicezero.studio.checkpoints import DynamicsTests
from dicezero.studio.hall import Hall, NoTableError
from dicezero.studio.page.learn_view import LearnView
from dicezero.studio.page.play_view import PlayView
from dicezero.studio.page.search_position import Position
from dicezero.studio.page.search_view import SearchView

ASSETS = files("dicezero.studio.page") / "assets"
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
    '<rect x="4" y="4" width="56" height="56" rx="14" fill="#e2582c"/>'
    '<g fill="#fff"><circle cx="20" cy="20" r="6"/><circle cx="44" cy="44" r="6"/></g>'
    '<circle cx="32" cy="32" r="7" fill="none" stroke="#fff" stroke-width="5"/></svg>'
)
_THEMES = {
    None: ("brightness_auto", "as the system"),
    False: ("light_mode", "light"),
    True: ("dark_mode", "dark"),
}
_PREFERENCES = """return [localStorage.getItem("dicezero-theme"),
    matchMedia("(prefers-reduced-motion: reduce)").matches]"""
_NEXT = {None: True, True: False, False: None}
_KEYS = (
    ("1 \u2026 9", "play the move with that number"),
    ("arrows, Enter", "walk over the moves, play the one in focus"),
    ("Escape", "let go of a piece"),
    ("u", "undo"),
    ("h", "hint"),
    ("r", "retry: the same dice again"),
    ("n", "new game"),
    ("b", "play on from the position that is shown"),
    (", and .", "look one position back, forward"),
    ("< and >", "look at the start, back to the game"),
    ("?", "this list"),
)


def _head() -> str:
    """Style sheets and scripts, inline: nothing is asked of any other host."""
    css = "".join(
        f"<style>{(ASSETS / name).read_text('utf-8')}</style>" for name in ("studio.css", "boards.css")
    )
    return css + "".join(
        f"<script>{(ASSETS / name).read_text('utf-8')}</script>" for name in ("keys.js", "frames.js")
    )


_HEAD = _head()


async def page(catalog: Catalog, hall: Hall, tests: DynamicsTests, table: str) -> None:
    """Builds the page for one browser: the games to pick from, or the game of ``table`` gone on with."""
    ui.add_head_html(_HEAD)
    client = ui.context.client
    _reserve(hall, table, client)
    await client.connected()  # who only fetches the page gets an empty one: it costs next to nothing
    if client.is_deleted:
        return
    games = await asyncio.to_thread(catalog.games)
    dark = ui.dark_mode(None)
    play, search, learn = "Play", "Search", "Learn"
    with ui.element("header").classes("bar"):
        ui.html(
            f'<span class="logo" aria-hidden="true">{ICON}</span><b>dicezero</b> studio',
            tag="h1",
            sanitize=False,
        )
        with ui.tabs().props("no-caps dense inline-label align=left") as tabs:
            ui.tab(play, icon="casino")
            ui.tab(search, icon="account_tree")
            ui.tab(learn, icon="show_chart")
        _bar_buttons(dark)
    with ui.tab_panels(tabs, value=play, keep_alive=True).classes("views").props("animated=false"):
        with ui.tab_panel(play):
            game = PlayView(catalog, hall, games)

        async def play_against(name: str, opponent: str) -> None:
            if not await game.setup.choose(name, opponent):
                game.stage.complain(await asyncio.to_thread(_why_not, catalog, name, opponent))
                return
            tabs.set_value(play)
            await game.setup.begin()

        with ui.tab_panel(search):
            inside = SearchView(lambda: _position(game), catalog, hall)
        with ui.tab_panel(learn):
            runs = LearnView(catalog, hall, tests, play_against)

    async def changed() -> None:
        for name, view in ((search, inside), (learn, runs)):
            if tabs.value == name:
                await view.open()
            else:
                view.close()

    tabs.on_value_change(changed)
    try:
        preferences = await ui.run_javascript(_PREFERENCES, timeout=10)
    except TimeoutError:  # a slow browser, or one that has gone on to another page
        preferences = None if ui.context.client.is_deleted else (None, False)
    if preferences is None:  # nobody looks at the page any more
        return
    theme, still = preferences
    dark.value = {"True": True, "False": False}.get(theme)
    game.still = still
    await game.setup.fill()
    await game.take_up(table)
    await game.draw_tiles()


def _why_not(catalog: Catalog, name: str, opponent: str) -> str:
    """What stands in the way of playing a round."""
    try:
        catalog.spec(opponent, catalog.game(name))
    except (ValueError, LookupError) as error:
        return str(error)
    return "That round is not listed yet; try again in a moment."


def _position(game: PlayView) -> Position | None:
    """What the search view looks into: the position on the board."""
    if game.view is None:
        return None
    session = game.view.session
    actions = session.table.actions[: game.view.shown]
    names, seat = game.view.names, game.view.seat
    return Position(session.game, actions, session.opponent, names, seat, session.start)


def _reserve(hall: Hall, table: str, client: Client) -> None:
    """Takes a table over from the page that is being left, before that one gives it back."""
    with suppress(NoTableError):
        session = hall.get(table)
        if session.holder is not None:
            session.holder = client


def _bar_buttons(dark: ui.dark_mode) -> None:
    with ui.dialog() as help_dialog, ui.element("div").classes("card help"):
        ui.html("Keys", tag="h2", sanitize=False)
        rows = "".join(f"<dt><kbd>{keys}</kbd></dt><dd>{what}</dd>" for keys, what in _KEYS)
        ui.html(f"<dl>{rows}</dl>", sanitize=False)
        ui.button("Close", on_click=help_dialog.close).props("flat no-caps")
    with ui.element("div").classes("bar-buttons"):
        button = ui.button(icon=_THEMES[None][0]).props('flat round dense aria-label="theme: as the system"')

        def turn() -> None:
            dark.value = _NEXT[dark.value]
            ui.run_javascript(f"localStorage.setItem('dicezero-theme', '{dark.value}')")

        button.on_click(turn)
        dark.on_value_change(
            lambda e: button.props(f'icon={_THEMES[e.value][0]} aria-label="theme: {_THEMES[e.value][1]}"')
        )
        ui.button(icon="code", on_click=lambda: ui.navigate.to(f"{PREFIX}/docs", new_tab=True)).props(
            'flat round dense aria-label="API for programs"'
        )
        ui.button(icon="keyboard", on_click=help_dialog.open).props(
            'flat round dense aria-label="keys" data-key="?"'
        )
