"""The trees of a finished batch of searches, opened node by node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from dicezero.search.tree import NodeKind, TreeNode

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from dicezero import _native

_PLAYER_OF_KIND = {"chance": -1, "terminal": -4, "identity": -1}


@dataclass(frozen=True)
class Trees:
    """One tree a row of the batch.

    Attributes:
        forest: the native trees.
        player: [B], who moves at each root, as the caller numbers the players.
        learned: whether players inside are those of a learned model: relative to the first root's mover.
    """

    forest: _native.Forest
    player: npt.NDArray[np.int32]
    learned: bool

    def __len__(self) -> int:
        return len(self.forest)

    def num_nodes(self, row: int) -> int:
        """Nodes in one tree."""
        return self.forest.num_nodes(row)

    def num_bytes(self) -> int:
        """Memory of all trees, with what their nodes hold."""
        return self.forest.num_bytes()

    def export(
        self, row: int = 0, *, max_depth: int = 64, max_nodes: int = 10_000, min_visits: int = 1
    ) -> TreeNode:
        """One tree as plain data, every number for the root's mover; edges below ``min_visits`` are left out.

        Breadth first up to ``max_nodes``, so that what is cut off is the deepest.
        """
        mover = int(self.player[row])
        root = self._make(row, 0, None, "", None, None)
        queue = [(0, 0, root)]
        budget = max_nodes - 1
        for index, depth, node in queue:  # the list grows while it is walked
            if depth >= max_depth:
                continue
            kind, player, _, _, _, edges = self.forest.node(row, index)
            sign = 1.0 if kind != "choice" or self._player(row, player) == mover else -1.0
            for action, child, label, visits, q, prior in edges:
                if child < 0 or visits < min_visits or budget <= 0:
                    continue
                budget -= 1
                made = self._make(row, child, action, label, prior, None if q is None else sign * q)
                made.visits = visits
                node.children.append(made)
                queue.append((child, depth + 1, made))
        return root

    def _player(self, row: int, player: int) -> int:
        if not self.learned:
            return player
        same = player == self.forest.node(row, 0)[1]
        return int(self.player[row]) if same else 1 - int(self.player[row])

    def _make(
        self, row: int, index: int, action: int | None, label: str, prior: float | None, q: float | None
    ) -> TreeNode:
        kind, player, visits, value, raw, _ = self.forest.node(row, index)
        who = self._player(row, player)
        sign = 1.0 if who == int(self.player[row]) else -1.0
        own = sign * raw if kind in ("choice", "terminal") else None
        if q is None and value is not None:
            q = sign * value
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
