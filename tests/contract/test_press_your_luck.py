"""A game of one's own that is over where one stops: whoever never tries the other move learns nothing.

New networks know nothing, so nothing they say may keep self-play from a move.
"""

from __future__ import annotations

import json

import pytest

from dicezero.cli import main
from dicezero.model.board import BoardConfig, BoardEvaluator, BoardModel
from dicezero.model.dense import DenseEvaluator, DenseModel

CARDS = '''
"""Draw from one to six as often as you dare, and stop; above LIMIT all is lost."""

STOP, DRAW = MOVES


class Cards:
    def new_initial_state(self):
        return CardsState()

    def num_distinct_actions(self):
        return 2

    def max_chance_outcomes(self):
        return 6

    def num_players(self):
        return 1

    def min_utility(self):
        return 0

    def max_utility(self):
        return 12

    def observation_tensor_shape(self):
        return [13]


class CardsState:
    def __init__(self, total=0, who=0):
        self.total, self.who = total, who

    def current_player(self):
        return self.who

    def is_terminal(self):
        return self.who == -4

    def is_chance_node(self):
        return self.who == -1

    def legal_actions(self):
        return {0: [0, 1], -1: list(range(6)), -4: []}[self.who]

    def chance_outcomes(self):
        return [(card, 1 / 6) for card in range(6)]

    def apply_action(self, action):
        if self.who == 0:
            self.who = -4 if action == STOP else -1
            return
        self.total += action + 1
        self.who = 0
        if self.total > 12:
            self.total, self.who = 0, -4

    def clone(self):
        return CardsState(self.total, self.who)

    def returns(self):
        return [self.total if self.who == -4 else 0]

    def observation_tensor(self, player):
        return [float(self.total == i) for i in range(13)]

    def action_to_string(self, player, action):
        return str(action + 1) if player < 0 else "stop" if action == STOP else "draw"
'''


# Always to stop and always to draw both come to 0; to draw once and stop to 3.5; perfect play to 8.17.
@pytest.mark.parametrize("preset", ["td-lambda", "gumbel-alphazero", "gumbel-ndmz"])
@pytest.mark.parametrize("moves", ["0, 1", "1, 0"])
def test_it_is_learned_whichever_move_is_the_first(preset, moves, tmp_path, capsys):
    (tmp_path / "cards.py").write_text(CARDS.replace("MOVES", moves))
    sizes = {
        "games": "100",
        "buffer_games": "400",
        "batch": "64",
        "steps": "40",
        "simulations": "8",
        "play.simulations": "8",
        "hidden": "16",
        "widths": "32,32",
        "measure_every": "8",
    }
    words = [word for pair in sizes.items() for word in ("--set", "=".join(pair))]
    name, out = f"{tmp_path / 'cards.py'}:Cards", str(tmp_path / "run")
    command = ["train", preset, "--game", name, "--out", out, "--rounds", "8"]
    assert main([*command, *words, "--json"]) == 0
    capsys.readouterr()
    lines = (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()
    assert max(json.loads(line)["mean_return"] for line in lines) > 5


def test_a_new_network_expects_nothing_of_any_move():
    tower = BoardConfig(channels=8, blocks=1)
    for network in (
        DenseModel(5, 4),
        DenseEvaluator(5, 4),
        BoardEvaluator((2, 3, 3), 9, tower),
        BoardModel((2, 3, 3), 9, 4, tower),
    ):
        weights = network.init(seed=1)
        last = [
            name
            for name in weights
            for head in ("value", "reward")
            if name.endswith((f".{head}.weight", f".{head}.output.kernel"))
        ]
        assert len(last) == (2 if network.kind == "model" else 1)
        assert not any(weights[name].any() for name in last)
