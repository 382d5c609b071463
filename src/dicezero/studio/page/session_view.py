"""What the page remembers of a table beside the game itself, and what it shows of it as HTML."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from dicezero.rules.board import Path
from dicezero.rules.protocol import State
from dicezero.studio.page.boards import View, board_html
from dicezero.studio.page.words import TONES
from dicezero.studio.session import Session
from dicezero.studio.story import Story


@dataclass
class SessionView:
    """A session as one browser looks at it."""

    session: Session
    opponent: str  # its name for people
    story: Story | None = None
    shown: int | None = None  # the ply looked at; None follows the game
    hint: int | None = None
    picked: tuple[int, Path] = (0, ())  # a move begun by clicking: at which ply, and its first places
    busy: bool = False  # dice, agent or server are at work: nothing can be played

    @property
    def seat(self) -> int:
        """The person's player."""
        return self.session.table.seat

    @property
    def names(self) -> tuple[str, str]:
        """Of player 0 and player 1; alone the second is who advises."""
        return ("You", self.opponent) if self.seat == 0 else (self.opponent, "You")

    def position(self) -> State:
        """The position on the board."""
        return self.session.table.position(self.shown)

    def fits(self, story: Story) -> bool:
        """Whether ``story`` tells this very game, perhaps without its last plies."""
        told = tuple(point.action for point in story.points[1:])
        return told == self.session.table.actions[: len(told)]

    def board(self, before: State | None = None) -> str:
        """The board; what differs from ``before`` moves."""
        table = self.session.table
        moves = table.legal() if self.shown is None and not self.busy else {}
        ply, path = self.picked
        picked = path if ply == len(table.actions) else ()
        view = View(
            seat=self.seat, moves=moves, before=before, hint=self.hint, names=self.names, picked=picked
        )
        return board_html(self.position(), view)

    def players(self) -> str:
        """Who plays whom, with the colours."""
        return "".join(
            f'<span class="player p{player}"><i aria-hidden="true"></i>{escape(name)}</span>'
            for player, name in enumerate(self.names[: self.session.table.spec.players])
        )

    def moves(self) -> str:
        """The moves so far as buttons, each with the roll it answered and its mark."""
        if self.story is None or len(self.story.points) < 2:
            return '<p class="none">The moves will be listed here.</p>'
        rows: list[str] = []
        roll = ""
        for point in self.story.points[1:]:
            if point.player == -1:
                roll = point.text.removeprefix("roll ")
                continue
            mark = ""
            if point.grade is not None and point.grade.mark:
                mark = f'<b class="{TONES[point.grade.mark]}">{point.grade.mark}</b>'
            current = ' aria-current="true"' if self._last_shown() == point.ply else ""
            rows.append(
                f'<button type="button" class="ply p{point.player}" data-ply="{point.ply}"{current}>'
                f'<i aria-hidden="true"></i>{f"<span>{escape(roll)}</span>" if roll else ""}'
                f"{escape(point.text)}{mark}</button>"
            )
            roll = ""
        return "".join(rows)

    def _last_shown(self) -> int:
        return len(self.session.table.actions) if self.shown is None else self.shown
