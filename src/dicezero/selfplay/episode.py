"""One episode as it was played: the record that self-play, replay, matches and tests of dynamics share.

A policy is stored over the legal actions alone and a frame once, so that a step of a game with thousands of
actions takes tens of bytes, not tens of thousands (docs/results/memory.md has the figures).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero.rules.spec import GameSpec

CHANCE, TERMINAL = -1, -4  # actors beside the players 0 and 1

STEP_FIELDS = {"observed": "?", "actor": "i1", "action": "i4", "reward": "f4", "choices": "i4", "value": "f4"}
CHOICE_FIELDS = {"legal": "i4", "policy": "f4"}
Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class ActionSet:
    """The unified actions of a game: players' actions, then chance outcomes, then no-op, then end.

    No-op is the action of a player who is not to move; end is what happens once the game is over.
    """

    choices: int
    outcomes: int

    @staticmethod
    def of(spec: GameSpec) -> ActionSet:
        """Those of a game."""
        return ActionSet(spec.actions, spec.outcomes)

    @property
    def no_op(self) -> int:
        """The id of no-op."""
        return self.choices + self.outcomes

    @property
    def end(self) -> int:
        """The id of end."""
        return self.choices + self.outcomes + 1

    @property
    def size(self) -> int:
        """How many there are, A."""
        return self.choices + self.outcomes + 2


@dataclass(frozen=True, eq=False)
class Episode:
    """The T steps of one episode: decisions, chance's steps, and the final one (actor TERMINAL, action end).

    L is the number of legal actions of all decisions together, N that of the steps with a frame.
    """

    observation: npt.NDArray[Any]  # [N, ...] frames, each in the view of the player to move or who moved last
    observed: npt.NDArray[np.bool_]  # [T], whether the step has a frame
    actor: npt.NDArray[np.int8]  # [T], 0, 1, CHANCE or TERMINAL
    action: npt.NDArray[np.int32]  # [T], unified id of what was done
    reward: npt.NDArray[np.float32]  # [T], what that paid player 0, in the game's units
    choices: npt.NDArray[np.int32]  # [T], how many actions were legal; 0 where no player acts
    value: npt.NDArray[
        np.float32
    ]  # [T], of the search, for the mover, in the game's units; see ``truncated``
    legal: npt.NDArray[np.int32]  # [L], ids of the legal actions, decision after decision, ascending in each
    # [L], what the search recommends, over the same actions; a decision's zeros recommend nothing
    policy: npt.NDArray[np.float32]
    truncated: bool = False  # cut off: the final step's value is what player 0 would still have expected
    # [X], the end's auxiliary targets, for player 0; NaN where it was cut off, empty where it is none
    auxiliary: npt.NDArray[np.float32] = field(default_factory=lambda: np.empty(0, np.float32))

    def __len__(self) -> int:
        return len(self.actor)

    @property
    def outcome(self) -> float:
        """The return of player 0, not discounted."""
        return float(self.reward.astype(np.float64).sum())

    @property
    def decisions(self) -> npt.NDArray[np.intp]:
        """[D], the steps at which a player acts."""
        return np.flatnonzero(self.actor >= 0)

    @property
    def frames(self) -> npt.NDArray[np.int64]:
        """[T], the row of each step's frame; -1 where it has none."""
        return np.where(self.observed, np.cumsum(self.observed) - 1, -1)

    @property
    def advised(self) -> npt.NDArray[np.bool_]:
        """[D], whether a policy is recorded, or zeros that recommend nothing."""
        return advised(self.choices, self.policy)

    def played_probability(self) -> npt.NDArray[np.float32]:
        """[D], what the search's policy gave the action that was played."""
        count = self.choices[self.decisions]
        row = np.repeat(np.arange(len(count)), count)
        probability = np.zeros(len(count), np.float32)
        hit = self.legal == self.action[self.decisions][row]
        probability[row[hit]] = self.policy[hit]
        return probability


def advised(choices: npt.NDArray[np.int32], policy: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """[D], which decisions of some steps [T] have a policy; ``choices`` and ``policy`` as in ``Episode``."""
    counts = choices[choices > 0].astype(np.intp)
    return np.add.reduceat(policy, np.cumsum(counts) - counts) > 0.0


def dense_rows(
    ids: npt.NDArray[np.int32], values: npt.NDArray[Any], counts: npt.NDArray[np.integer], columns: int
) -> npt.NDArray[Any]:
    """[R, columns] from sparse rows: the next ``counts[r]`` entries of ``ids`` and ``values`` are row r's."""
    dense = np.zeros((len(counts), columns), values.dtype)
    dense[np.repeat(np.arange(len(counts)), counts), ids] = values
    return dense


def join_episodes(episodes: Sequence[Episode], *, frames: bool = True) -> Arrays:
    """Many episodes as arrays that travel: all steps one after another, and where each episode ends.

    Without ``frames`` the observations stay where they are.
    """
    names = (*(("observation",) if frames else ()), *STEP_FIELDS, *CHOICE_FIELDS)
    arrays: Arrays = {name: np.concatenate([getattr(e, name) for e in episodes]) for name in names}
    arrays["steps"] = np.array([len(e) for e in episodes], np.int64)
    arrays["truncated"] = np.array([e.truncated for e in episodes], np.bool_)
    if any(len(e.auxiliary) for e in episodes):
        arrays["auxiliary"] = np.stack([e.auxiliary for e in episodes])
    return arrays


def split_episodes(arrays: Mapping[str, npt.NDArray[Any]]) -> list[Episode]:
    """The episodes that ``join_episodes`` joined, as views; with no observations where it left them out."""
    ends = {"step": np.cumsum(arrays["steps"])}
    last = ends["step"] - 1
    ends["frame"] = np.cumsum(arrays["observed"])[last]
    ends["choice"] = np.cumsum(arrays["choices"])[last]
    starts = {kind: np.concatenate([[0], places[:-1]]) for kind, places in ends.items()}
    kinds = dict.fromkeys(STEP_FIELDS, "step") | dict.fromkeys(CHOICE_FIELDS, "choice")
    frames = arrays.get("observation", np.empty((0, 0), np.float32))
    auxiliary = arrays.get("auxiliary", np.empty((len(last), 0), np.float32))
    return [
        Episode(
            observation=frames[starts["frame"][i] : ends["frame"][i]],
            **{name: arrays[name][starts[kind][i] : ends[kind][i]] for name, kind in kinds.items()},
            truncated=bool(arrays["truncated"][i]),
            auxiliary=auxiliary[i],
        )
        for i in range(len(last))
    ]
