"""Learning: runs under the given folders, their curves as they train, their checkpoints to play against."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from html import escape
from typing import Any

from nicegui import ui

from dicezero.runs.errors import RunError
from dicezero.studio.catalog import Catalog
from dicezero.studio.checkpoints import DynamicsTests
from dicezero.studio.hall import Hall
from dicezero.studio.page.checkpoint_table import CheckpointTable
from dicezero.studio.page.curves import CHARTS, COLOURS, Axis, RunLines, chart_options
from dicezero.studio.page.setup_panel import pretty
from dicezero.studio.pool import BusyError
from dicezero.studio.runs import RunOffer

_POLL_SECONDS = 1.0
_SHOWN_AT_FIRST = 3
_EMPTY = """<div class="empty"><h2>No runs here yet</h2><p>Train one and open the studio on its folder:</p>
<pre>dicezero train gumbel-ndmz --game nannon --out runs/first
dicezero studio runs</pre>
<p>Its curves will grow here while it learns, and every checkpoint can be played against.</p></div>"""


class LearnView:
    """Looks for new runs and new lines every second while it is in sight."""

    def __init__(
        self, catalog: Catalog, hall: Hall, tests: DynamicsTests, play: Callable[[str, str], Awaitable[None]]
    ) -> None:
        self._catalog = catalog
        self._hall = hall
        self._tests = tests
        self._testing = False
        self._offers: dict[str, RunOffer] = {}
        self._lines: dict[str, list[dict[str, Any]]] = {}
        self._chosen: list[str] = []
        self._seen: tuple[Any, ...] | None = None
        self.active = False
        with ui.element("main").classes("learn"):
            self._empty = ui.html(_EMPTY, sanitize=False).classes("card")
            with ui.element("section").classes("card runs").props('aria-label="Runs"') as self._panel:
                with ui.element("div").classes("heading"):
                    ui.html("Runs", tag="h2", sanitize=False)
                    self._axis = ui.toggle(
                        {"round": "by round", "minutes": "by minutes"}, value="round", on_change=self._draw
                    ).props("no-caps dense unelevated")
                self._list = ui.element("div").classes("run-list")
            self._grid = ui.element("div").classes("charts")
            self._charts: dict[str, tuple[ui.element, ui.echart]] = {}
            with self._grid:
                for chart in CHARTS:
                    with ui.element("section").classes("card").props(f'aria-label="{chart.title}"') as card:
                        ui.html(chart.title, tag="h2", sanitize=False)
                        if chart.key:
                            ui.html(escape(chart.key), sanitize=False).classes("none chart-key")
                        options = ui.echart({}, renderer="svg").classes("chart curve")
                        options.props(f'data-chart="{chart.id}"')
                    self._charts[chart.id] = (card, options)
            self._checkpoints = CheckpointTable(catalog, hall, play)
        self._show_what_there_is()
        ui.timer(_POLL_SECONDS, self._poll)

    async def open(self) -> None:
        """The view comes into sight."""
        self.active = True
        await self._poll()

    def close(self) -> None:
        """It goes out of sight: nothing is read any more."""
        self.active = False

    async def _poll(self) -> None:
        if not self.active:
            return
        try:
            await asyncio.to_thread(self._read)
        except (ValueError, OSError) as error:  # a run damaged or removed meanwhile
            ui.notify(str(error), type="warning")
            return
        now = (tuple(self._offers.values()), tuple(len(self._lines[key]) for key in self._offers))
        if now != self._seen:
            if self._seen is None or now[0] != self._seen[0]:
                self._show_what_there_is()
            self._seen = now
            self._draw()
        await self._test_next()

    async def _test_next(self) -> None:
        """Tests the dynamics of one more round of the chosen runs, in the hall's threads."""
        offers = [self._offers[key] for key in self._chosen if key in self._offers]
        for offer in offers:
            number = self._tests.missing(offer)
            if number is None or self._testing:
                continue
            self._testing = True
            try:
                await asyncio.wrap_future(self._hall.thinking.submit(self._tests.test, offer, number))
            except BusyError:  # games and analyses come first
                return
            finally:
                self._testing = False
            self._draw()
            return

    def _lines_of(self, key: str) -> list[dict[str, Any]]:
        """The lines of a run, with what the tests of its dynamics found."""
        tested = {line["round"]: line for line in self._tests.known(key)}
        return [line | tested.get(line.get("round"), {}) for line in self._lines[key]]

    def _read(self) -> None:
        """The runs and the lines that have come; in a thread."""
        offers = {offer.id: offer for offer in self._catalog.runs()}
        for key in offers:
            lines = self._lines.setdefault(key, [])
            with suppress(RunError):  # damaged or gone since it was listed
                while new := self._catalog.metrics(key, len(lines)):
                    lines.extend(new)
        # A run that was trained anew in the same folder is another run, shown in the place of the old one.
        places = [self._offers[key].path for key in self._chosen if key in self._offers]
        if places:
            self._chosen = [offer.id for offer in offers.values() if offer.path in places]
        if not self._chosen:
            self._chosen = _first_shown(tuple(offers.values()))
        self._offers = offers

    def _show_what_there_is(self) -> None:
        some = bool(self._offers)
        self._empty.set_visibility(not some)
        for element in (self._panel, self._grid, self._checkpoints.card):
            element.set_visibility(some)
        self._list.clear()
        with self._list:
            for offer in self._offers.values():
                self._run_row(offer)

    def _run_row(self, offer: RunOffer) -> None:
        with ui.element("div").classes("run"):
            box = ui.checkbox(
                value=offer.id in self._chosen,
                on_change=lambda e, key=offer.id: self._choose(key, bool(e.value)),
            ).props(f'dense aria-label="show {escape(offer.name, quote=True)}"')
            box.style(f"--run: var(--c{self._colour(offer.id)})").classes("run-box")
            state = "training" if offer.running else "finished" if offer.round >= offer.target else "stopped"
            state = "damaged" if offer.damage else state
            ui.html(
                f"<span class='run-name'><b>{escape(offer.name)}</b> <span class='tag {state}' "
                f"title='{escape(offer.damage or '', quote=True)}'>{state}</span></span>"
                f"<span class='none run-about'>{escape(pretty(offer.game))}</span>"
                f"<span class='none run-about'>{escape(offer.preset)}, "
                f"round\u00a0{offer.round}\u00a0of\u00a0{offer.target}</span>"
                + (
                    f"<span class='none run-about locked'>{escape(offer.locked)}</span>"
                    if offer.locked
                    else ""
                ),
                sanitize=False,
            )

    def _colour(self, key: str) -> int:
        return list(self._offers).index(key) % COLOURS

    def _choose(self, key: str, on: bool) -> None:
        self._chosen = [one for one in self._chosen if one != key] + ([key] if on else [])
        self._draw()

    def _draw(self) -> None:
        shown = [offer for offer in self._offers.values() if offer.id in self._chosen]
        runs = [RunLines(o.name, self._colour(o.id), self._lines_of(o.id)) for o in shown]
        axis: Axis = "minutes" if self._axis.value == "minutes" else "round"
        for chart in CHARTS:
            card, element = self._charts[chart.id]
            options = chart_options(chart, runs, axis)
            card.set_visibility(options is not None)
            if options is not None:
                points = sum(len(one["data"]) for one in options["series"])
                element.props(f'data-points="{points}"')
                element.options.clear()
                element.options.update(options)
                element.update()
        self._checkpoints.show([(o, self._colour(o.id), self._lines[o.id]) for o in shown])


def _first_shown(offers: Sequence[RunOffer]) -> list[str]:
    """The runs that are shown first: of one game, as curves of others cannot be compared with them.

    The game is that of a run being trained, else the one with most runs that have come anywhere.
    """
    begun = [offer for offer in offers if offer.round > 0 and not offer.damage] or list(offers)
    counts = Counter(offer.game for offer in begun)
    ranked = sorted(begun, key=lambda one: (one.running, counts[one.game]), reverse=True)
    same = [offer.id for offer in ranked if offer.game == ranked[0].game] if ranked else []
    return same[:_SHOWN_AT_FIRST]
