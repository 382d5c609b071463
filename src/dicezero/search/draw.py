"""A searched tree to look at: in the terminal, as JSON, SVG or a page to click through.

Shapes and colours are the same everywhere: the root's player is MAX (triangle up), the other MIN (triangle
down), chance a circle, an identity node a diamond, the end of a game a square; a pruned branch is dashed and
crossed, the best line thick (★ in the terminal).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from rich.text import Text
from rich.tree import Tree

from dicezero.search.tree import TreeNode
from dicezero.search.treefile import TreeError, tree_to_json

Role = Literal["max", "min", "chance", "identity", "terminal"]

MARKS: dict[Role, tuple[str, str]] = {  # glyph and colour in the terminal
    "max": ("▲", "blue"),
    "min": ("▼", "red"),
    "chance": ("●", "yellow"),
    "identity": ("◆", "magenta"),
    "terminal": ("■", "bright_black"),
}


@dataclass
class Shown:
    """A node as drawn: the children that fit, and how many nodes beneath it are left out.

    Attributes:
        node: what was searched.
        role: its shape.
        depth: edges from the root.
        children: in the order of their actions, as a textbook draws them.
        hidden: children that are not drawn.
        best: whether it is on the best line from the root.
        last: whether it is where that line ends, in a picture of a way to one node.
        percent: whether the probability of its edge is in per cent.
    """

    node: TreeNode
    role: Role
    depth: int = 0
    children: list[Shown] = field(default_factory=list)
    hidden: int = 0
    best: bool = False
    last: bool = False
    percent: bool = False


def best_line(root: TreeNode) -> list[TreeNode]:
    """The expected line, the root first: best values or most visits, up to the first chance node."""
    max_player = root.player if root.kind == "choice" else 0
    line = [root]
    while line[-1].kind == "choice":
        sign = 1 if line[-1].player == max_player else -1
        children = [child for child in line[-1].children if not child.pruned]
        if any(child.visits for child in children):
            line.append(max(children, key=lambda child: child.visits or 0))
        elif valued := [child for child in children if child.value is not None]:
            line.append(max(valued, key=lambda child: sign * (child.value or 0.0)))
        else:
            break
    return line


def role_of(node: TreeNode, max_player: int) -> Role:
    """The shape of the node when ``max_player`` is MAX."""
    if node.kind != "choice":
        return node.kind
    return "max" if node.player == max_player else "min"


def select(root: TreeNode, *, max_depth: int = 3, max_nodes: int = 200) -> Shown:
    """The part of a tree worth drawing: the most visited nodes, the shallow ones where visits tie."""
    if max_depth < 0 or max_nodes < 1:
        raise ValueError(f"max_depth={max_depth} must be at least 0 and max_nodes={max_nodes} at least 1")
    max_player = root.player if root.kind == "choice" else 0
    best = set(map(id, best_line(root)))
    top = Shown(root, role_of(root, max_player), hidden=len(root.children), best=True)
    chosen: dict[int, list[tuple[int, Shown]]] = {}
    heap: list[tuple[int, int, int, int, Shown, TreeNode]] = []
    ticket = 0  # makes every entry of the heap distinct, in the order of the search

    def offer(parent: Shown) -> None:
        nonlocal ticket
        if parent.depth < max_depth:
            for child in parent.node.children:
                ticket += 1
                place = ticket if child.action is None else child.action
                heapq.heappush(heap, (-(child.visits or 0), parent.depth, ticket, place, parent, child))

    offer(top)
    for _ in range(max_nodes - 1):
        if not heap:
            break
        _, _, _, place, parent, child = heapq.heappop(heap)
        shown = Shown(child, role_of(child, max_player), parent.depth + 1, hidden=len(child.children))
        shown.best = id(child) in best
        chosen.setdefault(id(parent), []).append((place, shown))
        parent.hidden -= 1
        parent.children = [s for _, s in sorted(chosen[id(parent)], key=lambda pair: pair[0])]
        offer(shown)
    return top


def number(value: float) -> str:
    """A value in few characters: 0.52, -1, 14, 1.2e+06."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "-∞"
    if abs(value) >= 10_000:
        return f"{value:.3g}"
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def facts(node: TreeNode) -> list[str]:
    """What is known of a node, short: value, Q, N, bounds, the note."""
    parts = []
    if node.value is not None:
        parts.append(f"V {number(node.value)}")
    if node.q is not None:
        parts.append(f"Q {number(node.q)}")
    if node.visits is not None:
        parts.append(f"N {node.visits}")
    if node.bounds is not None:
        parts.append(f"[{number(node.bounds[0])}, {number(node.bounds[1])}]")
    if node.note:
        parts.append(node.note)
    return parts


