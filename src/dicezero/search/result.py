"""What a search of one position found: the same record for every algorithm."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dicezero.search.halving import Phase
    from dicezero.search.tree import TreeNode


@dataclass(frozen=True)
class SearchResult:
    """The answer of one search. Values are for the player to move, in the game's own utility.

    Attributes:
        action: the move to play.
        value: of the position.
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
