"""Every setting gives the value of plain minimax: the slow twin, on random trees and positions."""

import dataclasses
import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero import _native
from dicezero.search.explicit import ExplicitGame
from dicezero.search.minimax import MinimaxConfig, minimax_search
from dicezero.search.reference_minimax import reference_value

LEAVES = st.integers(-9, 9)
DETERMINISTIC = st.recursive(LEAVES, lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=30)


def with_players(below):
    """Choices of either player, in any order: nobody has to take turns."""
    children = st.lists(below, min_size=1, max_size=3)
    return st.builds(lambda p, c: {"player": p, "children": c}, st.integers(0, 1), children)


def with_chance(below):
    def outcomes(weighted):
        total = sum(w for w, _ in weighted)
        return {"chance": [[w / total, tree] for w, tree in weighted]}

    chance = st.lists(st.tuples(st.integers(1, 5), below), min_size=1, max_size=4).map(outcomes)
    return st.one_of(st.lists(below, min_size=1, max_size=3), with_players(below), chance)


ANY_TURNS = st.recursive(LEAVES, with_players, max_leaves=30)
STOCHASTIC = st.recursive(LEAVES, with_chance, max_leaves=40)


def root_choice(tree):
    """Gives a tree a choice at its root."""
    return tree if isinstance(tree, list) else [tree, 0]


def alpha_beta_configs():
    for ordering, table, bounds, iterative in itertools.product(
        ("none", "evaluation", "full"), (0, 4, 10_000), (False, True), (False, True)
    ):
        yield MinimaxConfig(
            ordering=ordering, table_entries=table, utility_bounds=bounds, iterative=iterative, depth=None
        )


def check_tree(game, configs, *, depth=None, evaluate=None):
    root = game.new_initial_state()
    expected = reference_value(
        root, maximiser=root.current_player(), depth=math.inf if depth is None else depth, evaluate=evaluate
    )
    for config in configs:
        config = dataclasses.replace(config, depth=depth)
        result = minimax_search(game, root, config, evaluate=evaluate)
        assert result.value == pytest.approx(expected, abs=1e-9), config
        after = root.child(result.action)
        chosen = reference_value(
            after,
            maximiser=root.current_player(),
            depth=math.inf if depth is None else depth - 1,
            evaluate=evaluate,
        )
        assert chosen == pytest.approx(expected, abs=1e-9), config


def spread(state, _player):
    """A deterministic evaluation that has nothing to do with the utility."""
    return float(state.key() * 7 % 19 - 9) / 9.0 * min(9, state.get_game().max_utility())


@settings(max_examples=60, deadline=None)
@given(tree=DETERMINISTIC, first=st.integers(0, 1))
def test_alpha_beta_equals_minimax_on_random_trees(tree, first):
    check_tree(ExplicitGame.parse(root_choice(tree), first_player=first), alpha_beta_configs())


@settings(max_examples=40, deadline=None)
@given(tree=ANY_TURNS)
def test_a_player_may_move_twice_running(tree):
    check_tree(ExplicitGame.parse(root_choice(tree)), alpha_beta_configs())


@settings(max_examples=40, deadline=None)
@given(tree=DETERMINISTIC, depth=st.integers(1, 4))
def test_alpha_beta_equals_minimax_at_a_depth(tree, depth):
    check_tree(ExplicitGame.parse(root_choice(tree)), alpha_beta_configs(), depth=depth, evaluate=spread)


@settings(max_examples=20, deadline=None)
@given(tree=DETERMINISTIC)
def test_one_player_maximises_everywhere(tree):
    game = ExplicitGame.parse(root_choice(tree), players=1)
    leaves = [node.value for node in game.nodes if not node.children]
    for config in (
        MinimaxConfig("minimax", depth=None),
        MinimaxConfig("alphabeta", depth=None),
        MinimaxConfig("expectiminimax", depth=None),
    ):
        assert minimax_search(game, game.new_initial_state(), config).value == max(leaves)


STAR = [
    MinimaxConfig(
        "expectiminimax",
        chance_pruning=pruning,
        table_entries=table,
        ordering=ordering,
        utility_bounds=b,
        depth=None,
    )
    for pruning in ("none", "star1", "star2")
    for table in (0, 10_000)
    for ordering in ("none", "full")
    for b in (True, False)
]


@settings(max_examples=150, deadline=None)
@given(tree=STOCHASTIC, first=st.integers(0, 1))
def test_star1_and_star2_equal_expectiminimax(tree, first):
    check_tree(ExplicitGame.parse(root_choice(tree), first_player=first), STAR)


@settings(max_examples=80, deadline=None)
@given(tree=STOCHASTIC, depth=st.integers(1, 4))
def test_star1_and_star2_equal_expectiminimax_at_a_depth(tree, depth):
    check_tree(ExplicitGame.parse(root_choice(tree)), STAR, depth=depth, evaluate=spread)


