"""Ratings from results: the Bradley-Terry model by maximum likelihood, on Elo's scale, with error bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dicezero.evaluation.interval import Z95

Array = NDArray[np.float64]
ELO_PER_NATURAL_UNIT = 400.0 / math.log(10.0)


@dataclass(frozen=True)
class Rating:
    """One player's strength; the mean of the field is 0.

    Attributes:
        name: the player.
        elo: 400 points are odds of ten to one.
        error95: half the width of the 95 % interval.
    """

    name: str
    elo: float
    error95: float


def bradley_terry(
    names: Sequence[str], points: ArrayLike, games: ArrayLike, *, virtual_draws: float = 1.0
) -> list[Rating]:
    """Ratings in the order of ``names``.

    The model: i scores against j with probability 1 / (1 + exp(r_j - r_i)); a draw is half a win. The ratings
    maximise the likelihood (Newton's method; it is concave); the errors come from its curvature there.

    Args:
        names: the n players.
        points: [n, n], what row scored against column, draws counting half.
        games: [n, n], symmetric, how often they met.
        virtual_draws: drawn games added to every pair that met, so that a player who won them all still has a
            finite rating; 0 gives the plain maximum-likelihood ratings, which then may not exist.
    """
    scored = np.array(points, dtype=float)
    met = np.array(games, dtype=float)
    size = len(names)
    if scored.shape != (size, size) or met.shape != (size, size):
        raise ValueError(f"points {scored.shape} and games {met.shape} must both be ({size}, {size})")
    if not np.array_equal(met, met.T) or not np.allclose(scored + scored.T, met):
        raise ValueError("games must be symmetric, and the points of both sides must add up to the games")
    scored += 0.5 * virtual_draws * (met > 0)
    met += virtual_draws * (met > 0)
    _require_connected(names, met)

    ratings = np.zeros(size)
    for _ in range(200):
        expected = 1.0 / (1.0 + np.exp(ratings[None, :] - ratings[:, None]))
        gradient = (scored - met * expected).sum(axis=1)
        step = np.linalg.pinv(_information(met, expected), hermitian=True) @ gradient
        step *= min(1.0, 2.0 / max(np.abs(step).max(), 1e-300))  # no leap beyond where the curve is trusted
        ratings += step
        if np.abs(step).max() < 1e-12:
            break
    else:
        raise ValueError(
            "the ratings do not converge: somebody won or lost every game; use virtual_draws > 0"
        )
    ratings -= ratings.mean()
    expected = 1.0 / (1.0 + np.exp(ratings[None, :] - ratings[:, None]))
    covariance = np.linalg.pinv(_information(met, expected), hermitian=True)
    errors = Z95 * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    scale = ELO_PER_NATURAL_UNIT
    return [
        Rating(n, float(r * scale), float(e * scale)) for n, r, e in zip(names, ratings, errors, strict=True)
    ]


def _information(met: Array, expected: Array) -> Array:
    """Minus the second derivative of the log-likelihood; singular along 'everyone equally stronger'."""
    weight = met * expected * (1.0 - expected)
    np.fill_diagonal(weight, 0.0)
    information: Array = np.diag(weight.sum(axis=1)) - weight
    return information


def _require_connected(names: Sequence[str], met: Array) -> None:
    """Ratings compare players only along games played."""
    reached = {0}
    frontier = [0]
    while frontier:
        row = frontier.pop()
        new = {int(j) for j in np.flatnonzero(met[row])} - reached
        reached |= new
        frontier.extend(new)
    missing = [name for i, name in enumerate(names) if i not in reached]
    if missing:
        raise ValueError(f"no chain of games connects {names[0]} with {', '.join(missing)}; play them first")
