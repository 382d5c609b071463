"""Every classical agent's exact score on Nannon 6-3-6 at several budgets, with the time a move takes.

Run ``python -m dicezero.bench.agents_table``: it writes results/agents-nannon-6-3-6.json and prints the table
of docs/results/agents.md. No game is played: each agent is asked at every decision, and the policy is valued
exactly.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from dataclasses import asdict
from pathlib import Path

import numpy as np

from dicezero.agents import make_agent
from dicezero.bench.uct_match import version_of
from dicezero.evaluation.exact import ExactScore, exact_score
from dicezero.rules import load_game
from dicezero.solve import solve

GAME = "nannon(points=6,checkers=3,sides=6)"
FIELD = (
    "optimal",
    "random",
    "greedy",
    *(f"expectiminimax(depth={depth})" for depth in (1, 2, 3, 4)),
    *(f"flat_mc(simulations={n})" for n in (100, 1_000, 10_000)),
    *(f"uct(simulations={n})" for n in (30, 100, 1_000, 10_000)),
    *(f"uct(simulations={n},c=0.5)" for n in (100, 1_000, 10_000)),
)


def table(scores: list[ExactScore]) -> str:
    """As Markdown."""
    lines = ["| agent | against perfect play | against random play | regret a move | ms a move |"]
    lines.append("|---|---:|---:|---:|---:|")
    lines += [
        f"| `{s.name}` | {s.vs_optimal:.6f} | {s.vs_random:.6f} | {s.regret:.6f} | {s.milliseconds:.3f} |"
        for s in scores
    ]
    return "\n".join(lines)


def main() -> None:
    """Measures, saves and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("results") / "agents-nannon-6-3-6.json")
    options = parser.parse_args()
    game = load_game(GAME)
    solution = solve(game)
    begin = time.perf_counter()
    scores = []
    for number, spec in enumerate(FIELD, 1):
        scores.append(exact_score(make_agent(spec, game), solution, seed=options.seed))
        print(f"{number}/{len(FIELD)} {spec}: {scores[-1].vs_optimal:.6f}", flush=True)
    record = {
        "command": f"python -m dicezero.bench.agents_table --seed {options.seed}",
        "game": GAME,
        "seed": options.seed,
        "versions": {"dicezero": version_of("dicezero"), "numpy": np.__version__},
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "seconds": round(time.perf_counter() - begin, 1),
        "rows": [asdict(score) for score in scores],
    }
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(table(scores))


if __name__ == "__main__":
    main()
