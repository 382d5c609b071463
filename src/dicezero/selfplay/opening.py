"""Random moves before an episode of self-play begins, so that it starts where its own play would not lead."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dicezero.rules.protocol import Game, State
from dicezero.rules.spec import GameSpec
from dicezero.selfplay.seeds import SeedArray, extended_seeds, extended_uniforms
from dicezero.selfplay.states import drawn_rows, play_moves, positions_of, roll_dice

_COUNT, _DICE, _MOVE = range(3)  # the last part of an address: what the number is for


def random_openings(
    game: Game, spec: GameSpec, states: Sequence[State], seeds: SeedArray, *, most: int
) -> list[State]:
    """[B], the states after 0..``most`` random moves each, every number of moves and every move as likely.

    A move that would end the game is not made: the opening ends before it. All is drawn by the addresses of
    ``seeds`` [B], dice included.
    """
    openings = list(states)
    left = (extended_uniforms(seeds, _COUNT) * (most + 1)).astype(np.int64)
    dice, rolled = extended_seeds(seeds, _DICE), np.zeros(len(openings), np.int64)
    for move in range(most):
        rows = np.flatnonzero(left > move)
        if not len(rows):
            break
        here = [openings[row] for row in rows]
        rolls = roll_dice(game, spec, here, dice[rows], rolled[rows])
        rolled[rows] += np.bincount(rolls.row, minlength=len(rows))
        going = np.flatnonzero(rolls.player >= 0)
        movers = [here[i] for i in going]
        if not movers:
            break
        legal = positions_of(game, spec, movers).legal.astype(np.float32)
        action = drawn_rows(legal, extended_uniforms(seeds[rows[going]], move, _MOVE))
        before = [state.clone() for state in movers]
        play_moves(game, spec, movers, action)
        for row, kept, moved in zip(rows[going], before, movers, strict=True):
            if moved.is_terminal():
                openings[row], left[row] = kept, 0
    return openings
