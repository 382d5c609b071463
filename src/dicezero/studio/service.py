"""The operations of the studio for programs: one method each, the same over HTTP and over a pipe."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import asdict
from typing import TypeVar

from dicezero.agents.base import roller
from dicezero.rules.games import is_doubled
from dicezero.rules.jsonable import finite
from dicezero.rules.protocol import is_chance
from dicezero.rules.reading import board, find_action, options
from dicezero.runs.errors import RunError
from dicezero.search.answer import search_data
from dicezero.studio import messages as m
from dicezero.studio.catalog import Catalog
from dicezero.studio.grading import Grade
from dicezero.studio.hall import FullError, Hall, NoTableError
from dicezero.studio.pool import BusyError
from dicezero.studio.session import Session
from dicezero.studio.table import Event

PATIENCE_SECONDS = 60.0  # no answer takes longer; budgets end a search far earlier
Result = TypeVar("Result")


class ConflictError(ValueError):
    """Right in itself, but not in the position the game is in."""


def status_of(error: Exception) -> int:
    """The HTTP status that tells what kind of error it was; 500 for a mistake of the studio's own."""
    if isinstance(error, NoTableError | RunError):
        return 404
    if isinstance(error, FullError | BusyError | TimeoutError):
        return 503
    if isinstance(error, ConflictError):
        return 409
    return 422 if isinstance(error, ValueError) else 500


def message_of(error: Exception) -> str:
    """One line for the client; nothing of the inside where the mistake is the studio's own."""
    if isinstance(error, TimeoutError):
        return "that took too long; try again, or ask for less"
    if status_of(error) == 500:
        return "an error inside the studio; its terminal says more"
    words = " ".join(str(error).split())
    return words.encode("utf-8", "backslashreplace").decode()  # a lone surrogate has no UTF-8


