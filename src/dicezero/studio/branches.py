"""A searched tree opened branch by branch: what is looked at is small, whatever was searched."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from dicezero.search.draw import Role, best_line, role_of
from dicezero.search.tree import TreeNode
from dicezero.studio.scale import Scale

Path = tuple[int, ...]  # ids of the edges from the root

MAX_CHILDREN = 40  # of a branch that are shown at once
MAX_ROWS = 400  # of an outline
CUT = "more below"
_FIRST_ROWS, _FIRST_LEVELS = 40, 3  # of an outline that nobody has opened further


@dataclass(frozen=True)
class NodeView:
    """One node as it is shown; every number is for the player to move at the root.

    Attributes:
        path: edges from the root.
        node: what was searched.
        role: its shape: the root's player is ``max``.
        share: of its parent's visits, None where visits are not counted.
        children: how many there are to open.
        left_out: of them, that an open branch does not show.
        opened: its children follow.
    """

    path: Path
    node: TreeNode
    role: Role
    share: float | None
    children: int
    left_out: int = 0
    opened: bool = False

    @property
    def depth(self) -> int:
        """Edges from the root."""
        return len(self.path)


def node_at(tree: TreeNode, path: Sequence[int]) -> TreeNode:
    """The node behind ``path``; ValueError names the edge that is not there."""
    node = tree
    for place, action in enumerate(path):
        following = next((child for child in node.children if child.action == action), None)
        if following is None:
            raise ValueError(f"path {list(path)}: edge {action} at depth {place} was not searched")
        node = following
    return node


def branch(tree: TreeNode, path: Sequence[int], *, limit: int = MAX_CHILDREN) -> tuple[NodeView, ...]:
    """The children of the node behind ``path``: the ``limit`` most visited, those with most visits first.

    Where visits are not counted they come in the order of their actions, as a textbook draws them.
    """
    parent = node_at(tree, path)
    children = _most_visited(parent.children, limit)
    total = sum(child.visits or 0 for child in parent.children)
    top = tree.player if tree.kind == "choice" else 0
    return tuple(
        NodeView(
            path=(*path, child.action if child.action is not None else -1),
            node=child,
            role=role_of(child, top),
            share=child.visits / total if child.visits is not None and total else None,
            children=len(child.children),
        )
        for child in children
    )


def outline(
    tree: TreeNode, opened: Collection[Path], *, limit: int = MAX_CHILDREN, max_rows: int = MAX_ROWS
) -> list[NodeView]:
    """The rows to show: the root, and below every opened node its children; at most ``max_rows``."""
    top = tree.player if tree.kind == "choice" else 0
    rows: list[NodeView] = []

    def walk(view: NodeView) -> Iterator[NodeView]:
        is_open = view.path in opened and view.children > 0
        left_out = max(0, view.children - limit) if is_open else 0
        yield NodeView(view.path, view.node, view.role, view.share, view.children, left_out, is_open)
        if is_open:
            for child in branch(tree, view.path, limit=limit):
                yield from walk(child)

    for row in walk(NodeView((), tree, role_of(tree, top), None, len(tree.children))):
        rows.append(row)
        if len(rows) >= max_rows:
            break
    return rows


def line_paths(tree: TreeNode) -> list[Path]:
    """The paths along the most visited (minimax: the best-valued) line, down to where it ends."""
    paths: list[Path] = []
    node: TreeNode = tree
    path: Path = ()
    while node.children:
        node = _favourite(node, maximise=node.player == tree.player)
        path = (*path, node.action if node.action is not None else -1)
        paths.append(path)
    return paths


def rescaled(tree: TreeNode, scale: Scale) -> TreeNode:
    """A copy whose numbers are those of the page: per cent of a win, or points."""
    copy = _bare(tree)
    copy.q, copy.value = (None if v is None else round(scale.plotted(v), 1) for v in (tree.q, tree.value))
    if scale.points:
        copy.q, copy.value = tree.q, tree.value
    elif tree.bounds is not None:
        copy.bounds = (round(scale.plotted(tree.bounds[0]), 1), round(scale.plotted(tree.bounds[1]), 1))
    copy.children = [rescaled(child, scale) for child in tree.children]
    return copy


def first_open(tree: TreeNode, *, rows: int = _FIRST_ROWS) -> set[Path]:
    """The branches that are open at first: along the best line, until there is enough to see."""
    opened: set[Path] = {()}
    count = 1 + len(tree.children)
    for path in line_paths(tree)[:_FIRST_LEVELS]:
        count += min(MAX_CHILDREN, len(node_at(tree, path).children))
        if count > rows:
            break
        opened.add(path)
    return opened


def trimmed(tree: TreeNode, max_nodes: int) -> TreeNode:
    """A copy with the ``max_nodes`` most visited nodes, the shallow ones first where visits tie.

    What lies along the best line stays in any case, as far as there is room.
    """
    if max_nodes < 1:
        raise ValueError(f"max_nodes={max_nodes} must be at least 1")
    kept: dict[int, list[tuple[int, TreeNode]]] = {}
    root = _bare(tree)
    heap: list[tuple[bool, int, int, int, TreeNode, TreeNode]] = []
    line = set(map(id, best_line(tree)))
    ticket = 0

    def offer(node: TreeNode, copy: TreeNode, depth: int) -> None:
        nonlocal ticket
        for child in node.children:
            ticket += 1
            place = id(node) not in line, -(child.visits or 0), depth, ticket
            heapq.heappush(heap, (*place, child, copy))

    offer(tree, root, 0)
    count = 1
    while heap and count < max_nodes:
        _, _, depth, place, child, parent = heapq.heappop(heap)
        copy = _bare(child)
        count += 1
        kept.setdefault(id(parent), []).append((place, copy))
        parent.children.append(copy)
        offer(child, copy, depth + 1)
    for *_, parent in heap:
        parent.note = parent.note or CUT
    for places in kept.values():
        places.sort(key=lambda pair: pair[0])
    stack = [root]
    while stack:
        node = stack.pop()
        node.children = [child for _, child in kept.get(id(node), [])]
        stack.extend(node.children)
    return root


def _bare(node: TreeNode) -> TreeNode:
    return TreeNode(
        node.kind,
        node.player,
        node.action,
        node.label,
        node.visits,
        node.q,
        node.value,
        node.prior,
        node.bounds,
        node.pruned,
        node.note,
    )


def _most_visited(children: Sequence[TreeNode], limit: int) -> list[TreeNode]:
    return sorted(children, key=_place)[:limit]


def _place(child: TreeNode) -> tuple[int, int]:
    return -(child.visits or 0), -1 if child.action is None else child.action


def _favourite(node: TreeNode, *, maximise: bool) -> TreeNode:
    sign = 1.0 if maximise else -1.0

    def rank(child: TreeNode) -> tuple[bool, float, float]:
        worth = child.q if child.q is not None else child.value
        weight = child.visits if child.visits is not None else 0
        likely = child.prior or 0.0
        if node.kind == "choice":
            return not child.pruned, weight, sign * (worth if worth is not None else -sign * 1e9)
        return not child.pruned, weight, likely

    return max(node.children, key=rank)
