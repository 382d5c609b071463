"""Mistakes of the caller, and games that break half-way: one clear error each."""

import pytest
from uct_positions import played, search

from dicezero.rules import load_game
from dicezero.search.explicit import ExplicitGame
from dicezero.search.uct import UctConfig, UctSearcher, flat_monte_carlo, uct_search


class TestRefuses:
    @pytest.mark.parametrize(
        ("options", "match"),
        [
            ({"simulations": 0}, "simulations=0"),
            ({"simulations": -5}, "simulations=-5"),
            ({"simulations": 2.5}, "simulations=2.5"),
            ({"seconds": 0.0}, "seconds=0.0"),
            ({"c": -1.0}, "c=-1.0"),
            ({"c": float("nan")}, "c=nan"),
            ({"playout": "best"}, "playout='best'"),
            ({"playouts": 0}, "playouts=0"),
            ({"final": "max"}, "final='max'"),
            ({"chance": "expectation"}, "chance='expectation'"),
            ({"widen_choice_k": -1.0}, "widen_choice_k=-1.0"),
            ({"widen_chance_alpha": 2.0}, "widen_chance_alpha=2.0"),
            ({"widen_chance_k": 1.0, "chance": "low_variance"}, "widen_chance_k=1.0"),
            ({"tie_bound": 2.0}, "tie_bound=2.0"),
            ({"stop_decided": 1}, "stop_decided=1"),
            ({"utility_range": (1.0, -1.0)}, "utility_range"),
        ],
    )
    def test_bad_settings(self, options, match):
        with pytest.raises(ValueError, match=match):
            UctConfig(**options)

    def test_a_finished_game(self):
        with pytest.raises(ValueError, match="the game is over"):
            search(played("tic_tac_toe", 0, 3, 1, 4, 2))

    def test_a_chance_node(self):
        with pytest.raises(ValueError, match="chance node"):
            search(played("nannon"))

    def test_a_bad_seed(self):
        with pytest.raises(ValueError, match="seed=-1"):
            search(played("tic_tac_toe"), seed=-1)

    @pytest.mark.parametrize("said", [0, "four", None, True, 99, -1, 2.0])
    def test_an_illegal_playout(self, said):
        state = played("tic_tac_toe", 0)
        with pytest.raises(ValueError, match=r"playout returned .*no legal action"):
            uct_search(state.get_game(), state, UctConfig(simulations=9), seed=1, playout=lambda *_: said)

    def test_a_playout_that_raises(self):
        state = played("tic_tac_toe", 0)

        def broken(*_):
            raise RuntimeError("boom")

        with pytest.raises(RuntimeError, match="boom") as caught:
            uct_search(state.get_game(), state, UctConfig(simulations=9), seed=1, playout=broken)
        assert "at the state" in caught.value.__notes__[0]
        assert "x.." in caught.value.__notes__[0]

    def test_an_evaluation_that_is_nan(self):
        state = played("tic_tac_toe")
        config = UctConfig(simulations=9, playout="greedy")
        with pytest.raises(ValueError, match="evaluate returned nan"):
            uct_search(state.get_game(), state, config, seed=1, evaluate=lambda *_: float("nan"))

    def test_no_evaluation(self):
        game = ExplicitGame.parse([1.0, 0.0])
        with pytest.raises(ValueError, match="needs an evaluation"):
            uct_search(game, game.new_initial_state(), UctConfig(playout="softmax"), seed=1)

    @pytest.mark.parametrize(
        ("method", "broken", "error"),
        [
            ("apply_action", lambda *_: 1 / 0, ZeroDivisionError),
            ("legal_actions", lambda *_: 1 / 0, ZeroDivisionError),
            ("legal_actions", lambda *_: [], ValueError),
            ("legal_actions", lambda *_: "no", ValueError),
            ("current_player", lambda *_: "nobody", ValueError),
            ("returns", lambda *_: [], ValueError),
            ("returns", lambda *_: [7.0, -7.0], ValueError),
        ],
    )
    def test_a_game_that_breaks_half_way(self, method, broken, error):
        class State:
            """Three moves each way, then the end; ``method`` breaks after two."""

            def __init__(self, moves=0):
                self.moves = moves

            def current_player(self):
                return -4 if self.moves == 3 else 0

            def is_terminal(self):
                return self.moves == 3

            def is_chance_node(self):
                return False

            def legal_actions(self):
                return [0, 1]

            def chance_outcomes(self):
                return []

            def apply_action(self, _):
                self.moves += 1

            def clone(self):
                return State(self.moves)

            def returns(self):
                return [1.0, -1.0]

            def action_to_string(self, _, action):
                return str(action)

            def __str__(self):
                return f"after {self.moves} moves"

        class Game:
            def new_initial_state(self):
                return State()

            def num_distinct_actions(self):
                return 2

            def max_chance_outcomes(self):
                return 0

            def num_players(self):
                return 2

        good = getattr(State, method)
        at = 3 if method == "returns" else 2
        setattr(State, method, lambda self, *args: broken() if self.moves == at else good(self, *args))
        with pytest.raises(error) as caught:
            uct_search(Game(), State(), UctConfig(simulations=50), seed=1)
        text = str(caught.value) + "".join(getattr(caught.value, "__notes__", []))
        assert "after" in text or "returned 7" in text or "returns()" in text

    def test_simulations_twice(self):
        state = played("tic_tac_toe")
        with pytest.raises(ValueError, match="both given"):
            flat_monte_carlo(state.get_game(), state, 100, config=object(), seed=1)

    def test_a_tree_before_the_search(self):
        with pytest.raises(ValueError, match=r"search\(\) first"):
            UctSearcher(load_game("tic_tac_toe")).tree()
