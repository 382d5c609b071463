"""Arguments that fit together, or nearly, for learners, their networks, and tables of solved games."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from bases import SEEN, board_evaluator, learner_settings, tuple_settings
from draw import Draws

Arguments = tuple[list[Any], dict[str, Any]]
_SPOILED = [-1, 0, 1, 3, 2**31 - 1, -(2**31), math.nan, math.inf, 1e300, None, "x", [], [0], [[1]], [[]]]


def makers() -> dict[str, Callable[[Draws], Arguments]]:
    """By the entry's name."""
    return {
        "TdLearner": _learner,
        "TdLearner.play_round": _play_round,
        "TdLearner.play_game": lambda draws: ([draws.rng.randrange(9), draws.rng.randrange(9)], {}),
        "TdLearner.restore": _restore,
        "Judge": _judge,
        "Judge.values": _judge_values,
        "SymmetricEvaluator": _symmetric,
        "Tuples": _tuples,
        "Tuples.touched": lambda draws: ([draws.rng.choice([0.0, 0.5, math.nan])], {}),
        "Tuples.weights": lambda draws: ([_bits(draws)], {}),
        "Tuples.coherence": lambda draws: ([_bits(draws)], {}),
        "Tuples.set_weights": lambda draws: (_touched_values(draws), {}),
        "Tuples.set_coherence": lambda draws: (_touched_values(draws, 2), {}),
        "Tuples.values": _tuple_values,
        "Twenty48.learn_tuples": _learn_tuples,
        "Twenty48.solve_layers": _solve_layers,
        "make_table": _make_table,
        "Table.solve": lambda draws: ([1e-6, 10**4, draws.rng.choice([1, 2]), None], {}),
        "Table.regret": lambda draws: ([_table_values(draws), _policy(draws), None], {}),
        "Table.optimal_actions": lambda draws: ([_table_values(draws), None], {}),
        "Table.visits": _visits,
        "Table.evaluate": lambda draws: ([_policy(draws), _policy(draws), 1e-6, 10**4, 1, None], {}),
        "Table.edge_values": lambda draws: ([_table_values(draws), _state_of_table(draws)], {}),
        "Table.action_values": lambda draws: ([_table_values(draws), *_range(draws)], {}),
        "Table.observations": lambda draws: (_range(draws), {}),
        "Table.legal": lambda draws: (_range(draws), {}),
        "Table.state": lambda draws: (_range(draws)[:1], {}),
        "Table.find": lambda draws: ([_state_of_table(draws)], {}),
        "Table.find_decision": lambda draws: ([_state_of_table(draws)], {}),
        "NannonIndex.rank": _rank,
        "roll_dice": _roll_dice,
    }


def _own(draws: Draws, *names: str) -> list[Any]:
    return [k for k in (*draws.bases, *draws.kept) if type(k).__name__ in names]


def _spoil(draws: Draws, settings: dict[str, Any]) -> dict[str, Any]:
    """One time in three, one of them is something else."""
    if draws.rng.random() < 0.33:
        settings[draws.rng.choice(list(settings))] = draws.rng.choice(_SPOILED)
    return settings


def _size(draws: Draws, size: int) -> int:
    """One time in ten, one more or less."""
    return max(0, size + draws.rng.choice((-1, 1))) if draws.rng.random() < 0.1 else size


def _floats(draws: Draws, *shape: int) -> Any:
    return draws.numpy.normal(0, 1, shape).astype(np.float32)


def _learner(draws: Draws) -> Arguments:
    rng, game = draws.rng, draws.rng.choice(draws.games)
    settings = learner_settings() | {"phases": game.observation_phases(), "threads": rng.choice([1, 2, 3])}
    settings |= {"widths": rng.choice([[4], [5, 3], [1]]), "epsilon": rng.choice([0.0, 0.5, 1.0])}
    settings |= {"results": rng.choice([[], [], [-1.0, 1.0]]), "batch": rng.choice([1, 4, 7])}
    return [game], _spoil(draws, settings)


def _play_round(draws: Draws) -> Arguments:
    rng = draws.rng
    words = {"games": rng.randrange(-1, 9), "seed": rng.randrange(9), "on_progress": None}
    return [], {**words, "learning_rate": rng.choice([0.1, 0.0, 1e30, math.nan])}


def _restore(draws: Draws) -> Arguments:
    learner = draws.owner
    size = len(learner.theta()) if type(learner).__name__ == "TdLearner" else 3
    parts = [_floats(draws, _size(draws, size)) for _ in range(3)]
    return [*parts, draws.rng.choice([0, 1, -1, 2**62])], {}


def _judge(draws: Draws) -> Arguments:
    rng = draws.rng
    phases, results = rng.choice([1, 1, 2, SEEN]), rng.choice([[], [], [-1.0, 1.0], [0.0, 0.5, 1.0]])

    def layer(inputs: int, outputs: int) -> Any:
        return _floats(draws, inputs, _size(draws, outputs)), _floats(draws, 1, outputs)

    nets = [[layer(SEEN, 5), layer(5, len(results) or 1)] for _ in range(phases)]
    return [nets], {"activation": rng.choice(["relu", "tanh"]), "results": results}


def _judge_values(draws: Draws) -> Arguments:
    return [_floats(draws, draws.rng.choice([0, 1, 3, 70]), _size(draws, SEEN))], {}