def rich_tree(root: TreeNode, *, max_depth: int = 3, max_nodes: int = 200) -> Tree:
    """The tree for ``rich.print``."""
    top = select(root, max_depth=max_depth, max_nodes=max_nodes)
    drawn = Tree(_line(top), guide_style="dim")
    stack = [(top, drawn)]
    while stack:
        shown, branch = stack.pop()
        for child in shown.children:
            stack.append((child, branch.add(_line(child))))
        if shown.hidden:
            branch.add(Text(f"… {shown.hidden} more", style="dim"))
    return drawn


def _line(shown: Shown) -> Text:
    node = shown.node
    glyph, colour = MARKS[shown.role]
    text = Text(f"{glyph} ", style=f"dim {colour}" if node.pruned else f"bold {colour}")
    label = node.label or ("root" if shown.depth == 0 else "")
    text.append(label, style="dim strike" if node.pruned else "bold")
    if shown.best and shown.depth:
        text.append(" ★", style="green")
    if node.prior:  # zero is what searches without a policy leave on their edges
        text.append(f" p={node.prior:.3f}", style="dim")
    if node.pruned:
        text.append("  ✂ pruned", style="red")
    text.append("  " + "  ".join(facts(node)), style="dim" if node.pruned else "")
    return text


def _as_svg(root: TreeNode, game: str, max_depth: int, max_nodes: int) -> str:
    from dicezero.search.draw_svg import tree_to_svg

    return tree_to_svg(root, title=game, max_depth=max_depth, max_nodes=max_nodes)


def _as_html(root: TreeNode, game: str, max_depth: int, max_nodes: int) -> str:  # noqa: ARG001 - shared signature
    from dicezero.search.draw_html import tree_to_html

    return tree_to_html(root, title=game, open_depth=max_depth)


def _as_json(root: TreeNode, game: str, max_depth: int, max_nodes: int) -> str:  # noqa: ARG001 - shared signature
    return tree_to_json(root, game=game)


_WRITERS: dict[str, Callable[[TreeNode, str, int, int], str]] = {
    ".json": _as_json,
    ".svg": _as_svg,
    ".html": _as_html,
}


def check_tree_path(path: str | Path) -> Path:
    """The path, if its ending is a format of trees; checked before a long search, not after it."""
    file = Path(path)
    if file.suffix not in _WRITERS:
        raise TreeError(f"{str(path)!r} must end in {', '.join(_WRITERS)}: the ending chooses the format")
    return file


def save_tree(
    root: TreeNode, path: str | Path, *, game: str = "", max_depth: int = 3, max_nodes: int = 200
) -> Path:
    """Writes the tree by the ending of ``path``: ``.json`` (all of it), ``.svg`` or ``.html``.

    Args:
        root: the tree.
        path: where to.
        game: its name, for the title.
        max_depth: how deep the SVG goes, and how deep the page is open at first.
        max_nodes: how many nodes the SVG draws at most.
    """
    file = check_tree_path(path)
    file.write_text(_WRITERS[file.suffix](root, game, max_depth, max_nodes), encoding="utf-8")
    return file
