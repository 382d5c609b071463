"""Compares our Go with OpenSpiel's on random games: legal moves and results.

OpenSpiel lets a move repeat a position and calls the game a draw then; here such a move is illegal.
Everything else must be equal, and so must be which moves repeat.

python tools/compare_go.py --games 20000 --seed 1
"""

from __future__ import annotations

import argparse
import random
from collections import Counter

import pyspiel

from dicezero.rules import load_game

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


def main() -> None:
    """Compares and prints what was seen at every size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rng, totals = random.Random(arguments.seed), {size: Counter[str]() for size in SIZES}
    for index in range(arguments.games):
        # Small boards repeat far more often and cost far less: eight games of ten are small.
        size = SIZES[0] if index % 10 < 8 else SIZES[1] if index % 10 == 8 else SIZES[2]
        totals[size] += random_game(size, rng)
    for size, seen in totals.items():
        print(f"{size}x{size}: {dict(seen)}")


if __name__ == "__main__":
    main()
