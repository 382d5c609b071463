"""The panel that chooses a game, an opponent, the seat and the seed."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from nicegui import ui

from dicezero.rules.games import game_module, is_doubled
from dicezero.rules.names import Name
from dicezero.rules.notation import Double, GameText
from dicezero.studio.catalog import Catalog, GameOffer
from dicezero.studio.hall import Hall
from dicezero.studio.own_games import split_name
from dicezero.studio.page.parameter_fields import ParameterFields
from dicezero.studio.page.rules_card import rules_html
from dicezero.studio.session import Session

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
    actions: tuple[int, ...] = ()  # played already
    start: str | None = None  # the position it begins with, in the game's own notation
    cube: bool = False  # whether it is played for money with a doubling cube
    doubles: tuple[Double, ...] = ()  # how the cube was turned

    def open(self, hall: Hall) -> Session:
        """The table that was chosen; see ``Hall.open`` for what it raises."""
        return hall.open(
            self.game,
            self.opponent,
            seat=self.seat,
            seed=self.seed,
            actions=self.actions,
            start=self.start,
            cube=self.cube,
            doubles=self.doubles,
        )


class SetupPanel:
    """Fields for a new game; ``start`` is called with their values."""

    def __init__(
        self,
        catalog: Catalog,
        games: Sequence[GameOffer],
        start: Callable[[Choice], Awaitable[None]],
        browse: Callable[[], None],
    ) -> None:
        """``start`` begins what was chosen, ``browse`` goes back to the pictures of all games."""
        self._catalog = catalog
        self._start = start
        self._offers: dict[str, GameOffer] = {offer.name: offer for offer in games}
        self._titles: dict[str, str] = {}
        self._choosing = False
        self._filling = asyncio.Lock()  # a game begins when the fields are as the last choice has them
        first = next(iter(self._offers))
        with ui.element("section").classes("card setup").props('aria-label="New game"'):
            ui.html("New game", tag="h2", sanitize=False)
            names = {name: pretty(name) for name in self._offers}
            self.game = ui.select(names, value=first, label="Game", on_change=self._game_changed)
            self.game.props("outlined dense options-dense").classes("wide")
            self._parameters = ParameterFields(self._size_changed)
            self.opponent = ui.select({}, label="Opponent", on_change=self._opponent_changed)
            self.opponent.props("outlined dense options-dense").classes("wide")
            self.other = ui.input("Its name", placeholder="uct(simulations=500)").props("outlined dense")
            self.other.classes("wide").set_visibility(False)
            with ui.element("div").classes("row-of-two"):
                self.seat = ui.select(_SEATS[2], value=0, label="Seat").props("outlined dense options-dense")
                self.seed = ui.number("Seed", placeholder="any", min=0, max=MAX_SEED, precision=0)
                self.seed.props("outlined dense clearable")
            self._forced = ui.checkbox("Show forced moves before they are played", value=True).props("dense")
            self._cube = ui.checkbox("Play for money with the doubling cube").props("dense")
            button = ui.button("New game", on_click=self.begin, color=None).props(
                'no-caps unelevated data-key="n"'
            )
            button.classes("primary wide").tooltip("key n")
            self._all = ui.button("All games", icon="apps", on_click=browse).props("no-caps flat dense")
            self._all.classes("tool").set_visibility(False)
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
        place, word = split_name(game)
        async with self._filling:
            self._choosing = True  # the fields' own changes would set sizes back to their defaults
            if game not in self._offers:  # a run may have brought its game since the page was opened
                await self._list_games()
            self.game.set_value(game if game in self._offers else place + word.word)
            self._fill_sizes()
            self._parameters.set(word.parameters)
            await self._list_opponents()
            there = opponent in self._titles
            if there:
                self.opponent.set_value(opponent)
            self._choosing = False
        return there

    async def choice_for(self, record: GameText, game: str) -> Choice:
        """The fields' values, for a game from a file; its usual opponent where that chosen does not play it.

        A game with a cube brings it; one of a file without a cube is played as the fields are set.
        """
        await self.choose(game, str(self.opponent.value))
        async with self._filling:
            if record.cube or record.doubles:
                self._cube.set_value(True)
            return replace(
                self._choice(),
                game=game,
                actions=record.actions,
                start=record.start,
                doubles=record.doubles,
            )

    async def begin_game(self, game: str) -> None:
        """Starts a game with its usual opponent, as a click on its picture does."""
        await self.choose(game, "casual")
        await self.begin()

    def playing(self, *, on: bool) -> None:
        """Whether a game is on the page: then there is a way back to all of them."""
        self._all.set_visibility(on)

    def shows_forced(self) -> bool:
        """Whether a move that is the only one is to be shown before it is played."""
        return bool(self._forced.value)

    async def begin(self) -> None:
        """Starts with the fields' values."""
        async with self._filling:
            choice = self._choice()
        await self._start(choice)

    def _choice(self) -> Choice:
        opponent = str(self.opponent.value)
        title = self.title(opponent)
        if opponent == OTHER:
            opponent = title = (self.other.value or "").strip()
        seed = secrets.randbelow(MAX_SEED + 1) if self.seed.value is None else int(self.seed.value)
        cube = bool(self._cube.value) and self._cube.visible
        return Choice(self.game_name(), opponent, title, int(self.seat.value), seed, cube=cube)

    def title(self, opponent: str) -> str:
        """An opponent's name for people."""
        return self._titles.get(opponent, opponent)

    def game_name(self) -> str:
        """The game with its parameters."""
        values = self._parameters.values()
        if not values or self._parameters.untouched():
            return str(self.game.value)
        place, word = split_name(str(self.game.value))
        return place + str(Name(word.word, values))

    async def _list_games(self) -> None:
        """The games as they are offered now."""
        self._offers = {offer.name: offer for offer in await asyncio.to_thread(self._catalog.games)}
        self.game.set_options({name: pretty(name) for name in self._offers}, value=self.game.value)

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
        whom = "Opponent" if offer.players == 2 else "Agent"  # alone it gives hints, or is watched
        self.opponent.props(f"label={whom}")
        self._rules.content = rules_html(offer.name, self._catalog)
        self._cube.set_visibility(is_doubled(offer.name))
        self._parameters.show(offer.parameters, getattr(game_module(offer.name), "UNSEEN", ()))

    async def _list_opponents(self) -> None:
        """Those of the game as it is sized now; a size that is none keeps the list."""
        try:
            opponents = await asyncio.to_thread(self._catalog.opponents, self.game_name())
        except ValueError:
            return
        self._titles = {one.id: one.title for one in opponents}
        labels = {one.id: f"{one.title} \u2013 {one.about}" for one in opponents} | {
            OTHER: "Another agent \u2026"
        }
        usual = "casual" if "casual" in labels else next(iter(labels))
        value = self.opponent.value if self.opponent.value in labels else usual
        self.opponent.set_options(labels, value=value)

    def _opponent_changed(self) -> None:
        self.other.set_visibility(self.opponent.value == OTHER)


def pretty(name: str) -> str:
    """A game's name for people; somebody's own is followed by its file."""
    place, word = split_name(name)
    if place:
        return f"{word} ({place.rstrip(':').rpartition('/')[2]})" if word.word else place.rpartition("/")[2]
    title = getattr(game_module(word.word), "TITLE", None) or word.word.replace("_", " ").capitalize()
    named = [word.parameters[key] for key in ("id", "game") if key in word.parameters]
    if named:  # an environment is known by its own name
        return f"{named[0]} ({word.word})"
    values = ", ".join(f"{key} {value}" for key, value in word.parameters.items())
    return f"{title} ({values})" if values else str(title)
