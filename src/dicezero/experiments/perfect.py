"""Connect Four's truth: what every move is worth, from an outside solver, and positions to be asked about.

The solver is bitbully, a package of its own with a licence of its own (AGPL); it is imported here and only
when an experiment asks for it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from dicezero.agents.simple import immediate_result
from dicezero.rules import load_game
from dicezero.rules.protocol import Game, State
from dicezero.runs.files import write_atomically
from dicezero.search.result import SearchResult

COLUMNS = 7
ILLEGAL = -128
SEED = 19  # of the positions: every run of every seed is asked about the same
_STONES = range(4, 25)  # of a position in the test
_OPENING = 16  # stones on the board when a game against the solver begins
_BYTES = 50_000_000


@dataclass(frozen=True)
class Asked:
    """Positions where a move can change the outcome.

    Attributes:
        moves: how each came about, columns from the empty board.
        scores: [P, 7] the solver's for the player to move: above 0 wins, 0 draws, below 0 loses, the
            greater the sooner or the later; ILLEGAL where the column is full.
        openings: the starts of games against the solver, columns from the empty board.
    """

    moves: tuple[tuple[int, ...], ...]
    scores: npt.NDArray[np.int8]
    openings: tuple[tuple[int, ...], ...]

    @cached_property
    def game(self) -> Game:
        """Connect Four."""
        return load_game("connect_four")

    @cached_property
    def states(self) -> list[State]:
        """The positions."""
        return [state_after(self.game, moves) for moves in self.moves]

    def keeps(self, actions: Sequence[int]) -> npt.NDArray[np.bool_]:
        """[P] whether each move keeps what its position is worth: won stays won, drawn drawn."""
        signs = np.where(self.scores == ILLEGAL, -2, np.sign(self.scores))
        return np.asarray(signs[np.arange(len(signs)), actions] == signs.max(axis=1))

    @property
    def by_chance(self) -> float:
        """What random moves would score."""
        signs = np.where(self.scores == ILLEGAL, -2, np.sign(self.scores))
        best = (signs == signs.max(axis=1, keepdims=True)).sum(axis=1)
        return float((best / (signs > -2).sum(axis=1)).mean())


def state_after(game: Game, moves: Sequence[int]) -> State:
    """The state after these columns."""
    state = game.new_initial_state()
    for move in moves:
        state.apply_action(int(move))
    return state


class PerfectPlay:
    """The solver as a judge and as an opponent; every answer is kept."""

    name = "perfect"

    def __init__(self) -> None:
        from bitbully import BitBully, Board

        self._solver, self._board = BitBully(), Board
        self._known: dict[tuple[tuple[int, ...], ...], npt.NDArray[np.int8]] = {}

    def scores(self, moves: Sequence[int]) -> npt.NDArray[np.int8]:
        """[7] for the player to move after these columns; ILLEGAL where the column is full."""
        # Positions are the same whatever order the columns of each player were filled in.
        stacks: list[list[int]] = [[] for _ in range(COLUMNS)]
        for ply, move in enumerate(moves):
            stacks[move].append(ply % 2)
        key = tuple(map(tuple, stacks))
        if key not in self._known:
            scores = np.full(COLUMNS, ILLEGAL, np.int8)
            for column, score in self._solver.score_all_moves(
                self._board.from_moves([int(move) for move in moves])
            ).items():
                scores[column] = score
            self._known[key] = scores
        return self._known[key]

    def actions(self, states: Sequence[State], seeds: Sequence[int]) -> list[int]:
        """The quickest win, the longest loss, or a draw; of equals one by the seed."""
        actions = []
        for state, seed in zip(states, seeds, strict=True):
            scores = self.scores(cast("Any", state).history())
            best = np.flatnonzero(scores == scores.max())
            actions.append(int(best[seed % len(best)]))
        return actions

    def search(self, state: State, *, seed: int) -> SearchResult:
        """One state of its own."""
        begin = time.perf_counter()
        return immediate_result(self.actions([state], [seed])[0], value=0.0, values={}, begin=begin)


def asked(path: Path, *, positions: int, games: int) -> Asked:
    """The test: read from ``path`` where it is the one asked for, else made and written there."""
    if path.exists():
        stored = _read(path)
        if (len(stored.moves), len(stored.openings)) == (positions, games // 2):
            return stored
    stored = make_asked(positions=positions, openings=games // 2)
    data = {
        "seed": SEED,
        "solver": "bitbully",
        "moves": ["".join(map(str, moves)) for moves in stored.moves],
        "scores": stored.scores.tolist(),
        "openings": ["".join(map(str, moves)) for moves in stored.openings],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, (json.dumps(data) + "\n").encode())
    path.chmod(0o644)
    return stored


def make_asked(*, positions: int, openings: int) -> Asked:
    """Positions of games between players who win or stop a win at once if they can, else move at random."""
    perfect, rng = PerfectPlay(), np.random.default_rng(SEED)
    moves: dict[str, tuple[int, ...]] = {}
    scores: list[npt.NDArray[np.int8]] = []
    game = load_game("connect_four")
    while len(moves) < positions:
        line = _line(game, int(rng.choice(_STONES)), rng)
        board = str(state_after(game, line or ()))
        if line is None or board in moves:
            continue
        move_scores = perfect.scores(line)
        if len(set(np.sign(move_scores[move_scores != ILLEGAL]).tolist())) > 1:
            moves[board] = line
            scores.append(move_scores)
    starts: dict[str, tuple[int, ...]] = {}
    while len(starts) < openings:
        line = _line(game, _OPENING, rng)
        if line is not None:
            starts[str(state_after(game, line))] = line
    return Asked(tuple(moves.values()), np.array(scores, np.int8), tuple(starts.values()))


def _line(game: Game, stones: int, rng: np.random.Generator) -> tuple[int, ...] | None:
    """Columns of so many moves; None where the game was over before."""
    state, line = game.new_initial_state(), []
    for _ in range(stones):
        legal = state.legal_actions()
        wins = [move for move in legal if _wins(state, move)]
        blocks = [] if wins else [move for move in legal if _is_threat(state, move)]
        move = int(rng.choice(wins or blocks or legal))
        state.apply_action(move)
        line.append(move)
        if state.is_terminal():
            return None
    return tuple(line)


def _wins(state: State, move: int) -> bool:
    after = state.clone()
    after.apply_action(move)
    return after.is_terminal() and any(after.returns())


def _is_threat(state: State, move: int) -> bool:
    """Whether the opponent would win there: after any other move of ours."""
    other = next((column for column in state.legal_actions() if column != move), None)
    if other is None:
        return False
    after = state.clone()
    after.apply_action(other)
    return not after.is_terminal() and move in after.legal_actions() and _wins(after, move)


def _read(path: Path) -> Asked:
    """The file as it was written; ValueError names it and the remedy where it is something else."""
    try:
        if path.stat().st_size > _BYTES:
            raise ValueError("it is too large")
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        lines = tuple(_columns(data["moves"]))
        scores = np.array(data["scores"], np.int8)
        if scores.shape != (len(lines), COLUMNS):
            raise ValueError(f"scores have shape {scores.shape}")
        stored = Asked(lines, scores, tuple(_columns(data["openings"])))
        game = load_game("connect_four")
        for line in (*stored.moves, *stored.openings):
            if state_after(game, line).is_terminal():
                raise ValueError("a game is over")
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise ValueError(f"{path} is no list of positions ({error}); remove it to make it anew") from None
    return stored


def _columns(lines: Sequence[str]) -> Iterator[tuple[int, ...]]:
    for line in lines:
        yield tuple(int(column) for column in line)
