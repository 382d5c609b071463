"""Objects that are right, one of every native class besides games and states, to be asked and spoiled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dicezero.rules import spec_of
from dicezero.search.config import SearchConfig
from dicezero.search.uct_config import UctConfig

SEEN = 6  # numbers that a judge is shown


def bases(native: Any) -> list[Any]:
    """They are kept for the whole of an attack."""
    return [*_games(native), *_networks(native), *_learners(native), *_searched(native), *_tables(native)]


def _games(native: Any) -> Iterator[Any]:
    """Small enough to be solved."""
    yield native.Nannon(points=4, checkers=2, sides=3)
    if hasattr(native, "Twenty48"):
        yield native.Twenty48(rows=2, columns=2)


def _networks(native: Any) -> Iterator[Any]:
    board = board_evaluator(native, [(False, [("convolution", [_zeros(3, 3, 2, 4), _zeros(4)])])])
    yield board
    yield native.SymmetricEvaluator(board, native.TicTacToe().symmetries())
    yield native.MlpEvaluator([_layer(18, 5), _layer(5, 10)], activation="relu")
    yield native.MuZeroNet(
        [_layer(18, 4)],
        [(_zeros(4, 4), _zeros(9, 4)), _layer(4, 5)],
        [_layer(4, 10)],
        num_actions=9,
        num_identities=0,
        activation="relu",
    )
    yield native.Judge([[_layer(SEEN, 4), _layer(4, 1)]], activation="relu")
    tower = [(False, [("convolution", [_zeros(3, 3, 2, 4), _zeros(4)])])]
    step = [(False, [("convolution", [_zeros(3, 3, 5, 4), _zeros(4)])])]
    heads = [(True, [_layer(4, 2), _layer(18, 1)])]
    both = [(False, [_layer(4, 2), _layer(18, 9)]), *heads]
    words = {"actions": _zeros(9, 9), "action_planes": 1, "num_identities": 0}
    yield native.BoardModel((2, 3, 3), tower, step, heads, both, **words)


def board_evaluator(native: Any, tower: list[Any]) -> Any:
    """For tic-tac-toe, its tower's last layer of four planes."""
    heads = [(False, [_layer(4, 2), _layer(18, 9)]), (True, [_layer(4, 2), _layer(18, 1)])]
    return native.BoardEvaluator((2, 3, 3), tower, heads)


def _learners(native: Any) -> Iterator[Any]:
    yield native.TdLearner(native.TicTacToe(), **learner_settings())
    if hasattr(native, "Twenty48"):
        for game in (native.Twenty48(), native.Twenty48(rows=2, columns=2)):
            yield native.Tuples(**tuple_settings(game))


def learner_settings() -> dict[str, Any]:
    """Of a learner of any game whose observations have one phase."""
    settings = {"widths": [4], "activation": "relu", "phases": 1, "results": [], "value_lambda": 0.7}
    settings |= {"discount": 1.0, "scale": 1.0, "epsilon": 0.1, "max_moves": 20, "block": 4, "batch": 4}
    return settings | {"epochs": 1, "weight_decay": 0.0, "threads": 1}


def tuple_settings(game: Any) -> dict[str, Any]:
    """Of small tables for that size of 2048."""
    cells = spec_of(game).cells
    assert cells is not None, game
    sizes = {"rows": cells.rows, "columns": cells.columns, "values": cells.values}
    symmetries = [list(symmetry) for symmetry in cells.symmetries]
    own = {"places": list(cells.places), "symmetries": symmetries, "tuples": [[0, 1], [1, 2]]}
    return sizes | own | {"weight": 0.5, "coherent": True}


def _searched(native: Any) -> Iterator[Any]:
    """A searcher with a tree, and the trees of a planner."""
    game = native.TicTacToe()
    searcher = native.uct_searcher(game)
    searcher.search(game.new_initial_state(), UctConfig(simulations=20), 1, -1.0, 1.0, None, None, flat=False)
    yield searcher

    def judge(seen: Any, *_: Any) -> Any:
        return np.zeros((len(seen), 9), np.float32), np.zeros(len(seen), np.float32)

    states, seeds = [game.new_initial_state() for _ in range(2)], np.arange(2, dtype=np.uint64)
    config = SearchConfig(simulations=16, root="gumbel", players="alternate")
    yield native.plan_states(game, judge, states, seeds, config, None, None, [])["tree"]


def _tables(native: Any) -> Iterator[Any]:
    """One whose states have numbers, and one that is ranked."""
    yield native.make_table(native.TicTacToe(), 10_000, None)
    yield native.make_table(native.Nannon(points=4, checkers=2, sides=3), 10_000, None)


def _zeros(*shape: int) -> Any:
    return np.zeros(shape, np.float32)


def _layer(inputs: int, outputs: int) -> Any:
    return _zeros(inputs, outputs), _zeros(1, outputs)
