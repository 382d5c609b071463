"""The trees of a finished batch of searches, opened node by node."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

from dicezero.search.halving import Phase, halving_phases
from dicezero.search.tree import NodeKind, TreeNode

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from dicezero import _native

_PLAYER_OF_KIND = {"chance": -1, "terminal": -4, "identity": -1}


class _Edge(NamedTuple):
    child: int
    action: int
    label: str
    prior: float
    q: float | None  # for the root's mover


@dataclass(frozen=True)
class Trees:
    """One tree a row of the batch.

    Attributes:
        forest: the native trees.
        player: [B], who moves at each root, as the caller numbers the players.
        learned: whether players inside are those of a learned model: relative to the first root's mover.
        paid: what the trees' values count besides what is still to come, for the root's mover.
    """

    forest: _native.Forest
    player: npt.NDArray[np.int32]
    learned: bool
    paid: float = 0.0

    def __len__(self) -> int:
        return len(self.forest)

    def num_nodes(self, row: int) -> int:
        """Nodes in one tree."""
        return self.forest.num_nodes(row)

    def num_bytes(self) -> int:
        """Memory of all trees, with what their nodes hold."""
        return self.forest.num_bytes()

    def halving(self, row: int, *, chosen: int) -> tuple[Phase, ...]:
        """How Sequential Halving came to play ``chosen`` in one tree; nothing under other root rules."""
        return halving_phases(self.forest.halving(row), chosen=chosen)

    def export(
        self, row: int = 0, *, max_depth: int = 64, max_nodes: int = 10_000, min_visits: int = 1
    ) -> TreeNode:
        """One tree as plain data, every number for the root's mover; edges below ``min_visits`` are left out.

        The most visited nodes first up to ``max_nodes`` (the shallow ones where visits tie): what is left out
        matters least, and the main line is kept as deep as it goes.
        """
        mover = int(self.player[row])
        root = self._make(row, 0, None, "", None, None)
        kept: list[TreeNode] = []
        # (-visits, depth, place in the order of discovery, parent, the edge)
        heap: list[tuple[int, int, int, TreeNode, _Edge]] = []
        discovered = 0

        def discover(node: TreeNode, index: int, depth: int) -> None:
            nonlocal discovered
            if depth >= max_depth:
                return
            kind, player, _, _, _, edges = self.forest.node(row, index)
            sign = 1.0 if kind != "choice" or self._player(row, player) == mover else -1.0
            for action, child, label, visits, q, prior in edges:
                if child < 0 or visits < min_visits:
                    continue
                discovered += 1
                edge = _Edge(child, action, label, prior, None if q is None else sign * q - self.paid)
                heapq.heappush(heap, (-visits, depth, discovered, node, edge))

        places: dict[int, list[tuple[int, TreeNode]]] = {}
        discover(root, 0, 0)
        while heap and len(kept) < max_nodes - 1:
            fewer, depth, place, parent, edge = heapq.heappop(heap)
            made = self._make(row, edge.child, edge.action, edge.label, edge.prior, edge.q)
            made.visits = -fewer
            kept.append(made)
            places.setdefault(id(parent), []).append((place, made))
            discover(made, edge.child, depth + 1)
        for node in (root, *kept):  # back to the order of the edges
            node.children = [child for _, child in sorted(places.get(id(node), []), key=lambda pair: pair[0])]
        return root

    def _player(self, row: int, player: int) -> int:
        if not self.learned:
            return player
        same = player == self.forest.node(row, 0)[1]
        return int(self.player[row]) if same else 1 - int(self.player[row])

    def _make(
        self, row: int, index: int, action: int | None, label: str, prior: float | None, q: float | None
    ) -> TreeNode:
        kind, player, visits, value, own_value, _ = self.forest.node(row, index)
        who = self._player(row, player)
        sign = 1.0 if who == int(self.player[row]) else -1.0
        own = sign * own_value - self.paid if kind in ("choice", "terminal") else None
        if q is None and value is not None:  # chance keeps its own for the root's player
            q = (value if kind == "chance" else sign * value) - self.paid
        return TreeNode(
            kind=cast(NodeKind, kind),
            player=_PLAYER_OF_KIND.get(kind, who),
            action=action,
            label=label,
            visits=visits if kind == "choice" else None,
            q=q,
            value=own,
            prior=prior,
        )
