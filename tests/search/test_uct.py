"""Monte Carlo tree search: the textbook's picks, forced wins, signs, widening, reuse, every kind of game."""

import functools

import pytest
from uct_positions import played, search

from dicezero import _native
from dicezero.search.explicit import ExplicitGame
from dicezero.search.recording import Recording
from dicezero.search.uct import (
    FlatConfig,
    UctConfig,
    UctSearcher,
    flat_monte_carlo,
    nmcts_search,
    uct_search,
)
from dicezero.solve import solve


def walk(node):
    yield node
    for child in node.children:
        yield from walk(child)


class TestTextbook:
    """Figure 6.10: 100 play-outs at the root, its moves won 60/79, 1/10 and 2/11."""

    MOVES = ((60.0, 79), (1.0, 10), (2.0, 11))

    def test_ucb1_exploits_at_1_4_and_explores_at_1_5(self):
        assert _native.ucb1_pick(self.MOVES, 100, 1.4) == 0
        assert _native.ucb1_pick(self.MOVES, 100, 1.5) == 2

    def test_selection_goes_down_to_27_of_35(self):
        assert _native.ucb1_pick([(3.0, 26), (16.0, 53)], 79, 1.4) == 1
        assert _native.ucb1_pick([(27.0, 35), (10.0, 18)], 53, 1.4) == 0

    def test_an_untried_move_comes_first(self):
        assert _native.ucb1_pick([(5.0, 5), (0.0, 0)], 5, 1.4) == 1


class TestFinds:
    def test_a_win_on_the_spot(self):
        state = played("tic_tac_toe", 0, 3, 1, 4)
        found = search(state, simulations=500)
        assert found.action == 2
        assert found.action_values[2] == 1.0

    def test_the_only_defence(self):
        assert search(played("tic_tac_toe", 0, 4, 1), simulations=2000).action == 2

    def test_a_win_in_connect_four(self):
        state = played("connect_four", 3, 0, 3, 1, 3, 6)
        assert search(state, simulations=500).action == 3

    def test_tic_tac_toe_is_a_draw(self):
        early, late = (search(played("tic_tac_toe"), simulations=n).value for n in (30_000, 1_000_000))
        assert early > 0.2
        assert 0.0 < late < 0.06

    def test_by_either_final_move(self):
        state = played("nannon", 2)
        differ = 0
        for seed in range(20):
            most = search(state, seed, simulations=20)
            best = search(state, seed, simulations=20, final="mean")
            assert most.visits == best.visits
            assert most.visits[most.action] == max(most.visits.values())
            assert best.action_values[best.action] == max(best.action_values.values())
            differ += most.action != best.action
        assert differ > 0


class TestSigns:
    """Who moves decides the sign, not the depth: a player may move twice running; chance never turns it."""

    def test_two_moves_running(self):
        # MAX moves, then MAX again, then MIN: the double move is worth taking.
        twice = [{"player": 1, "children": [1.0, -1.0]}, {"player": 1, "children": [0.6, 0.4]}]
        tree = [{"player": 0, "children": twice}, {"player": 1, "children": [0.2, 0.1]}]
        state = ExplicitGame.parse(tree).new_initial_state()
        found = search(state, simulations=4000)
        assert found.action == 0
        assert found.action_values[0] == pytest.approx(0.4, abs=0.05)
        assert found.principal_variation == (0, 1, 1)

    def test_the_second_player_maximises_for_itself(self):
        tree = {"player": 1, "children": [0.5, {"player": 1, "children": [-0.5, 1.0]}]}
        state = ExplicitGame.parse(tree).new_initial_state()
        found = search(state, simulations=2000)
        assert found.action == 1
        assert found.action_values[1] == pytest.approx(0.5, abs=0.05)

    @pytest.mark.parametrize("chance", ["roulette", "low_variance"])
    def test_chance_is_an_average(self, chance):
        tree = [{"chance": [[0.25, 1.0], [0.75, -1.0]]}, -0.4]
        state = ExplicitGame.parse(tree).new_initial_state()
        found = search(state, simulations=6000, chance=chance)
        assert found.action == 1
        assert found.action_values[0] == pytest.approx(-0.5, abs=0.05)


