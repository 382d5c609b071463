"""The numbers of the bandit part: sections 2 to 4 and appendices A to D of the Gumbel paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, product
from typing import Any

import numpy as np

from dicezero.experiments.gumbel.bandit import METHODS, Array, Bandits, random_bandits, search, won
from dicezero.experiments.gumbel.exact import (
    best_of_top,
    best_with_replacement,
    best_without_replacement,
    gumbel_choice,
)

EXAMPLE = Bandits(np.log(np.array([[0.5, 0.3, 0.2]], np.float32)), np.array([[0.0, 0.0, 1.0]]))
SIGMA = 51.0  # (c_visit + 1) c_scale: every sampled arm is visited once
SMALL, LARGE = 6, 32  # arms: all orders can be listed; many more than simulations
SIMULATIONS = (2, 4, 8, 16, 32, 50, 100, 200)
KNOWLEDGE = {"a predictor that knows something": 0.5, "a predictor that knows nothing": 0.0}
NOISE = {"exact values": 0.0, "noisy values": 0.3}
VALUE_ERRORS = (0.0, 0.1, 0.2, 0.3, 0.5)
_NEAR_OPTIMAL = 0.999
Say = Callable[[str], None]


@dataclass(frozen=True)
class Sizes:
    """How much is computed.

    Attributes:
        small: bandits of six arms, each valued exactly.
        draws: searches of each small bandit, to hold the planner against the exact value.
        large: bandits of 32 arms, each searched once for every number of simulations.
        simulations: of the large bandits.
    """

    small: int = 200
    draws: int = 40
    large: int = 800
    simulations: tuple[int, ...] = SIMULATIONS


def study(
    sizes: Sizes,
    *,
    seed: int,
    known: Mapping[str, Any] | None = None,
    keep: Callable[[dict[str, Any]], None] | None = None,
    say: Say | None = None,
) -> dict[str, Any]:
    """All of them, as plain data.

    Args:
        sizes: how much is computed.
        seed: of bandits and searches.
        known: what an earlier call with the same sizes and seed has found; that is not computed again.
        keep: called with the results so far, after every piece.
        say: called with what comes next.
    """
    pieces: dict[str, Callable[[], Any]] = {
        "example": lambda: example(sizes, seed=seed),
        "improvement": lambda: improvement(sizes, seed=seed),
        "completion": lambda: completion(sizes, seed=seed),
        "v_mix": lambda: mixed_value(sizes, seed=seed),
        "halving": lambda: halving(seed=seed),
        "optimal_predictor": lambda: optimal_predictor(sizes, seed=seed),
    }
    for knows, seen in product(KNOWLEDGE, NOISE):
        pieces[f"regret, {knows}, {seen}"] = partial(regret, sizes, knows, seen, seed=seed)
    results = {name: known[name] for name in pieces if name in known} if known else {}
    for name, piece in pieces.items():
        if name not in results:
            if say:
                say(f"bandits: {name}")
            results[name] = piece()
            if keep:
                keep(results)
    rows = [row for name in pieces if name.startswith("regret") for row in results.pop(name)]
    return {**results, "regret": rows}


def example(sizes: Sizes, *, seed: int) -> dict[str, Any]:
    """Example 1: two simulations of three arms; what each method wins, exactly where that is known."""
    rows = EXAMPLE.repeated(sizes.small * sizes.draws)
    prior, q = EXAMPLE.prior[0], EXAMPLE.q[0]
    exact = {
        "top-n": best_of_top(prior, q, 2),
        "with replacement": best_with_replacement(prior, q, 2),
        "without replacement": best_without_replacement(prior, q, 2),
        "Gumbel": float((gumbel_choice(EXAMPLE.prior, SIGMA * EXAMPLE.q, 2) @ q)[0]),
    }
    planner = {name: _mean(won(search(name, rows, 2, seed=seed), rows, name)) for name in METHODS}
    return {"predictor": float(EXAMPLE.value[0]), "exact": exact, "planner": planner}


def improvement(sizes: Sizes, *, seed: int) -> list[dict[str, Any]]:
    """Inequality 6 on random bandits of six arms: a row a method and number of simulations.

    ``exact`` is the mean of q won over all bandits, exactly; ``least_gain`` the least over bandits of what
    is won over the predictor; ``made_worse`` the share of bandits where less is won than by the predictor.
    PUCT's noise cannot be listed: its numbers are means over searches, and a bandit counts as made worse
    where that is more than three standard errors sure.
    """
    bandits = random_bandits(sizes.small, SMALL, knowledge=0.5, seed=seed)
    rows = bandits.repeated(sizes.draws)
    gumbel = np.random.default_rng([seed, 3]).gumbel(size=rows.q.shape)
    improvements = []
    for n, name in product(range(1, SMALL + 1), METHODS):
        noise = gumbel if METHODS[name].root == "gumbel" and name != "top-n" else None
        result = search(name, rows, n, seed=seed, gumbel=noise)
        sampled = won(result, rows, name).reshape(sizes.small, sizes.draws)
        row = {"method": name, "simulations": n, "planner": _mean(sampled.mean(axis=1))}
        exact = _exactly(bandits, name, n)
        if exact is None:
            error = sampled.std(axis=1) / np.sqrt(sizes.draws)
            worse = sampled.mean(axis=1) + 3 * error + 1e-6 < bandits.value
            row |= {"regret": float((bandits.q.max(axis=1) - sampled.mean(axis=1)).mean())}
        else:
            worse = exact < bandits.value - 1e-9
            errors = np.sqrt(sampled.var(axis=1).mean() / sampled.size)
            row |= {
                "exact": float(exact.mean()),
                "standard_errors_off": float((sampled.mean() - exact.mean()) / max(errors, 1e-9)),
                "least_gain": float((exact - bandits.value).min()),
                "regret": float((bandits.q.max(axis=1) - exact).mean()),
            }
        if name in ("Gumbel", "without replacement"):
            # Inequality 7: for every single Gumbel vector, not only in the mean.
            own = rows.q[np.arange(len(rows.q)), (gumbel + rows.logits).argmax(axis=1)]
            row["least_gain_of_a_draw"] = float((sampled.ravel() - own).min())
        improvements.append({**row, "made_worse": float(worse.mean())})
    return improvements


def _exactly(bandits: Bandits, name: str, n: int) -> Array | None:
    """[B] the expected q of what is played; None where only sampling can estimate it."""
    forms = {
        "top-n": best_of_top,
        "with replacement": best_with_replacement,
        "without replacement": best_without_replacement,
    }
    if name == "Gumbel":
        return np.asarray((gumbel_choice(bandits.prior, SIGMA * bandits.q, n) * bandits.q).sum(axis=1))
    if name not in forms:
        return None
    return np.array([forms[name](p, q, n) for p, q in zip(bandits.prior, bandits.q, strict=True)])


def completion(sizes: Sizes, *, seed: int) -> dict[str, Any]:
    """Appendix C: pi' = softmax(logits + sigma(completed Q)) for every set of visited arms of six.

    With the exact value of the predictor for the arms not visited: the least gain over the predictor, over
    all sets and bandits, and the largest distance of the planner's pi' from the formula.
    """
    bandits = random_bandits(sizes.small, SMALL, knowledge=0.5, seed=seed)
    config = replace(METHODS["Gumbel"], completed_q="raw")
    least, apart, sets = np.inf, 0.0, 0
    for n in range(1, SMALL + 1):
        for visited in combinations(range(SMALL), n):
            gumbel = np.zeros(bandits.q.shape)
            gumbel[:, visited] = 100.0  # these are drawn, whatever the logits
            result = search("Gumbel", bandits, n, seed=seed, gumbel=gumbel, config=config)
            completed = np.where(result.visits > 0, bandits.q, bandits.value[:, None])
            raised = bandits.prior * np.exp(SIGMA * (completed - completed.max(axis=1, keepdims=True)))
            formula = raised / raised.sum(axis=1, keepdims=True)
            gain = (formula * bandits.q).sum(axis=1) - bandits.value
            least = min(least, float(gain.min()))
            apart = max(apart, float(np.abs(result.policy - formula).max()))
            sets += 1
    return {"sets": sets, "bandits": sizes.small, "least_gain": least, "planner_off": apart}


def mixed_value(sizes: Sizes, *, seed: int) -> list[dict[str, Any]]:
    """Appendix D: unvisited arms at v_mix or at the value network's estimate, which is off by so much."""
    bandits = random_bandits(sizes.large, LARGE, knowledge=0.5, seed=seed)
    rows = []
    for error, n in product(VALUE_ERRORS, (2, 4, 16)):
        row: dict[str, Any] = {"value_error": error, "simulations": n}
        gains = {}
        for name in ("mixed", "raw"):
            config = replace(METHODS["Gumbel"], completed_q=name)
            result = search("Gumbel", bandits, n, seed=seed, value_error=error, config=config)
            gains[name] = (result.policy * bandits.q).sum(axis=1) - bandits.value
            row[name] = _mean(gains[name])
            row[f"{name}_made_worse"] = float((gains[name] < -1e-6).mean())
        row["mixed_over_raw"] = _mean(gains["mixed"] - gains["raw"])
        rows.append(row)
    return rows


