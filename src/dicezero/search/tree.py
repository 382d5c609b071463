"""A searched tree as plain data: what is printed, drawn and saved, whatever algorithm made it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

NodeKind = Literal["choice", "chance", "identity", "terminal"]


@dataclass(slots=True)
class TreeNode:
    """One node of an exported tree. Every number is for the player to move at the root ('MAX').

    Attributes:
        kind: what acts here.
        player: OpenSpiel's number: 0, 1, chance -1, terminal -4.
        action: id of the edge that leads here, None at the root.
        label: that edge as text ("" at the root).
        visits: N, simulations through the node.
        q: mean of what came back through it.
        value: its own evaluation (network, evaluation function, utility), or its minimax value.
        prior: probability of the edge: policy prior, or chance.
        bounds: (low, high) of what is known of the value, for alpha-beta.
        pruned: the branch was not searched, because it cannot change the value; ``note`` may give the reason.
        children: in the order they were searched.
    """

    kind: NodeKind
    player: int
    action: int | None = None
    label: str = ""
    visits: int | None = None
    q: float | None = None
    value: float | None = None
    prior: float | None = None
    bounds: tuple[float, float] | None = None
    pruned: bool = False
    note: str = ""
    children: list[TreeNode] = field(default_factory=list)

    def _repr_svg_(self) -> str:
        from dicezero.search.draw_svg import tree_to_svg  # which draws nodes, and so needs them first

        return tree_to_svg(self, max_nodes=60)
