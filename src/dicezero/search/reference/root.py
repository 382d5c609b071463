"""The rules of the root: which action to search next, which to play, and the training target."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from dicezero.search.config import SearchConfig
from dicezero.search.random import Rng
from dicezero.search.reference.node import Floats, Node
from dicezero.search.reference.rules import ChoiceRules

_LOWEST_SCORE = -1e9
_ROUNDING = 1e-4  # what lies above a whole number by less is that number


class RootRule(Protocol):
    """How the root behaves. Positions are those of the root's edges."""

    def select(self) -> int:
        """The edge that the next simulation takes."""
        ...

    def account(self, cost: int, *, visited: bool) -> None:
        """A simulation ended, cost so much of the budget, and did or did not add a visit."""
        ...

    def final(self) -> int:
        """The edge to play."""
        ...

    def policy(self) -> Floats:
        """[E] the training target."""
        ...


def make_root_rule(
    rules: ChoiceRules, node: Node, rng: Rng, gumbel: Floats | None, dirichlet: Floats | None
) -> RootRule:
    """The root rule of a configuration; draws what it needs before the search (``gumbel``: [A] or drawn)."""
    config = rules.config
    match config.root:
        case "puct":
            return PuctRoot(rules, node, rng, dirichlet)
        case "gumbel":
            if gumbel is None:
                gumbel = np.array([rng.gumbel() for _ in range(rules.num_actions)])
            count = min(config.max_considered_actions, len(node.ids))
            return HalvingRoot(rules, node, count, gumbel[node.ids] + node.logits - node.logits.max())
        case "gumbel_with_replacement":
            count = min(config.max_considered_actions, len(node.ids))
            drawn = sorted({rng.roulette(node.prior.tolist()) for _ in range(count)})
            base = np.full(len(node.ids), -np.inf)
            base[drawn] = 0.0
            return HalvingRoot(rules, node, len(drawn), base)
        case _:
            return SampledRoot(rules, node, rng)


