"""Every binding is fuzzed, a new one too, and whatever it is given it answers or raises."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tools" / "native_fuzz"))

from bases import bases
from calls import Fuzzer
from surface import surface

from dicezero import _native
from dicezero.agents import make_agent
from dicezero.rules import load_game
from dicezero.search.uct import UctConfig, uct_search

STUB = Path(__file__).parents[1] / "src" / "dicezero" / "_native.pyi"


def stubbed() -> set[str]:
    """The names of the type stub, which is written by another program: functions, classes, methods."""
    found = set()
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    found.add(node.name if inner.name == "__init__" else f"{node.name}.{inner.name}")
    return found


def test_all_that_the_stub_names_is_called():
    left_out = {name for name in stubbed() if name.endswith(("__reduce__", "__deepcopy__", "__len__"))}
    missing = stubbed() - left_out - {entry.name.rstrip("=") for entry in surface(_native)}
    assert missing == set()


def test_every_entry_has_its_turn_and_calls_of_every_class_return():
    """What is refused whenever it is called is not tried at all."""
    fuzzer = Fuzzer(_native, seed=3)
    for _ in range(14 * len(fuzzer.entries)):
        fuzzer.call()
    assert fuzzer.broken == []
    assert set(fuzzer.called) == {entry.name for entry in fuzzer.entries}
    assert fuzzer.never() == []
    share = {kind: returned / calls for kind, (calls, returned) in fuzzer.by_class().items()}
    assert {"Judge", "SymmetricEvaluator", "TdLearner", "Tuples", "Table"} < share.keys()
    assert {kind: part for kind, part in share.items() if part < 0.25} == {}


def test_an_entry_that_is_always_refused_is_noticed():
    fuzzer = Fuzzer(_native, seed=3)
    assert fuzzer.never() == []
    fuzzer.called["Judge"], fuzzer.called["TdLearner"], fuzzer.returned["TdLearner"] = 25, 25, 1
    assert fuzzer.never() == ["Judge"]
    fuzzer.called["TdLearner.theta"] = 100
    assert fuzzer.never() == ["Judge", "TdLearner.theta"]


# What it found, each once.


@pytest.mark.parametrize(
    "value", [np.zeros(3), np.zeros((0, 3), np.float32), np.array(2.5), 2**31, -(2**40), True]
)
def test_a_parameter_that_is_no_whole_number_is_refused(value):
    with pytest.raises(TypeError, match="no whole number"):
        _native.ConnectFour(columns=value)


def test_an_array_of_one_whole_number_is_one():
    assert _native.ConnectFour(columns=np.int64(5)).columns == 5
    assert _native.ConnectFour(columns=np.array(5)).columns == 5


@pytest.mark.parametrize("said", [np.zeros(3), np.array(1.5), 2**40])
def test_a_playout_that_returns_an_array_is_refused(said):
    game = load_game("tic_tac_toe")
    with pytest.raises(ValueError, match="no legal action"):
        uct_search(game, game.new_initial_state(), UctConfig(simulations=5), seed=1, playout=lambda *_: said)


def test_a_layer_without_a_shape_is_refused():
    layer = ("convolution", [np.array(1.0, np.float32), np.zeros(4, np.float32)])
    with pytest.raises(ValueError, match="shape"):
        _native.BoardEvaluator((2, 3, 3), [(False, [layer])], [])


@pytest.mark.parametrize("shape", [(1, 2**20, 2**20), (2**30, 3, 3), (1, 2**31 - 1, 2), (0, 3, 3)])
def test_boards_beyond_measure_are_refused(shape):
    with pytest.raises(ValueError, match="are no board"):
        _native.BoardEvaluator(shape, [], [])


BOARD = {"rows": 2, "columns": 2, "values": 4, "places": [0, 1, 4, 5], "symmetries": [[0, 1, 2, 3]]}
TABLES = {**BOARD, "tuples": [[0, 1]], "weight": 0.5, "coherent": False}


@pytest.mark.parametrize(
    "wrong",
    [
        {"symmetries": [[]]},  # read past their end
        {"symmetries": []},
        {"symmetries": [[0, 0, 1, 2]]},
        {"places": [0, 1, 4, 16]},
        {"places": [5, 4, 1, 0]},
        {"places": [-1, 1, 4, 5]},
        {"values": -1},
        {"values": 10**6},
        {"rows": 2**20, "columns": 2**20},
    ],
)
def test_tables_of_no_board_are_refused(wrong):
    assert _native.Tuples(**TABLES).entries == 16
    with pytest.raises(ValueError, match=r"symmetr|places|board"):
        _native.Tuples(**TABLES | wrong)


def test_tables_are_read_and_written_within_their_bounds():
    tables, small = _native.Tuples(**TABLES), _native.Tuples(**TABLES | {"values": 2, "tuples": [[0]]})
    all_bits = np.full(2, 255, np.uint8)
    with pytest.raises(ValueError, match="coherent=True"):
        tables.coherence(all_bits)
    with pytest.raises(ValueError, match="coherent=True"):
        tables.set_coherence(all_bits, np.zeros((16, 2), np.float32))
    with pytest.raises(ValueError, match="beyond the tables' 2"):
        small.set_weights(all_bits[:1], np.zeros(8, np.float32))


def test_tables_of_another_board_are_refused():
    game, tables = load_game("2048"), _native.Tuples(**TABLES)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    learning = {"games": 1, "seed": 0, "learning_rate": 0.1, "value_lambda": 0.0, "coherent": False}
    with pytest.raises(ValueError, match="of another board"):
        game.learn_tuples(tables, **learning, lanes=1, max_decisions=9, threads=1, on_progress=None)
    with pytest.raises(ValueError, match="of another board"):
        game.judged(tables, [state], plies=1, candidates=1, rare=0.0, scale=1.0, threads=1)
    with pytest.raises(ValueError, match="of another board"):
        game.solve_layers(judge=tables, max_states=10, progress=None)
    with pytest.raises(TypeError, match="no native table"):
        game.solve_layers(judge=3, max_states=10, progress=None)


def test_a_mean_of_means_is_refused():
    """The inner one wrote over what the outer one was reading."""
    mean = next(b for b in bases(_native) if type(b).__name__ == "SymmetricEvaluator")
    with pytest.raises(ValueError, match="symmetries already"):
        _native.SymmetricEvaluator(mean, load_game("tic_tac_toe").symmetries())


@pytest.mark.parametrize("agent", ["optimal", "expectiminimax(depth=2)", "uct(simulations=20)"])
def test_a_state_may_print_half_characters(agent):
    """Stray bytes are how Python holds what is no text; they are as good a key as any."""
    game = load_game(Odd())
    found = make_agent(agent, game).search(game.new_initial_state(), seed=1)
    assert found.action == 1


class Odd:
    """One move: 0 loses, 1 wins."""

    def new_initial_state(self):
        return OddState()

    def num_distinct_actions(self):
        return 2

    def max_chance_outcomes(self):
        return 0

    def num_players(self):
        return 2

    def observation_tensor_shape(self):
        return [1]

    def __str__(self):
        return "odd"


class OddState:
    def __init__(self, action=None):
        self.action = action

    def get_game(self):
        return Odd()

    def current_player(self):
        return 0 if self.action is None else -4

    def is_terminal(self):
        return self.action is not None

    def is_chance_node(self):
        return False

    def legal_actions(self):
        return [] if self.is_terminal() else [0, 1]

    def chance_outcomes(self):
        return []

    def apply_action(self, action):
        self.action = action

    def clone(self):
        return OddState(self.action)

    def returns(self):
        return [0.0, 0.0] if self.action is None else [1.0, -1.0] if self.action else [-1.0, 1.0]

    def observation_tensor(self, player):
        return [float(player)]

    def action_to_string(self, player, action):
        return f"{player}\udcff{action}"

    def __str__(self):
        return f"\ud800{self.action}\udcfe"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("batch", 0),
        ("batch", -1),
        ("block", 0),
        ("max_moves", 0),
        ("epochs", -1),
        ("widths", [0]),
        ("phases", 0),
        ("scale", 0.0),
        ("scale", float("nan")),
        ("discount", -1.0),
        ("epsilon", 2.0),
        ("value_lambda", float("inf")),
        ("results", [float("nan")]),
    ],
)
def test_a_learner_of_no_size_is_refused(name, value):
    """A batch of none was divided by."""
    settings = {"widths": [4], "activation": "relu", "phases": 1, "results": [], "value_lambda": 0.7}
    settings |= {"discount": 1.0, "scale": 1.0, "epsilon": 0.0, "max_moves": 10, "block": 4, "batch": 4}
    settings |= {"epochs": 1, "weight_decay": 0.0, "threads": 1}
    game = load_game("tic_tac_toe")
    assert _native.TdLearner(game, **settings).play_round(
        games=2, seed=0, learning_rate=0.1, on_progress=None
    )
    with pytest.raises(ValueError, match="width" if name == "widths" else name.rstrip("s")):
        _native.TdLearner(game, **settings | {name: value})


@pytest.mark.parametrize("setting", ["epochs", "max_moves"])
def test_a_learner_that_would_never_come_back_is_refused(setting):
    """Found by the attack, seed 8000028: Ctrl-C does not reach a block under way."""
    from bases import learner_settings

    game = _native.Nannon()
    settings = learner_settings() | {"phases": game.observation_phases()}
    _native.TdLearner(game, **settings)
    with pytest.raises(ValueError, match=f"{setting} is not in"):
        _native.TdLearner(game, **settings | {setting: 2**31 - 1})
