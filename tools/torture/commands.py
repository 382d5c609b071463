"""Command lines: right ones with something wrong in them. One line and an exit code, never a traceback."""

from __future__ import annotations

import contextlib
import io
import random

from outcome import Budget, Outcome

from dicezero.cli import main

COMMANDS = (
    "games",
    "agents",
    "presets",
    "perft",
    "solve",
    "check",
    "search",
    "match",
    "tournament",
    "runs",
    "report",
    "evaluate",
    "train",
    "reproduce",
    "nonsense",
    "--version",
    "-h",
)
WORDS = (
    "nannon(points=4,checkers=2,sides=4)",
    "tic_tac_toe",
    "connect_four(rows=4,columns=4)",
    "random",
    "greedy",
    "uct(simulations=5)",
    "alphabeta(depth=2)",
    "optimal",
    "run(path=/nowhere)",
    'run(path="a,b")',
    "0",
    "1",
    "3",
    "-1",
    "x",
    "",
    "nan",
    "1e999",
    "(((",
    "a" * 400,
    "\x00"[:0],
    "é",
    "\u202e",
    "--",
    "nowhere.py:Game",
    "os:system",
    "nim(pile_sizes=1000000000)",
    "gymnasium(id=os:x)",
    "go(board_size=-1)",
    "[",
    "%s",
    "../..",
    "/dev/null",
)
FLAGS = (
    "--game",
    "--games",
    "--depth",
    "--seed",
    "--json",
    "--moves",
    "--position",
    "--rounds",
    "--out",
    "--set",
    "--resume",
    "--exact",
    "--opponent",
    "--simulations",
    "--round",
    "--trust",
    "--repair",
    "--unknown",
    "--help",
)
CODES = {0, 1, 2}


def batch(budget: Budget) -> Outcome:
    """Each case is a command line run in this process."""
    found, seed = Outcome(), budget.seed
    for number, lots in budget:
        words = _line(lots)
        out, err = io.StringIO(), io.StringIO()
        found.cases += 1
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = main(words)
        except BaseException as error:
            found.fail(f"seed {seed} case {number} {words}: {type(error).__name__}: {error}")
            continue
        told = err.getvalue()
        if code not in CODES or "Traceback" in told or (code == 2 and told.count("\n") != 1):
            found.fail(f"seed {seed} case {number} {words}: exit {code}, stderr {told[:200]!r}")
        elif code == 2 and "DICEZERO_TRACEBACK" in told:
            found.fail(f"seed {seed} case {number} {words}: not a message of ours: {told[:200]!r}")
    return found


def _line(lots: random.Random) -> list[str]:
    """A command with a few words and flags; numbers are small, so that a right one is quick."""
    command = lots.choice(COMMANDS)
    words = [command]
    if lots.random() < 0.6:
        right = {
            "perft": ["tic_tac_toe", "--depth", str(lots.randrange(4))],
            "search": ["uct(simulations=5)", "--game", "tic_tac_toe"],
            "match": ["random", "greedy", "--game", WORDS[0], "--games", "4"],
            "tournament": ["random", "greedy", "--game", WORDS[0], "--games", "2"],
            "solve": [WORDS[0]],
            "train": ["gumbel-alphazero", "--game", "nonsense", "--out", "run"],
            "evaluate": ["nowhere", "--games", "2"],
        }
        words += right.get(command, [])
    for _ in range(lots.randrange(4)):
        at = lots.randrange(1, len(words) + 1)
        if command == "train":  # a right one would train
            words[at:at] = [lots.choice(("--set", "--rounds", "--unknown", "x"))]
        else:
            words[at:at] = [lots.choice((lots.choice(WORDS), lots.choice(FLAGS)))]
    if lots.random() < 0.2 and len(words) > 1:
        del words[lots.randrange(1, len(words))]
    return words
