"""A minimax search to look at: the tree, and what was known after every leaf."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dicezero.rules.protocol import CHANCE_PLAYER, TERMINAL_PLAYER
from dicezero.search.tree import NodeKind, TreeNode

Interval = tuple[float, float]


@dataclass(frozen=True)
class Step:
    """What was known just after one leaf was evaluated. Values are for the player to move at the root.

    Attributes:
        leaf: actions from the root to the leaf.
        value: of the leaf.
        intervals: (low, high) of every node from the root (``()``) down to the leaf, by the actions that lead
            to it.
    """

    leaf: tuple[int, ...]
    value: float
    intervals: dict[tuple[int, ...], Interval]


@dataclass
class Recording:
    """Give one to ``minimax_search(..., record=...)``; the search fills it in.

    With iterative deepening it holds the last iteration. Shallow searches made on the way (probes, ProbCut,
    singular extensions) are not part of it.

    Attributes:
        max_nodes: no more nodes than this are kept; those left out are below nodes noted "more below".
        tree: the searched tree, branches never searched included as ``pruned``.
        steps: one for each recorded leaf, in the order they were evaluated.
        truncated: ``max_nodes`` was reached.
    """

    max_nodes: int = 10_000
    tree: TreeNode | None = None
    steps: list[Step] = field(default_factory=list)
    truncated: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.max_nodes, bool) or not isinstance(self.max_nodes, int) or self.max_nodes < 1:
            raise ValueError(f"max_nodes={self.max_nodes!r} must be an integer of at least 1")

    def fill(self, native: dict[str, Any] | None) -> None:
        """Takes over what the native search recorded (None: nothing was searched)."""
        self.tree, self.steps, self.truncated = None, [], False
        if native is None:
            return
        nodes = native["nodes"]
        self.tree = _tree(nodes)
        self.truncated = native["truncated"]
        for path, intervals in native["steps"]:
            actions = tuple(nodes[i]["action"] for i in path[1:])
            ranges = {actions[:depth]: interval for depth, interval in enumerate(intervals)}
            self.steps.append(Step(leaf=actions, value=intervals[-1][0], intervals=ranges))


def _tree(nodes: list[dict[str, Any]]) -> TreeNode:
    made = [_node(node) for node in nodes]
    for node, record in zip(made, nodes, strict=True):
        node.children = [made[i] for i in record["children"]]
    made[0].action = None
    return made[0]


def _node(record: dict[str, Any]) -> TreeNode:
    player = record["player"]
    kind: NodeKind = "choice"
    if player == CHANCE_PLAYER:
        kind = "chance"
    elif player == TERMINAL_PLAYER:
        kind = "terminal"
    return TreeNode(
        kind=kind,
        player=player,
        action=record["action"],
        label=record["label"],
        value=record["value"],
        prior=record["prior"],
        bounds=record["bounds"],
        pruned=record["pruned"],
        note=record["note"],
    )
