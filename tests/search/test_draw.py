"""Trees: the terminal, JSON and back, SVG and the page."""

from __future__ import annotations

import io
import json
import math
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from dicezero.search.draw import check_tree_path, number, rich_tree, save_tree, select
from dicezero.search.draw_html import tree_to_html
from dicezero.search.draw_svg import tree_to_svg
from dicezero.search.tree import TreeNode
from dicezero.search.treefile import TreeError, load_tree, tree_from_json, tree_to_json


def textbook_tree() -> TreeNode:
    """The two-ply tree 3 12 8 | 2 4 6 | 14 5 2 as alpha-beta leaves it: two leaves are never looked at."""
    root = TreeNode("choice", 0, value=3.0, bounds=(3.0, 3.0))
    for i, leaves in enumerate([[3, 12, 8], [2, 4, 6], [14, 5, 2]]):
        bounds = (-math.inf, 2.0) if i == 1 else (float(min(leaves)),) * 2
        branch = TreeNode("choice", 1, i, f"a{i + 1}", value=float(min(leaves)), bounds=bounds)
        for j, leaf in enumerate(leaves):
            cut = i == 1 and j > 0
            branch.children.append(
                TreeNode(
                    "terminal", -4, j, f"{'bcd'[i]}{j + 1}", value=None if cut else float(leaf), pruned=cut
                )
            )
        root.children.append(branch)
    return root


def dice_tree(branches: int = 6, depth: int = 3) -> TreeNode:
    """Choice and chance in turn, with visits and Q as Monte Carlo search leaves them."""
    node = TreeNode(
        "choice" if depth % 2 else "chance", 0 if depth % 2 else -1, visits=branches**depth, q=0.25
    )
    for i in range(branches if depth else 0):
        child = dice_tree(branches, depth - 1)
        child.action, child.label = i, f"roll {i + 1}" if node.kind == "chance" else f"{i}/{i + 2}"
        child.prior = 1 / branches if node.kind == "chance" else None
        node.children.append(child)
    return node


def printed(tree: TreeNode, **options: int) -> str:
    console = Console(width=100, file=io.StringIO())
    console.print(rich_tree(tree, **options))
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_the_terminal_shows_shapes_bounds_and_pruned_branches():
    text = printed(textbook_tree())
    assert "▲ root  V 3  [3, 3]" in text
    assert "▼ a2  V 2  [-∞, 2]" in text
    assert text.count("✂ pruned") == 2
    assert text.count("■") == 9


def test_large_trees_are_cut_by_visits_and_say_so():
    shown = select(dice_tree(), max_depth=2, max_nodes=20)
    drawn, stack = 0, [shown]
    while stack:
        top = stack.pop()
        drawn += 1
        assert len(top.children) + top.hidden == len(top.node.children)
        assert top.depth <= 2
        stack.extend(top.children)
    assert drawn == 20
    assert "more" in printed(dice_tree(), max_depth=1)


def test_the_most_visited_branch_is_kept():
    root = TreeNode(
        "choice", 0, visits=100, children=[TreeNode("choice", 1, i, str(i), visits=i) for i in range(9)]
    )
    assert [s.node.visits for s in select(root, max_nodes=4).children] == [6, 7, 8]


def test_bad_limits_are_named():
    with pytest.raises(ValueError, match="max_depth=-1"):
        select(textbook_tree(), max_depth=-1)
    with pytest.raises(ValueError, match="open_depth=-2"):
        tree_to_html(textbook_tree(), open_depth=-2)


finite = st.floats(allow_nan=False, allow_infinity=False)
bound = st.floats(allow_nan=False)
leaf = st.builds(
    TreeNode,
    kind=st.sampled_from(["choice", "chance", "identity", "terminal"]),
    player=st.sampled_from([0, 1, -1, -4]),
    action=st.none() | st.integers(0, 10**6),
    label=st.text(max_size=8),
    visits=st.none() | st.integers(0, 10**9),
    q=st.none() | finite,
    value=st.none() | finite,
    prior=st.none() | finite,
    bounds=st.none() | st.tuples(bound, bound).filter(lambda b: b[0] != math.inf and b[1] != -math.inf),
    pruned=st.booleans(),
    note=st.text(max_size=8),
)


