"""Alpha-beta step by step: the textbook's figure in its own words, and the same as the search recorded."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero import load_game, make_agent
from dicezero.search.draw_html import tree_to_html
from dicezero.search.explicit import ExplicitGame
from dicezero.search.minimax import MinimaxConfig, Recording, minimax_search
from dicezero.search.replay import replay_search
from dicezero.search.tree import TreeNode

TEXTBOOK = MinimaxConfig("alphabeta", ordering="none", table_entries=0, utility_bounds=False)
FIGURE = Path(__file__).parents[2] / "examples" / "figure.json"
INF = math.inf


def searched(game: ExplicitGame, config: MinimaxConfig = TEXTBOOK) -> Recording:
    record = Recording()
    minimax_search(game, game.new_initial_state(), config, record=record)
    assert record.tree is not None
    return record


def nodes_of(root: TreeNode) -> dict[int, TreeNode]:
    found, stack = {}, [root]
    while stack:
        node = stack.pop()
        found[id(node)] = node
        stack.extend(node.children)
    return found


def test_the_stages_of_figure_6_5():
    """(a) to (f) of the book: ranges of B, C, D and the root, alpha and beta, and the two pruned leaves."""
    root = searched(ExplicitGame.read(FIGURE)).tree
    assert root is not None
    names = {key: node.label or "root" for key, node in nodes_of(root).items()}
    told = [
        (
            names[step.node],
            [names[p] for p in step.pruned],
            {names[key]: value for key, value in step.ranges.items() if names[key][0] in "ra"},
            {names[key]: value for key, value in step.windows.items()},
        )
        for step in replay_search(root)
    ]
    start = {"root": (-INF, INF)}
    at_least_3 = {"root": (3, INF)}
    assert told == [
        ("b1", [], {"a1": (-INF, 3)}, {**start, "a1": (-INF, 3)}),
        ("b2", [], {}, {**start, "a1": (-INF, 3)}),
        ("b3", [], {"a1": (3, 3), "root": (3, INF)}, at_least_3),
        ("c1", [], {"a2": (-INF, 2)}, {**at_least_3, "a2": (3, 2)}),
        ("a2", ["c2", "c3"], {}, {**at_least_3, "a2": (3, 2)}),
        ("d1", [], {"a3": (-INF, 14), "root": (3, 14)}, {**at_least_3, "a3": (3, 14)}),
        ("d2", [], {"a3": (-INF, 5), "root": (3, 5)}, {**at_least_3, "a3": (3, 5)}),
        ("d3", [], {"a3": (2, 2), "root": (3, 3)}, {}),
    ]
    texts = [step.text for step in replay_search(root)]
    assert texts[0] == "b1 is worth 3; a1 (MIN) is at most 3."
    assert texts[2] == "b3 is worth 8; a1 (MIN) is exactly 3; the root (MAX) is at least 3."
    assert texts[4] == (
        "Pruned: c2, c3; a2 (MIN) is at most 2, and MAX already has 3 elsewhere (alpha), "
        "so they need not be searched."
    )


leaves = st.integers(-9, 9)


def with_more(below):
    def outcomes(parts):
        return {"chance": [[1 / len(parts), part] for part in parts]}

    choice = st.lists(below, min_size=1, max_size=3)
    player = st.tuples(st.sampled_from(["max", "min"]), choice).map(lambda pair: {pair[0]: pair[1]})
    return st.one_of(choice, player, st.lists(below, min_size=1, max_size=3).map(outcomes))


TREES = st.lists(st.recursive(leaves, with_more, max_leaves=14), min_size=1, max_size=3)
PLAIN = st.lists(
    st.recursive(leaves, lambda below: st.lists(below, min_size=1, max_size=3), max_leaves=20),
    min_size=1,
    max_size=3,
)


@settings(deadline=None, max_examples=150)
@given(PLAIN)
def test_leaves_and_ranges_are_those_that_the_search_recorded(tree):
    record = searched(ExplicitGame.parse(tree))
    root = record.tree
    assert root is not None
    nodes = nodes_of(root)
    steps = replay_search(root)
    paths = {id(root): ()}
    for node in nodes.values():
        for child in node.children:
            paths[id(child)] = None
    stack = [root]
    while stack:
        node = stack.pop()
        for child in node.children:
            paths[id(child)] = (*paths[id(node)], child.action)
            stack.append(child)
    evaluated = [step for step in steps if not step.pruned]
    assert [paths[step.node] for step in evaluated] == [step.leaf for step in record.steps]
    known: dict[tuple[int, ...], tuple[float, float]] = {}
    for mine, theirs in zip(evaluated, record.steps, strict=True):
        known |= {paths[key]: value for key, value in mine.ranges.items()}
        for path, interval in theirs.intervals.items():
            assert known.get(path, (-INF, INF)) == interval
    cut = {paths[p] for step in steps for p in step.pruned}
    assert cut == {paths[key] for key, node in nodes.items() if node.pruned and _searched_parent(nodes, node)}
    for step in steps:  # nothing is pruned before its window has closed
        if step.pruned:
            alpha, beta = step.windows[step.node]
            assert alpha >= beta


def _searched_parent(nodes, node) -> bool:
    return any(node in parent.children and not parent.pruned for parent in nodes.values())


@settings(deadline=None, max_examples=100)
@given(TREES)
def test_the_last_ranges_say_the_value_with_dice_too(tree):
    game = ExplicitGame.parse(tree)
    config = MinimaxConfig("expectiminimax", chance_pruning="none", ordering="none", table_entries=0)
    record = Recording()
    result = minimax_search(game, game.new_initial_state(), config, record=record)
    assert record.tree is not None
    known = {}
    for step in replay_search(record.tree):
        known |= step.ranges
    low, high = known[id(record.tree)]
    assert abs(low - result.value) < 1e-9
    assert abs(high - result.value) < 1e-9


def test_star2_is_told_too():
    game = load_game("nannon")
    state = game.new_initial_state()
    state.apply_action(1)
    tree = make_agent("expectiminimax(depth=2)", game, keep_tree=True).search(state, seed=0).tree
    assert tree is not None
    steps = replay_search(tree)
    names = {key: node.label for key, node in nodes_of(tree).items()}
    last = steps[-1]
    assert names[last.node] == "2/4"
    assert [names[node] for node in last.pruned] == [f"roll {n}" for n in range(1, 7)]
    assert steps[-2].text.startswith("2/4 is from -1 to 0.01 (Star2: one move of each outcome was tried)")


def test_searches_with_visits_and_cut_recordings_have_no_steps():
    game = load_game("tic_tac_toe")
    uct = make_agent("uct(simulations=50)", game, keep_tree=True).search(game.new_initial_state(), seed=0)
    assert uct.tree is not None
    assert replay_search(uct.tree) == []
    record = Recording(max_nodes=20)
    minimax_search(game, game.new_initial_state(), MinimaxConfig(depth=3), record=record)
    assert record.truncated
    assert record.tree is not None
    assert replay_search(record.tree) == []
    assert replay_search(TreeNode("terminal", -4, value=1.0)) == []


def test_the_page_carries_the_steps():
    root = searched(ExplicitGame.read(FIGURE)).tree
    assert root is not None
    page = tree_to_html(root, title="figure 6.2")
    data = re.search(r'id="steps">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    steps = json.loads(data[1])
    rows = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    assert len(steps) == 8
    assert [rows[i]["l"] for i in steps[4]["x"]] == ["c2", "c3"]
    assert [row["l"] for row in rows if row.get("b")] == ["root", "a1", "b1"]
    assert 'type="range"' in page
