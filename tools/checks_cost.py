"""What the checks cost: the module is built twice, as it is and without its checks, and both run in turn.

python tools/checks_cost.py --pairs 15 --out results/checks.json
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
GAMES = "tic_tac_toe;nannon"
_REPEATED = 5  # runs of a workload in one process
_PLANS = 40  # searches of a batch in a run
_NEVER = "if (false)"
# Texts of the core, each there once, and what stands in their place in the module without checks.
REMOVED: dict[str, tuple[tuple[str, str], ...]] = {
    "cpp/rules/foreign.h": (
        (
            "!(player == kChancePlayer || player == kTerminalPlayer || "
            "(player >= 0 && player < num_players_))",
            "false",
        ),
        ("if (asked_ < kFirstAsked || asked_ % kAskedAgain == 0)", _NEVER),
        ("if (action < 0 || action >= num_outcomes_)", _NEVER),
        ("if (action <= last)", _NEVER),
        ("if (!(probability > 0.0 && probability <= 1.0 + kSlack))", _NEVER),
        ("if (!(std::fabs(total - 1.0) <= kSlack * static_cast<double>(pairs.size())))", _NEVER),
        (
            "if (!std::all_of(tensor.begin(), tensor.end(), [](float x) { return std::isfinite(x); }))",
            _NEVER,
        ),
        ("if (a < 0 || a >= num_actions_)", _NEVER),
        ("if (a <= last)", _NEVER),
        ("for (const double x : values) fine = fine && std::isfinite(x);", ""),
        ("if (num_players_ == 2 && std::fabs(values[0] + values[1])", "if (false && std::fabs(values[0])"),
    ),
    "cpp/bindings/busy.h": (
        ("if (busy_.taken_.exchange(true))", _NEVER),
        ("~Turn() { busy_.taken_ = false; }", "~Turn() {}"),
    ),
    "cpp/search/batch.h": (
        ("  bool suspect = false;\n", "  if (rows >= 0) return;\n  bool suspect = false;\n"),
    ),
    "cpp/search/playout_world.h": (("if (!(first >= settings_.low && first <= settings_.high))", _NEVER),),
    "cpp/bindings/plan.h": (
        ("if (count == rows) return;", "if (count + 1 > rows || true) return;"),
        ("if (count == static_cast<std::size_t>(columns)) return;", "if (columns >= 0 || count) return;"),
    ),
    "cpp/bindings/plan_states.h": (("if (game.player(root) < 0)", _NEVER),),
}


def main() -> int:
    """Builds both, measures in pairs of processes, prints the table."""
    parser = argparse.ArgumentParser(prog="checks_cost", description=__doc__)
    parser.add_argument("--pairs", type=int, default=15, help="pairs of processes, one with either module")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--module", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.module:
        print(json.dumps(_measured(asked.module)))
        return 0
    modules = [_built(name, remove=name == "unchecked") for name in ("checked", "unchecked")]
    times: dict[str, list[tuple[float, float]]] = {}
    for pair in range(asked.pairs):
        order = modules if pair % 2 == 0 else modules[::-1]  # neither is always the first
        found = {module: _in_process(module) for module in order}
        for name, seconds in found[modules[0]].items():
            times.setdefault(name, []).append((seconds, found[modules[1]][name]))
        print(f"pair {pair + 1} of {asked.pairs}", file=sys.stderr, flush=True)
    rows = [_row(name, both) for name, both in times.items()]
    print("| workload | cost | quartiles |\n|---|---:|---:|")
    for row in rows:
        low, high = row["quartiles"]
        print(f"| {row['workload']} | {row['cost']:.1%} | {low:.1%} to {high:.1%} |")
    if asked.out:
        data = {
            "what": "CPU time of the module as it is over that of one without its checks, minus 1; medians",
            "command": " ".join(["python tools/checks_cost.py", *sys.argv[1:]]),
            "without": {file: [text for text, _ in texts] for file, texts in REMOVED.items()},
            "rows": rows,
        }
        asked.out.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    return 0


def without_checks(file: str, text: str) -> str:
    """The text of a file of the core without its checks; ValueError where one is not there once."""
    for old, new in REMOVED.get(file, ()):
        if text.count(old) != 1:
            raise ValueError(f"{file}: {old!r} is there {text.count(old)} times; bring REMOVED up to date")
        text = text.replace(old, new)
    return text


def _built(name: str, *, remove: bool) -> Path:
    """The module, made of a copy of the core."""
    place = ROOT / "build" / f"checks-{name}"
    shutil.rmtree(place / "source", ignore_errors=True)
    shutil.copytree(ROOT / "cpp", place / "source" / "cpp")
    shutil.copy(ROOT / "CMakeLists.txt", place / "source")
    for file in REMOVED if remove else ():
        path = place / "source" / file
        path.write_text(without_checks(file, path.read_text(encoding="utf-8")), encoding="utf-8")
    command = [sys.executable, "-m", "nanobind", "--cmake_dir"]
    nanobind = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    out = place / "module"
    bins = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "CMAKE_GENERATOR": "Ninja",
    }
    options = [
        f"-DDICEZERO_GAMES={GAMES}",
        f"-Dnanobind_DIR={nanobind}",
        f"-DPython_EXECUTABLE={sys.executable}",
    ]
    for words in (["-S", str(place / "source"), "-B", str(out), *options], ["--build", str(out)]):
        subprocess.run(["cmake", *words], check=True, env=bins, stdout=2)  # noqa: S607
    return next(out.glob("_native*.so"))


def _in_process(module: Path) -> dict[str, float]:
    command = [sys.executable, __file__, "--module", str(module)]
    found: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def _measured(module: Path) -> dict[str, float]:
    """CPU seconds of each workload with that module, the median of a few runs."""
    spec = importlib.util.spec_from_file_location("dicezero._native", module)
    if spec is None or spec.loader is None:
        raise ValueError(f"{module} is no module")
    sys.modules["dicezero._native"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["dicezero._native"])
    return {name: _cpu_seconds(work) for name, work in _workloads().items()}


def _cpu_seconds(work: Callable[[], object]) -> float:
    work()  # what is made once is made
    taken = []
    for _ in range(_REPEATED):
        begin = time.process_time()
        work()
        taken.append(time.process_time() - begin)
    return statistics.median(taken)


def _workloads() -> dict[str, Callable[[], object]]:
    pig = f"{ROOT / 'examples' / 'pig.py'}:Pig"
    return {
        "UCT, tic-tac-toe, 1,000 simulations": _uct("tic_tac_toe", 1000, 400),
        "UCT, Nannon, 1,000 simulations": _uct("nannon", 1000, 200),
        "planner, tic-tac-toe, batch 32": _plan("tic_tac_toe", 32, (128,)),
        "planner, Nannon, batch 32": _plan("nannon", 32, (128,)),
        "planner, Nannon, batch 32, a network of 8 units": _plan("nannon", 32, (8,)),
        "UCT, examples/pig.py, 200 simulations": _uct(pig, 200, 4),
        "planner, examples/pig.py, batch 8": _plan(pig, 8, (128,)),
    }


def _uct(name: str, simulations: int, searches: int) -> Callable[[], object]:
    from dicezero.cli.load import load
    from dicezero.search.uct import UctConfig, UctSearcher

    game = load(name)
    state, searcher = _decision(game), UctSearcher(game, UctConfig(simulations=simulations))
    return lambda: [searcher.search(state, seed=seed) for seed in range(searches)]


def _plan(name: str, batch: int, widths: tuple[int, ...]) -> Callable[[], object]:
    import numpy as np

    from dicezero.cli.load import load
    from dicezero.presets.fitting import fitted, network_of, planner_of
    from dicezero.presets.registry import PRESETS
    from dicezero.rules import spec_of
    from dicezero.selfplay.states import positions_of

    game = load(name)
    spec = spec_of(game)
    preset = fitted(replace(PRESETS["gumbel-alphazero"], widths=widths), spec)
    planner = planner_of(preset, spec, network_of(preset, spec).init(seed=1), threads=1)
    search = replace(preset.search, simulations=64)
    states, seeds = [_decision(game) for _ in range(batch)], np.arange(batch, dtype=np.uint64)
    many = range(_PLANS)
    return lambda: [planner.plan(positions_of(game, spec, states), search, seeds, noise=False) for _ in many]  # type: ignore[attr-defined]


def _decision(game: Any) -> Any:
    """The first position with a choice."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def _row(name: str, both: list[tuple[float, float]]) -> dict[str, Any]:
    costs = [checked / unchecked - 1.0 for checked, unchecked in both]
    low, middle, high = statistics.quantiles(costs, n=4) if len(costs) > 1 else costs * 3
    checked, unchecked = (statistics.median(column) for column in zip(*both, strict=True))
    return {
        "workload": name,
        "pairs": len(both),
        "checked_cpu_seconds": round(checked, 5),
        "unchecked_cpu_seconds": round(unchecked, 5),
        "cost": round(middle, 4),
        "quartiles": [round(low, 4), round(high, 4)],
    }


if __name__ == "__main__":
    sys.exit(main())
