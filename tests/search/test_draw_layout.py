"""Pictures of trees: siblings in order, the best line marked, labels clear of edges, values in nodes."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree

import pytest

from dicezero import load_game, make_agent
from dicezero.search.draw import best_line, select
from dicezero.search.draw_svg import RADIUS, place, tree_to_svg
from dicezero.search.explicit import ExplicitGame
from dicezero.search.minimax import MinimaxConfig, Recording, minimax_search
from dicezero.search.tree import TreeNode

SVG = "{http://www.w3.org/2000/svg}"


def figure() -> TreeNode:
    game, record = ExplicitGame.parse([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), Recording()
    config = MinimaxConfig("alphabeta", ordering="none", table_entries=0, utility_bounds=False)
    minimax_search(game, game.new_initial_state(), config, record=record)
    assert record.tree is not None
    return record.tree


def tree_of(agent: str, name: str, *moves: str) -> TreeNode:
    game = load_game(name)
    state = game.new_initial_state()
    for move in moves:
        state.apply_action(state.string_to_action(move))  # type: ignore[attr-defined]
    tree = make_agent(agent, game, keep_tree=True).search(state, seed=1).tree
    assert tree is not None
    return tree


TREES = {
    "figure": figure,
    "dice": lambda: tree_of("expectiminimax(depth=2)", "nannon", "roll 2"),
    "uct": lambda: tree_of("uct(simulations=300)", "tic_tac_toe", "x(1,1)"),
    "long names": lambda: tree_of("alphabeta(depth=2)", "gardner_chess"),
}


def parts(markup: str) -> tuple[list[tuple[float, ...]], list[tuple[float, float, str]]]:
    """Edges as (x0, y0, x1, y1), labels as (x, y, text)."""
    root = ElementTree.fromstring(markup)  # noqa: S314 - our own output
    edges = [
        tuple(map(float, re.findall(r"-?[\d.]+", path.get("d", ""))))
        for path in root.iter(f"{SVG}path")
        if "e" in path.get("class", "").split() and "h" not in path.get("d", "")
    ]
    labels = [
        (float(text.get("x", 0)), float(text.get("y", 0)), text.text or "")
        for text in root.iter(f"{SVG}text")
        if text.get("class") == "l"
    ]
    return edges, labels


@pytest.mark.parametrize("name", TREES)
def test_no_label_lies_on_an_edge_or_on_another_label(name: str):
    edges, labels = parts(tree_to_svg(TREES[name](), max_nodes=40))
    assert edges
    assert labels
    for x, y, text in labels:
        half = 3.0 * len(text)  # half the width of a label, about
        for x0, y0, x1, y1 in edges:
            for share in (i / 50 for i in range(51)):
                at_x, at_y = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
                assert not (abs(at_x - x) < half and y - 8 < at_y < y + 1), (text, name)
        for other_x, other_y, other in labels:
            if (other_x, other_y) != (x, y) and other_y == y:
                assert abs(other_x - x) >= 2.6 * (len(text) + len(other)), (text, other)


@pytest.mark.parametrize("name", TREES)
def test_siblings_stand_in_the_order_of_their_actions(name: str):
    spots = place(select(TREES[name](), max_nodes=40))
    for spot in spots:
        below = [other for other in spots if other.parent is spot]
        by_place = sorted(below, key=lambda other: other.x)
        actions = [other.shown.node.action or 0 for other in by_place]
        assert actions == sorted(actions)
        if below:
            assert by_place[0].x <= spot.x <= by_place[-1].x


def test_the_best_line_of_the_figure_and_its_pruned_leaves():
    root = figure()
    assert [node.label for node in best_line(root)] == ["", "a1", "b1"]
    markup = tree_to_svg(root)
    assert len(re.findall(r'<path class="e b" d="M[\d. ]+L', markup)) == 2
    assert len(re.findall(r'class="x"', markup)) == 2
    texts = [text.text for text in ElementTree.fromstring(markup).iter(f"{SVG}text")]  # noqa: S314 - ours
    assert texts.count("pruned") == 2
    assert [texts.count(value) for value in ("12", "8", "14", "5", "4", "6")] == [1, 1, 1, 1, 0, 0]


def test_the_best_line_is_that_of_the_search():
    for name in ("tic_tac_toe", "connect_four"):
        game = load_game(name)
        result = make_agent("alphabeta(depth=4)", game, keep_tree=True).search(
            game.new_initial_state(), seed=0
        )
        assert result.tree is not None
        line = best_line(result.tree)
        assert line[1].action == result.action
        assert line[1].value == pytest.approx(result.value)
    uct = tree_of("uct(simulations=300)", "tic_tac_toe", "x(1,1)")
    assert best_line(uct)[1].visits == max(child.visits or 0 for child in uct.children)
    assert len(best_line(TreeNode("chance", -1, children=[TreeNode("terminal", -4, 0, value=1.0)]))) == 1


@pytest.mark.parametrize("value", [3.0, -0.52, 12.25, -1.0, 123456.0, -0.333, math.pi * 1000])
def test_values_stand_inside_their_shapes(value: float):
    for kind, player in (("choice", 0), ("choice", 1), ("chance", -1), ("terminal", -4)):
        node = TreeNode(kind, player, 0, "m", value=value)  # type: ignore[arg-type]
        markup = tree_to_svg(TreeNode("choice", 0, children=[node]))
        text = next(t for t in ElementTree.fromstring(markup).iter(f"{SVG}text") if t.get("class") == "v")  # noqa: S314
        size = re.search(r"font-size:([\d.]+)px", text.get("style", ""))
        width = len(text.text or "") * 0.62 * float(size[1] if size else 11)
        assert width <= 2 * RADIUS, (kind, player, text.text)