def halving(*, seed: int) -> dict[str, Any]:
    """Figure 1: visits of 16 arms sampled from 32, 200 simulations."""
    bandits = random_bandits(1, LARGE, knowledge=0.5, seed=seed)
    result = search("Gumbel", bandits, 200, seed=seed, noise=0.3)
    phases = result.tree.halving(0, chosen=int(result.action[0]))
    return {
        "visits": sorted((int(n) for n in result.visits[0] if n), reverse=True),
        "phases": [
            {"actions": len(phase.candidates), "visits_each": phase.candidates[0].visits} for phase in phases
        ],
        "most_visited_is_played": bool(result.visits[0].argmax() == result.action[0]),
    }


def optimal_predictor(sizes: Sizes, *, seed: int) -> list[dict[str, Any]]:
    """Appendix A: a predictor that is nearly sure of the best arm; what search makes of it."""
    made = random_bandits(sizes.large, LARGE, knowledge=0.0, seed=seed)
    prior = np.full(made.q.shape, (1.0 - _NEAR_OPTIMAL) / (LARGE - 1))
    prior[np.arange(len(prior)), made.q.argmax(axis=1)] = _NEAR_OPTIMAL
    bandits = Bandits(np.log(prior).astype(np.float32), made.q)
    rows = []
    for n, name in product(sizes.simulations, ("PUCT", "Gumbel")):
        gain = won(search(name, bandits, n, seed=seed), bandits, name) - bandits.value
        rows.append({"method": name, "simulations": n, "gain": _mean(gain)})
    return rows


