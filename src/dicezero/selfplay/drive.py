"""The loop that plays: many episodes in lock step, any kind of player, every random number by its address.

Self-play, matches, mean returns and tests of learned models all drive their episodes here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero.rules.protocol import Game, State
from dicezero.rules.spec import GameSpec
from dicezero.selfplay.episode import CHANCE, Episode
from dicezero.selfplay.opening import random_openings
from dicezero.selfplay.recorder import Recorder
from dicezero.selfplay.seeds import SeedArray, extended_seeds
from dicezero.selfplay.states import auxiliary_targets, frames_seen_by, play_moves, roll_dice, start_states

MAX_DECISIONS = 1_000  # of an episode, where neither the game nor the caller has a limit
_START, _MOVE, _OPENING = 2, 3, 4  # the last part of an address: what the number is for


@dataclass(frozen=True)
class Turn:
    """B episodes in each of which a player is to move."""

    game: Game
    spec: GameSpec
    episode: npt.NDArray[np.int64]  # [B], its number within the call
    states: list[State]  # [B]
    player: npt.NDArray[np.int32]  # [B]
    decision: npt.NDArray[np.int64]  # [B], decisions made before in the episode
    seeds: SeedArray  # [B], of this decision


@dataclass(frozen=True)
class Choice:
    """What was decided at B positions, and what is to be recorded of it; None is not recorded.

    Values are for the player to move, in the game's units.
    """

    action: npt.NDArray[np.int32]  # [B]
    value: npt.NDArray[np.float32] | None = None  # [B]
    legal: npt.NDArray[np.bool_] | None = None  # [B, C]
    policy: npt.NDArray[np.float32] | None = None  # [B, C]
    frame: npt.NDArray[np.float32] | npt.NDArray[np.uint8] | None = None  # [B, ...], before the move


@dataclass(frozen=True)
class Rules:
    """How episodes are driven.

    Attributes:
        limit: decisions after which an episode is cut off.
        together: episodes under way at once; a finished one makes room for the next. 0 is all.
        afterstates: frames are of the position after the move, in the mover's view, not before it.
        before_rolls: chance's first step after a move has a frame too, in the view of who moved.
        opening: every episode begins after up to so many random moves, which are not recorded.
    """

    limit: int = MAX_DECISIONS
    together: int = 0
    afterstates: bool = False
    before_rolls: bool = False
    opening: int = 0


def episode_limit(spec: GameSpec, asked: int = 0) -> int:
    """Decisions of an episode at the most: as configured, else the game's own limit, else MAX_DECISIONS."""
    return asked or spec.max_length or MAX_DECISIONS


def drive(
    game: Game,
    spec: GameSpec,
    choose: Callable[[Turn], Choice],
    *,
    seeds: SeedArray,
    dice: SeedArray | None = None,
    expected: Callable[[Turn], npt.NDArray[np.float32]] | None = None,
    rules: Rules | None = None,
    start: State | None = None,
    on_moves: Callable[[int, int], None] | None = None,
) -> list[Episode]:
    """Plays an episode for every seed, in their order, whatever is played at the same time.

    Args:
        game: what is played.
        spec: of the game.
        choose: decides for all who are to move.
        seeds: [E], of the episodes: what is decided.
        dice: [E], of chance; ``seeds`` by default. The n-th roll depends on its dice and n alone.
        expected: what the mover still expects [B], in the game's units, where an episode is cut off; 0 by
            default.
        rules: see there.
        start: the position that every episode begins from, by default the game's own.
        on_moves: called with (episodes over, decisions made) each time every episode has moved.
    """
    rules = rules or Rules(limit=episode_limit(spec))
    run = _Drive(game, spec, rules, seeds, seeds if dice is None else dice, start)
    while True:
        run.start_more()
        ended = run.roll()
        if expected is not None and len(ended.cut.episode):
            left = expected(ended.cut)
        else:
            left = np.zeros(len(ended.cut.episode), np.float32)
        run.end(ended, left)
        if on_moves:
            on_moves(run.over, int(run.decisions.sum()))
        if len(ended.going.episode):
            run.play(ended.going, choose(ended.going))
        elif run.started == len(seeds):
            return run.recorder.episodes()


@dataclass(frozen=True)
class _Rolled:
    """Where the episodes under way stand once chance has had its part."""

    going: Turn  # a player is to move
    cut: Turn  # a player would be to move, but the episode is cut off
    over: npt.NDArray[np.int64]  # numbers of those that are over by the rules
    ends: list[State]  # their final states