class TestTree:
    def test_visits_add_up_everywhere(self):
        record = Recording(max_nodes=100_000)
        state = played("nannon", 2)
        found = uct_search(state.get_game(), state, UctConfig(simulations=800), seed=3, record=record)
        assert found.tree is record.tree
        assert sum(found.visits.values()) == 800
        for node in walk(record.tree):
            if node.children:
                own = 1 if node.kind == "choice" and node is not record.tree else 0
                assert sum(child.visits for child in node.children) == node.visits - own

    def test_values_are_the_mean_of_the_moves(self):
        found = search(played("nannon", 2), simulations=500)
        mean = sum(found.visits[a] * found.action_values[a] for a in found.visits) / 500
        assert found.value == pytest.approx(mean)

    @pytest.mark.parametrize(("k", "alpha"), [(1.0, 0.5), (2.0, 0.3), (1.5, 0.0)])
    def test_widening_limits_children(self, k, alpha):
        record = Recording(max_nodes=100_000)
        state = played("nannon(points=12,checkers=5,sides=6)", 2)
        options = {"widen_choice_k": k, "widen_choice_alpha": alpha}
        options |= {"widen_chance_k": k, "widen_chance_alpha": alpha}
        uct_search(state.get_game(), state, UctConfig(simulations=3000, **options), seed=3, record=record)
        kinds = set()
        for node in walk(record.tree):
            if node.children:
                assert len(node.children) <= max(1, -(-k * node.visits**alpha // 1))
                kinds.add(node.kind)
        assert kinds == {"choice", "chance"}

    def test_wide_enough_widening_changes_no_choice(self):
        state = played("tic_tac_toe")
        assert (
            search(state, simulations=500).visits
            == search(state, simulations=500, widen_choice_k=100.0).visits
        )

    def test_one_seed_one_result(self):
        state = played("nannon", 1)
        assert search(state, 5, simulations=700).visits == search(state, 5, simulations=700).visits
        assert search(state, 5, simulations=700).visits != search(state, 6, simulations=700).visits

    def test_more_playouts_are_closer_to_the_mean(self):
        state = played("connect_four", 3)
        spread = []
        for playouts in (1, 50):
            values = [search(state, seed, simulations=7, playouts=playouts).value for seed in range(40)]
            mean = sum(values) / len(values)
            spread.append(sum((value - mean) ** 2 for value in values))
        assert spread[1] < spread[0] / 4


class TestNmcts:
    def test_it_is_uct_with_roulette(self):
        state = played("nannon", 2)
        record = Recording(max_nodes=100_000)
        found = nmcts_search(state.get_game(), state, UctConfig(simulations=900), seed=2, record=record)
        assert found.visits == search(state, 2, simulations=900).visits
        inner = sum(len(node.children) for node in walk(record.tree) if node.kind == "chance")
        assert found.details["inner_nodes"] == inner > 100

    def test_other_chance_rules_are_not_nmcts(self):
        state = played("nannon", 2)
        with pytest.raises(ValueError, match="roulette"):
            nmcts_search(state.get_game(), state, UctConfig(chance="low_variance"), seed=1)


class TestConverges:
    """The root's value approaches the solved one, in a game with dice, hits and forfeits."""

    @pytest.mark.parametrize("size", ["points=3,checkers=2,sides=3", "points=4,checkers=2,sides=4"])
    def test_to_the_solved_value(self, size):
        solution = solve(f"nannon({size})")
        for roll in range(2):
            state = played(f"nannon({size})", roll)
            found = search(state, simulations=300_000, c=0.7)
            assert found.value == pytest.approx(solution.value(state), abs=0.02)
            assert found.action in solution.optimal_actions(state)
            assert found.action_values[found.action] == pytest.approx(solution.value(state), abs=0.02)


class TestFlat:
    def test_uniform_shares_evenly(self):
        state = played("tic_tac_toe")
        found = flat_monte_carlo(state.get_game(), state, 900, seed=1)
        assert set(found.visits.values()) == {100}
        assert found.action == max(found.action_values, key=found.action_values.get)

    def test_ucb1_prefers_the_centre(self):
        state = played("tic_tac_toe")
        found = flat_monte_carlo(state.get_game(), state, 5000, root="ucb1", seed=1)
        assert found.action == 4
        assert found.visits[4] > 5000 / 9

    def test_the_tree_stays_flat(self):
        state = played("nannon", 2)
        searcher = UctSearcher(state.get_game(), FlatConfig(simulations=1000))
        searcher.search(state, seed=1)
        depths = {}

        def visit(node, depth):
            depths[depth] = node.kind
            for child in node.children:
                visit(child, depth + 1)

        visit(searcher.tree(), 0)
        assert depths == {0: "choice", 1: "chance", 2: "choice"}

    def test_flat_means_are_those_of_random_play(self):
        state = played("tic_tac_toe")
        found = flat_monte_carlo(state.get_game(), state, 180_000, seed=1)
        for action, exact in exact_random_values(state).items():
            assert found.action_values[action] == pytest.approx(exact, abs=0.02)


def exact_random_values(state):
    """What each move is worth to player 0 if everything after it is random, by going through every game."""

    def after(position, action):
        position = position.clone()
        position.apply_action(action)
        return position

    @functools.cache
    def value(position):
        if position.is_terminal():
            return position.returns()[0]
        values = [value(after(position, action)) for action in position.legal_actions()]
        return sum(values) / len(values)

    return {action: value(after(state, action)) for action in state.legal_actions()}


@functools.cache
def random_play(moves):
    """What tic-tac-toe is worth to the first player after these moves if all others are random."""
    state = played("tic_tac_toe", *moves)
    if state.is_terminal():
        return state.returns()[0]
    legal = state.legal_actions()
    return sum(random_play((*moves, action)) for action in legal) / len(legal)


@pytest.mark.parametrize("moves", [(4, 0, 8), (0, 1, 4)])
def test_play_outs_are_uniformly_random(moves):
    state = played("tic_tac_toe", *moves)
    found = flat_monte_carlo(state.get_game(), state, 120_000, seed=1)
    for action, value in found.action_values.items():
        assert value == pytest.approx(-random_play((*moves, action)), abs=0.03)
