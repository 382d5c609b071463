"""Closed forms for the deterministic bandit with a predictor (sections 2 and 3 of the Gumbel paper).

Gumbel noise turned into time: -log of a Gumbel variable plus logit is the logarithm of an exponential clock
of rate exp(logit). The sample without replacement is the n clocks that ring first, and the action with the
greatest g + logits + sigma the one of them whose time multiplied by exp(-sigma) is least. Both are events of
independent exponential variables, so their probabilities are sums of simple fractions.
"""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def ordered_subsets(prior: npt.ArrayLike, n: int) -> list[tuple[tuple[int, ...], float]]:
    """Every order in which Gumbel-Top-k can draw n actions, with its probability (Plackett-Luce)."""
    weights = np.asarray(prior, np.float64)
    subsets = []
    for order in permutations(range(len(weights)), n):
        left, chance = float(weights.sum()), 1.0
        for action in order:
            chance *= weights[action] / left
            left -= weights[action]
        subsets.append((order, chance))
    return subsets


def best_without_replacement(prior: npt.ArrayLike, q: npt.ArrayLike, n: int) -> float:
    """E max q over n actions drawn without replacement."""
    values = np.asarray(q, np.float64)
    return float(sum(chance * values[list(order)].max() for order, chance in ordered_subsets(prior, n)))


def best_with_replacement(prior: npt.ArrayLike, q: npt.ArrayLike, n: int) -> float:
    """E max q over n actions drawn with replacement."""
    weights, values = np.asarray(prior, np.float64), np.asarray(q, np.float64)
    order = np.argsort(values)
    below = np.cumsum(weights[order]) ** n  # that no draw is better than the i-th worst action
    return float(values[order] @ np.diff(below, prepend=0.0))


def best_of_top(prior: npt.ArrayLike, q: npt.ArrayLike, n: int) -> float:
    """The greatest q among the n likeliest actions (example 1 of the paper)."""
    top = np.argsort(-np.asarray(prior, np.float64), kind="stable")[:n]
    return float(np.asarray(q, np.float64)[top].max())


def gumbel_choice(prior: npt.ArrayLike, sigma: npt.ArrayLike, n: int) -> Array:
    """[B, k] the probability of each action to be the one that algorithm 1 plays.

    Args:
        prior: [B, k] the predictor's probabilities.
        sigma: [B, k] sigma(q) of every action.
        n: actions sampled without replacement, each visited.
    """
    weights, bonus = np.atleast_2d(np.asarray(prior, np.float64)), np.atleast_2d(np.asarray(sigma, float))
    k = weights.shape[1]
    probability = np.zeros_like(weights)
    for sample in combinations(range(k), n):
        outside = sum((weights[:, b] for b in range(k) if b not in sample), np.zeros(len(weights)))
        for a in sample:
            probability[:, a] += _last_to_ring(weights, bonus, a, sample, outside)
            for last in sample:
                if last != a:
                    probability[:, a] += _earlier(weights, bonus, a, last, sample, outside)
    return probability


def _ratio(bonus: Array, a: int, b: int) -> Array:
    """Action a beats b where b rings later than a's time by this factor."""
    return np.exp(bonus[:, b] - bonus[:, a])


def _last_to_ring(weights: Array, bonus: Array, a: int, sample: tuple[int, ...], outside: Array) -> Array:
    """Action a is drawn last of the sample and wins: all others ring in (ratio t, t), t being a's time."""
    others = [b for b in sample if b != a]
    ratios = {b: _ratio(bonus, a, b) for b in others}
    total = np.zeros(len(weights))
    for size in range(len(others) + 1):
        for late in combinations(others, size):
            rate = weights[:, a] + outside
            rate = rate + sum(weights[:, b] * (1.0 if b in late else ratios[b]) for b in others)
            total += (-1) ** size * weights[:, a] / rate
    possible = np.all([ratio < 1.0 for ratio in ratios.values()], axis=0) if others else True
    return np.where(possible, total, 0.0)


def _earlier(
    weights: Array, bonus: Array, a: int, last: int, sample: tuple[int, ...], outside: Array
) -> Array:
    """Action a wins and another is the last of the sample to ring, at a time t: all others in between."""
    others = [b for b in sample if b not in (a, last)]
    ratios = {b: _ratio(bonus, a, b) for b in (*others, last)}
    reach = np.maximum(1.0, np.max(list(ratios.values()), axis=0))  # a rings before t / reach
    total = np.zeros(len(weights))
    for size in range(len(others) + 1):
        for late in combinations(others, size):
            at_end = weights[:, last] + outside + sum(weights[:, b] for b in late)
            at_a = weights[:, a] + sum(weights[:, b] * ratios[b] for b in others if b not in late)
            total += (-1) ** size * weights[:, last] * weights[:, a] / (at_end * (at_end * reach + at_a))
    return total
