"""What a newcomer meets first: the games as pictures, each a click away from its first move."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from html import escape

from nicegui import events, ui

from dicezero.rules.games import game_module
from dicezero.rules.protocol import Game, State, is_chance, outcomes_of
from dicezero.rules.reading import action_strings, is_over
from dicezero.rules.spec import spec_of
from dicezero.studio.catalog import Catalog, GameOffer
from dicezero.studio.own_games import split_name
from dicezero.studio.page.boards import View, board_html
from dicezero.studio.page.setup_panel import pretty

_PLIES = 14  # of the game on a picture: far enough to see what is played
_CLICKED = "(e) => { const m = e.target.closest('[data-game]'); if (m) emit(m.dataset.game); }"


@dataclass(frozen=True)
class Tile:
    """A game to pick: ``game`` is what is played, with the size that suits a first game."""

    game: str
    title: str
    tags: tuple[str, ...]
    picture: str


def tiles(catalog: Catalog, offers: Sequence[GameOffer]) -> list[Tile]:
    """The games of the studio's owner, ours and those of runs; others are in the list of the setup only."""
    shown = [offer for offer in offers if offer.board != "plain" or catalog.is_own(offer.name)]
    return [_tile(catalog, offer) for offer in shown]


def _tile(catalog: Catalog, offer: GameOffer) -> Tile:
    name = getattr(game_module(offer.name), "FIRST", offer.name)
    tags = ["for one" if offer.players == 1 else "for two"]
    if offer.chance:
        tags.append(_luck(catalog, name))
    place, word = split_name(offer.name)
    title = word.word if place and word.word else pretty(offer.name)
    if place and word.word:
        tags.append(place.rstrip(":").rpartition("/")[2])
    return Tile(name, title, tuple(tags), _picture(catalog, name))


def _luck(catalog: Catalog, name: str) -> str:
    """What chance does in the game: ``dice`` where something is rolled."""
    try:
        state = catalog.game(name).new_initial_state()
        for _ in range(_PLIES):
            if is_over(state):
                break
            names = action_strings(state)
            if is_chance(state) and any(text.startswith("roll") for text in names.values()):
                return "dice"
            state.apply_action(next(iter(names)))
        return "chance"
    except Exception:  # a game of somebody's own may fail in any way
        return "chance"


def _picture(catalog: Catalog, name: str) -> str:
    """The board some moves into a game; what cannot be shown has no picture."""
    try:
        return board_html(_some_way_in(catalog.game(name)), View())
    except Exception:  # a game of somebody's own may fail in any way; its tile has its name
        return ""


def _some_way_in(game: Game) -> State:
    rng = random.Random(5)
    state = last = game.new_initial_state()
    branches = spec_of(game).simulator == "states"
    for _ in range(_PLIES):
        if is_over(state):
            return last
        last = state.clone() if branches else state
        chance = is_chance(state)
        state.apply_action(
            rng.choice([o for o, _ in outcomes_of(state)] if chance else state.legal_actions())
        )
    return last if state.is_terminal() else state


class Gallery:
    """Tiles over the whole width; ``picked`` is called with the name of a game."""

    def __init__(
        self,
        catalog: Catalog,
        games: Sequence[GameOffer],
        picked: Callable[[str], Awaitable[None]],
        back: Callable[[], None],
    ) -> None:
        self._catalog, self._games, self._picked = catalog, games, picked
        self._matches: list[Tile] = []
        with ui.element("section").classes("gallery").props('aria-label="Pick a game"'):
            with ui.element("div").classes("heading"):
                ui.html("Pick a game", tag="h2", sanitize=False)
                self._back = ui.button("Back to the game", icon="arrow_back", on_click=back)
                self._back.props("no-caps flat").set_visibility(False)
            ui.html(
                "One click and you play, against somebody who makes mistakes too. "
                "Another opponent, size or seat: under <b>New game</b>.",
                sanitize=False,
            ).classes("none")
            self._tiles = ui.html("", sanitize=False)
            self._tiles.on("click", self._click, js_handler=_CLICKED)

    async def fill(self) -> None:
        """Makes the pictures, in a thread."""
        self._matches = await asyncio.to_thread(tiles, self._catalog, self._games)

    def show(self, *, playing: bool) -> None:
        """The tiles, and a way back to the game that is being played."""
        self._back.set_visibility(playing)
        more = len(self._games) - len(self._matches)
        rows = "".join(tile_html(tile) for tile in self._matches)
        rest = f'<p class="none">{more} more games are in the list under New game.</p>' if more else ""
        self._tiles.content = f'<div class="tiles">{rows}</div>{rest}'

    def hide(self) -> None:
        """Takes the pictures off the page."""
        self._tiles.content = ""

    async def _click(self, event: events.GenericEventArguments) -> None:
        if any(tile.game == event.args for tile in self._matches):
            await self._picked(str(event.args))


def tile_html(tile: Tile) -> str:
    """One tile as a button; its picture is for the eye alone."""
    tags = "".join(f'<span class="tag">{escape(tag)}</span>' for tag in tile.tags)
    return (
        f'<button type="button" class="tile" data-game="{escape(tile.game, quote=True)}">'
        f'<span class="picture" aria-hidden="true" inert>{tile.picture}</span>'
        f"<b>{escape(tile.title)}</b><span>{tags}</span></button>"
    )
