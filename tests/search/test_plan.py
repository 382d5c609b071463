"""What the planner promises whatever the rules: determinism, exact budgets, bounded memory."""

from __future__ import annotations

import gc
import resource
import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_model import TableModel, even_network, random_model

from dicezero.model.dense import DenseModel
from dicezero.rules import load_game
from dicezero.search.config import Puct, SearchConfig
from dicezero.search.plan import PlanResult, Reuse, plan, plan_states
from dicezero.search.simulator import Root, Step

EXAMPLES = Path(__file__).parents[2] / "examples"

_ROWS, _ACTIONS = 6, 7


@pytest.fixture
def model() -> TableModel:
    return random_model(np.random.default_rng(0), states=500, actions=_ACTIONS, learned=True)


@pytest.fixture
def root(model: TableModel) -> Root:
    made = model.root(np.arange(_ROWS), np.ones((_ROWS, _ACTIONS), bool))
    return Root(made.hidden, made.policy_logits, made.value, made.legal, made.player.astype(np.int32))


def _same(a: PlanResult, b: PlanResult, rows: np.ndarray | slice = slice(None)) -> None:
    for name in ("action", "visits", "q", "policy", "value", "evaluations"):
        np.testing.assert_array_equal(getattr(a, name)[rows], getattr(b, name))


@pytest.mark.parametrize("chance", ["roulette", "low_variance", "expectation"])
@pytest.mark.parametrize("root_rule", ["puct", "gumbel", "trpo"])
def test_threads_and_batch_order_change_nothing(root_rule: str, chance: str) -> None:
    config = DenseModel(observation=5, actions=9, hidden=16, widths=(16,))
    model = config.player(config.init(seed=1))
    rng = np.random.default_rng(2)
    hidden, logits, value = model.root(rng.standard_normal((40, 5)).astype(np.float32))
    root = Root(hidden, logits, value, np.ones((40, 9), bool), np.zeros(40, np.int32))
    search = SearchConfig(simulations=50, root=root_rule, chance=chance)  # type: ignore[arg-type]
    seeds = rng.integers(0, 2**62, 40).astype(np.uint64)
    one = plan(model, root, search, seed=seeds)
    _same(one, plan(model, root, replace(search, threads=2), seed=seeds))
    _same(one, plan(model, root, replace(search, threads=7), seed=seeds))
    order = rng.permutation(40)[:23]
    part = Root(*(np.ascontiguousarray(getattr(root, f)[order]) for f in vars(root)))
    _same(one, plan(model, part, replace(search, threads=2), seed=seeds[order]), order)
    assert one.tree.export(3) == plan(model, root, search, seed=seeds).tree.export(3)


def test_a_single_seed_differs_by_row(model: TableModel, root: Root) -> None:
    same = Root(*(np.repeat(getattr(root, f)[:1], _ROWS, axis=0) for f in vars(root)))
    config = SearchConfig(simulations=30, chance="roulette")
    result = plan(model, same, config, seed=5)
    assert len({tuple(q) for q in result.q}) > 1
    _same(result, plan(model, same, config, seed=5))


@settings(max_examples=50, deadline=None)
@given(simulations=st.integers(1, 200), m=st.integers(1, 16))
def test_one_evaluation_a_simulation_spends_the_budget_exactly(simulations: int, m: int) -> None:
    model = random_model(np.random.default_rng(3), states=100, actions=5)
    made = model.root(np.arange(2), np.ones((2, 5), bool))
    config = SearchConfig(simulations=simulations, players="alternate", max_considered_actions=m)
    result = plan(model, made, config, seed=simulations)  # type: ignore[arg-type]
    assert (result.visits.sum(axis=1) == simulations).all()
    assert (result.evaluations == simulations).all()


def test_batch_rows_fixes_the_shape_of_every_call(model: TableModel, root: Root) -> None:
    class Counting:
        batch_rows = 4

        def __init__(self) -> None:
            self.sizes: set[int] = set()

        def step(self, hidden: np.ndarray, action: np.ndarray) -> Step:
            self.sizes.add(len(action))
            return model.step(hidden, action)  # type: ignore[return-value]

    counting = Counting()
    config = SearchConfig(simulations=30, chance="expectation")
    _same(plan(model, root, config, seed=1), plan(counting, root, config, seed=1))
    assert counting.sizes == {4}