class HalvingRoot:
    """Sequential Halving over scores (Algorithm 2), with the rounding of Appendix F.

    ``base`` [E] is what is added to sigma: Gumbel plus logits (Algorithm 1), or 0 for the actions drawn with
    replacement and minus infinity for the others.
    """

    def __init__(self, rules: ChoiceRules, node: Node, considered: int, base: Floats) -> None:
        self.rules, self.node, self.base = rules, node, base
        self.first_considered = self.considered = considered
        self.phases = math.ceil(math.log2(considered))
        self.rounds = 0
        self.visited_in_round = 0
        self.round_cost = 0
        self.phase_cost = 0

    def score(self) -> Floats:
        """[E] g + logits + sigma(completed Q), not below -1e9 for an action in the running."""
        total = self.base + self.rules.sigma(self.node)
        return np.where(np.isneginf(self.base), -np.inf, np.maximum(_LOWEST_SCORE, total))

    def select(self) -> int:
        """The best-scored of the actions that this round has still to visit."""
        due = self.node.visits == self.rounds
        return int(np.argmax(np.where(due, self.score(), -np.inf)))

    def account(self, cost: int, *, visited: bool) -> None:
        """Ends a round when all its actions are visited, a phase when its share of the budget is spent."""
        self.round_cost += cost
        self.visited_in_round += visited
        if self.visited_in_round < self.considered:
            return
        self.rounds += 1
        self.phase_cost += self.round_cost
        over = (self.phase_cost + self.round_cost) * self.phases > self.rules.config.simulations
        if self.first_considered > 1 and over:
            self.considered = max(2, self.considered // 2)
            self.phase_cost = 0
        self.visited_in_round = self.round_cost = 0

    def final(self) -> int:
        """A_{n+1}: the best score among the most visited (Appendix F)."""
        most = self.node.visits == self.node.visits.max()
        return int(np.argmax(np.where(most, self.score(), -np.inf)))

    def policy(self) -> Floats:
        """Eq. 11."""
        return self.rules.improved(self.node)


class PuctRoot:
    """PUCT with Dirichlet noise in the priors; plays by visits (NDMZ lines 8-10)."""

    def __init__(self, rules: ChoiceRules, node: Node, rng: Rng, dirichlet: Floats | None) -> None:
        self.rules, self.node, self.rng = rules, node, rng
        fraction = rules.config.dirichlet.fraction
        if fraction > 0.0:
            noise = _draw_dirichlet(rules.config, node, rng) if dirichlet is None else dirichlet[node.ids]
            node.prior = (1.0 - fraction) * node.prior + fraction * noise

    def select(self) -> int:
        """The first action that was tried and has fewer visits than are forced, else PUCT."""
        if self.rules.config.forced_playouts:
            visits = self.node.visits
            due = np.flatnonzero((visits > 0) & (visits < self.forced()))
            if len(due):
                return int(due[0])
        return self.rules.puct(self.node)

    def forced(self) -> Floats:
        """[E] visits that an action once tried is to have: sqrt(k P sum N), rounded up."""
        k, node = self.rules.config.forced_playouts, self.node
        due = np.ceil(np.sqrt(k * node.prior * node.visits.sum()) - _ROUNDING)
        return np.asarray(np.maximum(0.0, due), np.float64)

    def account(self, cost: int, *, visited: bool) -> None:
        """PUCT keeps no schedule."""

    def final(self) -> int:
        """A draw from N^(1/temperature), or at temperature 0 the most visited, greatest Q, lowest id."""
        node, temperature = self.node, self.rules.config.temperature
        weights = self.shares()
        if temperature > 0.0:
            weights = (weights / weights.max()) ** (1.0 / temperature)
            return self.rng.roulette((weights / weights.sum()).tolist())
        q = np.where(node.visits > 0, node.q(), -np.inf)
        return max(range(len(node.ids)), key=lambda edge: (weights[edge], q[edge], -edge))

    def shares(self) -> Floats:
        """N / sum N; the priors while nothing has been visited."""
        visits = self.node.visits
        return visits / visits.sum() if visits.any() else self.node.prior

    def policy(self) -> Floats:
        """The shares of the visits; with ``prune_targets`` of those that PUCT stands by."""
        if not self.rules.config.prune_targets or not self.node.visits.any():
            return self.shares()
        kept = self.pruned()
        return np.asarray(kept / kept.sum())

    def pruned(self) -> Floats:
        """[E] visits without those forced in vain: taken off while PUCT stays below the most visited's."""
        node, forced = self.node, self.forced()
        visits = node.visits.astype(np.float64)
        best = max(range(len(visits)), key=lambda edge: (visits[edge], node.q()[edge], -edge))
        limit = self.rules.puct_scores(node, visits)[best]
        kept = visits.copy()
        for edge in range(len(visits)):
            if edge == best or not visits[edge]:
                continue
            while kept[edge] > max(0.0, visits[edge] - forced[edge]):
                fewer = kept.copy()
                fewer[edge] -= 1.0
                if self.rules.puct_scores(node, fewer)[edge] >= limit:
                    break
                kept = fewer
            if kept[edge] < visits[edge] and kept[edge] <= 1.0:
                kept[edge] = 0.0
        return kept


class SampledRoot:
    """TRPO and MPO: every action is a draw from the regularised policy, the final one too."""

    def __init__(self, rules: ChoiceRules, node: Node, rng: Rng) -> None:
        self.rules, self.node, self.rng = rules, node, rng

    def select(self) -> int:
        """A draw from pi'."""
        return self.rng.roulette(self.policy().tolist())

    def account(self, cost: int, *, visited: bool) -> None:
        """Drawing keeps no schedule."""

    def final(self) -> int:
        """A draw from the last pi'."""
        return self.select()

    def policy(self) -> Floats:
        """The pi' of the root's regulariser."""
        return self.rules.policy(self.node, self.rules.config.root)


def _draw_dirichlet(config: SearchConfig, node: Node, rng: Rng) -> Floats:
    draws = np.array([rng.gamma(config.dirichlet.alpha) for _ in node.ids])
    total = draws.sum()
    # With a tiny alpha every draw may underflow; the noise is then even.
    return draws / total if total > 0.0 else np.full(len(draws), 1.0 / len(draws))
