"""A game without dice says nothing about dice; undeclared dice are named, with the remedy, by every loop."""

import pytest

from dicezero import (
    UctConfig,
    check_game,
    load_game,
    make_agent,
    minimax_search,
    perft,
    play_match,
    uct_search,
)
from dicezero.cli import main
from dicezero.rules import GameError
from dicezero.rules.spec import spec_of
from dicezero.solve import solve

NIM = '''
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Nim:
    """Take one to three stones; whoever takes the last one wins."""

    stones: int = 9

    def new_initial_state(self):
        return Heap(self.stones)

    def num_distinct_actions(self):
        return 3

    def num_players(self):
        return 2

    def observation_tensor_shape(self):
        return [2]


@dataclass
class Heap:
    stones: int
    turn: int = 0

    def current_player(self):
        return self.turn if self.stones else -4

    def is_terminal(self):
        return self.stones == 0

    def legal_actions(self):
        return list(range(min(3, self.stones)))

    def apply_action(self, action):
        self.stones -= action + 1
        self.turn = 1 - self.turn

    def clone(self):
        return replace(self)

    def returns(self):
        first = 0.0 if self.stones else -1.0 if self.turn == 0 else 1.0
        return [first, -first]

    def observation_tensor(self, player):
        return [self.stones / 9, float(self.turn == player)]

    def action_to_string(self, player, action):
        return f"take {action + 1}"
'''


@pytest.fixture(scope="module")
def classes():
    """The names that the file defines."""
    made: dict = {"__name__": "nim"}
    exec(NIM, made)  # noqa: S102 - the text above
    return made


@pytest.fixture
def nim(classes):
    return load_game(classes["Nim"]())


def test_it_is_checked_solved_searched_and_played(nim):
    report = check_game(nim, games=20)
    assert report.passed, str(report)
    assert spec_of(nim).outcomes == 0
    assert solve(nim).initial_value == 1.0  # take one and leave eight
    state = nim.new_initial_state()
    assert minimax_search(nim, state).action == 0
    assert uct_search(nim, state, UctConfig(simulations=2000), seed=1).action == 0
    assert perft(nim, 2) == [1, 3, 9]
    agents = [make_agent(name, nim) for name in ("optimal", "random")]
    assert play_match(nim, *agents, games=20, seed=1).score > 0.6
    assert make_agent("greedy", nim).search(state, seed=1).action in (0, 1, 2)


def test_it_goes_through_the_commands(tmp_path, capsys):
    (tmp_path / "nim.py").write_text(NIM)
    game = f"{tmp_path}/nim.py:Nim"
    small = ["--rounds", "1", "--set", "games=4", "--set", "steps=2", "--set", "widths=8"]
    for preset in ("gumbel-alphazero", "td-lambda", "gumbel-muzero"):
        out = str(tmp_path / preset)
        words = small if preset != "td-lambda" else small[:4]
        assert main(["train", preset, "--game", game, "--out", out, *words]) == 0
        assert main(["evaluate", out, "--game", game, "--exact"]) == 0
    assert main(["search", "alphabeta", "--game", game, "--show"]) == 0
    assert "take 1" in capsys.readouterr().out


def test_dice_that_were_not_declared_are_named_with_the_remedy(classes):
    heap = classes["Heap"]

    class Loaded(heap):
        """Chance takes a stone where three are left, and nobody has said so."""

        def current_player(self):
            return -1 if self.stones == 3 else super().current_player()

        def legal_actions(self):
            return [0] if self.stones == 3 else super().legal_actions()

        def chance_outcomes(self):
            return [(0, 1.0)]

        def is_chance_node(self):
            return self.stones == 3

    class Dice(classes["Nim"]):
        def new_initial_state(self):
            return Loaded(5)

    report = check_game(Dice(), games=10)
    assert [failure.rule for failure in report.failures] == ["chance"]
    assert "max_chance_outcomes() is 0 or missing" in report.failures[0].happened
    game = load_game(Dice())
    words = r"current_player\(\) is -1, where chance acts, in a game without chance; let max_chance_outcomes"
    with pytest.raises(ValueError, match=words):
        uct_search(game, game.new_initial_state(), UctConfig(simulations=100), seed=1)
    random = make_agent("random", game)
    with pytest.raises(ValueError, match=words):
        play_match(game, random, random, games=20, seed=1)


def test_a_game_that_declares_dice_needs_their_methods(classes):
    class Dice(classes["Nim"]):
        def max_chance_outcomes(self):
            return 6

    words = r"Heap is no state: it has no method is_chance_node\(\), chance_outcomes\(\)"
    with pytest.raises(GameError, match=words):
        load_game(Dice())

    class Raises(classes["Nim"]):
        def max_chance_outcomes(self):
            raise KeyError("sides")

    with pytest.raises(GameError, match=r"max_chance_outcomes\(\) raised KeyError"):
        load_game(Raises())
