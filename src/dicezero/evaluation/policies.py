"""What a network plays at the decisions of a game, with search or without: batched, memory bounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import overload

import numpy as np
import numpy.typing as npt

from dicezero.rules.protocol import State
from dicezero.search.config import SearchConfig
from dicezero.selfplay.planners import Planner, decide
from dicezero.selfplay.seeds import address_seed
from dicezero.selfplay.states import Positions as PlannerPositions
from dicezero.solve import Policy, Positions

OnPhase = Callable[[str, int, int], None]  # receives (phase, done, of how many)
Actions = npt.NDArray[np.int16]
Numbers = range | npt.NDArray[np.integer]  # of decisions

NETWORK_ROWS = 65_536  # positions the network is asked about at a time
SEARCH_ROWS = 2_048  # positions searched at a time: their trees live in memory together


class _LazyStates(Sequence[State]):
    """States of decisions, each made when it is asked for; a network alone asks for none."""

    def __init__(self, positions: Positions, numbers: Sequence[int]) -> None:
        self._positions, self._numbers = positions, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> State: ...

    @overload
    def __getitem__(self, index: slice) -> list[State]: ...

    def __getitem__(self, index: int | slice) -> State | list[State]:
        if isinstance(index, slice):
            return [self._positions.state(i) for i in self._numbers[index]]
        return self._positions.state(self._numbers[int(index)])

    def __iter__(self) -> Iterator[State]:
        return (self._positions.state(i) for i in self._numbers)


class Decisions:
    """The decisions of a game laid out for planners, some at a time, or once and for all."""

    def __init__(self, positions: Positions, *, keep: bool = False) -> None:
        """``keep`` holds all of them in memory, for a game that is measured again and again."""
        self.positions = positions
        self._all: PlannerPositions | None = None
        if keep:
            block = self._block(range(len(positions)))
            self._all = replace(block, states=list(block.states))

    def __len__(self) -> int:
        return len(self.positions)

    def rows(self, numbers: Numbers) -> PlannerPositions:
        """Those of the given numbers."""
        if self._all is not None:
            return self._all.rows(np.asarray(numbers))
        if isinstance(numbers, range) and numbers.step == 1:
            return self._block(numbers)
        blocks = [self._block(range(int(i), int(i) + 1)) for i in numbers]
        return PlannerPositions(
            self.positions.game,
            _LazyStates(self.positions, [int(i) for i in numbers]),
            np.concatenate([block.frame for block in blocks]),
            np.concatenate([block.observation for block in blocks]),
            np.concatenate([block.legal for block in blocks]),
        )

    def _block(self, numbers: range) -> PlannerPositions:
        frame = self.positions.observations(numbers.start, numbers.stop)
        states, flat = _LazyStates(self.positions, numbers), frame.reshape(len(numbers), -1)
        legal = self.positions.legal(numbers.start, numbers.stop)
        return PlannerPositions(self.positions.game, states, frame, flat, legal)


def network_actions(
    planner: Planner, decisions: Decisions, numbers: Numbers, *, on_phase: OnPhase | None = None
) -> Actions:
    """[N], the network's first choice, without search."""
    actions = np.empty(len(numbers), np.int16)
    for start in range(0, len(numbers), NETWORK_ROWS):
        logits, _ = planner.predict(decisions.rows(numbers[start : start + NETWORK_ROWS]))
        actions[start : start + NETWORK_ROWS] = logits.argmax(axis=1)
        if on_phase:
            on_phase("evaluating the network", min(start + NETWORK_ROWS, len(numbers)), len(numbers))
    return actions


def search_actions(
    planner: Planner,
    decisions: Decisions,
    config: SearchConfig,
    numbers: Numbers,
    *,
    seed: int,
    on_phase: OnPhase | None = None,
) -> Actions:
    """[N], the search's choice, without noise at the root.

    A decision's search depends on its number and the seed alone.
    """
    actions = np.empty(len(numbers), np.int16)
    for start in range(0, len(numbers), SEARCH_ROWS):
        part = numbers[start : start + SEARCH_ROWS]
        seeds = np.array([address_seed(seed, int(i)) for i in part], np.uint64)
        chosen = decide(planner, decisions.rows(part), config, seeds, noise=False)
        actions[start : start + len(part)] = chosen.action
        if on_phase:
            on_phase("searching", start + len(part), len(numbers))
    return actions


def planned_policy(
    planner: Planner,
    positions: Positions,
    config: SearchConfig | None,
    *,
    seed: int = 0,
    on_phase: OnPhase | None = None,
) -> Policy:
    """What is played at every decision: the search's choice, or without ``config`` the network's."""
    decisions, every = Decisions(positions), range(len(positions))
    if config is None:
        return Policy(positions, network_actions(planner, decisions, every, on_phase=on_phase))
    return Policy(positions, search_actions(planner, decisions, config, every, seed=seed, on_phase=on_phase))
