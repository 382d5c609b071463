"""One game of a person: against an agent, or alone with an agent for an adviser."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dicezero.agents.base import Agent, uninterrupted
from dicezero.rules.door import check_position
from dicezero.rules.protocol import Game, State, is_chance
from dicezero.rules.reading import action_strings, is_over, options
from dicezero.rules.spec import spec_of
from dicezero.search.answer import line_strings
from dicezero.search.result import SearchResult
from dicezero.selfplay.seeds import address_seed
from dicezero.selfplay.states import rolled_outcome

MAX_PLIES = 50_000  # no game of a person's is longer; a loop of a foreign game ends here
_DICE, _SEARCH, _HINT = range(3)  # the second part of an address: what the number is for


@dataclass(frozen=True)
class Event:
    """One thing that happened at a table.

    Attributes:
        kind: ``roll`` of the dice, ``move`` that a player chose, ``forced``: its only one.
        player: who did it; -1 is chance.
        action: its id.
        text: what a person calls it.
        seconds: the agent's thinking, else 0.
        value: the agent's value of the position before its move, for itself; None without a search.
    """

    kind: Literal["roll", "move", "forced"]
    player: int
    action: int
    text: str
    seconds: float = 0.0
    value: float | None = None


@dataclass(frozen=True)
class Thought:
    """What an agent that is watched thought before a move.

    Attributes:
        ply: how many actions there were when it had moved.
        names: of the legal actions there.
        result: of its search.
        plan: the line that it expects, in words.
    """

    ply: int
    names: dict[int, str]
    result: SearchResult
    plan: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Reached:
    """A position, the actions that led there, and how many of them were rolls."""

    actions: tuple[int, ...]
    state: State
    rolls: int


class Table:
    """One game of a person, kept as the list of its actions: undo is a shorter list.

    In a game for two the agent is the opponent. In a game for one the person in seat 0 plays and the agent
    gives hints; from seat 1, where nobody sits, the person watches the agent play.

    The n-th roll is a function of (seed, n) and the agent's search of (seed, ply), so the same seed and the
    same moves give the same game, also after an undo. Not for two threads at once.
    """

    def __init__(
        self,
        game: Game,
        agent: Agent,
        *,
        seat: int,
        seed: int,
        actions: tuple[int, ...] = (),
        start: State | None = None,
    ) -> None:
        """``start`` is the position to begin from, by default the game's own."""
        if seat not in (0, 1):
            raise ValueError(f"seat={seat} must be 0 or 1; 0 moves first")
        self.game = game
        self.spec = spec_of(game)
        self.agent = agent
        self.seat = seat
        self.seed = seed
        self.actions = actions
        self._start = start
        self._reached: _Reached | None = None  # the position asked for last
        self._thought: Thought | None = None  # of the agent's last search
        self.totals: list[float] = []  # of an episode: what player 0 had got after each of the actions

    @property
    def watching(self) -> bool:
        """Whether the agent plays alone."""
        return self.seat >= self.spec.players

    def position(self, ply: int | None = None) -> State:
        """The state after the first ``ply`` actions, by default after all of them.

        The caller's own, but of an environment, which cannot be copied: that is to be looked at only.
        """
        if ply is not None and not 0 <= ply <= len(self.actions):
            raise ValueError(f"ply={ply} must be in 0..{len(self.actions)}")
        state = self._reach(self.actions[:ply]).state
        return state.clone() if self.spec.simulator == "states" else state

    @property
    def over(self) -> bool:
        """Whether the game has ended, or was cut off by the environment."""
        return is_over(self.position())

    @property
    def returns(self) -> tuple[float, ...] | None:
        """What each player got, None before the end."""
        state = self.position()
        return tuple(paid + 0.0 for paid in state.returns()) if is_over(state) else None  # no -0

    def legal(self) -> dict[int, str]:
        """The person's moves now with their names; none when it is not their turn."""
        state = self.position()
        mine = not is_over(state) and state.current_player() == self.seat
        return action_strings(state) if mine else {}

    def play(self, action: int) -> Event:
        """The person's move; ValueError where it is illegal or not their turn."""
        state = self.position()
        if is_over(state):
            raise ValueError(f"action {action}: the game is over; undo, retry or open a new one")
        if state.current_player() != self.seat:
            raise ValueError(f"action {action}: it is not your turn; let the table advance")
        names = action_strings(state)
        if action not in names:
            raise ValueError(f"action {action} is illegal; legal: {options(state)}")
        self._check_length()
        self.actions += (action,)
        return Event("move" if len(names) > 1 else "forced", self.seat, action, names[action])

    def advance(self) -> Event | None:
        """Does one thing that is not the person's to decide: a roll, the agent's answer or a forced move.

        None when the person has to choose or the game is over.
        """
        state = self.position()
        player = state.current_player()
        if is_over(state):
            return None
        names = action_strings(state)
        if player == self.seat and len(names) > 1:
            return None
        self._check_length()
        if is_chance(state):
            dice = np.uint64(address_seed(self.seed, _DICE))
            action = rolled_outcome(state, self.spec, dice, self._reach(self.actions).rolls)
            event = Event("roll", player, action, names[action])
        elif len(names) == 1:
            (action,) = names
            event = Event("forced", player, action, names[action])
        else:
            begin = time.perf_counter()
            result = uninterrupted(self.agent.search(state, seed=self._search_seed(_SEARCH)))
            seconds = time.perf_counter() - begin
            if self.watching:
                plan = tuple(line_strings(state, result.principal_variation))
                self._thought = Thought(len(self.actions) + 1, names, result, plan)
            event = Event("move", player, result.action, names[result.action], seconds, result.value)
        self.actions += (event.action,)
        return event

    @property
    def thought(self) -> Thought | None:
        """What the watched agent thought before the last action, if it was a move that it chose."""
        thought = self._thought
        return thought if thought is not None and thought.ply == len(self.actions) else None

    def go_to(self, actions: tuple[int, ...]) -> None:
        """Another line of this game in place of the one there is; ValueError where an action is illegal."""
        state = self._begin()
        if len(actions) > MAX_PLIES:
            raise ValueError(f"the game has {len(actions)} plies, and a table takes {MAX_PLIES}")
        for ply, action in enumerate(actions, 1):
            if is_over(state) or action not in action_strings(state):
                raise ValueError(f"action {action} of ply {ply} is illegal")
            state.apply_action(action)
        self.actions = actions

    def begin(self) -> State:
        """The position that the game begins with; the caller's own."""
        return self._begin()

    def last_choice(self) -> int | None:
        """How many actions there were before the person's last real decision; None where there is none."""
        state, last = self._begin(), None
        for ply, action in enumerate(self.actions):
            if state.current_player() == self.seat and len(state.legal_actions()) > 1:
                last = ply
            state.apply_action(action)
        return last

    def undo(self) -> bool:
        """Goes back to the person's last real decision; False where there is none."""
        last = self.last_choice()
        if last is not None:
            self.actions = self.actions[:last]
        return last is not None

    def retry(self) -> None:
        """The same game from the start: the same dice by number, the same agent."""
        self.actions = ()

    def hint(self) -> SearchResult:
        """What the agent would play for the person; ValueError when it is not their turn."""
        state = self.position()
        if is_over(state) or state.current_player() != self.seat:
            raise ValueError("a hint is for a move, and it is not your turn")
        return uninterrupted(self.agent.search(state, seed=self._search_seed(_HINT)))

    def _search_seed(self, use: int) -> int:
        return address_seed(self.seed, use, len(self.actions)) >> 1

    def _begin(self) -> State:
        if self._start is not None:
            return self._start.clone()
        if self.spec.simulator == "episodes":
            return self.game.new_initial_state(seed=self.seed)  # type: ignore[call-arg]
        return self.game.new_initial_state()

    def _reach(self, actions: tuple[int, ...]) -> _Reached:
        """The position after ``actions``, played on from the last one where that lies on the way."""
        last = self._reached
        if last is None or actions[: len(last.actions)] != last.actions:
            last = _Reached((), self._begin(), 0)
            self.totals = []
        elif actions == last.actions:
            return last
        rolls, self._reached = last.rolls, None  # a game that raises on the way leaves no position behind
        for action in actions[len(last.actions) :]:
            rolls += is_chance(last.state)
            last.state.apply_action(action)
            if self.spec.simulator == "episodes":
                self.totals.append(float(last.state.returns()[0]))
        check_position(last.state, (self.spec.players, self.spec.actions, self.spec.outcomes))
        self._reached = _Reached(actions, last.state, rolls)
        return self._reached

    def _check_length(self) -> None:
        if len(self.actions) >= MAX_PLIES:
            raise ValueError(f"the game has {MAX_PLIES} plies, the most a table takes; open a new one")
