"""The paper's conclusions about bandits, each with the criterion that decides it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dicezero.experiments.gumbel.bandit_study import SMALL
from dicezero.experiments.gumbel.verdict import Claim, Ruling, by_interval, yes_or_no

Rows = Sequence[Mapping[str, Any]]

_EXAMPLE = Claim(
    "example 1",
    "section 3.2",
    "The best of the top-n actions can be worse than the predictor.",
    "Confirmed if the planner's top-2 wins less than the predictor's 0.2 on q = (0, 0, 1), "
    "pi = (0.5, 0.3, 0.2).",
)
_IMPROVES = Claim(
    "policy improvement",
    "section 3.3, appendix B",
    "Planning with Gumbel never wins less than the predictor, in expectation and for every Gumbel vector.",
    "On random bandits of 6 arms and every n from 1 to 6. Confirmed if the least exact gain over the "
    "predictor is at least -1e-9, no search of the planner falls below its own Gumbel vector's sample, "
    "and the planner's mean is within 4 standard errors of the exact one at every n.",
)
_PUCT_FAILS = Claim(
    "heuristics do not improve",
    "sections 3.2, appendix A",
    "PUCT with Dirichlet noise can be worse than the predictor when it cannot visit all actions.",
    "On the same bandits. Confirmed if at n = 2 it is worse on more than 1 % of them (three standard "
    "errors each), refuted if on none.",
)
_REPLACEMENT = Claim(
    "without replacement",
    "section 3.3",
    "Sampling without replacement is better than with.",
    "Exact mean regret on the same bandits. Confirmed if lower at every n from 2 to 6.",
)
_PRIOR = Claim(
    "the logits help with noisy values",
    "section 3.3",
    "Using g + logits in the choice, not Q alone, helps where values are noisy.",
    "Regret with 32 arms, noisy values, a predictor that knows something, n = 16. Confirmed if Gumbel's "
    "is below that of the best Q of the same sample with both 95 % intervals apart; refuted if above.",
)
_REGRET = Claim(
    "simple regret",
    "sections 1 and 3.4",
    "Sequential Halving with Gumbel has less simple regret than PUCT with Dirichlet noise.",
    "Regret with 32 arms, both predictors, exact and noisy values, each n. Confirmed if Gumbel's 95 % "
    "interval lies below PUCT's (moves drawn by visits) in every case; refuted if above in any.",
)
_MOST_VISITS = Claim(
    "simple regret, most visits",
    "sections 1 and 3.4",
    "The same against PUCT that plays its most visited action.",
    "As before, in every case.",
)
_OPTIMAL = Claim(
    "noise on a good predictor",
    "appendix A",
    "Dirichlet noise can make a policy worse that is nearly optimal; Gumbel noise does not.",
    "A predictor with 0.999 on the best of 32 arms, exact values. Confirmed if PUCT's gain is below zero "
    "at some n and Gumbel's at none (95 % intervals); refuted if PUCT's is nowhere below zero.",
)
_FIGURE_1 = Claim(
    "figure 1",
    "section 3.4, figure 1",
    "200 simulations of 16 actions: four phases of equal budget, half of the actions dropped after each.",
    "Confirmed if the planner's phases have 16, 8, 4 and 2 actions with 3, 9, 21 and 46 to 50 visits each "
    "(max(1, floor(200 / (4 m))) more in each phase; what is left goes to the last).",
)
_COMPLETED = Claim(
    "completed Q",
    "section 4, appendix C",
    "softmax(logits + sigma(completed Q)) improves on the predictor, whatever actions were visited.",
    "Every set of visited arms of 6, exact value for the others. Confirmed if the least gain is at least "
    "-1e-9 and the planner's policy is within 1e-5 of the formula.",
)
_TARGETS = Claim(
    "visit counts as a target",
    "sections 1 and 4",
    "Visit counts of PUCT are no policy improvement with few simulations; completed Q is.",
    "32 arms, exact values, a predictor that knows something, n = 2. Confirmed if PUCT's target is worse "
    "than the predictor on more bandits than Gumbel's and its mean gain is lower (95 % intervals).",
)
_MIXED = Claim(
    "v_mix",
    "appendix D, figure 6",
    "Completing with v_mix works better than with the raw value network.",
    "32 arms, a value network off by 0.2, n = 2, 4 and 16: the difference of what the two targets win. "
    "Confirmed if above zero (95 % interval) for each n, refuted if below for any.",
)


def judge(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every claim with its verdict and the numbers that decided it."""
    return [
        _example(data["example"]),
        _improves(data["improvement"]),
        _puct_fails(data["improvement"]),
        _replacement(data["improvement"]),
        _prior(data["regret"]),
        _regret(_REGRET, data["regret"], "PUCT"),
        _regret(_MOST_VISITS, data["regret"], "PUCT, most visits"),
        _optimal(data["optimal_predictor"]),
        _figure_1(data["halving"]),
        _completed(data["completion"]),
        _targets(data["regret"]),
        _mixed(data["v_mix"]),
    ]


def _example(data: Mapping[str, Any]) -> dict[str, Any]:
    value = data["planner"]["top-n"][0]
    numbers = {"predictor": data["predictor"], "top_2": value, "gumbel": data["exact"]["Gumbel"]}
    return _EXAMPLE.ruled(yes_or_no(value < data["predictor"]), numbers)