def _symmetric(draws: Draws) -> Arguments:
    rng, native = draws.rng, draws.native
    inner = rng.choice(_own(draws, "BoardEvaluator", "BoardEvaluator", "SymmetricEvaluator", "MlpEvaluator"))
    if rng.random() < 0.3:
        tower = [("convolution", [_floats(draws, 3, 3, 2, 4), _floats(draws, 4)])]
        inner = board_evaluator(native, [(False, tower)])
    symmetries = native.TicTacToe().symmetries()[: rng.choice([1, 3, 8, 8])]
    if rng.random() < 0.2:
        symmetries[0] = rng.choice([([], []), ([0] * 9, [0] * 9), ([9, *range(8)], list(range(9)))])
    return [inner, symmetries], {}


def _board_game(draws: Draws) -> Any:
    """A 2048 of one of the sizes there are tables for, where the module has it."""
    return draws.rng.choice([g for g in (*draws.games, *draws.bases) if type(g).__name__ == "Twenty48"])


def _tuples(draws: Draws) -> Arguments:
    rng, settings = draws.rng, tuple_settings(_board_game(draws))
    settings |= {"tuples": rng.choice([[[0]], [[0, 1], [1, 3]], [[0, 1, 2]]]), "coherent": rng.random() < 0.5}
    return [], _spoil(draws, settings)


def _bits(draws: Draws) -> Any:
    tables = draws.owner
    entries = tables.entries if type(tables).__name__ == "Tuples" else 9
    bits = draws.numpy.random(_size(draws, (entries + 7) // 8 * 8)) < draws.rng.choice([0.0, 0.01, 0.5, 1.0])
    if draws.rng.random() < 0.7:
        bits[entries:] = False
    return np.packbits(bits, bitorder="little")


def _touched_values(draws: Draws, *columns: int) -> list[Any]:
    bits = _bits(draws)
    return [bits, _floats(draws, _size(draws, int(np.unpackbits(bits).sum())), *columns)]


def _tuple_values(draws: Draws) -> Arguments:
    planes = draws.rng.choice([_board_game(draws), draws.rng.choice(draws.games)]).observation_tensor_shape()
    return [_floats(draws, draws.rows, _size(draws, int(np.prod(planes))))], {}


def _learn_tuples(draws: Draws) -> Arguments:
    rng = draws.rng
    words = {"games": rng.randrange(4), "seed": rng.randrange(9), "learning_rate": 0.1, "value_lambda": 0.5}
    words |= {"coherent": rng.random() < 0.5, "lanes": rng.choice([-1, 1, 3]), "max_decisions": 30}
    return [rng.choice(_own(draws, "Tuples"))], {
        **words,
        "threads": rng.choice([-1, 1, 2]),
        "on_progress": None,
    }


def _solve_layers(draws: Draws) -> Arguments:
    judge = draws.rng.choice([None, *_own(draws, "Tuples")])
    return [], {"judge": judge, "max_states": draws.rng.choice([0, 5000]), "progress": None}


def _make_table(draws: Draws) -> Arguments:
    game = draws.rng.choice([g for g in draws.bases if hasattr(g, "new_initial_state")])
    return [game, draws.rng.choice([3000, 3000, 3]), None], {}


def _table_values(draws: Draws) -> Any:
    table = draws.owner
    states = table.states if type(table).__name__ == "Table" else 3
    return draws.numpy.normal(0, 1, _size(draws, states))


def _policy(draws: Draws) -> Any:
    """Of both players, for every decision; seldom a right one but for the first kind."""
    rng, table = draws.rng, draws.owner
    decisions, actions = 3, 3
    if type(table).__name__ == "Table":
        decisions, actions = table.decisions, table.game.num_distinct_actions()
    rows = _size(draws, decisions)
    chosen = draws.numpy.integers(-1, actions + 1, rows).astype(np.int16)
    likely = draws.numpy.random((rows, actions)).astype(rng.choice([np.float32, np.float64]))
    return rng.choice(["uniform", "uniform", chosen, likely, None])


def _visits(draws: Draws) -> Arguments:
    return [_policy(draws), _policy(draws), draws.rng.random() < 0.5, 1e-6, 10**4, None], {}


def _state_of_table(draws: Draws) -> Any:
    table = draws.owner
    if type(table).__name__ == "Table" and draws.rng.random() < 0.7:
        return table.state(draws.rng.randrange(table.decisions))
    return draws.rng.choice(draws.states)


def _range(draws: Draws) -> list[int]:
    decisions = draws.owner.decisions if type(draws.owner).__name__ == "Table" else 3
    start = draws.rng.randrange(decisions)
    return [start, min(decisions, start + draws.rng.randrange(4)) + (draws.rng.random() < 0.1)]


def _rank(draws: Draws) -> Arguments:
    """Of a game of any size: states of another one than the index's are to be refused."""
    return [draws.rng.choice([s for s in draws.states if type(s).__name__ == "NannonState"])], {}


def _roll_dice(draws: Draws) -> Arguments:
    rng, game = draws.rng, draws.rng.choice(draws.games)
    own = [s for s in draws.states if s.get_game() == game]
    states = [rng.choice(own).clone() for _ in range(draws.rows)]
    seeds = np.arange(_size(draws, draws.rows), dtype=np.uint64)
    return [game, states, seeds, draws.numpy.integers(-5, 9, draws.rows), rng.randrange(9)], {}