class _Drive:
    """Episodes under way, and the record of them."""

    def __init__(
        self,
        game: Game,
        spec: GameSpec,
        rules: Rules,
        seeds: SeedArray,
        dice: SeedArray,
        start: State | None = None,
    ) -> None:
        self._game, self._spec, self._rules = game, spec, rules
        self._seeds, self._dice, self._start = seeds, dice, start
        self.recorder = Recorder(len(seeds), spec)
        self.started = self.over = 0
        self.decisions = np.zeros(len(seeds), np.int64)
        self._rolled = np.zeros(len(seeds), np.int64)
        self._playing = np.empty(0, np.int64)
        self._states: list[State] = []  # of the episodes in _playing
        self._moved: npt.NDArray[Any] | None = None  # frames after the last moves, of the first in _playing

    def start_more(self) -> None:
        """Episodes that are over make room for new ones."""
        room = len(self._seeds) - self.started
        if self._rules.together:
            room = min(room, self._rules.together - len(self._playing))
        if room > 0:
            new = np.arange(self.started, self.started + room)
            self._states += self._first_states(self._seeds[new])
            self._playing = np.concatenate([self._playing, new])
            self.started += room

    def _first_states(self, seeds: SeedArray) -> list[State]:
        if self._start is not None:
            states = [self._start.clone() for _ in seeds]
        else:
            states = start_states(self._game, self._spec, extended_seeds(seeds, _START))
        if not self._rules.opening:
            return states
        addresses = extended_seeds(seeds, _OPENING)
        return random_openings(self._game, self._spec, states, addresses, most=self._rules.opening)

    def roll(self) -> _Rolled:
        """Chance, until a player is to move or the game is over."""
        playing, states = self._playing, self._states
        rolls = roll_dice(self._game, self._spec, states, self._dice[playing], self._rolled[playing])
        episode = playing[rolls.row]
        if len(episode):
            action = self._spec.actions + rolls.outcome
            frame, shown = self._before_rolls(rolls.row)
            self.recorder.add_idle(episode, CHANCE, action, rolls.reward, frame=frame, shown=shown)
            self._rolled += np.bincount(episode, minlength=len(self._rolled))
        going = rolls.player >= 0
        cut = going & (self.decisions[playing] >= self._rules.limit)
        if self._spec.simulator == "episodes":
            cut |= going & np.array([s.is_truncated() for s in states], np.bool_)  # type: ignore[attr-defined]
        going &= ~cut
        over = np.flatnonzero(~(going | cut))
        rolled = _Rolled(
            self._turn(np.flatnonzero(going), rolls.player),
            self._turn(np.flatnonzero(cut), rolls.player),
            playing[over],
            [states[i] for i in over],
        )
        self._playing, self._states = rolled.going.episode, rolled.going.states
        return rolled

    def end(self, rolled: _Rolled, left: npt.NDArray[np.float32]) -> None:
        """Records the final steps; ``left`` [B] is what movers still expected where it was cut off."""
        self.recorder.end(rolled.over, auxiliary=auxiliary_targets(self._spec, rolled.ends))
        sign = np.where(rolled.cut.player == 0, 1.0, -1.0)
        self.recorder.end(rolled.cut.episode, expected=left * sign)
        self.over += len(rolled.over) + len(rolled.cut.episode)

    def play(self, turn: Turn, choice: Choice) -> None:
        """The moves."""
        reward = play_moves(self._game, self._spec, turn.states, choice.action)
        frame = choice.frame
        if self._rules.afterstates or self._rules.before_rolls:
            self._moved = frames_seen_by(self._game, self._spec, turn.states, turn.player.tolist())
        self.recorder.add_decisions(
            turn.episode,
            turn.player,
            choice.action,
            reward,
            value=choice.value,
            legal=choice.legal,
            policy=choice.policy,
            frame=self._moved if self._rules.afterstates else frame,
        )
        self.decisions[turn.episode] += 1

    def _turn(self, rows: npt.NDArray[np.intp], player: npt.NDArray[np.int32]) -> Turn:
        episode = self._playing[rows]
        decision = self.decisions[episode]
        seeds = extended_seeds(self._seeds[episode], decision, _MOVE)
        states = [self._states[i] for i in rows]
        return Turn(self._game, self._spec, episode, states, player[rows], decision, seeds)

    def _before_rolls(
        self, row: npt.NDArray[np.int32]
    ) -> tuple[npt.NDArray[Any] | None, npt.NDArray[np.bool_] | None]:
        """[M, ...] for rolls in ascending rows: of several running only the first has a frame.

        Nobody has moved before the first roll of an episode: it has none.
        """
        if not self._rules.before_rolls or self._moved is None:
            return None, None
        has_frame = row < len(self._moved)
        return self._moved[np.where(has_frame, row, 0)], has_frame & (np.diff(row, prepend=-1) != 0)