class Service:
    """What programs can ask of a studio. Methods may be called from many threads."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.catalog: Catalog = hall.catalog

    def offers(self, game: str = "nannon") -> m.CatalogView:
        """Games, and the opponents in ``game``."""
        games = [
            m.GameOfferView(
                name=o.name,
                board=o.board,
                chance=o.chance,
                players=o.players,
                cube=is_doubled(o.name),
                parameters=[
                    m.ParameterView(name=p.name, default=p.default, range=p.range) for p in o.parameters
                ],
            )
            for o in self.catalog.games()
        ]
        opponents = [
            m.OpponentView(id=o.id, title=o.title, about=o.about, agent=o.spec)
            for o in self.catalog.opponents(game)
        ]
        return m.CatalogView(games=games, opponents=opponents)

    def runs(self) -> m.RunsView:
        """The runs under the studio's folders."""
        hidden = ("path", "weights")
        return m.RunsView(
            runs=[
                m.RunView.model_validate({k: v for k, v in asdict(run).items() if k not in hidden})
                for run in self.catalog.runs()
            ]
        )

    def metrics(self, run: str, start: int = 0) -> m.MetricsView:
        """A run's metrics from line ``start`` on."""
        lines = self.catalog.metrics(run, start)
        return m.MetricsView(lines=lines, next=start + len(lines))

    def new(self, ask: m.NewGame) -> m.GameView:
        """Opens a table and plays on to your first decision."""
        session = self.hall.open(
            ask.game,
            ask.opponent,
            seat=ask.seat,
            seed=ask.seed,
            simulations=ask.simulations,
            cube=ask.cube,
        )
        return self._settled(session)

    def show(self, game: str) -> m.GameView:
        """A game as it stands."""
        return self._view(self.hall.get(game), [])

    def moves(self, game: str) -> m.MovesView:
        """Your legal moves."""
        session = self.hall.get(game)
        with session.lock:
            return m.MovesView(legal=_legal(session))

    def move(self, game: str, ask: m.Move) -> m.GameView:
        """Plays your move, and on to your next decision."""
        session = self.hall.get(game)
        with session.lock:
            state = session.table.position()
            asked = _asked(session)
            if session.returns is not None:
                raise ConflictError("the game is over; undo or open a new one")
            if asked:
                raise ConflictError(f"the cube is asked about first; answer {' or '.join(asked)}")
            action = find_action(state, ask.move) if isinstance(ask.move, str) else ask.move
            if action is None or action not in session.table.legal():
                raise ConflictError(f"move {ask.move!r} is illegal; legal: {options(state)}")
            return self._settled(session, session.play(action))

    def cube(self, game: str, ask: m.CubeAnswer) -> m.GameView:
        """Answers what is asked about the doubling cube, and plays on to your next decision."""
        session = self.hall.get(game)
        with session.lock:
            asked = _asked(session)
            if session.doubling is None:
                raise ConflictError("the game is played without a cube; open one with cube=true")
            if ask.answer not in asked:
                options = f"answer {' or '.join(asked)}" if asked else "nothing is asked about it now"
                raise ConflictError(f"answer={ask.answer!r} is none to the cube: {options}")
            session.answer(ask.answer)
            return self._settled(session)

    def undo(self, game: str) -> m.GameView:
        """Takes your last decision back."""
        session = self.hall.get(game)
        if not session.undo():
            raise ConflictError("there is nothing to undo")
        return self._settled(session)

    def close(self, game: str) -> None:
        """Clears the table away."""
        self.hall.close(game)

    def analyse(self, game: str, ask: m.Analyse) -> m.AnalysisView:
        """Searches a position of the game, as ``dicezero search`` does for the same agent and seed."""
        session = self.hall.get(game)
        with session.lock:
            if ask.ply is not None and ask.ply > len(session.table.actions):
                raise ConflictError(f"ply={ask.ply}: the game has {len(session.table.actions)} actions")
            state = session.table.position(ask.ply)
        played = session.table.game
        if state.is_terminal() or is_chance(state):
            raise ConflictError("nobody has to move there; give another ply")
        spec = self.catalog.spec(ask.agent, played, simulations=ask.simulations)
        agent = self.hall.agent(spec, played)
        result = _patiently(self.hall.thinking.submit(agent.search, state, seed=ask.seed))
        return m.AnalysisView.model_validate(finite(search_data(played, state, agent.name, result)))

    def story(self, game: str) -> m.StoryView:
        """The game so far, every move graded, luck and skill separated."""
        return m.StoryView.model_validate(asdict(_patiently(self.hall.get(game).story())))

    def _settled(self, session: Session, *events: Event) -> m.GameView:
        with session.lock:
            return self._view(session, [*events, *session.settle()])

    def _view(self, session: Session, events: list[Event]) -> m.GameView:
        with session.lock:
            table = session.table
            state = table.position()
            return m.GameView(
                id=session.id,
                game=str(table.game),
                opponent=session.opponent,
                agent=table.agent.name,
                seat=table.seat,
                seed=table.seed,
                actions=list(table.actions),
                board=board(state),
                player=state.current_player(),
                legal=_legal(session),
                over=session.returns is not None,
                returns=None if session.returns is None else list(session.returns),
                cube=_cube(session),
                events=[m.EventView.model_validate(finite(asdict(event))) for event in events],
                grades={ply: _grade(grade) for ply, grade in session.grades().items()},
            )


def _asked(session: Session) -> list[m.CubeWord]:
    asked = None if session.doubling is None else session.doubling.asked
    return [] if asked is None else list(asked.answers)


def _cube(session: Session) -> m.CubeView | None:
    doubling = session.doubling
    if doubling is None:
        return None
    return m.CubeView(
        value=doubling.value,
        owner=doubling.owner,
        asked=_asked(session),
        doubles=[
            m.DoubleView(
                place=double.place, player=roller(session.table.position(double.place)), taken=double.taken
            )
            for double in doubling.doubles
        ],
        dropped=doubling.dropped,
    )


def _legal(session: Session) -> list[m.MoveView]:
    return [m.MoveView(action=action, text=text) for action, text in session.table.legal().items()]


def _grade(grade: Grade) -> m.GradeView:
    return m.GradeView.model_validate(asdict(grade))


def _patiently(future: Future[Result]) -> Result:
    """The result; what nobody waits for any longer is not begun."""
    try:
        return future.result(PATIENCE_SECONDS)
    finally:
        future.cancel()
