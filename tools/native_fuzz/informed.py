"""Arguments that fit together, or nearly, for what random ones of the right types seldom get far into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from draw import Draws
from learning import makers as makers_of_learning

from dicezero.search.uct_config import UctConfig

_PAID = ("return", "reward")
_MOVES = ("apply_action", "child", "action_to_string", "uci")
# Without a bound the first may well be at it for a year; tables of backgammon take hours or gigabytes.
_LONG = (
    "minimax_search",
    "prove_states",
    "sampled_states",
    "HyperTable",
    "bearoff_two_sided",
    "bearoff_two_sided_cube",
)


def informed(draws: Draws, name: str) -> tuple[list[Any], dict[str, Any]] | None:
    """Positional and keyword arguments; None where types alone go far enough."""
    makers = {
        "plan_model": _plan_model,
        "plan_states": _plan_states,
        "UctSearcher.search": _uct,
        "MlpEvaluator": _mlp,
        "MuZeroNet": _muzero,
        "BoardEvaluator": _board,
        "BoardModel": _board_model,
        "dense": _dense,
        "minimax_search": _minimax,
        "prove_states": _prove,
        "sampled_states": _sampled,
        "HyperTable": _checkers((1, 1, 1, 1, 4), too_many=(3,)),
        "bearoff_two_sided": _checkers((1, 2, 3, 4, 5, 16), too_many=(13, 14, 15)),
        "bearoff_two_sided_cube": _checkers((1, 2, 3, 4, 16), too_many=(12, 13, 14, 15)),
        "Forest.node": _row,
        "Forest.halving": _row,
        "Forest.num_nodes": _row,
        "MlpEvaluator.evaluate": _ask_judge,
        "BoardEvaluator.evaluate": _ask_judge,
        "SymmetricEvaluator.evaluate": _ask_judge,
        **{f"{model}.root": _ask_root for model in ("MuZeroNet", "BoardModel")},
        **{f"{model}.step": _ask_step for model in ("MuZeroNet", "BoardModel")},
        **{f"{type(state).__name__}.{method}": _move for state in draws.states for method in _MOVES},
        **{f"{type(state).__name__}.string_to_action": _name for state in draws.states},
        **{f"{type(state).__name__}.player_{what}": _seat for state in draws.states for what in _PAID},
        **{f"{type(game).__name__}.deserialize_state": _serialized for game in draws.games},
        **makers_of_learning(),
    }
    if name in _LONG or draws.rng.random() < 0.7:
        return makers[name](draws) if name in makers else None
    return None


def _floats(draws: Draws, *shape: int) -> Any:
    """An array; one time in fifty of another size."""
    if draws.rng.random() < 0.02:
        shape = tuple(max(0, n + draws.rng.choice((-1, 1))) for n in shape)
    return draws.numpy.normal(0, 1, shape).astype(np.float32)


def _checkers(
    few: tuple[int, ...], too_many: tuple[int, ...]
) -> Callable[[Draws], tuple[list[Any], dict[str, Any]]]:
    """Tables that are soon made, and such as this process may not take, which must be refused at once."""

    def make(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
        choices = (-1, 0, *few, *(too_many if draws.limited else ()), 2**31 - 1)
        return [draws.rng.choice(choices)], {}

    return make


def _layer(draws: Draws, inputs: int, outputs: int, rows: int = 1) -> Any:
    return _floats(draws, inputs, outputs), _floats(draws, rows, outputs)


def _plan_states(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    rng, game = draws.rng, rng_game(draws)
    own = [s for s in draws.states if s.get_game() == game and not s.is_terminal()] or draws.states
    states = [rng.choice(own) for _ in range(draws.rows)]
    width = game.num_distinct_actions() + rng.choice([0, 0, 0, 1])

    def judge(seen: Any, *_: Any) -> Any:
        return np.zeros((len(seen), width), np.float32), np.zeros(len(seen), np.float32)

    networks = [k for k in draws.kept if type(k).__name__.endswith("Evaluator")]
    network = rng.choice([judge, judge, *networks])
    seeds = np.arange(rng.choice([draws.rows, draws.rows, 3]), dtype=np.uint64)
    forests = [f for f in draws.kept if type(f).__name__ == "Forest"]
    previous = rng.choice([None, None, *forests])
    paths = [[(0, rng.randrange(-1, 4))] for _ in states] if previous is not None else []
    return [game, network, states, seeds, draws.config(), None, previous, paths], {}


def rng_game(draws: Draws) -> Any:
    """A native game."""
    return draws.game if draws.game in draws.games else draws.rng.choice(draws.games)


def _plan_model(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    rng, rows = draws.rng, draws.rows
    models = [k for k in draws.kept if type(k).__name__ in ("MuZeroNet", "BoardModel")]
    model = rng.choice([None, *models])
    actions, hidden = (
        (model.num_actions, model.hidden_size) if model else (rng.choice([1, 3, 14]), rng.choice([1, 5]))
    )
    identities = model.num_identities if model else rng.choice([0, 4, 4, 5])

    def step(h: Any, a: Any) -> Any:
        m = len(a)
        named = (_floats(draws, m, identities), _floats(draws, m, actions)) if identities else (None, None)
        return h, _floats(draws, m), _floats(draws, m, actions), _floats(draws, m), *named

    forests = [f for f in draws.kept if type(f).__name__ == "Forest"]
    previous = rng.choice([None, *forests])
    given = [model or step, _floats(draws, rows, hidden), _floats(draws, rows, actions), _floats(draws, rows)]
    given += [draws.numpy.integers(0, 2, (rows, actions)).astype(np.uint8), np.arange(rows, dtype=np.uint64)]
    given += [draws.config(), None, identities, previous]
    return [*given, [[(0, rng.randrange(-1, 4))] for _ in range(rows)] if previous is not None else []], {}


def _minimax(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    rng, game = draws.rng, rng_game(draws)
    options = draws.native.MinimaxOptions()
    options.depth, options.max_nodes = rng.choice([0, 1, 2, -1]), rng.choice([1, 50, 300])
    options.prune = rng.random() < 0.5
    own = [s for s in draws.states if s.get_game() == game]
    evaluate = rng.choice([None, lambda *_: rng.uniform(-1.2, 1.2)])
    return [game, rng.choice(own), options], {"evaluate": evaluate, "record_nodes": rng.choice([0, 20])}


def _prove(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    """Positions of one game, now and then of another, or over."""
    rng, ([game, state, options], _) = draws.rng, _minimax(draws)
    states = [state, *rng.sample(draws.states, rng.choice([0, 0, 1]))]
    return [game, states[: rng.choice([0, 1, 2])], options], {"threads": rng.choice([-1, 0, 1, 2, 3, 257])}


def _sampled(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    enough = draws.rng.choice([-1.0, 0.0, 100.0, float("nan"), float("inf")])
    return [rng_game(draws), enough, draws.rng.choice([0, 1, 500])], {}


def _move(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    """A legal action of the state that is asked, mostly."""
    legal = draws.owner.legal_actions() if draws.owner in draws.states else []
    return [draws.rng.choice([*legal, *legal, -1, 10**6])], {}


def _name(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    state = draws.owner
    legal = state.legal_actions() if state in draws.states else []
    return [draws.rng.choice([*(state.action_to_string(action) for action in legal[:5]), "x"])], {}


def _seat(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    return [draws.rng.choice([0, 0, 1, 2])], {}


def _serialized(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    own = [state for state in draws.states if state.get_game() == draws.owner] or draws.states
    return [draws.rng.choice(own).serialize()], {}


def _size(draws: Draws, name: str) -> int:
    """A size that the network whose method is called has; any where it is none of ours."""
    found = getattr(draws.owner, name, 3)
    return found if isinstance(found, int) else 3


def _ask_judge(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    seen, actions = _size(draws, "observation_size"), _size(draws, "num_actions")
    return [_floats(draws, draws.rows, seen), np.ones((draws.rows, actions), np.bool_)], {}


def _ask_root(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    return [_floats(draws, draws.rows, _size(draws, "observation_size"))], {}


def _ask_step(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    hidden, actions = _size(draws, "hidden_size"), _size(draws, "num_actions")
    taken = draws.numpy.integers(-1 if draws.rng.random() < 0.1 else 0, actions, draws.rows)
    return [_floats(draws, draws.rows, hidden), taken.astype(np.int32)], {}


def _row(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    rows = len(draws.owner) if type(draws.owner).__name__ == "Forest" else 0
    row = draws.rng.randrange(-1, rows + 1)
    return [row, draws.rng.randrange(-1, 9)][: draws.rng.choice([1, 2])], {}


def _uct(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    rng = draws.rng
    low, high = rng.choice([(-1.0, 1.0), (-1.0, 1.0), (1.0, 0.0)])
    choose = rng.choice([None, lambda s: s.legal_actions()[0]])
    config = UctConfig(simulations=rng.randrange(1, 20))
    first = draws.native.TicTacToe().new_initial_state()  # the game of the searcher that is always there
    state = rng.choice([first, rng.choice(draws.states)])
    return [state, config, 1, low, high, None, choose, rng.random() < 0.3], {}


def _mlp(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    game = rng_game(draws)
    seen, actions = int(np.prod(game.observation_tensor_shape())), game.num_distinct_actions()
    if actions > 500:
        seen, actions = 9, 5
    return [[_layer(draws, seen, 5), _layer(draws, 5, actions + 1)]], {
        "activation": draws.rng.choice(["relu", "tanh", "x"])
    }


def _muzero(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    rng = draws.rng
    hidden, actions, identities = rng.choice([1, 6]), rng.choice([1, 5]), rng.choice([0, 4])
    outputs = hidden + 1 + (identities + actions if identities else 0)
    dynamics = [_layer(draws, hidden, 4, rows=actions), _layer(draws, 4, outputs)]
    words = {"num_actions": actions, "num_identities": identities, "activation": "relu"}
    prediction = [_layer(draws, hidden, actions + 1)]
    return [[_layer(draws, 7, hidden)], dynamics, prediction], {**words, "scale_hidden": rng.random() < 0.5}


def _tower(draws: Draws, inputs: int, channels: int) -> list[Any]:
    rng = draws.rng
    side = rng.choice([1, 3])
    first = ("convolution", [_floats(draws, side, side, inputs, channels), _floats(draws, channels)])
    kinds = {
        "convolution": [_floats(draws, 3, 3, channels, channels), _floats(draws, channels)],
        "broadcast": [_floats(draws, 9, 9), _floats(draws, 9)],
        "strided": [_floats(draws, 3, 3, channels, channels), _floats(draws, channels)],
    }
    kind = rng.choice(["convolution", "convolution", "broadcast", "strided"])
    return [(False, [first]), (rng.random() < 0.5, [(kind, kinds[kind])])]


def _head(draws: Draws, channels: int, outputs: int, *, number: bool) -> Any:
    return number, [_layer(draws, channels, 2), _layer(draws, 18, outputs)]


def _board(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    heads = [_head(draws, 4, 9, number=False), _head(draws, 4, 1, number=True)]
    return [(2, 3, 3), _tower(draws, 2, 4), heads], {}


def _board_model(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    heads = [_head(draws, 4, 1, number=True)]
    both = [_head(draws, 4, 9, number=False), _head(draws, 4, 1, number=True)]
    words = {"actions": _floats(draws, 9, 9), "action_planes": 1, "num_identities": 0}
    return [(2, 3, 3), _tower(draws, 2, 4), _tower(draws, 5, 4), heads, both], words


def _dense(draws: Draws) -> tuple[list[Any], dict[str, Any]]:
    inputs, outputs = draws.rng.randrange(1, 40), draws.rng.randrange(1, 40)
    return [_floats(draws, draws.rows, inputs), *_layer(draws, inputs, outputs)], {"activation": "relu"}
