"""The table of checkpoints: what each scored, a button to play against it, and two to be compared."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from html import escape
from typing import Any

from nicegui import events, ui

from dicezero.evaluation.arena import MatchResult
from dicezero.runs.strength import strength_kind, strength_text
from dicezero.studio.catalog import Catalog
from dicezero.studio.checkpoints import MATCH_GAMES, compare
from dicezero.studio.hall import Hall
from dicezero.studio.runs import RunOffer

Shown = tuple[RunOffer, int, list[dict[str, Any]]]  # a run, its colour, its lines
_ROWS = 60
_PLAY = "(e) => { const m = e.target.closest('[data-play]'); if (m) emit(m.dataset.play); }"
_PICK = "(e) => emit([e.target.dataset.pick, e.target.checked])"
_HEADS = ("", "Run", "Round", "", "Strength")
_MORE = {"raw_vs_optimal": "Network alone", "vs_random": "Against random", "seconds": "Minutes"}
_ASK = f"Tick two rounds to let them play {MATCH_GAMES} games against each other."


class CheckpointTable:
    """Rounds whose weights are kept, the newest of a run first."""

    def __init__(self, catalog: Catalog, hall: Hall, play: Callable[[str, str], Awaitable[None]]) -> None:
        self._catalog = catalog
        self._hall = hall
        self._play = play
        self._shown: Sequence[Shown] = ()
        self._picked: list[str] = []
        with ui.element("section").classes("card").props('aria-label="Checkpoints"') as self.card:
            with ui.element("div").classes("heading"):
                ui.html("Checkpoints", tag="h2", sanitize=False)
                self.words = ui.html(_ASK, sanitize=False).classes("none compared").props("aria-live=polite")
            self._table = ui.html("", sanitize=False).classes("scroll")
            self._table.on("click", self._play_clicked, js_handler=_PLAY)
            self._table.on("change", self._pick_changed, js_handler=_PICK)

    def show(self, shown: Sequence[Shown]) -> None:
        """The rounds of these runs."""
        self._shown = shown
        lines = [line for _, _, tests in shown for line in tests]
        more = [key for key in _MORE if any(line.get(key) is not None for line in lines)]
        rows = [self._row(one, number, more) for one in shown for number in reversed(one[0].rounds)]
        head = "".join(f"<th>{name}</th>" for name in (*_HEADS, *(_MORE[key] for key in more)))
        self._table.content = (
            f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows[:_ROWS])}</tbody></table>"
        )

    def _row(self, shown: Shown, number: int, more: Sequence[str]) -> str:
        offer, colour, lines = shown
        line = next((one for one in reversed(lines) if one.get("round") == number), {})
        key = f"{offer.id}@{number}"
        name = escape(f"{offer.name}, round {number}", quote=True)
        ticked = " checked" if key in self._picked else ""
        measured = any(strength_kind(one) is not None for one in lines)
        figures = f'<td class="strength">{escape(_strength(line, measured=measured))}</td>'
        figures += "".join(f"<td>{_figure(line, key)}</td>" for key in more)
        return (
            f'<tr><td><input type="checkbox" data-pick="{key}" aria-label="compare {name}"{ticked}></td>'
            f'<td><i class="swatch" style="--run:var(--c{colour})"></i>{escape(offer.name)}</td>'
            f'<td>{number}</td><td><button type="button" class="small" data-play="{key}" '
            f'aria-label="play against {name}">play</button></td>'
            f"{figures}</tr>"
        )

    def _offer(self, key: str) -> RunOffer | None:
        return next((one[0] for one in self._shown if one[0].id == key.partition("@")[0]), None)

    async def _play_clicked(self, event: events.GenericEventArguments) -> None:
        key = str(event.args)
        offer = self._offer(key)
        if offer is not None:
            await self._play(offer.game, key)

    async def _pick_changed(self, event: events.GenericEventArguments) -> None:
        key, on = str(event.args[0]), bool(event.args[1])
        self._picked = [one for one in self._picked if one != key] + ([key] if on else [])
        self._picked = self._picked[-2:]
        self.show(self._shown)
        if len(self._picked) < 2:
            self.words.content = _ASK
            return
        await self._compare(*self._picked)

    async def _compare(self, first: str, second: str) -> None:
        one, other = self._offer(first), self._offer(second)
        if one is None or other is None:
            return
        self.words.content = f"{MATCH_GAMES} games are being played \u2026"
        try:
            match = self._hall.thinking.submit(compare, self._catalog, one.game, first, second)
            result = await asyncio.wrap_future(match)
        except Exception as error:  # a run that has gone, of another game, or no thread free
            self.words.content = escape(f"They cannot be compared: {error}")
            return
        if self._picked == [first, second]:
            names = [f"{o.name} {key.partition('@')[2]}" for o, key in ((one, first), (other, second))]
            self.words.content = escape(_sentence(names, result))


def _sentence(names: Sequence[str], result: MatchResult) -> str:
    """The score with its interval, and the one without the luck of the dice where it is known."""
    low, high = result.ci95
    words = (
        f"{names[0]} scores {100 * result.score:.1f} % against {names[1]} in {result.games} games "
        f"(95 % confidence: {100 * low:.1f} to {100 * high:.1f} %)"
    )
    if result.adjusted_score is not None and result.adjusted_ci95 is not None:
        low, high = result.adjusted_ci95
        words += (
            f"; without the luck of the dice {100 * result.adjusted_score:.1f} % "
            f"({100 * low:.1f} to {100 * high:.1f} %)"
        )
    return words + "."


def _strength(line: dict[str, Any], *, measured: bool) -> str:
    """What a round was measured at: scores in per cent, returns as they are.

    Of a run that is never measured it is the mean return of self-play.
    """
    kind = strength_kind(line)
    if kind is None:
        mean = None if measured else line.get("mean_return")
        return "\u2013" if mean is None else f"mean return {mean:,.5g} in self-play"
    words = strength_text(line, percent=True)
    return f"{words} against perfect play" if kind.level and "opponent" not in line else words


def _figure(line: dict[str, Any], key: str) -> str:
    value = line.get(key)
    if value is None:
        return "\u2013"
    if key == "seconds":
        minutes = value / 60
        return "under 0.1" if minutes < 0.1 else f"{minutes:.1f}" if minutes < 10 else f"{minutes:,.0f}"
    return f"{100 * value:.1f} %"
