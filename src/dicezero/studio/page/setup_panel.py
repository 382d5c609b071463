"""The panel that chooses a game, an opponent, the seat and the seed."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from nicegui import ui

from dicezero.rules.games import game_module
from dicezero.studio.catalog import Catalog, GameOffer
from dicezero.studio.page.rules_card import rules_html

OTHER = "other"  # the choice that opens a field for an agent's name
MAX_SEED = 999_999
_SEATS = {1: {0: "You play", 1: "You watch"}, 2: {0: "You begin", 1: "Opponent begins"}}  # by players


@dataclass(frozen=True)
class Choice:
    """What was chosen; ``title`` is the opponent's name for people."""

    game: str
    opponent: str
    title: str
    seat: int
    seed: int


class SetupPanel:
    """Fields for a new game; ``start`` is called with what they say."""

    def __init__(
        self, catalog: Catalog, games: Sequence[GameOffer], start: Callable[[Choice], Awaitable[None]]
    ) -> None:
        self._catalog = catalog
        self._start = start
        self._offers: dict[str, GameOffer] = {offer.name: offer for offer in games}
        self._titles: dict[str, str] = {}
        self._choosing = False
        self._filling = asyncio.Lock()  # a game begins when the fields are as the last choice has them
        self._parameters: dict[str, ui.number] = {}
        first = next(iter(self._offers))
        with ui.element("section").classes("card setup").props('aria-label="New game"'):
            ui.html("New game", tag="h2", sanitize=False)
            names = {name: pretty(name) for name in self._offers}
            self.game = ui.select(names, value=first, label="Game", on_change=self._game_changed)
            self.game.props("outlined dense options-dense").classes("wide")
            self._sizes = ui.element("div").classes("sizes")
            self.opponent = ui.select({}, label="Opponent", on_change=self._opponent_changed)
            self.opponent.props("outlined dense options-dense").classes("wide")
            self.other = ui.input("Agent", placeholder="uct(simulations=500)").props("outlined dense")
            self.other.classes("wide").set_visibility(False)
            with ui.element("div").classes("row-of-two"):
                self.seat = ui.select(_SEATS[2], value=0, label="Seat").props("outlined dense options-dense")
                self.seed = ui.number("Seed", placeholder="any", min=0, max=MAX_SEED, precision=0)
                self.seed.props("outlined dense clearable")
            button = ui.button("New game", on_click=self.begin, color=None).props(
                'no-caps unelevated data-key="n"'
            )
            button.classes("primary wide").tooltip("key n")
        with ui.element("section").classes("card rules").props('aria-label="Rules"'):
            ui.html("How it goes", tag="h2", sanitize=False)
            self._rules = ui.html("", sanitize=False)

    async def fill(self) -> None:
        """Lists what goes with the game chosen; once, when the browser is there."""
        async with self._filling:
            self._fill_sizes()
            await self._list_opponents()

    async def choose(self, game: str, opponent: str) -> bool:
        """Sets game and opponent, as a click on a checkpoint does; False where there is no such opponent."""
        word, _, inside = game.partition("(")
        async with self._filling:
            self._choosing = True  # the fields' own changes would set sizes back to their defaults
            self.game.set_value(game if game in self._offers else word)
            self._fill_sizes()
            for pair in filter(None, inside.rstrip(")").split(",")):
                key, _, value = pair.partition("=")
                if key in self._parameters:
                    self._parameters[key].set_value(int(value))
            await self._list_opponents()
            there = opponent in self._titles
            if there:
                self.opponent.set_value(opponent)
            self._choosing = False
        return there

    async def begin(self) -> None:
        """Starts what the fields say."""
        async with self._filling:
            choice = self._choice()
        await self._start(choice)

    def _choice(self) -> Choice:
        opponent = str(self.opponent.value)
        title = self.title(opponent)
        if opponent == OTHER:
            opponent = title = (self.other.value or "").strip()
        seed = secrets.randbelow(MAX_SEED + 1) if self.seed.value is None else int(self.seed.value)
        return Choice(self.game_name(), opponent, title, int(self.seat.value), seed)

    def title(self, opponent: str) -> str:
        """An opponent's name for people."""
        return self._titles.get(opponent, opponent)

    def game_name(self) -> str:
        """The game with its parameters."""
        values = {key: int(field.value) for key, field in self._parameters.items() if field.value is not None}
        inside = ",".join(f"{key}={value}" for key, value in values.items())
        return f"{self.game.value}({inside})" if inside else str(self.game.value)

    async def _game_changed(self) -> None:
        if not self._choosing:
            await self.fill()

    async def _size_changed(self) -> None:
        if not self._choosing:
            async with self._filling:
                await self._list_opponents()

    def _fill_sizes(self) -> None:
        offer = self._offers[str(self.game.value)]
        self.seat.set_options(_SEATS[offer.players], value=self.seat.value)
        self._rules.content = rules_html(offer.name)
        self._parameters = {}
        self._sizes.clear()
        with self._sizes:
            for parameter in offer.parameters:
                if isinstance(parameter.default, int):
                    field = ui.number(
                        parameter.name.capitalize(),
                        value=parameter.default,
                        precision=0,
                        on_change=self._size_changed,
                    )
                    self._parameters[parameter.name] = field.props("outlined dense")

    async def _list_opponents(self) -> None:
        """Those of the game as it is sized now; a size that is none keeps the list."""
        try:
            found = await asyncio.to_thread(self._catalog.opponents, self.game_name())
        except ValueError:
            return
        self._titles = {one.id: one.title for one in found}
        labels = {one.id: f"{one.title} \u2013 {one.about}" for one in found} | {
            OTHER: "Another agent \u2026"
        }
        usual = "club" if "club" in labels else next(iter(labels))
        value = self.opponent.value if self.opponent.value in labels else usual
        self.opponent.set_options(labels, value=value)

    def _opponent_changed(self) -> None:
        self.other.set_visibility(self.opponent.value == OTHER)


def pretty(name: str) -> str:
    """A game's name for people."""
    title = getattr(game_module(name), "TITLE", None)
    return name.replace("_", " ").capitalize() if title is None else str(title)
