"""The rules of choice nodes: PUCT, completed Q, and the improved policies made of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dicezero.search.config import SearchConfig
from dicezero.search.random import Rng
from dicezero.search.reference.node import Floats, Node, softmax

_SMALLEST_NORMAL = float(np.finfo(np.float32).tiny)
_LEAST_RANGE = 1e-8


@dataclass
class Range:
    """The least and the greatest edge Q of every choice node that any backup of this tree has seen."""

    low: float = np.inf
    high: float = -np.inf

    def include(self, q: float) -> None:
        """Widens the range to hold ``q``."""
        self.low, self.high = min(self.low, q), max(self.high, q)

    def scale(self, q: Floats) -> Floats:
        """Q scaled to the range, as it is while the range is empty or a point."""
        return (q - self.low) / (self.high - self.low) if self.high > self.low else q


@dataclass
class ChoiceRules:
    """The choice rules of one search: its configuration, A actions in all, and the running range of Q."""

    config: SearchConfig
    num_actions: int
    seen: Range

    def puct(self, node: Node) -> int:
        """Position of the edge that PUCT takes."""
        return int(np.argmax(self.puct_scores(node, node.visits)))

    def puct_scores(self, node: Node, visits: np.ndarray) -> Floats:
        """[E] what PUCT compares, had the edges so many visits each: NDMZ line 50, or MuZero's form of it."""
        form = self.config.puct
        if form.form == "ndmz":
            c, parent = form.init, float(node.visits.sum())
        else:
            parent = float(node.node_visits)
            c = form.init + np.log((1.0 + form.base + parent) / form.base)
        return np.asarray(self._puct_q(node) + c * node.prior * np.sqrt(parent) / (1.0 + visits))

    def _puct_q(self, node: Node) -> Floats:
        q = node.q()
        visited = node.visits > 0
        match self.config.q_normalisation:
            case "siblings":
                values = np.append(q[visited], node.value)
                low, high = values.min(), values.max()
                q = (q - low) / max(high - low, _LEAST_RANGE)
            case "tree":
                q = self.seen.scale(q)
            case "fixed":
                low, high = self.config.q_range
                q = (q - low) / (high - low)
        return np.where(visited, q, 0.0)

    def completed_q(self, node: Node) -> Floats:
        """[E] Q of the visited edges, v_mix or the network's value for the others (eq. 10), normalised."""
        visited = node.visits > 0
        missing = self.mixed_value(node) if self.config.completed_q == "mixed" else node.own_value
        q = np.where(visited, node.q(), missing)
        match self.config.q_normalisation:
            case "siblings":
                # An action without an edge counts as one that was never visited.
                values = q if visited.sum() == self.num_actions else np.append(q, missing)
                low, high = values.min(), values.max()
                q = (q - low) / max(high - low, _LEAST_RANGE)
            case "tree":
                q = self.seen.scale(q)
            case "fixed":
                low, high = self.config.q_range
                q = (q - low) / (high - low)
        return q

    def mixed_value(self, node: Node) -> float:
        """v_mix, eq. 33: the network's value and the prior-weighted Q of the visited edges."""
        visited = node.visits > 0
        if not visited.any():
            return node.own_value
        prior = np.maximum(node.prior[visited], _SMALLEST_NORMAL)
        weighted = float(np.sum(prior * node.q()[visited]) / prior.sum())
        count = int(node.visits.sum())
        return (node.own_value + count * weighted) / (1 + count)

    def sigma(self, node: Node) -> Floats:
        """Eq. 8: [E] completed Q on the scale of the logits."""
        return self.scale(node) * self.completed_q(node)

    def scale(self, node: Node) -> float:
        """The factor of eq. 8: (c_visit + max N) c_scale."""
        return (self.config.c_visit + float(node.visits.max())) * self.config.c_scale

    def improved(self, node: Node) -> Floats:
        """[E] pi' = softmax(logits + sigma(completed Q)), eq. 11: also what KL(new, old) leads to (MPO)."""
        return softmax(node.logits + self.sigma(node))

    def trust_region(self, node: Node) -> Floats:
        """[E] pi' that KL(old, new) leads to (TRPO): lambda P / (alpha - q), summing to 1."""
        scale = self.scale(node)
        if scale == 0.0:  # infinitely strong regulariser
            return node.prior
        q, weight = self.completed_q(node), node.prior / scale
        edges = [(float(x), float(w)) for x, w in zip(q, weight, strict=True) if w > 0.0]
        low, high = max(x + w for x, w in edges), float(q.max()) + 1.0 / scale
        for _ in range(60):
            middle = 0.5 * (low + high)
            if _trust_region_sum(edges, middle) > 1.0:
                low = middle
            else:
                high = middle
        policy = np.where(weight > 0.0, weight / (high - q), 0.0)
        return np.asarray(policy / policy.sum())

    def policy(self, node: Node, rule: str) -> Floats:
        """[E] pi' under a root or interior rule other than PUCT."""
        return self.trust_region(node) if rule == "trpo" else self.improved(node)

    def interior(self, node: Node, rng: Rng) -> int:
        """Position of the edge that the interior rule takes."""
        rule = self.config.interior
        if rule == "puct":
            return self.puct(node)
        policy = self.policy(node, rule)
        if rule == "improved_sampled":
            return rng.roulette(policy.tolist())
        return most_behind(policy, node.visits)


def most_behind(share: Floats, counts: np.ndarray, start: int = 0) -> int:
    """The edge furthest behind its share: argmax p - N / (1 + sum N), eq. 14; ties: from ``start`` on."""
    order = np.roll(np.arange(len(share)), -start)
    return int(order[np.argmax((share - counts / (1.0 + counts.sum()))[order])])


def _trust_region_sum(edges: list[tuple[float, float]], alpha: float) -> float:
    if any(alpha <= q for q, _ in edges):
        return math.inf
    return sum(weight / (alpha - q) for q, weight in edges)
