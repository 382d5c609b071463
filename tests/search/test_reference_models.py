"""The slow planner on learned models that are odd: one player, chance for ever, logits of minus infinity."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from table_model import TableModel, random_model

from dicezero.search.config import SearchConfig
from dicezero.search.reference import ReferenceResult, reference_plan
from dicezero.search.tree import TreeNode


def _plan(model: TableModel, config: SearchConfig) -> ReferenceResult:
    actions = model.following.shape[1]
    return reference_plan(model, model.root(np.arange(2), np.ones((2, actions), bool)), config, seed=3)


def _model(**identity: float) -> TableModel:
    """A random model that names only the given identities."""
    columns = ["mover", "other", "chance", "terminal"]
    model = random_model(np.random.default_rng(1), states=64, actions=3, learned=True)
    logits = np.full((64, 4), -np.inf, np.float32)
    for name, weight in identity.items():
        logits[:, columns.index(name)] = np.log(weight)
    return replace(model, identity_logits=logits)


def _nodes(tree: TreeNode) -> list[TreeNode]:
    return [tree, *(node for child in tree.children for node in _nodes(child))]


@pytest.mark.parametrize("chance", ["roulette", "low_variance"])
def test_chance_for_ever_ends(chance: str) -> None:
    result = _plan(_model(chance=1.0), SearchConfig(simulations=33, chance=chance))
    # One evaluation for the choice edge, one for each of 32 chance edges.
    assert result.evaluations.tolist() == [33, 33]
    assert result.visits.sum(axis=1).tolist() == [1, 1]


def test_the_papers_budget_counts_descents() -> None:
    result = _plan(_model(mover=1.0), SearchConfig(simulations=20, budget="paper"))
    # Two descents a visit: one adds the identity node, the next the choice node behind it and backs up.
    assert result.visits.sum(axis=1).tolist() == [10, 10]
    assert result.evaluations.tolist() == [10, 10]


@pytest.mark.parametrize("rule", ["roulette", "low_variance", "expectation"])
def test_one_player_needs_no_column_for_another(rule: str) -> None:
    four = _model(mover=0.5, chance=0.3, terminal=0.2)
    assert four.identity_logits is not None
    three = replace(four, identity_logits=four.identity_logits[:, [0, 2, 3]])
    config = SearchConfig(simulations=60, chance=rule)
    with_four, with_three = _plan(four, config), _plan(three, config)
    np.testing.assert_array_equal(with_four.visits, with_three.visits)
    np.testing.assert_allclose(with_four.q, with_three.q)


def test_the_tree_adds_up() -> None:
    model = _model(mover=0.4, other=0.3, chance=0.2, terminal=0.1)
    result = _plan(model, SearchConfig(simulations=80, root="puct", interior="puct"))
    for row, tree in enumerate(result.tree):
        nodes = _nodes(tree)
        assert {node.kind for node in nodes} == {"choice", "chance", "identity", "terminal"}
        for node in nodes:
            below = sum(child.visits or 0 for child in node.children)
            own = 1 if node.kind == "choice" else 0
            if node.kind != "terminal":
                assert node.visits == below + own
        assert tree.visits == result.visits[row].sum() + 1
        assert tree.q == pytest.approx(result.value[row])
        for child in tree.children:
            assert child.q == pytest.approx(result.q[row, child.action])


def test_bad_input_is_named() -> None:
    model = random_model(np.random.default_rng(0), states=8, actions=3)
    root = model.root(np.arange(2), np.array([[True] * 3, [False] * 3]))
    with pytest.raises(ValueError, match=r"root\.legal row 1 has no legal action"):
        reference_plan(model, root, SearchConfig(players="single"), seed=0)
    root = model.root(np.arange(2), np.ones((2, 3), bool))
    with pytest.raises(ValueError, match="identity_logits is missing"):
        reference_plan(model, root, SearchConfig(), seed=0)
    broken = replace(model, value=np.full(8, np.nan, np.float32))
    with pytest.raises(ValueError, match="value is not finite"):
        reference_plan(broken, root, SearchConfig(players="single"), seed=0)
