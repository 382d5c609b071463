"""What a search of one position found: the same record for every algorithm."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dicezero.rules.showing import shown, table_html

if TYPE_CHECKING:
    from dicezero.search.halving import Phase
    from dicezero.search.tree import TreeNode


@dataclass(frozen=True)
class SearchResult:
    """The answer of one search. Values are for the player to move, in the game's own utility.

    Attributes:
        action: the move to play.
        value: of the position: what is still to come, discounted where the game discounts, as in a solution.
        action_values: what is known of each legal action; an action that was pruned may be missing.
        visits: simulations (Monte Carlo) or nodes (minimax) spent on each legal action.
        nodes: positions visited or nodes in the tree.
        leaves: positions evaluated: terminal ones, those at the horizon, play-outs.
        cutoffs: branches pruned: never searched, because they cannot change the value.
        principal_variation: the expected line, chance outcomes left out from the first one on.
        stopped: why it ended, in one word or a short phrase.
        seconds: wall clock.
        details: what only this algorithm reports (depth reached, simulations saved, ...).
        tree: the searched tree where it was asked for.
        halving: the actions that Gumbel's search considered, phase by phase; empty for other searches.
    """

    action: int
    value: float
    action_values: dict[int, float]
    visits: dict[int, int]
    nodes: int
    leaves: int
    cutoffs: int
    principal_variation: tuple[int, ...]
    stopped: str
    seconds: float
    details: dict[str, float | int | str] = field(default_factory=dict)
    tree: TreeNode | None = None
    halving: tuple[Phase, ...] = ()

    def _repr_html_(self) -> str:
        names = {child.action: child.label for child in self.tree.children} if self.tree else {}

        def rank(action: int) -> tuple[bool, float]:
            return action != self.action, -self.action_values.get(action, -math.inf)

        rows = [
            (
                names.get(action) or str(action),
                shown(self.action_values[action]) if action in self.action_values else "",
                shown(visits),
            )
            for action, visits in sorted(self.visits.items(), key=lambda item: rank(item[0]))
        ]
        head = f"plays {names.get(self.action) or self.action}, value {shown(self.value)} for the mover; "
        head += (
            f"{self.nodes:,} nodes, {self.leaves:,} leaves, {self.cutoffs:,} pruned, stopped: {self.stopped}"
        )
        picture = self.tree._repr_svg_() if self.tree else ""
        return table_html(head, ("move", "value", "visits"), rows) + picture
