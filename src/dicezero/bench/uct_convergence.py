"""How fast UCT's root value approaches the solved one on Nannon 6-3-6.

Run ``python -m dicezero.bench.uct_convergence``: it writes results/uct-convergence.json and
docs/images/uct-convergence.png.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import random
import time
from pathlib import Path
from typing import Any

import numpy as np

from dicezero.bench.uct_match import version_of
from dicezero.rules import load_game
from dicezero.rules.protocol import State, is_chance
from dicezero.search.uct import UctConfig, UctSearcher
from dicezero.solve import solve

GAME = "nannon"
CONSTANTS = (1.4, 0.5)
ROOT = Path(__file__).parents[3]


def positions(count: int, *, seed: int) -> list[State]:
    """Positions with a choice, from random games, no two alike."""
    generator = random.Random(seed)
    game = load_game(GAME)
    chosen: list[State] = []
    while len(chosen) < count:
        state = game.new_initial_state()
        for _ in range(generator.randrange(1, 20)):
            if state.is_terminal():
                break
            state.apply_action(generator.choice(state.legal_actions()))
        playable = not state.is_terminal() and not is_chance(state)
        if playable and len(state.legal_actions()) > 1 and state not in chosen:
            chosen.append(state)
    return chosen


def measure(*, count: int, seeds: int, largest: int, seed: int) -> list[dict[str, Any]]:
    """The mean absolute error of the root's mean and of the chosen move's mean, a row a constant and size."""
    solution = solve(GAME)
    states = positions(count, seed=seed)
    steps = range(4, 2 * round(math.log10(largest)) + 1)
    rows = []
    for c in CONSTANTS:
        for step in steps:
            simulations = round(10 ** (step / 2))
            searcher = UctSearcher(load_game(GAME), UctConfig(simulations=simulations, c=c))
            root, best, begin = [], [], time.perf_counter()
            for state in states:
                value = solution.value(state)
                for one in range(seeds):
                    result = searcher.search(state, seed=one)
                    root.append(abs(result.value - value))
                    best.append(abs(result.action_values[result.action] - value))
            rows.append(
                {
                    "c": c,
                    "simulations": simulations,
                    "root_error": float(np.mean(root)),
                    "root_standard_error": float(np.std(root) / math.sqrt(len(root))),
                    "best_error": float(np.mean(best)),
                    "best_standard_error": float(np.std(best) / math.sqrt(len(best))),
                    "seconds": round(time.perf_counter() - begin, 3),
                }
            )
            print(rows[-1], flush=True)
    return rows


def slope(rows: list[dict[str, Any]], field: str, *, least: int = 1) -> float:
    """Of log error against log simulations, by least squares, from ``least`` simulations on."""
    kept = [row for row in rows if row["simulations"] >= least]
    x = np.log10([row["simulations"] for row in kept])
    y = np.log10([row[field] for row in kept])
    return float(np.polyfit(x, y, 1)[0])


def draw(record: dict[str, Any], path: Path) -> None:
    """The figure: both errors of each constant against simulations, log axes."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.6), constrained_layout=True)
    colours = dict(zip(CONSTANTS, ("tab:blue", "tab:orange"), strict=True))
    for c in CONSTANTS:
        rows = [row for row in record["rows"] if row["c"] == c]
        x = [row["simulations"] for row in rows]
        for kind, style, text in (("root", "o-", "all simulations"), ("best", "s--", "the chosen move")):
            label = f"c = {c}, mean of {text}: slope {record['slopes'][f'{c}'][kind]:.2f}"
            bars = [1.96 * row[f"{kind}_standard_error"] for row in rows]
            y = [row[f"{kind}_error"] for row in rows]
            axes.errorbar(x, y, bars, fmt=style, color=colours[c], markersize=4, capsize=2, label=label)
    half = np.array(sorted({float(row["simulations"]) for row in record["rows"]}))
    line = 0.6 * record["rows"][0]["root_error"] * np.sqrt(half[0] / half)
    axes.plot(half, line, "k:", label="slope -1/2, to compare")
    axes.set(xscale="log", yscale="log", xlabel="simulations", ylabel="|UCT value - solved value|")
    axes.set_title(f"Nannon 6-3-6, {record['positions']} positions, {record['seeds']} seeds each")
    axes.grid(True, which="both", alpha=0.3)
    axes.legend(fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def main() -> None:
    """Measures, saves and draws."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=12)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--largest", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, default=ROOT / "results" / "uct-convergence.json")
    parser.add_argument("--image", type=Path, default=ROOT / "docs" / "images" / "uct-convergence.png")
    options = parser.parse_args()
    begin = time.perf_counter()
    rows = measure(count=options.positions, seeds=options.seeds, largest=options.largest, seed=options.seed)
    slopes = {
        str(c): {kind: slope([r for r in rows if r["c"] == c], f"{kind}_error") for kind in ("root", "best")}
        for c in CONSTANTS
    }
    record = {
        "command": f"python -m dicezero.bench.uct_convergence --positions {options.positions} "
        f"--seeds {options.seeds} --largest {options.largest} --seed {options.seed}",
        "game": GAME,
        "positions": options.positions,
        "seeds": options.seeds,
        "seed": options.seed,
        "versions": {"dicezero": version_of("dicezero"), "numpy": np.__version__},
        "python": platform.python_version(),
        "seconds": round(time.perf_counter() - begin, 1),
        "slopes": slopes,
        "rows": rows,
    }
    options.data.parent.mkdir(parents=True, exist_ok=True)
    options.data.write_text(json.dumps(record, indent=1) + "\n")
    draw(record, options.image)
    print(json.dumps(slopes))


if __name__ == "__main__":
    main()
