"""A table in use: its lock, the grades of its moves, its lines and their stories."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING

from dicezero.agents.base import Agent
from dicezero.rules.notation.moves import Double
from dicezero.rules.reading import action_strings
from dicezero.studio import adaptive
from dicezero.studio.doubling import Doubling
from dicezero.studio.grading import Advice, Grade
from dicezero.studio.lines import (
    MOST,
    Actions,
    Lines,
    LineView,
    Script,
    actions_of,
    doubles_of,
    is_prefix,
    script_of,
    shared,
    view_lines,
)
from dicezero.studio.move_grades import MoveGrades
from dicezero.studio.story import Story, make_story, with_cube
from dicezero.studio.table import Event, Table

if TYPE_CHECKING:
    from dicezero.studio.hall import Hall


class Session:
    """A table that several threads may ask for; each call holds the table's lock for as long as it takes.

    Attributes:
        id: unguessable.
        game, opponent: what was asked for.
        spec: the agent that plays, as a name.
        table: take ``lock`` around direct use.
        touched: when it was last used, by ``time.monotonic``.
        holder: the page that shows it, if one does.
        start: the position it began with, in the game's own notation; None for the game's own start.
        doubling: the cube of a money game; None without.
    """

    def __init__(
        self,
        session_id: str,
        game: str,
        opponent: str,
        spec: str,
        table: Table,
        hall: Hall,
        *,
        start: str | None = None,
    ) -> None:
        self.id = session_id
        self.game = game
        self.opponent = opponent
        self.spec = spec
        self.table = table
        self.start = start
        self.lock = threading.RLock()
        self.touched = time.monotonic()
        self.holder: object | None = None
        self._hall = hall
        self._grades = MoveGrades(lambda: hall.grading)
        self._lines = Lines()
        self._stories: list[Story] = []  # of the lines, the last made last
        self._ladder: tuple[Agent, ...] = ()
        self.doubling: Doubling | None = None

    def play(self, action: int) -> Event:
        """The person's move; its grade is worked out in the background."""
        with self.lock:
            event = self.table.play(action)
            if event.kind == "move" and self.graded:
                state = self.table.position(len(self.table.actions) - 1)
                self._grades.begin(self._hall.grader(self.table.game), state, self.table.actions)
            return event

    def advance(self) -> Event | None:
        """See ``Table.advance``; while the cube waits for an answer nothing goes on."""
        with self.lock:
            if self.doubling is not None and self.doubling.waits():
                return None
            if self._ladder:
                self._adapt()
            return self.table.advance()

    def settle(self) -> list[Event]:
        """Advances until the person has to choose or the game is over.

        Who watches an agent play alone sees one move of it at a time.
        """
        with self.lock:
            events = []
            while (event := self.advance()) is not None:
                events.append(event)
                if self.table.watching and event.player >= 0:
                    break
            return events

    def answer(self, word: str) -> str:
        """See ``Doubling.answer``; ValueError at a table without a cube."""
        with self.lock:
            if self.doubling is None:
                raise ValueError(f"answer={word!r}: there is no cube at this table")
            return self.doubling.answer(word)

    def undo(self) -> bool:
        """Back to the person's last choice, of a move or of a double offered or answered; False without one.

        What was played stays as a line.
        """
        with self.lock:
            choices = [place for place in (self.table.last_choice(),) if place is not None]
            choices += [double.place for double in self.doubles]
            if choices:
                self.back_to(max(choices))
            return bool(choices)

    def retry(self) -> None:
        """The same game from the start, see ``Table.retry``; what was played stays as a line."""
        self.back_to(0)

    def back_to(self, ply: int) -> None:
        """The position after the first ``ply`` actions; a double that was offered there is offered again."""
        with self.lock:
            before = tuple(double for double in self.doubles if double.place < ply)
            self.go_to(self.table.actions[:ply], before)

    def go_to(self, actions: Actions, doubles: Sequence[Double] = ()) -> None:
        """Another line, or an earlier position of one: what is played from there is a line of its own."""
        with self.lock:
            before = self.script
            self.table.go_to(actions)
            if self.doubling is not None:
                self.doubling.turn_to(doubles)
            self._lines.leave(before)

    @property
    def doubles(self) -> tuple[Double, ...]:
        """How the cube was turned; none without one."""
        return () if self.doubling is None else self.doubling.doubles

    @property
    def script(self) -> Script:
        """The line on the board: actions and doubles."""
        return script_of(self.table.actions, self.doubles)

    @property
    def returns(self) -> tuple[float, ...] | None:
        """What each player got, the cube included; None before the end."""
        return self.table.returns if self.doubling is None else self.doubling.returns

    def lines(self) -> tuple[LineView, ...]:
        """The lines of this game, the oldest first; one alone where nothing else was tried.

        An environment cannot be branched: it has the one on the board.
        """
        with self.lock:
            current = self.table.actions
            if self.table.spec.simulator != "states":
                return (LineView(current, 0, "", len(current), self.table.returns, current=True),)
            return view_lines(self._lines.all(self.script), self.script, self.table.begin())

    def win_of(self, actions: Actions) -> float | None:
        """How likely player 0 is to win after ``actions``, as far as a story has it; else None."""
        with self.lock:
            for story in self._stories:
                if is_prefix(actions, actions_of(story.script)):
                    return story.points[len(actions)].win
        return None

    def clear(self) -> None:
        """Forgets the game and what is still to be graded."""
        with self.lock:
            self.table.retry()
            self._lines.clear()
            self._grades.clear()

    def climb(self, ladder: tuple[Agent, ...]) -> None:
        """Lets the opponent adapt: it takes the agent of the rung that the person's moves have earned."""
        self._ladder = ladder

    def adaption(self) -> str:
        """What the opponent adapts to now, for a reader; "" where it does not."""
        if not self._ladder:
            return ""
        losses = self._grades.losses(self.table.actions, patience=0.0)
        rung = adaptive.rung_after(losses, len(self._ladder))
        return adaptive.about(rung, [agent.name for agent in self._ladder], losses)

    def grade(self, ply: int) -> Grade | None:
        """The grade of the person's move at ``ply`` (its place in the actions); None until it is ready."""
        return self._grades.ready(self.table.actions[: ply + 1])

    def grades(self) -> dict[int, Grade]:
        """Those of the line on the board that are ready, by ply."""
        return self._grades.of_line(self.table.actions)

    @property
    def judge(self) -> str:
        """Who grades the moves, for a reader; solves the game if that has not been done."""
        return self._hall.grader(self.table.game).judge

    @property
    def graded(self) -> bool:
        """Whether moves are judged: two play, and positions can be searched."""
        spec = self.table.spec
        return spec.players == 2 and spec.simulator == "states"

    def advise(self) -> Advice:
        """A move for the person by the best judge there is; alone by the agent.

        Raises:
            ValueError: it is not their turn.
        """
        if not self.graded:
            with self.lock:
                result = self.table.hint()
                total = sum(result.visits.values())
                counts = result.visits if total else {result.action: 1}
                shares = {action: count / max(total, 1) for action, count in counts.items() if count}
                favourites = sorted(shares.items(), key=lambda one: (-one[1], one[0]))[:4]
                return Advice(result.action, result.value, tuple(favourites), self.table.agent.name)
        with self.lock:
            if not self.table.legal():
                raise ValueError("a hint is for a move, and it is not your turn")
            state = self.table.position()
        return self._hall.grader(self.table.game).advise(state)

    def story(self, *, more: int | None = None) -> Future[Story]:
        """The story of the line on the board so far, made in the background.

        Args:
            more: steps to be graded beyond what is known of the line; by default all.

        Raises:
            BusyError: too many wait.
            ValueError: the game is not graded.
        """
        if not self.graded:
            raise ValueError(f"{self.table.spec.name} has no story: win probability is for games of two")
        with self.lock:
            line = self.script
            nearest = max(self._stories, key=lambda one: shared(one.script, line), default=None)
            if more is not None:
                line = line[: (0 if nearest is None else shared(nearest.script, line)) + more]
        return self._hall.thinking.submit(self._make_story, line, nearest)

    def _make_story(self, line: Script, earlier: Story | None) -> Story:
        game, begin, actions = self.table.game, self.table.begin(), actions_of(line)
        grader = self._hall.grader(game)
        story = make_story(
            game,
            actions,
            grader,
            earlier=earlier,
            start=begin,
            graded=lambda at: self._grades.soon(actions[: at + 1]),
        )
        if self.doubling is not None:
            story = with_cube(story, begin, doubles_of(line), self.doubling.judge)
        with self.lock:
            self._stories = [*(one for one in self._stories if not is_prefix(one.script, line)), story][
                -MOST:
            ]
        return story

    def _adapt(self) -> None:
        state = self.table.position()
        player = state.current_player()
        if player >= 0 and player != self.table.seat and len(action_strings(state)) > 1:
            losses = self._grades.losses(self.table.actions, patience=_PATIENCE_SECONDS)
            self.table.agent = self._ladder[adaptive.rung_after(losses, len(self._ladder))]


_PATIENCE_SECONDS = 30.0  # for a grade that an opponent adapts to
