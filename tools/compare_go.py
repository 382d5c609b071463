"""Compares our Go with OpenSpiel's on random games (legal moves, results), and final scores with GNU Go's.

OpenSpiel lets a move repeat a position and calls the game a draw then; here such a move is illegal.
Everything else must be equal, and so must be which moves repeat. GNU Go scores games that were played on
until every player would have to fill an eye of its own; it may hold stones dead that stand on the board,
which here count as alive: those games are counted and not compared.

python tools/compare_go.py --games 20000 --gnugo 300 --seed 1 --out results/go-rules.json
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import pyspiel

sys.path.insert(0, str(Path(__file__).parent))
from comparison import write_comparison

from dicezero.agents.engine_process import resolve_command
from dicezero.agents.gtp import GtpConnection
from dicezero.rules import load_game
from dicezero.rules.protocol import State

GNUGO = "gnugo --mode gtp --chinese-rules --level 1"
COLUMNS = "ABCDEFGHJKLMNOPQRST"
SIZES = (5, 9, 19)


def random_game(size: int, rng: random.Random, *, komi: float = 7.5) -> Counter[str]:
    """One game of random legal moves, compared at every position; returns counts of what was seen."""
    ours = load_game(f"go(board_size={size},komi={komi})").new_initial_state()
    theirs = pyspiel.load_game(f"go(board_size={size},komi={komi})").new_initial_state()
    seen: Counter[str] = Counter(games=1)
    while not ours.is_terminal():
        assert not theirs.is_terminal()
        legal, wider = ours.legal_actions(), theirs.legal_actions()
        assert set(legal) <= set(wider), (str(ours), set(legal) - set(wider))
        for action in set(wider) - set(legal):
            child = theirs.child(action)
            assert child.is_terminal(), (str(ours), action)
            assert child.returns() == [0.0, 0.0]
            seen["repetitions refused"] += 1
        action = rng.choice(legal)
        ours.apply_action(action)
        theirs.apply_action(action)
        seen["positions"] += 1
    assert theirs.is_terminal()
    assert ours.returns() == theirs.returns(), str(ours)
    return seen


def settled_game(size: int, rng: random.Random, *, komi: float = 7.5) -> State:
    """A game of random moves that fill no eye of the mover's own, to the end: nothing is left to take."""
    state = load_game(f"go(board_size={size},komi={komi},max_moves={20 * size * size})").new_initial_state()
    while not state.is_terminal():
        moves = list(state.legal_actions()[:-1])
        rng.shuffle(moves)
        rows = board_rows(state, size)
        mine = "XO"[state.current_player()]
        state.apply_action(next((a for a in moves if not is_eye(rows, a, mine)), size * size))
    return state


def board_rows(state: State, size: int) -> list[str]:
    """[size], rows of ``X``, ``O`` and ``.`` from the lowest to the highest."""
    return [row[3::2] for row in str(state).split("\n")[:size]][::-1]


def is_eye(rows: list[str], point: int, mine: str) -> bool:
    """Whether the point is a one-point eye of ``mine`` that no capture can make false."""
    size = len(rows)
    row, column = divmod(point, size)

    def at(r: int, c: int) -> str:
        return rows[r][c] if 0 <= r < size and 0 <= c < size else ""

    sides = [at(row - 1, column), at(row + 1, column), at(row, column - 1), at(row, column + 1)]
    corners = [at(row + dr, column + dc) for dr in (-1, 1) for dc in (-1, 1)]
    false = sum(corner not in ("", mine, ".") for corner in corners) + ("" in corners)
    return all(side in ("", mine) for side in sides) and false < 2


def compare_score(gnugo: GtpConnection, state: State, size: int, *, komi: float = 7.5) -> bool:
    """Whether GNU Go holds every stone alive, and if so raises AssertionError unless it scores the same."""
    for command in (f"boardsize {size}", "clear_board", f"komi {komi}"):
        gnugo.ask(command)
    for y, row in enumerate(board_rows(state, size), 1):
        for x, mark in enumerate(row):
            if mark in "XO":
                gnugo.ask(f"play {'b' if mark == 'X' else 'w'} {COLUMNS[x]}{y}")
    if gnugo.ask("final_status_list dead"):
        return False
    lead = state.score()  # type: ignore[attr-defined]
    ours, theirs = f"{'B' if lead > 0 else 'W'}+{abs(lead):.1f}", gnugo.ask("final_score")
    assert ours == theirs, (state.position(), ours, theirs)  # type: ignore[attr-defined]
    return True


def main() -> None:
    """Compares and prints what was seen at every size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--gnugo", type=int, default=0, help="games whose final score GNU Go is asked for")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    rng, totals = random.Random(arguments.seed), {size: Counter[str]() for size in SIZES}
    begin = time.process_time()
    for index in range(arguments.games):
        totals[size_of(index)] += random_game(size_of(index), rng)
    peers = {"open_spiel": version("open_spiel")}
    if arguments.gnugo:
        gnugo = GtpConnection(resolve_command("gtp", GNUGO), timeout_seconds=600)
        peers["gnugo"] = gnugo.ask("version")
        for index in range(arguments.gnugo):
            size = size_of(index)
            equal = compare_score(gnugo, settled_game(size, rng), size)
            totals[size]["scores equal to GNU Go's" if equal else "GNU Go holds stones dead"] += 1
        gnugo.process.close()
    for size, seen in totals.items():
        print(f"{size}x{size}: {dict(seen)}")
    if arguments.out:
        counts = f"--games {arguments.games} --gnugo {arguments.gnugo} --seed {arguments.seed}"
        write_comparison(
            arguments.out,
            command=f"python tools/compare_go.py {counts}",
            peers=peers,
            cpu_seconds=time.process_time() - begin,
            found={"different": 0, "sizes": {str(size): dict(seen) for size, seen in totals.items()}},
        )


def size_of(index: int) -> int:
    """Small boards repeat far more often and cost far less: eight games of ten are small."""
    return SIZES[0] if index % 10 < 8 else SIZES[1] if index % 10 == 8 else SIZES[2]


if __name__ == "__main__":
    main()
