"""Positions proved by alpha-beta: what a search need not estimate, because the end of the game is near."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dicezero import _native
from dicezero.rules.protocol import Game, State
from dicezero.search.minimax import check_suits, native_options
from dicezero.search.minimax_config import DEFAULT_TABLE_ENTRIES, MinimaxConfig

_DEPTH = 999  # plies: a line that is longer is not followed, and what hangs on it is not proved


@dataclass(frozen=True)
class Proofs:
    """What alpha-beta could prove of B positions. Values are for the player to move, in the game's units."""

    proved: npt.NDArray[np.bool_]  # [B]; where not, the nodes were not enough and the rest is void
    action: npt.NDArray[np.int32]  # [B], a move that is worth ``value``; -1 where nothing is proved
    value: npt.NDArray[np.float64]  # [B], under perfect play
    lost: npt.NDArray[np.bool_]  # [B], no game can be worth less: all moves are as good
    nodes: npt.NDArray[np.int64]  # [B], searched


def prove_states(game: Game, states: Sequence[State], *, nodes: int, threads: int = 1) -> Proofs:
    """Searches each state to the end of the game, with at most ``nodes`` positions looked at for each.

    A state's proof is a function of that state alone: neither the other states nor the threads change it.

    Args:
        game: for one or two players, without chance.
        states: choice nodes; they are not changed.
        nodes: of one search.
        threads: among which states are shared; games written in Python take one.

    Raises:
        ValueError: the game does not suit alpha-beta, or a state is not a choice node.
    """
    states = list(states)
    if states:
        check_suits(game, states[0], "alphabeta")
    # Many nodes are forced, or decided at a glance, and need no entry.
    entries = min(nodes, DEFAULT_TABLE_ENTRIES)
    config = MinimaxConfig(algorithm="alphabeta", depth=_DEPTH, max_nodes=nodes, table_entries=entries)
    options = native_options(game, config, chance=False)
    # Straight to the end: with nothing to learn from shallow searches, deepening costs Connect Four ten times
    # the nodes. Games whose own knowledge wants it (chess: mates) deepen all the same.
    options.iterative = False
    options.only_value = True
    proved, action, value, searched = _native.prove_states(game, states, options, threads=threads)
    proved = proved.astype(np.bool_)
    return Proofs(proved, action, value, proved & (value <= options.min_utility), searched)
