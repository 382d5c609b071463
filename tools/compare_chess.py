"""Compares our chess with python-chess on random positions: legal moves, SAN, FEN, checks, ends and results.

python tools/compare_chess.py --positions 200000 --seed 1 --out results/chess-rules.json
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).parent))
from comparison import write_comparison

from dicezero.rules import load_game


def end_of(board: chess.Board) -> str:
    """Why the game is over by our rules, in our words; empty while it is not."""
    if board.is_checkmate():
        return "checkmate"
    if board.is_stalemate():
        return "stalemate"
    if board.is_repetition(3):
        return "repetition"
    if board.halfmove_clock >= 100:
        return "fifty moves"
    return "insufficient material" if board.is_insufficient_material() else ""


def compare_position(state: object, board: chess.Board) -> None:
    """Raises AssertionError where the two differ."""
    assert state.position() == board.fen(), (state.position(), board.fen())
    theirs = {move.uci(): board.san(move) for move in board.legal_moves}
    end = end_of(board)
    assert state.end() == end, (board.fen(), state.end(), end)
    assert state.in_check() == board.is_check(), board.fen()
    if end:
        assert state.legal_actions() == []
        winner = 0 if end != "checkmate" else -1 if board.turn == chess.WHITE else 1
        assert state.returns() == [winner, -winner], board.fen()
        return
    actions = state.legal_actions()
    ours = {state.uci(action): state.action_to_string(action) for action in actions}
    assert ours == theirs, (board.fen(), ours, theirs)
    assert actions == sorted(set(actions))


def random_game(rng: random.Random, *, most: int) -> tuple[int, str]:
    """One game of random moves, compared at every position; returns their number and how it ended.

    Half of the games prefer captures, so that endings with few pieces come up.
    """
    state, board = load_game("chess").new_initial_state(), chess.Board()
    greedy = rng.random() < 0.5
    for count in range(1, most + 1):
        compare_position(state, board)
        if state.is_terminal():
            return count, state.end()
        moves = list(board.legal_moves)
        captures = [move for move in moves if board.is_capture(move)]
        move = rng.choice(captures if greedy and captures and rng.random() < 0.7 else moves)
        action = state.string_to_action(move.uci())
        assert state.string_to_action(board.san(move)) == action
        state.apply_action(action)
        board.push(move)
    return most, ""


def main() -> None:
    """Compares and prints how many positions and what ends there were."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    rng, done, ends, begin = random.Random(arguments.seed), 0, Counter[str](), time.process_time()
    while done < arguments.positions:
        count, end = random_game(rng, most=arguments.positions - done)
        done += count
        ends[end or "not over"] += 1
    print(f"{done} positions equal, games by end: {dict(ends)}")
    if arguments.out:
        write_comparison(
            arguments.out,
            command=f"python tools/compare_chess.py --positions {done} --seed {arguments.seed}",
            peers={"python-chess": chess.__version__},
            cpu_seconds=time.process_time() - begin,
            found={"positions": done, "different": 0, "games_by_end": dict(ends)},
        )


if __name__ == "__main__":
    main()
