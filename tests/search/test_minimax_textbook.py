"""The textbook's own numbers: figures 6.2, 6.5 and 6.16, and tic-tac-toe."""

import math
import random

import pytest

from dicezero import _native
from dicezero.search.explicit import ExplicitGame
from dicezero.search.minimax import MinimaxConfig, Recording, minimax_search
from dicezero.search.tree import TreeNode

TWO_PLY = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
TEXTBOOK = MinimaxConfig("alphabeta", ordering="none", table_entries=0, utility_bounds=False, depth=None)
INF = math.inf


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "expectiminimax"])
def test_two_ply_tree_is_worth_3_by_a1(algorithm):
    game = ExplicitGame.parse(TWO_PLY)
    root = game.new_initial_state()
    result = minimax_search(game, root, MinimaxConfig(algorithm, depth=None))
    assert result.value == 3
    assert root.action_to_string(result.action) == "a1"
    assert result.stopped == "complete"


def test_minimax_evaluates_all_nine_leaves():
    game = ExplicitGame.parse(TWO_PLY)
    result = minimax_search(game, game.new_initial_state(), MinimaxConfig("minimax", depth=None))
    assert (result.leaves, result.nodes, result.cutoffs) == (9, 13, 0)
    assert result.action_values == {0: 3, 1: 2, 2: 2}
    assert result.principal_variation == (0, 0)


def test_alpha_beta_evaluates_seven_leaves_in_the_books_order():
    game = ExplicitGame.parse(TWO_PLY)
    record = Recording()
    result = minimax_search(game, game.new_initial_state(), TEXTBOOK, record=record)
    assert result.leaves == 7
    assert result.cutoffs == 2
    assert [step.value for step in record.steps] == [3, 12, 8, 2, 14, 5, 2]


def test_intervals_of_figure_6_5():
    game = ExplicitGame.parse(TWO_PLY)
    record = Recording()
    minimax_search(game, game.new_initial_state(), TEXTBOOK, record=record)
    b, c, d = (0,), (1,), (2,)
    expected = [
        (b, (-INF, 3), (-INF, INF)),  # (a)
        (b, (-INF, 3), (-INF, INF)),  # (b)
        (b, (3, 3), (3, INF)),  # (c)
        (c, (-INF, 2), (3, INF)),  # (d)
        (d, (-INF, 14), (3, 14)),  # (e)
        (d, (-INF, 5), (3, 5)),  # (f), its first half
        (d, (2, 2), (3, 3)),  # (f)
    ]
    seen = []
    for step in record.steps:
        node = step.leaf[:1]
        seen.append((node, step.intervals[node], step.intervals[()]))
    assert seen == expected


def test_recorded_tree_shows_the_pruned_leaves():
    game = ExplicitGame.parse(TWO_PLY)
    result = minimax_search(game, game.new_initial_state(), TEXTBOOK, record=Recording())
    root = result.tree
    assert root is not None
    assert [child.label for child in root.children] == ["a1", "a2", "a3"]
    middle = root.children[1]
    assert (middle.player, middle.kind, middle.bounds) == (1, "choice", (-INF, 2))
    assert [(leaf.label, leaf.pruned, leaf.value) for leaf in middle.children] == [
        ("c1", False, 2),
        ("c2", True, None),
        ("c3", True, None),
    ]
    assert (root.value, root.bounds, root.action) == (3, (3, 3), None)


def test_recording_keeps_to_its_limit():
    game = _native.TicTacToe()
    record = Recording(max_nodes=100)
    result = minimax_search(game, game.new_initial_state(), MinimaxConfig("minimax", depth=4), record=record)

    def count(node: TreeNode) -> int:
        return 1 + sum(map(count, node.children))

    assert result.tree is record.tree
    assert record.tree is not None
    assert count(record.tree) <= 100
    assert record.truncated


@pytest.mark.parametrize(("sigma", "share"), [(5.0, 0.71), (2.0, 0.58)])
def test_errors_of_the_evaluation_favour_the_left_branch(sigma, share):
    """Figure 6.16: minimax goes right (100 > 99), but with errors the left branch is often the better one."""
    leaves = [[99, 1000, 1000, 1000], [100, 101, 102, 100]]
    exact = ExplicitGame.parse(leaves)
    assert minimax_search(exact, exact.new_initial_state()).action == 1
    rng = random.Random(616)
    draws = 6000
    left = 0
    for _ in range(draws):
        game = ExplicitGame.parse([[v + rng.gauss(0.0, sigma) for v in branch] for branch in leaves])
        left += minimax_search(game, game.new_initial_state()).action == 0
    assert left / draws == pytest.approx(share, abs=0.02)  # three standard errors


def test_tic_tac_toe_is_a_draw_after_each_first_move():
    game = _native.TicTacToe()
    for config in (
        MinimaxConfig("minimax", depth=None),
        MinimaxConfig("alphabeta", exact_root=True, depth=None),
    ):
        result = minimax_search(game, game.new_initial_state(), config)
        assert result.value == 0
        assert result.action_values == dict.fromkeys(range(9), 0.0)


@pytest.mark.parametrize("ordering", ["evaluation", "full"])
def test_alpha_beta_needs_at_most_a_quarter_of_minimaxs_nodes(ordering):
    game = _native.TicTacToe()
    root = game.new_initial_state()
    minimax = minimax_search(game, root, MinimaxConfig("minimax", depth=None))
    assert (minimax.nodes, minimax.leaves) == (549_946, 255_168)
    pruned = minimax_search(game, root, MinimaxConfig(ordering=ordering, table_entries=0, depth=None))
    assert pruned.value == minimax.value
    assert pruned.nodes * 4 <= minimax.nodes
    assert pruned.leaves * 4 <= minimax.leaves
