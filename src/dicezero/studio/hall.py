"""Many tables at once: by unguessable ids, each with its lock, up to a cap."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from concurrent.futures import Future
from contextlib import suppress

from dicezero.agents.base import Agent, knowing_chances
from dicezero.rules import identify
from dicezero.rules.games import is_doubled, native_name
from dicezero.rules.notation.moves import Double
from dicezero.rules.protocol import Game, State
from dicezero.search.cube import Chances
from dicezero.search.result import SearchResult
from dicezero.studio import adaptive
from dicezero.studio.catalog import Catalog
from dicezero.studio.cube import CubeJudge
from dicezero.studio.doubling import Doubling
from dicezero.studio.grading import Grader
from dicezero.studio.judges import Judges
from dicezero.studio.pool import Pool
from dicezero.studio.session import Session
from dicezero.studio.solutions import is_native
from dicezero.studio.table import Table

LIMIT = 200  # tables
IDLE_SECONDS = 3600.0  # a table nobody has touched for so long is cleared away
_AGENTS_KEPT = 24
_GRADERS_KEPT = 24


class FullError(RuntimeError):
    """All tables are taken."""


class NoTableError(LookupError):
    """There is no table of that id, or no longer."""


class SharedAgent:
    """An agent that many tables play against: it holds no state between games, and searches one at a time."""

    def __init__(self, agent: Agent) -> None:
        self.name = agent.name
        self._agent = agent
        self._lock = threading.Lock()

    def search(self, state: State, *, seed: int) -> SearchResult:
        """The agent's own answer."""
        with self._lock:
            return self._agent.search(state, seed=seed)

    @property
    def knows_chances(self) -> bool:
        """Whether it predicts how a game may end."""
        return knowing_chances(self._agent) is not None

    def chances(self, state: State) -> Chances:
        """The agent's own answer; only where ``knows_chances``."""
        with self._lock:
            return self._agent.chances(state)  # type: ignore[attr-defined,no-any-return]

    def close(self) -> None:
        """Ends the program behind it, where there is one."""
        close = getattr(self._agent, "close", None)
        if callable(close):
            close()


