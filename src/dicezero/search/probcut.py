"""ProbCut's statistics: how well a shallow search foretells a deep one, measured on sampled positions."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import numpy as np

from dicezero.rules.protocol import Game, is_chance, max_outcomes, outcomes_of
from dicezero.search.minimax import Evaluate, MinimaxConfig, ProbCut, minimax_search

_MOST_TRIES = 100  # random games a position


def fit_probcut(
    game: Game,
    *,
    depth: int,
    shallow: int,
    positions: int = 200,
    plies: tuple[int, int] = (0, 20),
    threshold: float = 1.5,
    config: MinimaxConfig | None = None,
    evaluate: Evaluate | None = None,
    seed: int,
) -> ProbCut:
    """Searches random positions to both depths and fits deep = slope * shallow + offset + N(0, sigma).

    Positions decided within the depth are left out.

    Args:
        game: the game.
        depth: plies from the horizon at which ProbCut will be tried.
        shallow: plies of the search that foretells; the same parity as ``depth`` foretells best.
        positions: how many are sampled, by random play.
        plies: least and most moves played before a position is taken.
        threshold: of the ProbCut made.
        config: how to search, apart from the depth; default alpha-beta, or expectiminimax in a game with
            chance.
        evaluate: as in ``minimax_search``.
        seed: of the random play.
    """
    if positions < 3:
        raise ValueError(f"positions={positions!r} is too few for a regression; give at least 3")
    if not 0 <= plies[0] <= plies[1]:
        raise ValueError(f"plies={plies!r} must be (least, most) with 0 <= least <= most")
    if config is None:
        config = MinimaxConfig("expectiminimax" if max_outcomes(game) > 0 else "alphabeta")
    unfitted = ProbCut(depth, shallow, threshold=threshold)  # checks the depths
    configs = [dataclasses.replace(config, depth=d, probcut=None) for d in (shallow, depth)]
    rng = random.Random(seed)
    values: list[list[float]] = []
    for _ in range(_MOST_TRIES * positions):
        state = _sample(game, plies, rng)
        results = [minimax_search(game, state, c, evaluate=evaluate) for c in configs]
        # A game decided within the depth shows nothing of how evaluations err.
        if results[-1].stopped == "depth" and not _decided(game, results[-1].value):
            values.append([result.value for result in results])
            if len(values) == positions:
                break
    else:
        raise ValueError(
            f"only {len(values)} of {positions} positions were undecided; give fewer plies or less depth"
        )
    x, y = np.array(values).T
    if np.ptp(x) == 0.0:
        raise ValueError(
            f"all {positions} shallow values are {x[0]:g}: nothing to fit; give evaluate or other plies"
        )
    slope, offset = np.polyfit(x, y, 1)
    if slope <= 0.0:
        raise ValueError(
            f"shallow values do not foretell deep ones (slope {slope:g}); give other depths or positions"
        )
    sigma = float(np.std(y - (slope * x + offset), ddof=2))
    return dataclasses.replace(unfitted, slope=float(slope), offset=float(offset), sigma=sigma)


def _decided(game: Game, value: float) -> bool:
    bounds = [getattr(game, name, None) for name in ("min_utility", "max_utility")]
    return any(bound is not None and value == bound() for bound in bounds)


def _sample(game: Game, plies: tuple[int, int], rng: random.Random) -> Any:
    """A choice node after a random number of random moves."""
    for _ in range(_MOST_TRIES):
        state = game.new_initial_state()
        target = rng.randint(*plies)
        moves = 0
        while not state.is_terminal() and (moves < target or is_chance(state)):
            if is_chance(state):
                outcomes, weights = zip(*outcomes_of(state), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                moves += 1
        if not state.is_terminal():
            return state
    raise ValueError(
        f"no position after {plies[0]}..{plies[1]} moves in {_MOST_TRIES} random games; give fewer plies"
    )
