"""Draws what solving costs against the size of the game: ``python -m dicezero.bench.plot_solving FILE``."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_SIZES = ((6, 3), (7, 3), (8, 4), (9, 4), (10, 4), (10, 5), (11, 5), (12, 5))

# A process of its own for each size: only so is the peak of its memory its own. The fastest of a few runs
# is kept, as other work on the machine only ever slows one down.
_MEASURE = """
import json, resource, sys, time
from dicezero.solve import solve
solve("nannon(points=2,checkers=1,sides=2)")
unit = 1 if sys.platform == "darwin" else 1024
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
seconds = processor = spent = 0.0
while not seconds or spent < 3:
    begin = time.process_time()
    solution = solve(sys.argv[1], tolerance=1e-10)
    used = time.process_time() - begin
    processor = min(processor or used, used)
    seconds = min(seconds or solution.seconds, solution.seconds)
    spent += solution.seconds
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
print(json.dumps([solution.states, seconds, processor, peak - before, peak]))
"""


@dataclass(frozen=True)
class Cost:
    """Of solving one size of Nannon, six-sided die, to 1e-10."""

    points: int
    checkers: int
    states: int
    seconds: float  # by the clock
    processor_seconds: float  # of all threads
    added_bytes: int  # peak memory over that of the process before
    peak_bytes: int  # of the whole process, Python and all


def measure(points: int, checkers: int) -> Cost:
    """Solves that size in a process of its own."""
    name = f"nannon(points={points},checkers={checkers},sides=6)"
    command = [sys.executable, "-c", _MEASURE, name]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603
    return Cost(points, checkers, *json.loads(output))


def plot(costs: list[Cost], path: Path) -> None:
    """Seconds and memory against states, both axes logarithmic."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    states = [cost.states for cost in costs]
    panels = (
        (axes[0], "seconds", "time to 1e-10", [cost.seconds for cost in costs], 15.0, "goal: 15 s"),
        (axes[1], "MB", "peak memory", [cost.peak_bytes / 1e6 for cost in costs], 1500.0, "goal: 1.5 GB"),
    )
    for axis, unit, title, values, limit, label in panels:
        axis.loglog(states, values, "o-", color="#1f5f8b")
        axis.axhline(limit, color="#b03030", linestyle="--", linewidth=1)
        axis.text(states[0], limit * 0.9, label, color="#b03030", va="top")
        for cost, value in zip(costs, values, strict=True):
            axis.annotate(
                f"{cost.points}-{cost.checkers}",
                (cost.states, value),
                xytext=(4, -12),
                textcoords="offset points",
                fontsize=8,
            )
        axis.set(xlabel="states", ylabel=unit, title=f"Nannon, six-sided die: {title}")
        axis.set_ylim(min(values) / 2, limit * 2)
        axis.set_xlim(states[0] / 1.5, states[-1] * 2.2)
        axis.grid(alpha=0.3, which="major")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main() -> None:
    """Measures every size, prints a table and draws the figure."""
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images/solve-cost.png")
    costs = []
    for points, checkers in _SIZES:
        cost = measure(points, checkers)
        costs.append(cost)
        print(
            f"{points}-{checkers}-6  {cost.states:>9,} states  {cost.seconds:7.2f} s  "
            f"{cost.processor_seconds:7.2f} s of processor  {cost.added_bytes / 1e6:6.1f} MB more, "
            f"{cost.peak_bytes / 1e6:6.1f} MB in all"
        )
    plot(costs, path)
    print(f"drawn in {path}")


if __name__ == "__main__":
    main()
