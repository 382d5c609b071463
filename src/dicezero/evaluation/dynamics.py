"""What a learned model knows of the rules, step by step into its own dream.

From every decision of some random games the model is unrolled along what was really played; at each depth its
predictions are compared with the truth. The top-move and uniform tests are those of section 4.3 of the NDMZ
paper; the rest is ours.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero.evaluation.trajectories import Trajectories, relative_identity
from dicezero.model.network import ModelPlayer
from dicezero.replay.targets import CHANCE_IDENTITY, TERMINAL_IDENTITY
from dicezero.search.simulator import Floats, Step
from dicezero.selfplay.episode import CHANCE

Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.integer]
Counts = tuple[tuple[int, ...], ...]

WHO_ACTS = ("mover", "other", "chance", "end")  # identities in their order

DynamicsModel = ModelPlayer  # what is tested: a model that can be started from observations and stepped


@dataclass(frozen=True)
class DepthReport:
    """The model ``depth`` steps after the root; shares are in [0, 1], None where there is nothing to judge.

    Attributes:
        depth: steps through the dynamics network; 0 is the root.
        positions: compared at this depth.
        top_move: positions where every legal move is ranked above every illegal one (no-op is the legal one
            where no player acts).
        uniform: positions where no illegal move has more than 1 / A of the probability.
        top_move_choice, uniform_choice: the same over positions where a player acts.
        illegal_mass: probability given to illegal moves, on average, where a player acts.
        dice_distance: between the learned and the true odds where chance acts: half the sum of the absolute
            differences (0 is perfect), on average.
        dice_worst: the greatest difference between the mean learned and the mean true odds of any outcome.
        identity: positions where the likeliest next to act is the one who acts.
        chance_seen: positions where chance acts that are called chance's: does the model know when it comes?
        chance_imagined: positions where it does not act that are called chance's.
        end_seen: finished games that are called finished.
        end_imagined: games still going on that are called finished.
        value_error: distance to the value of perfect play, on average, as a win probability.
    """

    depth: int
    positions: int
    top_move: float
    uniform: float
    top_move_choice: float | None
    uniform_choice: float | None
    illegal_mass: float | None
    dice_distance: float | None
    dice_worst: float | None
    identity: float | None
    chance_seen: float | None
    chance_imagined: float | None
    end_seen: float | None
    end_imagined: float | None
    value_error: float | None


@dataclass(frozen=True)
class DynamicsReport:
    """The tests as one figure each, over all depths, and depth by depth.

    ``next_to_act`` [4, 4] counts the positions after the root by who acts (row) and who is said to (column),
    both as in WHO_ACTS; None for a model that does not say who acts.
    """

    games: int
    positions: int
    top_move: float
    uniform: float
    next_to_act: Counts | None
    by_depth: tuple[DepthReport, ...]

    def data(self) -> dict[str, Any]:
        """As JSON has it; ``next_to_act`` by names: who acts, then who is said to."""
        named = {
            who: dict(zip(WHO_ACTS, row, strict=True))
            for who, row in zip(WHO_ACTS, self.next_to_act or (), strict=bool(self.next_to_act))
        }
        return {
            "top_move": self.top_move,
            "uniform": self.uniform,
            "dynamics": {
                "games": self.games,
                "positions": self.positions,
                "next_to_act": named or None,
                "by_depth": [asdict(row) for row in self.by_depth],
            },
        }


def measure_dynamics(
    model: DynamicsModel, games: Trajectories, *, depth: int, scale: float = 1.0
) -> DynamicsReport:
    """Unrolls ``model`` for ``depth`` steps from every decision of ``games``.

    A value of 1 of the model stands for ``scale`` of the game's returns. A model over the players' actions
    alone (MuZero) has no output for the end of a game: it is not evaluated there.
    """
    if depth < 0:
        raise ValueError(f"depth={depth} must be at least 0")
    roots = games.roots
    hidden, policy, value = model.root(games.observation[roots])
    step: Step | None = None
    rows = roots
    final = games.last if policy.shape[1] == games.actions.size else games.last - 1
    reports, who = [], np.zeros((len(WHO_ACTS), len(WHO_ACTS)), np.int64)
    for k in range(depth + 1):
        if k:
            going_on = rows < final[rows]  # what lies past the end of a game is no position
            hidden, roots, rows = hidden[going_on], roots[going_on], rows[going_on]
            if not len(rows):
                break
            step = model.step(hidden, games.action[rows])
            hidden, policy, value = step.hidden, step.policy_logits, step.value
            rows = rows + 1
        named = _who_acts(step, games.actor[rows], games.actor[roots])
        np.add.at(who, named, 1)
        reports.append(_judge(k, games, rows, policy, value - games.value[rows] / scale, step, named))
    total = sum(report.positions for report in reports)
    return DynamicsReport(
        games=games.games,
        positions=total,
        top_move=sum(report.top_move * report.positions for report in reports) / total,
        uniform=sum(report.uniform * report.positions for report in reports) / total,
        next_to_act=tuple(tuple(row) for row in who.tolist()) if who.any() else None,
        by_depth=tuple(reports),
    )


def _who_acts(
    step: Step | None, actor: npt.NDArray[np.int8], root_actor: npt.NDArray[np.int8]
) -> tuple[Numbers, Numbers]:
    """Who acts at each position and who is said to, as identities; empty where the model does not say."""
    if step is None or step.identity_logits is None:
        nobody = np.empty(0, np.int64)
        return nobody, nobody
    return relative_identity(actor, root_actor), np.asarray(step.identity_logits).argmax(axis=1)


def _judge(
    depth: int,
    games: Trajectories,
    rows: npt.NDArray[np.intp],
    policy: Floats,
    value_error: npt.NDArray[np.float64],
    step: Step | None,
    named: tuple[Numbers, Numbers],
) -> DepthReport:
    logits = np.asarray(policy, np.float64)
    legal, actor = games.legal[rows, : logits.shape[1]], games.actor[rows]
    probability = _softmax(logits)
    illegal = np.where(legal, 0.0, probability)
    lowest_legal = np.where(legal, logits, np.inf).min(axis=1)
    # The paper fails a position for an illegal move ranked above a legal one. Equals fail here too: a flat
    # policy knows nothing of the rules.
    top = np.where(legal, -np.inf, logits).max(axis=1) < lowest_legal
    even = illegal.max(axis=1) <= 1.0 / logits.shape[1]
    choice = actor >= 0
    dice = dice_worst = None
    if step is not None and step.chance_logits is not None:
        dice, dice_worst = _dice(games.chance[rows], np.asarray(step.chance_logits), actor == CHANCE)
    acts, says = named
    chance, over = acts == CHANCE_IDENTITY, acts == TERMINAL_IDENTITY
    error = np.abs(value_error) / 2
    return DepthReport(
        depth=depth,
        positions=len(rows),
        top_move=float(top.mean()),
        uniform=float(even.mean()),
        top_move_choice=_mean(top[choice]),
        uniform_choice=_mean(even[choice]),
        illegal_mass=_mean(illegal[choice].sum(axis=1)),
        dice_distance=dice,
        dice_worst=dice_worst,
        identity=_mean(says == acts),
        chance_seen=_mean(says[chance] == CHANCE_IDENTITY),
        chance_imagined=_mean(says[~chance] == CHANCE_IDENTITY),
        end_seen=_mean(says[over] == TERMINAL_IDENTITY),
        end_imagined=_mean(says[~over] == TERMINAL_IDENTITY),
        value_error=_mean(error[np.isfinite(error)]),
    )


def _dice(
    truth: npt.NDArray[np.float64], logits: npt.NDArray[np.floating], acts: Bools
) -> tuple[float | None, float | None]:
    """Mean total variation distance where chance acts, and the greatest error of an outcome's mean odds."""
    if not acts.any():
        return None, None
    difference = _softmax(np.asarray(logits, np.float64)[acts]) - truth[acts]
    distance = np.abs(difference).sum(axis=1) / 2
    return float(distance.mean()), float(np.abs(difference.mean(axis=0)).max())


def _softmax(logits: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))


def _mean(values: npt.NDArray[np.generic]) -> float | None:
    return float(np.mean(values.astype(np.float64))) if len(values) else None
