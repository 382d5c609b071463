"""What a network plays at the decisions of a game, with search or without: batched, memory bounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

import numpy as np
import numpy.typing as npt

from dicezero.rules.protocol import State
from dicezero.search.config import SearchConfig
from dicezero.selfplay.planners import Planner, decide
from dicezero.selfplay.seeds import address_seed
from dicezero.selfplay.states import Positions as PlannerPositions
from dicezero.solve import Policy, Positions

Tell = Callable[[str, int, int], None]  # what is being done, how many are done, of how many

NETWORK_ROWS = 65_536  # positions the network is asked about at a time
SEARCH_ROWS = 2_048  # positions searched at a time: their trees live in memory together


class _LazyStates(Sequence[State]):
    """States of consecutive decisions, each made when it is asked for; a network alone asks for none."""

    def __init__(self, positions: Positions, start: int, stop: int) -> None:
        self._positions, self._range = positions, range(start, stop)

    def __len__(self) -> int:
        return len(self._range)

    @overload
    def __getitem__(self, index: int) -> State: ...

    @overload
    def __getitem__(self, index: slice) -> list[State]: ...

    def __getitem__(self, index: int | slice) -> State | list[State]:
        if isinstance(index, slice):
            return [self._positions.state(i) for i in self._range[index]]
        return self._positions.state(self._range[int(index)])

    def __iter__(self) -> Iterator[State]:
        return (self._positions.state(i) for i in self._range)


def network_policy(planner: Planner, positions: Positions, *, tell: Tell | None = None) -> Policy:
    """The network's first choice at every decision, without search."""
    actions = np.empty(len(positions), np.int16)
    for start, stop in positions.ranges(NETWORK_ROWS):
        logits, _ = planner.predict(_block(positions, start, stop))
        actions[start:stop] = logits.argmax(axis=1)
        if tell:
            tell("asking the network", stop, len(positions))
    return Policy(positions, actions)


def search_policy(
    planner: Planner, positions: Positions, config: SearchConfig, *, seed: int, tell: Tell | None = None
) -> Policy:
    """The search's choice at every decision, without noise at the root.

    A decision's search depends on its number and the seed alone.
    """
    actions = np.empty(len(positions), np.int16)
    for start, stop in positions.ranges(SEARCH_ROWS):
        seeds = _seeds(seed, range(start, stop))
        found = decide(planner, _block(positions, start, stop), config, seeds, noise=False)
        actions[start:stop] = found.action
        if tell:
            tell("searching", stop, len(positions))
    return Policy(positions, actions)


def actions_at(
    planner: Planner,
    positions: Positions,
    decisions: npt.NDArray[np.integer],
    config: SearchConfig | None,
    *,
    seed: int,
    tell: Tell | None = None,
) -> npt.NDArray[np.int16]:
    """[N], what is played at the decisions of those numbers; without ``config`` by the network alone."""
    actions = np.empty(len(decisions), np.int16)
    for start in range(0, len(decisions), SEARCH_ROWS):
        part = decisions[start : start + SEARCH_ROWS]
        blocks = [_block(positions, int(i), int(i) + 1) for i in part]
        rows = PlannerPositions(
            positions.game,
            [block.states[0] for block in blocks],
            np.concatenate([block.frame for block in blocks]),
            np.concatenate([block.observation for block in blocks]),
            np.concatenate([block.legal for block in blocks]),
        )
        if config is None:
            found = planner.predict(rows)[0].argmax(axis=1)
        else:
            found = decide(planner, rows, config, _seeds(seed, part.tolist()), noise=False).action
        actions[start : start + len(part)] = found
        if tell:
            tell("searching", start + len(part), len(decisions))
    return actions


def _block(positions: Positions, start: int, stop: int) -> PlannerPositions:
    frame = positions.observations(start, stop)
    states = _LazyStates(positions, start, stop)
    flat = frame.reshape(stop - start, -1)
    return PlannerPositions(positions.game, states, frame, flat, positions.legal(start, stop))


def _seeds(seed: int, decisions: Sequence[int]) -> npt.NDArray[np.uint64]:
    return np.array([address_seed(seed, i) for i in decisions], np.uint64)
