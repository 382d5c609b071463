"""GNU Backgammon as an opponent: ``gnubg(plies=0)``."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import cast

from dicezero._native import Backgammon, BackgammonState
from dicezero.agents.engine_process import LONGEST
from dicezero.agents.errors import AgentError
from dicezero.agents.gnubg_program import GnubgProgram
from dicezero.agents.simple import immediate_result
from dicezero.rules.protocol import Game, State, is_chance, outcomes_of
from dicezero.search.cube import Chances
from dicezero.search.result import SearchResult

_ROLLS = 21  # of two dice

_MOST_PROGRAMS = 8
_FEWEST = 4  # positions for which a further program is asked
_MOST_BEGUN = 10_000  # doubles of which the second half is remembered


@dataclass(frozen=True)
class GnubgConfig:
    """How gnubg is to play.

    Attributes:
        plies: how far it looks ahead; 0 compares the positions after its move.
        timeout_seconds: for one answer.
    """

    plies: int = 0
    timeout_seconds: float = 60.0

    def __post_init__(self) -> None:
        if not 0 <= self.plies <= 4:
            raise ValueError(f"plies={self.plies} is out of range; give 0..4")
        if not 0 < self.timeout_seconds <= LONGEST:
            raise ValueError(
                f"timeout_seconds={self.timeout_seconds} is out of range; give more than 0, at most {LONGEST}"
            )


class GnubgAgent:
    """Plays what gnubg plays in a cubeless money game, noise and pruning off."""

    def __init__(self, name: str, game: Game, config: GnubgConfig) -> None:
        """Finds the program; it starts with the first move.

        Raises:
            AgentError: the game is not backgammon, or gnubg is not installed.
        """
        if not isinstance(game, Backgammon):
            raise AgentError(f"{name} plays backgammon, not {type(game).__name__}; give --game backgammon")
        self.name = name
        self.title = f"GNU Backgammon ({config.plies}-ply)"
        self.game = game
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self._programs = [
            GnubgProgram(plies=config.plies, timeout_seconds=config.timeout_seconds)
            for _ in range(min(cores, _MOST_PROGRAMS))
        ]
        self._program = self._programs[0]
        self._begun: dict[int | str, int] = {}  # positions amid a double, and the half that is left

    def actions(self, states: Sequence[State], seeds: Sequence[int]) -> list[int]:  # noqa: ARG002
        """What it plays at each of many states, without the values; as many programs as cores are asked."""
        chosen = [self._known(state) for state in states]
        open_ = [i for i, action in enumerate(chosen) if action is None]
        asked = [cast("BackgammonState", states[i]) for i in open_]
        crew = self._programs[: max(1, len(asked) // _FEWEST)]
        with ThreadPoolExecutor(len(crew)) as threads:
            parts = list(threads.map(_moves, crew, [asked[k :: len(crew)] for k in range(len(crew))]))
        for n, (i, state) in enumerate(zip(open_, asked, strict=True)):
            legs = parts[n % len(crew)][n // len(crew)]
            chosen[i] = self._action(state, list(state.legal_actions()), legs)
        return [cast("int", action) for action in chosen]

    def _known(self, state: State) -> int | None:
        """The move where gnubg need not be asked: there is one only, or it is the rest of a double."""
        if not isinstance(state, BackgammonState):
            raise AgentError(f"{self.name} plays backgammon; it was given a {type(state).__name__}")
        legal = state.legal_actions()
        if len(legal) == 1:
            return int(legal[0])
        if not state.second_half:
            return None
        rest = self._begun.get(state.key())
        return self.search(state, seed=0).action if rest not in legal else rest

    def search(self, state: State, *, seed: int) -> SearchResult:  # noqa: ARG002 - gnubg without noise draws nothing
        """Asks gnubg; the value is its equity after the move, in points for the player to move."""
        begin = time.perf_counter()
        if not isinstance(state, BackgammonState):
            raise AgentError(f"{self.name} plays backgammon; it was given a {type(state).__name__}")
        legal = list(state.legal_actions())
        if len(legal) > 1 and not state.second_half:
            mover = state.current_player()
            legs = self._program.move(state.checkers(mover), state.checkers(1 - mover), state.dice)
            legal = [self._action(state, legal, legs)]
        # What is left is judged by gnubg's evaluation: the chosen move for its value, or the ways to finish a
        # double of which the first half is played.
        values = {action: self.value_for(state.current_player(), state.child(action)) for action in legal}
        action = max(values, key=lambda a: (values[a], -a))
        return immediate_result(action, value=values[action], values=values, begin=begin)

    def value_for(self, player: int, state: State) -> float:
        """What any position is worth to ``player``, in points; at a choice by the best move."""
        if not isinstance(state, BackgammonState):
            raise AgentError(f"{self.name} plays backgammon; it was given a {type(state).__name__}")
        if state.is_terminal():
            return state.returns()[player]
        if is_chance(state):
            outcomes = outcomes_of(state)
            if len(outcomes) < _ROLLS:  # the opening roll has no doubles, which gnubg does not know of
                return sum(p * self.value_for(player, state.child(outcome)) for outcome, p in outcomes)
            equity = self._program.equity(state.checkers(state.turn), state.checkers(1 - state.turn))
            return equity if state.turn == player else -equity
        mover = state.current_player()
        best = max(self.value_for(mover, state.child(action)) for action in state.legal_actions())
        return best if mover == player else -best

    def chances(self, state: State) -> Chances:
        """How the game may end, in the view of the player who rolls next.

        Raises:
            AgentError: it is not backgammon, or not before a roll.
        """
        if not isinstance(state, BackgammonState) or state.is_terminal() or not is_chance(state):
            raise AgentError(
                f"{self.name} is asked about the cube before a roll of backgammon, not here: {state}"
            )
        own, other = state.checkers(state.turn), state.checkers(1 - state.turn)
        win, gammon, backgammon, lost_gammon, lost_backgammon, _ = self._program.outputs(own, other)
        return Chances.of(
            {
                3: backgammon,
                2: gammon - backgammon,
                1: win - gammon,
                -1: 1.0 - win - lost_gammon,
                -2: lost_gammon - lost_backgammon,
                -3: lost_backgammon,
            }
        )

    def close(self) -> None:
        """Ends the programs."""
        for program in self._programs:
            program.close()

    def _action(self, state: BackgammonState, legal: list[int], legs: Sequence[tuple[int, int]]) -> int:
        """The legal action that begins or is the turn of these legs."""
        mover = state.current_player()
        if state.dice[0] == state.dice[1]:
            # Ours are halves of a double, moved from the highest point down.
            points = *sorted((leg[0] for leg in legs), reverse=True), 0, 0, 0, 0
            matching = [action for action in legal if action == 26 * points[0] + points[1]]
            if matching and points[2]:
                if len(self._begun) >= _MOST_BEGUN:
                    self._begun.clear()
                self._begun[state.child(matching[0]).key()] = 26 * points[2] + points[3]
        else:
            target = after_legs(state.checkers(mover), state.checkers(1 - mover), legs)
            matching = [a for a in legal if sides(state.child(a), mover) == target]
        if len(matching) != 1:
            text = " ".join(f"{a}/{b}" for a, b in legs)
            raise AgentError(f"{self.name} answered {text!r}, which is no legal move of {state}")
        return matching[0]


def _moves(program: GnubgProgram, states: Sequence[BackgammonState]) -> list[tuple[tuple[int, int], ...]]:
    """The legs that one program plays at each state."""
    moves = []
    for state in states:
        mover = state.current_player()
        dice = (state.dice[0], state.dice[1])
        moves.append(program.move(state.checkers(mover), state.checkers(1 - mover), dice))
    return moves


def sides(state: BackgammonState, mover: int) -> tuple[list[int], list[int]]:
    """Both sides' checkers, the mover's first, each [26] in its own counting."""
    return list(state.checkers(mover)), list(state.checkers(1 - mover))


def after_legs(
    own: Sequence[int], other: Sequence[int], legs: Sequence[tuple[int, int]]
) -> tuple[list[int], list[int]]:
    """Both sides' checkers after the legs, each [26] in its own counting."""
    mine, theirs = list(own), list(other)
    for start, end in legs:
        mine[start] -= 1
        mine[end] += 1
        if end > 0 and theirs[25 - end] == 1:
            theirs[25 - end] = 0
            theirs[25] += 1
    return mine, theirs