class Hall:
    """The tables of a studio, their agents and graders, and the threads that grade and analyse."""

    def __init__(
        self,
        catalog: Catalog,
        *,
        limit: int = LIMIT,
        idle_seconds: float = IDLE_SECONDS,
        judges: Judges | None = None,
    ) -> None:
        self.catalog = catalog
        self.judges = judges or Judges()
        self.limit = limit
        self.idle_seconds = idle_seconds
        self.grading = Pool("grading", workers=2, waiting=256)
        self.thinking = Pool("analysis", workers=2, waiting=16)
        self._lock = threading.Lock()
        self._sessions: dict[str, Session] = {}
        self._agents: OrderedDict[tuple[str, str], Future[Agent]] = OrderedDict()
        self._graders: OrderedDict[str, Grader] = OrderedDict()

    def __len__(self) -> int:
        return len(self._sessions)

    def open(
        self,
        game: str,
        opponent: str,
        *,
        seat: int = 0,
        seed: int = 0,
        simulations: int | None = None,
        actions: tuple[int, ...] = (),
        start: str | None = None,
        cube: bool = False,
        doubles: tuple[Double, ...] = (),
    ) -> Session:
        """A new table; see ``Catalog.game`` and ``Catalog.spec`` for what may be asked for.

        Args:
            game: its name.
            opponent: a level, a run or an agent.
            seat: the person's player.
            seed: of dice and searches.
            simulations: of a run's search.
            actions: what has been played already, as a file of a game has it.
            start: where the game began, in its own notation.
            cube: play for money with a doubling cube; who knows no cube is helped by ``pretrained``.
            doubles: how the cube was turned among ``actions``.

        Raises:
            FullError: as many tables as are allowed are in use.
            ValueError: the game, the opponent, the seat or the cube cannot be had.
        """
        self._check_room()
        loaded = self.catalog.game(game)
        spec = self.catalog.spec(opponent, loaded, simulations=simulations)
        begin = None if start is None else loaded.new_initial_state(start)  # type: ignore[call-arg]
        table = Table(loaded, self.agent(spec, loaded), seat=seat, seed=seed, start=begin)
        table.go_to(actions)
        session = Session(secrets.token_urlsafe(18), game, opponent, spec, table, self, start=start)
        if cube:
            self._check_doubled(table)
            session.doubling = self._doubling(table)
            session.doubling.turn_to(doubles)
        if opponent == adaptive.ID:
            ladder = adaptive.rungs(native=is_native(loaded))
            session.climb(tuple(self.agent(rung, loaded) for rung in ladder))
        with self._lock:
            self._clear_idle()
            if len(self._sessions) >= self.limit:
                raise FullError(self._full())
            self._sessions[session.id] = session
        return session

    def get(self, session_id: str) -> Session:
        """The session of that id, now touched; NoTableError where there is none."""
        with self._lock:
            self._clear_idle()
            session = self._sessions.get(session_id)
            if session is None:
                raise NoTableError("there is no such game; it was closed, left idle too long or never opened")
            session.touched = time.monotonic()
            return session

    def close(self, session_id: str) -> None:
        """Clears a table away; NoTableError where there is none."""
        self.get(session_id).clear()  # what is still to be graded need not be
        with self._lock:
            self._sessions.pop(session_id, None)

    def agent(self, spec: str, game: Game) -> Agent:
        """The agent of a catalogued spec, one for all tables; the last few are kept."""
        key = (identify(game).key, spec)
        with self._lock:
            future = self._agents.get(key)
            mine = future is None
            if future is None:
                future = self._agents[key] = Future()
                while len(self._agents) > _AGENTS_KEPT:
                    self._agents.popitem(last=False)
            self._agents.move_to_end(key)
        if mine:
            try:
                future.set_result(SharedAgent(self.catalog.agent(spec, game)))
            except BaseException as error:
                with self._lock:
                    self._agents.pop(key, None)
                future.set_exception(error)
        return future.result()

    def _doubling(self, table: Table) -> Doubling:
        """The opponent decides for itself if it can; the best judge that can values that decision."""
        agent = table.agent
        if knowing_chances(agent) is None:
            agent = self.agent("pretrained", table.game)
        best = self.judges.of(table.game)
        judges = [] if best is None else [best]
        with suppress(ValueError):  # none is shipped for this game
            judges.append(self.agent("pretrained", table.game))
        return Doubling(table, agent, CubeJudge(*judges, agent))

    def grader(self, game: Game) -> Grader:
        """The grader of a game, one for all tables."""
        with self._lock:
            name = identify(game).key
            grader = self._graders.get(name)
            if grader is None:
                grader = self._graders[name] = Grader(game, self.catalog.solutions, self.judges)
                while len(self._graders) > _GRADERS_KEPT:
                    self._graders.popitem(last=False)
            return grader

    def shutdown(self) -> None:
        """Ends the threads and forgets the tables."""
        self.grading.close()
        self.thinking.close()
        self.judges.close()
        for future in list(self._agents.values()):
            if future.done() and future.exception() is None and isinstance(future.result(), SharedAgent):
                future.result().close()  # type: ignore[attr-defined]
        with self._lock:
            self._sessions.clear()

    def _check_room(self) -> None:
        """Refuses before any work is done for a table that could not be had."""
        with self._lock:
            self._clear_idle()
            if len(self._sessions) >= self.limit:
                raise FullError(self._full())

    def _check_doubled(self, table: Table) -> None:
        if not is_doubled(native_name(table.begin()) or ""):
            doubled = [offer.name for offer in self.catalog.games() if is_doubled(offer.name)]
            raise ValueError(
                f"cube: {table.game} is not played with one; without it, or play {' or '.join(doubled)}"
            )

    def _full(self) -> str:
        return f"all {self.limit} tables are taken; close a game or try again later"

    def _clear_idle(self) -> None:
        now = time.monotonic()
        idle = [key for key, s in self._sessions.items() if now - s.touched > self.idle_seconds]
        for key in idle:
            del self._sessions[key]