def regret(sizes: Sizes, knows: str, seen: str, *, seed: int) -> list[dict[str, Any]]:
    """Simple regret of 32 arms, of one predictor and noise: a row a method and number of simulations.

    ``target`` is what the policy to learn from would win over the predictor, ``target_made_worse`` the share
    of bandits where that is less than nothing.
    """
    rows = []
    bandits = random_bandits(sizes.large, LARGE, knowledge=KNOWLEDGE[knows], seed=seed)
    for name, n in product(METHODS, sizes.simulations):
        result = search(name, bandits, n, seed=seed, noise=NOISE[seen])
        lost = bandits.q.max(axis=1) - won(result, bandits, name)
        target = (result.policy * bandits.q).sum(axis=1) - bandits.value
        rows.append(
            {
                "predictor": knows,
                "values": seen,
                "method": name,
                "simulations": n,
                "regret": _mean(lost),
                "target": _mean(target),
                "target_made_worse": float((target < -1e-6).mean()),
            }
        )
    return rows


def _mean(numbers: Array | Sequence[float]) -> list[float]:
    """The mean and its 95 % interval: [mean, low, high]."""
    array = np.asarray(numbers, np.float64)
    middle, half = float(array.mean()), 1.96 * float(array.std()) / np.sqrt(max(1, array.size))
    return [middle, middle - half, middle + half]
