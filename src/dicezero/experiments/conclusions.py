"""The NDMZ paper's conclusions, each put to the numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Runs = Mapping[str, Mapping[str, Sequence[Sequence[Mapping[str, Any]]]]]  # board, algorithm, seed, round

NEAR = 0.02  # of score against perfect play: what counts as near
CLEAR = 0.02  # what counts as a clear margin
HIGH = 0.9  # share of positions: what counts as high


def conclusions(runs: Runs) -> list[dict[str, Any]]:
    """What can be judged from the runs there are; ``holds`` is the plain verdict on ``numbers``.

    Of each algorithm the runs that got furthest are judged; seeds that are not as far yet are left out.
    """
    claims = []
    for board, algorithms in runs.items():
        many = {name: _furthest(lines) for name, lines in algorithms.items()}
        last = {name: _mean_last(lines, "vs_optimal") for name, lines in many.items()}
        if "ndmz" in last and "alphazero" in last:
            gap = last["alphazero"] - last["ndmz"]
            claims.append(
                _claim(
                    board,
                    f"NDMZ nears AlphaZero (within {NEAR} against perfect play)",
                    gap <= NEAR,
                    ndmz=last["ndmz"],
                    alphazero=last["alphazero"],
                )
            )
        if board == "12-5-6" and {"ndmz", "alphazero", "td-lambda"} <= last.keys():
            margin = min(last["ndmz"], last["alphazero"]) - last["td-lambda"]
            claims.append(
                _claim(board, f"both beat TD(lambda) clearly (by {CLEAR} or more)", margin >= CLEAR, **last)
            )
        if "ndmz" in many:
            claims += _dynamics(board, many["ndmz"])
    return claims


def _dynamics(board: str, runs: Sequence[Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    first = sum(lines[0]["top_move"] for lines in runs) / len(runs)
    last = _mean_last(runs, "top_move")
    depths = [lines[-1]["by_depth"][-1]["top_move"] for lines in runs]
    deepest = sum(depths) / len(depths)
    return [
        _claim(
            board, "dynamics accuracy rises with training", last > first, before_training=first, at_last=last
        ),
        _claim(
            board,
            f"and stays high several moves deep (top move {HIGH} or more at the greatest depth)",
            deepest >= HIGH,
            deepest=deepest,
        ),
    ]


def _claim(board: str, claim: str, holds: bool, **numbers: float) -> dict[str, Any]:
    return {"board": board, "claim": claim, "holds": holds, "numbers": numbers}


def _furthest(runs: Sequence[Sequence[Mapping[str, Any]]]) -> list[Sequence[Mapping[str, Any]]]:
    last = max(lines[-1]["round"] for lines in runs)
    return [lines for lines in runs if lines[-1]["round"] == last]


def _mean_last(runs: Sequence[Sequence[Mapping[str, Any]]], key: str) -> float:
    return float(sum(lines[-1][key] for lines in runs) / len(runs))
