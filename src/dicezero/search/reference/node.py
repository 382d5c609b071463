"""One node of the searched tree and its edges."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicezero.search.tree import NodeKind, TreeNode

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Players are counted from the root: 0 moves there, 1 is the other. An identity node has one edge for each
# of these four.
MOVER, OTHER, CHANCE, TERMINAL = range(4)


def softmax(logits: Floats) -> Floats:
    """Probabilities of unnormalised log-probabilities [E]."""
    weights = np.exp(logits - logits.max())
    return np.asarray(weights / weights.sum())


@dataclass
class Node:
    """A choice, chance, identity or terminal node (NDMZ lines 14, 56, 63, 67, 70). E edges, in id order.

    Attributes:
        kind: what acts here.
        player: MOVER or OTHER at a choice node, CHANCE or TERMINAL at these; at an identity node unknown, -1.
        ids: [E] action, outcome or player of each edge.
        logits: [E] of the policy at a choice node.
        prior: [E] probabilities: policy, chance outcomes or identities.
        own_value: choice: the network's value for the player here. Identity: the network's value, for the
            player of the identity. Terminal and chance: the value for the root's mover, NaN if there is none.
        visits: [E] N, backups through the edge.
        total: [E] W. Choice: for the player here. Chance: for the root's mover.
        taken: [E] descents through the edge, at chance and identity nodes.
        first: [E] what the first backup through the edge brought, as in ``total``.
        reward: [E] of the step along the edge, for the player who moves here (chance: who moved last).
        came_back: sum of what came back through the node, as in ``total``.
        passed_up: chance: sum of what it has given to the node above.
        children: the known nodes below, by position of their edge.
        opened: chance: positions of the edges whose outcomes were all evaluated at once, else None.
        exact: choice: whether ``own_value`` is proved by the tree below, as a terminal node's is by the
            rules.
        world: what the simulator or the rules need to go on from here.
    """

    kind: NodeKind
    player: int
    ids: Ints
    logits: Floats
    prior: Floats
    own_value: float
    world: Any = None
    visits: Ints = field(init=False)
    total: Floats = field(init=False)
    taken: Ints = field(init=False)
    first: Floats = field(init=False)
    reward: Floats = field(init=False)
    came_back: float = 0.0
    passed_up: float = 0.0
    children: dict[int, Node] = field(default_factory=dict)
    opened: Ints | None = None
    exact: bool = False

    def __post_init__(self) -> None:
        edges = len(self.ids)
        self.visits = np.zeros(edges, np.int64)
        self.total = np.zeros(edges)
        self.taken = np.zeros(edges, np.int64)
        self.first = np.zeros(edges)
        self.reward = np.zeros(edges)

    @property
    def sign(self) -> float:
        """+1 where the root's mover moves, -1 where the other does."""
        return 1.0 if self.player == MOVER else -1.0

    @property
    def node_visits(self) -> int:
        """N(node): a choice node counts its own evaluation as one visit."""
        return 1 + int(self.visits.sum())

    @property
    def value(self) -> float:
        """V(node) of a choice node, for the player here."""
        return self.own_value if self.exact else (self.own_value + self.came_back) / self.node_visits

    def known_worth(self, position: int, discount: float) -> float | None:
        """What an edge of a choice node is worth to the player here, where the tree has proved it."""
        child = self.children.get(position)
        if child is None or not (child.exact or child.kind == "terminal"):
            return None
        ahead = child.own_value if child.kind == "terminal" else discount * child.sign * child.own_value
        return float(self.reward[position]) + self.sign * ahead

    def q(self) -> Floats:
        """[E] W / N where visited, else NaN."""
        visited = self.visits > 0
        return np.where(visited, self.total / np.where(visited, self.visits, 1), np.nan)

    def expectation(self) -> float:
        """X of an opened chance node: sum of p W / N, for the root's mover."""
        edges = self.opened
        return float(np.sum(self.prior[edges] * self.total[edges] / self.visits[edges]))

    def completed(self, whole: float) -> float:
        """X of a chance node, for the root's mover, of whose outcomes some have been seen.

        Without a value of its own the unseen stand at the mean of the seen. With one it is that, and what
        search has changed in the seen since their first visits; sum of p W / N once they make up ``whole``.
        """
        seen = self.visits > 0
        mass = float(self.prior[seen].sum())
        worth = float(np.sum(self.prior[seen] * self.total[seen] / self.visits[seen]))
        if math.isnan(self.own_value):
            return worth / mass
        if mass < whole:
            return self.own_value + worth - float(np.sum(self.prior[seen] * self.first[seen]))
        return worth + (1.0 - mass) * self.own_value


def choice_node(player: int, ids: Ints, logits: Floats, value: float, world: Any) -> Node:
    """A choice node; its priors are the softmax over its own edges (NDMZ lines 15-20 and 70-77)."""
    return Node("choice", player, ids, logits, softmax(logits), value, world)


def chance_node(ids: Ints, probabilities: Floats, world: Any, value_for_root: float = math.nan) -> Node:
    """A chance node (NDMZ lines 62-65); NaN: the network has no value of it."""
    return Node("chance", CHANCE, ids, np.zeros(len(ids)), probabilities, value_for_root, world)


def terminal_node(value_for_root: float, world: Any) -> Node:
    """A terminal node (NDMZ lines 66-68) worth ``value_for_root`` to the root's mover."""
    none = np.zeros(0)
    return Node("terminal", TERMINAL, none.astype(np.int64), none, none, value_for_root, world)


def export(node: Node, root_player: int) -> TreeNode:
    """The tree as plain data, every number for the root's mover, players numbered as the game does."""
    tree = _export_node(node, root_player, node.sign, node.node_visits)
    tree.q = node.sign * node.value
    return tree


def _export_node(node: Node, root_player: int, last_sign: float, visits: int) -> TreeNode:
    players = {MOVER: root_player, OTHER: 1 - root_player, TERMINAL: -4}
    tree = TreeNode(node.kind, players.get(node.player, -1), visits=visits)
    if node.kind == "choice":
        last_sign = node.sign
        tree.value, tree.q = last_sign * node.own_value, last_sign * node.value
    elif node.kind == "terminal":
        tree.value = tree.q = node.own_value
    for position, child in node.children.items():
        is_identity = node.kind == "identity"
        count = int((node.taken if is_identity else node.visits)[position])
        below = _export_node(child, root_player, last_sign, count)
        below.action = int(node.ids[position])
        below.prior = float(node.prior[position])
        if not is_identity and count > 0:
            below.q = float(node.total[position]) / count * (node.sign if node.kind == "choice" else 1.0)
        tree.children.append(below)
    return tree
