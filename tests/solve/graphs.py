"""A game that is a graph written down: any payments, one player or two, turns in any order, with circles."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

CHANCE, END = -1, -4


@dataclass(frozen=True)
class Node:
    """Who acts, where it may lead, what each way pays player 0 and, at a chance node, how likely it is."""

    player: int
    targets: tuple[int, ...] = ()
    rewards: tuple[float, ...] = ()
    chances: tuple[float, ...] = ()
    final: float = 0.0  # player 0's return, where the graph pays at the end


@dataclass(frozen=True)
class Graph:
    """Starts at node 0. With ``pays`` states have rewards(), and ``final`` is not looked at."""

    nodes: tuple[Node, ...]
    players: int = 2
    pays: bool = False
    gamma: float = 1.0

    def __str__(self) -> str:
        return f"graph({hash(self) & 0xFFFFFF:x})"

    def new_initial_state(self) -> GraphState:
        return PayingState(self) if self.pays else GraphState(self)

    def num_distinct_actions(self) -> int:
        return max(len(node.targets) for node in self.nodes)

    def max_chance_outcomes(self) -> int:
        return max((len(node.chances) for node in self.nodes), default=0)

    def num_players(self) -> int:
        return self.players

    def discount(self) -> float:
        return self.gamma


@dataclass
class GraphState:
    game: Graph
    at: int = 0
    paid: list[float] = field(default_factory=list)

    @property
    def node(self) -> Node:
        return self.game.nodes[self.at]

    def current_player(self) -> int:
        return self.node.player

    def is_terminal(self) -> bool:
        return self.node.player == END

    def is_chance_node(self) -> bool:
        return self.node.player == CHANCE

    def legal_actions(self) -> list[int]:
        return list(range(len(self.node.targets)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(enumerate(self.node.chances))

    def apply_action(self, action: int) -> None:
        self.paid = [*self.paid, self.node.rewards[action] if self.node.rewards else 0.0]
        self.at = self.node.targets[action]

    def clone(self) -> GraphState:
        return type(self)(self.game, self.at, self.paid)

    def returns(self) -> list[float]:
        mine = sum(self.paid) if self.game.pays else self.node.final
        return [mine, -mine][: self.game.players]

    def action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002
        return str(action)

    def __str__(self) -> str:
        return str(self.at)


class PayingState(GraphState):
    def rewards(self) -> list[float]:
        mine = self.paid[-1] if self.paid else 0.0
        return [mine, -mine][: self.game.players]


@st.composite
def graphs(draw: st.DrawFn, *, circles: bool) -> Graph:
    """Up to ten nodes that can all end; without circles edges lead to later nodes only."""
    count = draw(st.integers(3, 10))
    players = draw(st.sampled_from((1, 2)))
    pays = draw(st.booleans())
    gamma = draw(st.sampled_from((1.0, 0.9, 0.5))) if not circles else draw(st.sampled_from((0.9, 0.5)))
    money = st.integers(-30, 30).map(lambda tenths: tenths / 10)
    nodes = []
    for i in range(count - 1):
        player = draw(st.sampled_from((CHANCE, *range(players))))
        first = 0 if circles else i + 1
        targets = draw(st.lists(st.integers(first, count - 1), min_size=1, max_size=3))
        if player == CHANCE and circles:
            targets = [*targets, count - 1]
        rewards = [draw(money) for _ in targets]
        weights = [draw(st.integers(1, 5)) for _ in targets]
        chances = tuple(w / sum(weights) for w in weights) if player == CHANCE else ()
        nodes.append(Node(player, tuple(targets), tuple(rewards), chances))
    return Graph((*nodes, Node(END, final=draw(money))), players, pays, gamma)
