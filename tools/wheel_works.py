"""Tries the dicezero that this Python has installed, as a newcomer would: plays, solves, searches a tree.

Run ``python tools/wheel_works.py`` with the environment's Python; needs nothing but the base package. It
fails with the first command whose answer is not the known one. ``make wheel`` and the workflow call it.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import sysconfig
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

PROGRAM = str(Path(sysconfig.get_path("scripts")) / "dicezero")
FIGURE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]  # Russell and Norvig, figure 6.2: worth 3
SECONDS = 60  # for all of it


def run(*words: str, answers: str = "") -> str:
    """What a command prints, with these lines typed in."""
    done = subprocess.run([PROGRAM, *words], input=answers, capture_output=True, text=True, timeout=SECONDS)
    if done.returncode != 0:
        sys.exit(f"dicezero {' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(what: str, right: bool, shown: object) -> None:
    """Ends the program with what was shown unless it is right."""
    if not right:
        sys.exit(f"{what}: not what it should be: {shown}")
    print(f"{what}: as it should be")


def main() -> None:
    """Plays, solves, searches; nothing is written but in a folder of its own."""
    begin = time.perf_counter()
    played = run("play", "alphabeta", "--game", "connect_four", "--seed", "1", answers="4\nhint\nquit\n")
    expect("play alphabeta --game connect_four", "would play" in played and "Bye." in played, played)

    solved = json.loads(run("solve", "nannon", "--json"))
    value = solved["first_player_win"]
    expect("solve nannon", math.isclose(value, 0.515736870969, abs_tol=1e-9), solved)

    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree.json"
        tree.write_text(json.dumps(FIGURE), encoding="utf-8")
        found = json.loads(run("search", "alphabeta", "--game", str(tree), "--json"))
    expect("search alphabeta --game tree.json", found["value"] == 3.0 and found["action"] == 0, found)

    if find_spec("jax") is None:
        words = [PROGRAM, "train", "--out", "never-made"]
        asked = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS)
        expect("train without its extra", asked.returncode == 2 and "dicezero[learn]" in asked.stderr, asked)
    seconds = time.perf_counter() - begin
    expect(f"all within a minute ({seconds:.1f} s)", seconds < SECONDS, seconds)


if __name__ == "__main__":
    main()