def _improves(rows: Rows) -> dict[str, Any]:
    own = [row for row in rows if row["method"] == "Gumbel"]
    numbers = {
        "least_exact_gain": min(row["least_gain"] for row in own),
        "least_gain_of_a_draw": min(row["least_gain_of_a_draw"] for row in own),
        "standard_errors_off": max(abs(row["standard_errors_off"]) for row in own),
    }
    holds = numbers["least_exact_gain"] >= -1e-9 and numbers["least_gain_of_a_draw"] >= -1e-9
    return _IMPROVES.ruled(yes_or_no(holds and numbers["standard_errors_off"] <= 4.0), numbers)


def _puct_fails(rows: Rows) -> dict[str, Any]:
    share = next(r["made_worse"] for r in rows if (r["method"], r["simulations"]) == ("PUCT", 2))
    ruling: Ruling = "confirmed" if share > 0.01 else "not decidable" if share > 0.0 else "refuted"
    return _PUCT_FAILS.ruled(ruling, {"share_made_worse": share})


def _replacement(rows: Rows) -> dict[str, Any]:
    by = {(row["method"], row["simulations"]): row["regret"] for row in rows}
    gaps = [
        by["with replacement", n] - by["without replacement", n] for n in range(2, SMALL + 1)
    ]  # of regret
    return _REPLACEMENT.ruled(yes_or_no(min(gaps) > 0.0), {"least_gap": min(gaps), "at_n_2": gaps[0]})


def _prior(rows: Rows) -> dict[str, Any]:
    by = {
        row["method"]: row["regret"]
        for row in rows
        if (row["values"], row["simulations"]) == ("noisy values", 16) and "something" in row["predictor"]
    }
    mine, other = by["Gumbel"], by["without replacement"]
    numbers = {"gumbel": mine[0], "best_q_of_the_sample": other[0]}
    return _PRIOR.ruled(by_interval(other[1] - mine[2], other[2] - mine[1]), numbers)


def _regret(claim: Claim, rows: Rows, rival: str) -> dict[str, Any]:
    by = {(r["predictor"], r["values"], r["simulations"], r["method"]): r["regret"] for r in rows}
    rulings: list[Ruling] = []
    gaps = {}
    for (knows, seen, n, method), mine in by.items():
        if method == "Gumbel":
            other = by[knows, seen, n, rival]
            rulings.append(by_interval(other[1] - mine[2], other[2] - mine[1]))
            gaps[f"{knows}, {seen}, n = {n}"] = other[0] - mine[0]
    above = rulings.count("refuted")
    ruling: Ruling = "refuted" if above else "confirmed"
    if not above and "not decidable" in rulings:
        ruling = "not decidable"
    least = min(gaps, key=lambda name: gaps[name])
    numbers = {
        "cases": len(rulings),
        "below": rulings.count("confirmed"),
        "above": above,
        f"least gap ({least})": gaps[least],
    }
    return claim.ruled(ruling, numbers)


def _optimal(rows: Rows) -> dict[str, Any]:
    by = {name: [row["gain"] for row in rows if row["method"] == name] for name in ("PUCT", "Gumbel")}
    worst = {name: min(gains, key=lambda gain: gain[2]) for name, gains in by.items()}
    ruling: Ruling = "refuted" if worst["PUCT"][2] >= 0.0 else "confirmed"
    if worst["Gumbel"][2] < 0.0:
        ruling = "refuted"
    return _OPTIMAL.ruled(
        ruling, {"puct_least_gain": worst["PUCT"][0], "gumbel_least_gain": worst["Gumbel"][0]}
    )


def _figure_1(data: Mapping[str, Any]) -> dict[str, Any]:
    phases = [(phase["actions"], phase["visits_each"]) for phase in data["phases"]]
    holds = phases[:3] == [(16, 3), (8, 9), (4, 21)] and len(phases) == 4
    holds = holds and phases[3][0] == 2 and 46 <= phases[3][1] <= 50
    numbers = {f"visits_of_{actions}": float(visits) for actions, visits in phases}
    return _FIGURE_1.ruled(yes_or_no(holds), numbers)


def _completed(data: Mapping[str, Any]) -> dict[str, Any]:
    holds = data["least_gain"] >= -1e-9 and data["planner_off"] <= 1e-5
    return _COMPLETED.ruled(yes_or_no(holds), {k: data[k] for k in ("least_gain", "planner_off", "sets")})


def _targets(rows: Rows) -> dict[str, Any]:
    by = {
        row["method"]: row
        for row in rows
        if (row["values"], row["simulations"]) == ("exact values", 2) and "something" in row["predictor"]
    }
    puct, gumbel = by["PUCT"], by["Gumbel"]
    numbers = {
        "puct_made_worse": puct["target_made_worse"],
        "gumbel_made_worse": gumbel["target_made_worse"],
        "puct_gain": puct["target"][0],
        "gumbel_gain": gumbel["target"][0],
    }
    ruling = by_interval(gumbel["target"][1] - puct["target"][2], gumbel["target"][2] - puct["target"][1])
    if ruling == "confirmed" and numbers["puct_made_worse"] <= numbers["gumbel_made_worse"]:
        ruling = "refuted"
    return _TARGETS.ruled(ruling, numbers)


def _mixed(rows: Rows) -> dict[str, Any]:
    gains = {row["simulations"]: row["mixed_over_raw"] for row in rows if row["value_error"] == 0.2}
    rulings = [by_interval(low, high) for _, low, high in gains.values()]
    ruling: Ruling = "confirmed" if set(rulings) == {"confirmed"} else "not decidable"
    ruling = "refuted" if "refuted" in rulings else ruling
    return _MIXED.ruled(ruling, {f"n = {n}": gain[0] for n, gain in gains.items()})