def _with_children(child: st.SearchStrategy[TreeNode]) -> st.SearchStrategy[TreeNode]:
    def attach(node: TreeNode, children: list[TreeNode]) -> TreeNode:
        node.children = children
        return node

    return st.builds(attach, leaf, st.lists(child, max_size=4))


trees = st.recursive(leaf, _with_children, max_leaves=20)


@given(trees, st.text(max_size=10))
def test_json_round_trips(tree: TreeNode, game: str):
    assert tree_from_json(tree_to_json(tree, game=game)) == (tree, game)


@given(trees, st.text(max_size=10))
def test_any_label_makes_well_formed_pictures(tree: TreeNode, title: str):
    ElementTree.fromstring(tree_to_svg(tree, title=title))  # noqa: S314 - our own output
    page = tree_to_html(tree, title=title)
    data = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    assert len(json.loads(data[1])) >= 1


def test_deep_trees_are_no_problem():
    root = node = TreeNode("choice", 0)
    for _ in range(5000):
        node.children.append(TreeNode("choice", 1, 0, "x"))
        node = node.children[0]
    text = tree_to_json(root)
    assert text.count('"kind"') == 5001
    assert tree_to_json(tree_from_json(text)[0]) == text
    assert tree_to_html(root).count('"r":') == 5001
    assert "more" in tree_to_svg(root)


HEAD = '{"format": "dicezero-tree", "version": 1, "nodes": '


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", '"format" must be'),
        ('{"format": "dicezero-tree", "version": 9}', "version 9 is unknown"),
        (HEAD + "[]}", '"nodes" must be a list'),
        (HEAD + "[3]}", "node 0 must be an object"),
        (HEAD + '[{"parent": 0}]}', "parent=0"),
        (HEAD + '[{"kind": "tree"}]}', "kind=tree must be one of"),
        (HEAD + '[{"kind": "chance"}]}', "player=None"),
        (HEAD + '[{"kind": "chance", "player": -1, "q": "x"}]}', "q=x"),
        (HEAD + '[{"kind": "chance", "player": -1, "visits": 1.5}]}', "visits=1.5"),
        (HEAD + '[{"kind": "chance", "player": 0, "z": 1}]}', "field 'z'"),
        (HEAD + '[{"kind": "chance", "player": 0, "bounds": 1}]}', "bounds"),
    ],
)
def test_foreign_files_are_refused(text: str, complaint: str, tmp_path: Path):
    file = tmp_path / "tree.json"
    file.write_text(text)
    with pytest.raises(TreeError, match=re.escape(complaint)):
        load_tree(file)


def test_files_are_written_by_their_ending(tmp_path: Path):
    tree = textbook_tree()
    assert load_tree(save_tree(tree, tmp_path / "t.json", game="two-ply")) == tree
    svg = save_tree(tree, tmp_path / "t.svg").read_text()
    assert svg.count('class="x"') == 2  # the crosses of the pruned branches
    page = save_tree(tree, tmp_path / "t.html", game="a <b>").read_text()
    assert "a &lt;b&gt;" in page
    for text in (svg, page):
        outside = [a for a in re.findall(r"https?://[^\"'\s)]+", text) if a != "http://www.w3.org/2000/svg"]
        assert not outside
        assert "prefers-color-scheme:dark" in text
    with pytest.raises(TreeError, match=r"must end in \.json, \.svg, \.html"):
        check_tree_path("tree.png")


def test_numbers_are_short():
    given_numbers = (0.0, -0.001, 0.5, 1.0, 14.0, -0.126, math.inf, 1234567.0)
    assert [number(x) for x in given_numbers] == ["0", "0", "0.5", "1", "14", "-0.13", "∞", "1.23e+06"]