def random_position(game, plies, rng):
    while True:
        state = game.new_initial_state()
        for _ in range(plies):
            if state.is_terminal():
                break
            state.apply_action(rng.choice(state.legal_actions()))
        while state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_terminal():
            return state


@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (4, 5), (5, 4), (3, 6)])
def test_small_connect_four_boards_with_and_without_pruning(rows, columns):
    game = _native.ConnectFour(rows=rows, columns=columns)
    rng = random.Random(44)
    for _ in range(25):
        state = random_position(game, rows * columns - rng.randint(4, 9), rng)
        plain = minimax_search(game, state, MinimaxConfig("minimax", depth=None))
        for config in alpha_beta_configs():
            result = minimax_search(game, state, config)
            assert result.value == plain.value
            assert plain.action_values[result.action] == plain.value


def test_connect_four_depths_with_and_without_pruning():
    game = _native.ConnectFour()
    rng = random.Random(67)
    for _ in range(40):
        state = random_position(game, rng.randint(0, 30), rng)
        for depth in range(1, 6):
            plain = minimax_search(game, state, MinimaxConfig("minimax", depth=depth))
            for config in alpha_beta_configs():
                result = minimax_search(game, state, dataclasses.replace(config, depth=depth))
                assert result.value == pytest.approx(plain.value, abs=1e-12)
                assert plain.action_values[result.action] == pytest.approx(plain.value, abs=1e-12)


def test_nannon_depths_with_and_without_pruning():
    rng = random.Random(636)
    nodes = dict.fromkeys(("none", "star1", "star2"), 0)
    for game in (_native.Nannon(), _native.Nannon(points=8, checkers=4, sides=6)):
        for _ in range(25):
            state = random_position(game, rng.randint(1, 40), rng)
            for depth in (1, 2, 3):
                plain = minimax_search(
                    game, state, MinimaxConfig("expectiminimax", depth=depth, chance_pruning="none")
                )
                for config in STAR:
                    result = minimax_search(game, state, dataclasses.replace(config, depth=depth))
                    assert result.value == pytest.approx(plain.value, abs=1e-9)
                    if config.table_entries == 0 and config.utility_bounds:
                        nodes[config.chance_pruning] += result.nodes
    assert nodes["star2"] < nodes["star1"] < nodes["none"]


def test_native_search_equals_the_slow_twin():
    rng = random.Random(5)
    for game in (_native.TicTacToe(), _native.ConnectFour(rows=4, columns=5), _native.Nannon()):
        algorithm = "expectiminimax" if game.max_chance_outcomes() else "alphabeta"
        for _ in range(30):
            state = random_position(game, rng.randint(0, 7), rng)
            me = state.current_player()

            def evaluate(s, player):
                return (s.key() % 17 / 8.0 - 1.0) * (1 if player == 0 else -1)

            expected = reference_value(state, maximiser=me, depth=2, evaluate=evaluate)
            result = minimax_search(game, state, MinimaxConfig(algorithm, depth=2), evaluate=evaluate)
            assert result.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("roll", [3, 5])
def test_deep_expectiminimax_reaches_the_solved_value_of_nannon(roll):
    """A table makes depth cheap: 2,340 positions. Solved: win probability after the opening roll."""
    solved = {3: 0.645001, 5: 0.628537}
    game = _native.Nannon()
    state = game.new_initial_state()
    state.apply_action(roll - 1)
    config = MinimaxConfig("expectiminimax", depth=40, chance_pruning="none", table_entries=1 << 20)
    assert (1 + minimax_search(game, state, config).value) / 2 == pytest.approx(solved[roll], abs=2e-6)


def test_the_table_does_not_look_past_the_horizon():
    """In Nannon a position comes back at many depths; iterations must not lend each other deeper results."""
    game = _native.Nannon()
    state = game.new_initial_state()
    state.apply_action(2)
    plain = minimax_search(game, state, MinimaxConfig("expectiminimax", depth=6, chance_pruning="none"))
    for pruning, table, iterative in itertools.product(
        ("none", "star1", "star2"), (64, 1 << 18), (False, True)
    ):
        config = MinimaxConfig(
            "expectiminimax", depth=6, chance_pruning=pruning, table_entries=table, iterative=iterative
        )
        result = minimax_search(game, state, config)
        assert result.value == pytest.approx(plain.value, abs=1e-12)
        assert result.details["table_hits"] > 0


def test_race_positions_of_nannon_are_searched_to_the_end():
    """Both last checkers have passed each other: no hits, so the tree is finite and the value exact."""
    game = _native.Nannon(points=4, checkers=1, sides=2)
    state = game.new_initial_state()
    rng = random.Random(3)
    exact = 0
    for _ in range(200):
        state = random_position(game, rng.randint(4, 8), rng)
        result = minimax_search(game, state, MinimaxConfig("expectiminimax", depth=12))
        if result.stopped == "complete":
            exact += 1
            me = state.current_player()
            assert result.value == pytest.approx(reference_value(state, maximiser=me), abs=1e-12)
    assert exact > 20
