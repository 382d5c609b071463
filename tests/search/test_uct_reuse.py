"""A tree kept from move to move, and Monte Carlo tree search on every kind of game."""

import importlib.util
from pathlib import Path

import pytest
from uct_positions import played, search

from dicezero.rules import load_game
from dicezero.search.uct import UctConfig, UctSearcher, nmcts_search, uct_search

EXAMPLES = Path(__file__).parents[2] / "examples"


class TestReuse:
    def test_visits_are_carried_over(self):
        state = played("nannon", 2)
        searcher = UctSearcher(state.get_game(), UctConfig(simulations=3000))
        found = searcher.search(state, seed=1)
        assert found.details["reused"] == 0
        record = searcher.tree(max_nodes=100_000)
        move = next(child for child in record.children if child.action == found.action)
        roll = max(move.children, key=lambda child: child.visits)
        for action in (found.action, roll.action):
            state.apply_action(action)
        assert searcher.advance(found.action, roll.action)
        again = searcher.search(state, seed=2)
        assert again.details["reused"] == roll.visits > 100
        assert sum(again.visits.values()) == roll.visits - 1 + 3000
        for (
            child
        ) in roll.children:  # what was known of each reply, in that player's own view, is still in there
            assert again.visits[child.action] >= child.visits

    def test_without_advance_nothing_is_kept(self):
        state = played("tic_tac_toe")
        searcher = UctSearcher(state.get_game(), UctConfig(simulations=300))
        first = searcher.search(state, seed=1)
        assert searcher.search(state, seed=1).visits == first.visits
        assert searcher.advance()
        assert searcher.search(state, seed=1).details["reused"] == 300

    def test_another_position_starts_anew(self):
        state = played("tic_tac_toe")
        searcher = UctSearcher(state.get_game(), UctConfig(simulations=300))
        searcher.search(state, seed=1)
        searcher.advance(0, 1)
        assert searcher.search(played("tic_tac_toe", 4, 0), seed=1).details["reused"] == 0

    def test_an_unexplored_move_is_told(self):
        state = played("tic_tac_toe")
        searcher = UctSearcher(state.get_game(), UctConfig(simulations=5))
        searcher.search(state, seed=1)
        assert not searcher.advance(0, 1, 2)

    def test_values_turn_round_with_the_root(self):
        """A kept tree says what a fresh one says: the opponent's view of the same position."""
        state = played("nannon", 4)
        searcher = UctSearcher(state.get_game(), UctConfig(simulations=60_000))
        found = searcher.search(state, seed=1)
        for action in (found.action, 3):
            state.apply_action(action)
        searcher.advance(found.action, 3)
        kept = searcher.search(state, seed=2)
        assert kept.details["reused"] > 1000
        assert kept.value == pytest.approx(search(state, 3, simulations=60_000).value, abs=0.03)


class TestGames:
    def pig(self):
        spec = importlib.util.spec_from_file_location("pig_example", EXAMPLES / "pig.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.Pig(target=10)

    def test_plain_python(self):
        game = self.pig()
        state = game.new_initial_state()
        found = uct_search(game, state, UctConfig(simulations=300), seed=1)
        assert sum(found.visits.values()) == 300
        assert -1.0 <= found.value <= 1.0

    def test_plain_python_holds_the_winning_points(self):
        game = self.pig()
        state = game.new_initial_state()
        state.points = 10
        assert uct_search(game, state, UctConfig(simulations=200), seed=1).action == 1

    def test_openspiel(self):
        pyspiel = pytest.importorskip("pyspiel")
        game = pyspiel.load_game("tic_tac_toe")
        state = game.new_initial_state()
        for action in (0, 3, 1, 4):
            state.apply_action(action)
        assert uct_search(game, state, UctConfig(simulations=300), seed=1).action == 2

    def test_openspiel_is_searched_as_the_native_game_is(self):
        """With play-outs that draw alike; the native game's own take fewer random numbers."""
        pyspiel = pytest.importorskip("pyspiel")
        config = UctConfig(simulations=400)
        visits = [
            uct_search(
                game,
                game.new_initial_state(),
                config,
                seed=4,
                playout=lambda state, generator: generator.choice(state.legal_actions()),
            ).visits
            for game in (pyspiel.load_game("tic_tac_toe"), load_game("tic_tac_toe"))
        ]
        assert visits[0] == visits[1]

    def test_openspiel_with_dice(self):
        pyspiel = pytest.importorskip("pyspiel")
        game = pyspiel.load_game("pig(winscore=15)")
        state = game.new_initial_state()
        found = nmcts_search(game, state, UctConfig(simulations=300), seed=1)
        assert sum(found.visits.values()) == 300
