"""What the page remembers of a table beside the game itself, and what it shows of it as HTML."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Literal

from dicezero.rules.board import Path
from dicezero.rules.protocol import State
from dicezero.rules.reading import action_strings, is_over
from dicezero.studio.doubling import CubeQuestion
from dicezero.studio.grading import Advice
from dicezero.studio.lines import LineView, is_prefix, shared
from dicezero.studio.page.boards import Cube, View, board_html, is_text
from dicezero.studio.page.boards.arrows import arrows_of
from dicezero.studio.page.cube_words import cube_rows
from dicezero.studio.page.words import TONES
from dicezero.studio.scale import Scale
from dicezero.studio.session import Session
from dicezero.studio.story import Story

_AFTER = "\x00"  # where the outcome of a move goes, until the list is whole
_LISTED = 400  # the last moves of a long game


@dataclass(frozen=True)
class Ply:
    """One action for the list of moves: whose, its name, and what one who plays alone has got by then."""

    player: int
    action: int
    text: str
    total: float


@dataclass
class SessionView:
    """A session as one browser looks at it."""

    session: Session
    opponent: str  # its name for people
    story: Story | None = None
    shown: int | None = None  # the ply looked at; None follows the game
    advice: Advice | None = None
    pending: int | None = None  # the only move there is, about to be played
    picked: tuple[int, Path] = (0, ())  # a move begun by clicking: at which ply, and its first places
    busy: bool = False  # dice, agent or server are at work: nothing can be played
    advising: bool = False  # a hint is looked for: what is asked for meanwhile waits
    _plies: list[Ply] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scale = Scale.of(self.session.table.game)

    @property
    def seat(self) -> int:
        """The person's player."""
        return self.session.table.seat

    @property
    def alone(self) -> bool:
        """Whether one plays, or watches the one that does."""
        return self.session.table.spec.players == 1

    @property
    def names(self) -> tuple[str, str]:
        """Of player 0 and player 1; alone the second is who advises."""
        return ("You", self.opponent) if self.seat == 0 else (self.opponent, "You")

    def position(self) -> State:
        """The position on the board."""
        return self.session.table.position(self.shown)

    def fits(self, story: Story) -> bool:
        """Whether ``story`` is of this very game, perhaps without its last plies."""
        return is_prefix(story.script, self.session.script)

    def legal(self) -> dict[int, str]:
        """What can be clicked: the person's moves; in an earlier position they begin a new line."""
        if self.busy:
            return {}
        if self.shown is None:
            return self.session.table.legal()
        state = self.position()
        mine = not is_over(state) and state.current_player() == self.seat
        branches = self.session.table.spec.simulator == "states"
        return action_strings(state) if mine and branches else {}

    def board(self, before: State | None = None) -> str:
        """The board; what differs from ``before`` moves."""
        ply, path = self.picked
        state = self.position()
        weights = dict(self.advice.favourites) if self.advice else {}
        hint = self.advice.action if self.advice else None
        view = View(
            seat=self.seat,
            moves=self.legal(),
            before=before,
            hint=hint,
            names=self.names,
            picked=path if ply == self._last_shown() else (),
            arrows=arrows_of(state, weights, self._worth(), best=hint) if weights else (),
            pending=self.pending,
            cube=self._cube(),
        )
        return board_html(state, view)

    def question(self) -> CubeQuestion | None:
        """What is asked about the cube now; None in an earlier position."""
        doubling = self.session.doubling
        return None if doubling is None or self.busy or self.shown is not None else doubling.asked

    def _cube(self) -> Cube | None:
        """The cube as it lay in the position that is looked at."""
        doubling, asked = self.session.doubling, self.question()
        if doubling is None:
            return None
        lies = doubling if self.shown is None else doubling.at(self.shown)
        words = {
            "roll": "Roll",
            "double": f"Double to {2 * lies.value}",
            "take": f"Take at {2 * lies.value}",
            "drop": f"Drop and lose {lies.value}",
        }
        answers = tuple((answer, words[answer]) for answer in asked.answers) if asked else ()
        return Cube(lies.value, lies.owner, answers)

    def stakes(self) -> Scale:
        """The unit of values: as often as the cube shows now."""
        doubling = self.session.doubling
        return self.scale if doubling is None else self.scale.times(doubling.value)

    def _worth(self) -> dict[int, str] | None:
        """What each of the judge's favourites is worth; None where only shares of a search are known."""
        wins = self.advice.wins if self.advice else {}
        return {
            action: self.stakes().of_share(win, digits=self._digits()) for action, win in wins.items()
        } or None

    def _digits(self) -> int:
        """Of a number on the board, where there is little room: as many as distinguish the moves."""
        wins = self.advice.wins.values() if self.advice else ()
        apart = len({round(100 * win) for win in wins}) == len({round(1000 * win) for win in wins})
        return 2 if self.scale.points else 0 if apart else 1

    def players(self) -> str:
        """Who plays whom, with the colours."""
        count = self.session.table.spec.players
        numbered = count == 2 and is_text(self.session.table.position(0))  # which has "player 0" for one
        names = "".join(
            f'<span class="player p{player}"><i aria-hidden="true"></i>{escape(name)}'
            f"{f', player {player}' if numbered else ''}</span>"
            for player, name in enumerate(self.names[:count])
        )
        adapts = self.session.adaption() if not self.busy else ""
        return names + (f'<span class="adapts">{escape(adapts)}</span>' if adapts else "")

    def plies(self) -> list[Ply]:
        """Every action so far; what is known of an earlier line is kept."""
        table = self.session.table
        actions = table.actions
        kept = shared(tuple(ply.action for ply in self._plies), actions)
        if kept < len(actions) or kept < len(self._plies):
            del self._plies[kept:]
            self._plies += self._named(actions, kept)
        return self._plies

    def _named(self, actions: tuple[int, ...], kept: int) -> list[Ply]:
        table = self.session.table
        if (
            table.spec.simulator != "states"
        ):  # it cannot be gone back in; its actions are named alike everywhere
            state = table.position()
            return [
                Ply(0, action, state.action_to_string(0, action), table.totals[kept + place])
                for place, action in enumerate(actions[kept:])
            ]
        state, named = table.position(kept), []
        for action in actions[kept:]:
            player, text = state.current_player(), action_strings(state)[action]
            state.apply_action(action)
            named.append(Ply(player, action, text, float(state.returns()[0])))
        return named

    def moves(self) -> str:
        """The moves so far as buttons, each with the roll it answered and its mark."""
        plies = self.plies()
        if not plies:
            return '<p class="none">The moves will be listed here.</p>'
        story = self.story if self.story is not None and self.fits(self.story) else None
        points = story.points if story else ()
        cube = cube_rows(self.session, story)
        rows: list[str] = []
        roll = ""
        for number, ply in enumerate(plies, 1):
            rows += cube.get(number - 1, [])
            if ply.player < 0 and rows and not ply.text.startswith("roll"):  # what came of the move before
                rows[-1] = rows[-1].replace(_AFTER, f" \u2192 {escape(ply.text)}{_AFTER}")
                continue
            if ply.player < 0:
                roll = ply.text.removeprefix("roll ")
                continue
            grade = points[number].grade if number < len(points) else None
            mark = f'<b class="{TONES[grade.mark]}">{grade.mark}</b>' if grade and grade.mark else ""
            current = ' aria-current="true"' if self._last_shown() == number else ""
            rows.append(
                f'<button type="button" class="ply p{ply.player}" data-ply="{number}"{current}>'
                f'<i aria-hidden="true"></i>{f"<span>{escape(roll)}</span>" if roll else ""}'
                f"{escape(ply.text)}{_AFTER}{mark}</button>"
            )
            roll = ""
        rows += cube.get(len(plies), [])
        return "".join(rows[-_LISTED:]).replace(_AFTER, "")

    def lines(self) -> tuple[LineView, ...]:
        """The lines of the game."""
        return self.session.lines()

    def kind(self) -> Literal["win", "points", "total"]:
        """What the chart shows: the chance of winning, expected points, or what was got so far."""
        return "total" if self.alone else "points" if self.scale.points else "win"

    def _last_shown(self) -> int:
        return len(self.session.table.actions) if self.shown is None else self.shown
