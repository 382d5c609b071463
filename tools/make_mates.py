"""Makes positions with a mate in two and in three moves, each from a game of its own, and proves every one.

Stockfish plays both sides of the games, with moves drawn at random among its own; where it announces a mate,
it has to give it against every defence, with python-chess as the referee, and no shorter mate may exist.

python tools/make_mates.py --count 40 --seed 1 --out tests/search/mates.json
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable
from pathlib import Path

import chess
import chess.engine

from dicezero.agents.engine_process import resolve_command

NODES = 3_000  # of a search
RANDOM_SHARE = 0.25  # of moves that are drawn at random: without them hardly anybody is mated
MOST_PLIES = 120

Best = Callable[[chess.Board], chess.Move]


def has_mate_in_one(board: chess.Board) -> bool:
    """Whether the mover can mate at once."""
    return any(mates(board, move) for move in board.legal_moves if board.gives_check(move))


def mates(board: chess.Board, move: chess.Move) -> bool:
    """Whether the move is mate."""
    board.push(move)
    mate = board.is_checkmate()
    board.pop()
    return mate


def has_mate_in_two(board: chess.Board) -> bool:
    """Whether the mover can mate in two moves against every defence; every line is tried."""
    for move in list(board.legal_moves):
        board.push(move)
        forced = not board.is_game_over()
        for reply in list(board.legal_moves) if forced else []:
            board.push(reply)
            forced = has_mate_in_one(board)
            board.pop()
            if not forced:
                break
        board.pop()
        if forced:
            return True
    return False


def gives_mate(board: chess.Board, moves: int, best: Best) -> bool:
    """Whether who plays ``best`` mates within that many moves, whatever the other side plays."""
    if moves == 1:
        return has_mate_in_one(board)
    board.push(best(board))
    mate = board.is_checkmate()
    if not mate and not board.is_game_over():
        replies = list(board.legal_moves)
        mate = all(_after(board, reply, moves - 1, best) for reply in replies)
    board.pop()
    return mate


def _after(board: chess.Board, reply: chess.Move, moves: int, best: Best) -> bool:
    board.push(reply)
    mate = gives_mate(board, moves, best)
    board.pop()
    return mate


def is_mate_in(board: chess.Board, moves: int, best: Best) -> bool:
    """Whether the mover mates in that many moves and no fewer."""
    if has_mate_in_one(board) or (moves == 3 and has_mate_in_two(board)):
        return False
    return gives_mate(board, moves, best)


def mate_of_a_game(
    engine: chess.engine.SimpleEngine, rng: random.Random, wanted: set[int]
) -> tuple[int, str] | None:
    """The moves and the FEN of the first proven mate in a wanted number of moves in a new game, if any."""
    board = chess.Board()
    limit = chess.engine.Limit(nodes=NODES)

    def best(position: chess.Board) -> chess.Move:
        move = engine.play(position, limit, game=object()).move
        assert move is not None
        return move

    while not board.is_game_over() and board.ply() < MOST_PLIES:
        found = engine.play(board, limit, info=chess.engine.INFO_SCORE)
        score = found.info.get("score")
        moves = score.relative.mate() if score is not None else None
        if moves in wanted and moves is not None:
            fresh = chess.Board(board.fen())  # without the past: no repetition
            fresh.halfmove_clock, fresh.fullmove_number = 0, 1
            if is_mate_in(fresh, moves, best):
                return moves, fresh.fen()
        drawn = board.ply() < 6 or rng.random() < RANDOM_SHARE
        board.push(rng.choice(list(board.legal_moves)) if drawn or found.move is None else found.move)
    return None


def main() -> None:
    """Makes the positions and writes them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=40, help="positions of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    mates_in: dict[int, list[str]] = {2: [], 3: []}
    with chess.engine.SimpleEngine.popen_uci(resolve_command("uci", "stockfish")) as engine:
        name = engine.id["name"]
        while wanted := {n for n, fens in mates_in.items() if len(fens) < arguments.count}:
            found = mate_of_a_game(engine, rng, wanted)
            if found is not None and found[1] not in mates_in[found[0]]:
                mates_in[found[0]].append(found[1])
                print({n: len(fens) for n, fens in mates_in.items()}, flush=True)
    data = {
        "source": f"games of {name} with itself, a quarter of the moves at random; every mate is proved",
        "command": f"python tools/make_mates.py --count {arguments.count} --seed {arguments.seed}",
        "in_two": mates_in[2],
        "in_three": mates_in[3],
    }
    arguments.out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
