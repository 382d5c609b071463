"""One tree and its simulations."""

from __future__ import annotations

import numpy as np

from dicezero.search.config import SearchConfig
from dicezero.search.random import Rng
from dicezero.search.reference.node import CHANCE, Floats, Ints, Node
from dicezero.search.reference.root import make_root_rule
from dicezero.search.reference.rules import ChoiceRules, Range, most_behind
from dicezero.search.reference.world import World

# An untrained model may name chance for ever: a descent ends after so many chance edges in a row.
MAX_CHANCE_RUN = 32

Path = list[tuple[Node, int]]


class TreeSearch:
    """The search of one position: the main loop of the NDMZ paper, lines 4-7, over any of the rules."""

    def __init__(
        self,
        world: World,
        root: Node,
        config: SearchConfig,
        rng: Rng,
        num_actions: int,
        gumbel: Floats | None,
        dirichlet: Floats | None,
        *,
        turn: float,
    ) -> None:
        self.world, self.root, self.config, self.rng = world, root, config, rng
        self.turn = turn  # in [0, 1): the share of the probability at which ties of chance outcomes begin
        self.seen = Range()
        self.rules = ChoiceRules(config, num_actions, self.seen)
        self.root_rule = make_root_rule(self.rules, root, rng, gumbel, dirichlet)
        self.spent = 0
        self.evaluations = 0

    def run(self) -> None:
        """Simulates until the budget is spent; a simulation that has begun is finished."""
        while self.spent < self.config.simulations:
            cost, visited = self.simulate()
            self.spent += cost
            self.root_rule.account(cost, visited=visited)

    def final(self) -> int:
        """The edge to play: the root rule's, or where the root is proved, the likeliest that is worth it."""
        if not self.root.exact:
            return self.root_rule.final()
        worth = [self.root.known_worth(edge, self.config.discount) for edge in range(len(self.root.ids))]
        best = [edge for edge, value in enumerate(worth) if value == self.root.own_value]
        return max(best, key=lambda edge: (self.root.prior[edge], -edge))

    def simulate(self) -> tuple[int, bool]:
        """One descent and its backup, if there is one; the budget it cost, and whether it backed up."""
        paper = self.config.budget == "paper"
        path: Path = []
        node = last = self.root
        cost = chance_run = 0
        while True:
            # Step 1. Choose an edge (NDMZ lines 46-50).
            position = self.select(node)
            path.append((node, position))
            node.taken[position] += 1
            if node.kind == "choice":
                last, chance_run = node, 0
            elif node.kind == "chance":
                chance_run += 1
            # Step 2. Follow it, or find out what lies behind it (lines 44-45).
            child = node.children.get(position)
            is_new = child is None
            if child is None:
                child, evaluations = self.world.expand(node, position, last)
                node.children[position] = child
                cost += evaluations
                if child.kind == "chance":
                    cost += self.open(child, path, last, self.config.simulations - self.spent - cost)
            # Step 3. Does the descent end here, and with what value for the root's mover?
            value: float | None = None
            if child.kind == "terminal":
                value = child.own_value
            elif child.kind == "choice" and (is_new or child.exact or self.is_deep(path)):
                value = self.config.discount * child.sign * child.own_value
            elif child.kind == "chance" and is_new and child.opened is not None:
                value = child.expectation()
            elif child.kind == "chance" and self.is_valued(child) and (is_new or self.is_deep(path)):
                value = child.passed_up = child.own_value
            elif child.kind == "identity" and not paper and self.world.caps_chance:
                value = last.sign * child.own_value if chance_run >= MAX_CHANCE_RUN else None
            if value is not None:
                self.backup(path, value)
            if value is not None or (paper and is_new):  # line 6: the paper may end without a backup
                self.evaluations += cost
                return max(1, cost), value is not None
            node = child

    def is_valued(self, node: Node) -> bool:
        """Is this chance node a leaf like any other?"""
        return self.config.chance_value != "mean" and self.world.values_chance and node.kind == "chance"

    def is_deep(self, path: Path) -> bool:
        """Has the model been asked as deep as it may be?"""
        steps = sum(node.kind != "identity" for node, _ in path)
        return 0 < self.config.max_depth <= steps

    def select(self, node: Node) -> int:
        """The edge that the rule of the node's kind takes."""
        if node is self.root:
            return self.root_rule.select()
        if node.kind == "choice":
            return self.rules.interior(node, self.rng)
        if self.config.chance == "roulette":  # NDMZ line 48
            return self.rng.roulette(node.prior.tolist())
        share = node.prior
        if node.opened is not None:
            share = np.full(len(node.prior), -2.0)
            share[node.opened] = node.prior[node.opened]
        start = int(np.searchsorted(np.cumsum(node.prior[:-1]), self.turn, side="right"))
        return most_behind(share, node.taken, start)

    def open(self, node: Node, path: Path, last: Node, budget: int) -> int:
        """Evaluates the outcomes of a new chance node, where ``expectation`` asks for it; what it cost."""
        above = next(kind for kind in (step.kind for step, _ in reversed(path)) if kind != "identity")
        wanted = self.config.chance == "expectation" and self.config.budget != "paper"
        if not wanted or above == "chance" or not self.world.can_open(node):
            return 0
        edges = likeliest(node.prior, self.world.expectation_mass)
        if budget < len(edges):
            return 0
        node.opened = edges
        node.prior[edges] /= node.prior[edges].sum()
        cost = 0
        for position in edges:
            child, evaluations = self.world.expand(node, int(position), last)
            cost += evaluations
            node.children[int(position)] = child
            node.taken[position] = node.visits[position] = 1
            node.total[position] = self.step_back(node, int(position), last, self.own_value(child, last))
        return cost

    def own_value(self, node: Node, last: Node) -> float:
        """What coming to an opened outcome is worth at first; takes its likeliest identity."""
        if node.kind == "identity":
            position = int(np.argmax(node.prior))
            node.taken[position] = 1
            node.children[position], _ = self.world.expand(node, position, last)
            if node.ids[position] == CHANCE:
                return last.sign * node.own_value
            node = node.children[position]
        return (
            node.own_value if node.kind == "terminal" else self.config.discount * node.sign * node.own_value
        )

    def step_back(self, node: Node, position: int, last: Node, value: float) -> float:
        """G = reward + G over one edge, for the root's mover."""
        return last.sign * float(node.reward[position]) + value

    def backup(self, path: Path, value: float) -> None:
        """Walks what coming to a leaf is worth to the root's mover up to the root (NDMZ lines 32-41).

        One decision is one step: chance and the end belong to the step of the move before them, and what a
        choice node is worth counts ``discount`` times in the step that led there.
        """
        for depth in reversed(range(len(path))):
            node, position = path[depth]
            if node.kind == "identity":
                continue
            last = next(step for step, _ in reversed(path[: depth + 1]) if step.kind == "choice")
            value = self.step_back(node, position, last, value)
            own = node.sign * value if node.kind == "choice" else value
            node.visits[position] += 1
            worth = None
            if self.config.prove and node.kind == "choice":
                worth = node.known_worth(position, self.config.discount)
            if worth is not None:  # all that ever came back counts as what is known now
                own = int(node.visits[position]) * worth - float(node.total[position])
                value = node.sign * own
            node.total[position] += own
            if node.visits[position] == 1:
                node.first[position] = own
            node.came_back += own
            if worth is not None:
                self.prove(node)
            if node.kind == "choice":
                self.seen.include(float(node.total[position] / node.visits[position]))
                value *= self.config.discount
            elif node.opened is not None:
                value = node.expectation()
            elif self.config.chance_value != "mean":
                value = self.revalue(node)

    def prove(self, node: Node) -> None:
        """A choice node is known once a move wins all there is to win, or once all its moves are known."""
        worths = [node.known_worth(position, self.config.discount) for position in range(len(node.ids))]
        proved = [worth for worth in worths if worth is not None]
        most = self.config.q_range[1] if self.config.q_normalisation == "fixed" else np.inf
        if not node.exact and (len(proved) == len(worths) or max(proved) > most - 1e-6):
            node.exact, node.own_value = True, max(proved)

    def revalue(self, node: Node) -> float:
        """What a chance node gives upwards, so that all it has given is N times its newest value."""
        visits = int(node.visits.sum()) + self.is_valued(node)
        value = visits * node.completed(min(self.world.expectation_mass, 1.0 - 1e-6)) - node.passed_up
        node.passed_up += value
        return value


def likeliest(probabilities: Floats, mass: float) -> Ints:
    """Positions, ascending, of the greatest probabilities that together reach ``mass``; all for mass 1."""
    if mass >= 1.0:
        return np.arange(len(probabilities))
    order = sorted(range(len(probabilities)), key=lambda edge: (-probabilities[edge], edge))
    total = 0.0
    chosen = []
    for edge in order:
        chosen.append(edge)
        total += probabilities[edge]
        if total >= mass:
            break
    return np.array(sorted(chosen), np.int64)