def test_expectation_asks_for_all_outcomes_in_one_batch() -> None:
    sizes: list[int] = []

    def evaluate(_: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        sizes.append(len(legal))
        return np.zeros(legal.shape, np.float32), np.zeros(len(legal), np.float32)

    state = load_game("nannon").new_initial_state()
    state.apply_action(2)
    result = plan_states(
        evaluate, [state], SearchConfig(simulations=12, chance="expectation"), game=state.get_game(), seed=0
    )
    assert sizes == [1, 6, 6]  # the root, then two moves with six rolls each
    assert result.evaluations[0] == 12
    assert result.visits.sum() == 2


class TestReuse:
    def test_the_subtree_is_kept(self) -> None:
        game = load_game("nannon")
        state = game.new_initial_state()
        state.apply_action(2)
        network = even_network(game.num_distinct_actions())
        first = plan_states(network, [state], SearchConfig(simulations=500), game=state.get_game(), seed=0)
        move = int(first.action[0])
        after = state.child(move).child(4)
        path = [(0, move), (-1, 4)]
        again = plan_states(
            network,
            [after],
            SearchConfig(simulations=50),
            game=state.get_game(),
            seed=0,
            reuse=Reuse(first.tree, [path]),
        )
        chance = next(c for c in first.tree.export(0).children if c.action == move)
        known = next(c for c in chance.children if c.action == 4)
        assert again.visits.sum() == known.visits - 1 + 50
        fresh = plan_states(network, [after], SearchConfig(simulations=50), game=state.get_game(), seed=0)
        assert fresh.visits.sum() == 50

    def test_an_unknown_line_starts_afresh(self, model: TableModel, root: Root) -> None:
        config = SearchConfig(simulations=20)
        first = plan(model, root, config, seed=0)
        paths = [[(0, int(np.argmin(v))), (-1, 0), (0, 0)] for v in first.visits]
        _same(
            plan(model, root, config, seed=3, reuse=Reuse(first.tree, paths)),
            plan(model, root, config, seed=3),
        )

    def test_the_sign_follows_the_mover(self, model: TableModel, root: Root) -> None:
        """A search taken over by the other player values the same line with the other sign."""
        config = SearchConfig(
            simulations=400, players="alternate", root="puct", interior="puct", puct=Puct(init=0.5)
        )
        first = plan(model, root, config, seed=0)
        move = int(np.argmax(first.visits[0]))
        other = replace(root, player=np.ones(_ROWS, np.int32))
        paths = [[(0, move)]] + [None] * (_ROWS - 1)
        again = plan(model, other, replace(config, simulations=1), seed=0, reuse=Reuse(first.tree, paths))
        child = next(c for c in first.tree.export(0).children if c.action == move)
        grandchild = max(child.children, key=lambda c: c.visits or 0)
        assert grandchild.q is not None
        assert again.q[0, grandchild.action] == pytest.approx(-grandchild.q, abs=0.05)

    def test_wrong_number_of_paths(self, model: TableModel, root: Root) -> None:
        first = plan(model, root, SearchConfig(simulations=2), seed=0)
        with pytest.raises(ValueError, match="reuse has 6 trees and 1 paths for 6 rows"):
            plan(model, root, SearchConfig(simulations=2), seed=0, reuse=Reuse(first.tree, [None]))


def test_memory_does_not_grow() -> None:
    config = DenseModel(observation=5, actions=9, hidden=32, widths=(16,))
    model = config.player(config.init(seed=1))
    hidden, logits, value = model.root(np.zeros((100, 5), np.float32))
    root = Root(hidden, logits, value, np.ones((100, 9), bool), np.zeros(100, np.int32))

    def searches(rounds: int) -> int:
        for seed in range(rounds):
            plan(model, root, SearchConfig(simulations=16), seed=seed)
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = searches(20)
    assert searches(100) - before < 20_000  # kB, over 10,000 searches


def test_chance_nodes_of_exported_trees_are_in_the_view_of_the_roots_mover(
    model: TableModel, root: Root
) -> None:
    """A chance node met by every visit to the identity node above it is worth what that one is."""
    config = SearchConfig(400, chance_value="completed", chance="low_variance", players="learned")
    unpaid = replace(model, reward=0.0 * model.reward)  # a reward would lie between the two
    trees = plan(unpaid, root, config, seed=5).tree
    checked = set()
    for row in range(len(trees)):
        mover = int(root.player[row])
        stack = [(trees.export(row), mover)]
        while stack:
            node, last = stack.pop()
            last = node.player if node.kind == "choice" else last
            only = node.children[0] if node.kind == "identity" and len(node.children) == 1 else None
            if only is not None and only.kind == "chance" and only.visits == node.visits:
                assert only.q == pytest.approx(node.q, abs=1e-5)
                checked.add(last == mover)
            stack += [(child, last) for child in node.children]
    assert checked == {True, False}  # after moves of either player


def test_states_need_not_know_their_game() -> None:
    """The example Pig has no get_game(): the game is given beside the states."""
    game = load_game(runpy.run_path(str(EXAMPLES / "pig.py"))["Pig"](target=6))
    state = game.new_initial_state()
    found = plan_states(even_network(2), [state], SearchConfig(simulations=8), game=game, seed=0)
    assert found.visits.sum() == 8
