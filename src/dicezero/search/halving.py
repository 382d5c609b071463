"""How Gumbel's search came to its choice: the actions it considered, phase by phase of Sequential Halving."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

# (action, visits, q, score) of an action of the root, as the native search noted it.
Sighting = tuple[int, int, float, float]


@dataclass(frozen=True)
class Candidate:
    """An action of the root when a phase ended.

    Attributes:
        action: its id.
        visits: simulations of this search through it so far.
        q: mean of what came back, for the player to move; None before the first visit.
        score: g + logits - max logits + sigma(completed Q): the best scores stay.
        kept: it went on to the next phase; in the last phase: it is the action to play.
    """

    action: int
    visits: int
    q: float | None
    score: float
    kept: bool


@dataclass(frozen=True)
class Phase:
    """A phase of Sequential Halving: its candidates, the best score first."""

    candidates: tuple[Candidate, ...]


def halving_phases(sightings: Sequence[Sighting], *, chosen: int) -> tuple[Phase, ...]:
    """The phases of a search that played ``chosen``.

    Args:
        sightings: every action of the root at the end of each phase, phase by phase; the last ones are of
            the end of the search.
        chosen: the action to play.
    """
    actions = {action for action, *_ in sightings}
    if not actions:
        return ()
    size = len(actions)
    stages = [sightings[start : start + size] for start in range(0, len(sightings), size)]
    # A candidate of a phase is an action that was visited in it. Phases with the same candidates are one.
    distinct: list[tuple[set[int], Sequence[Sighting]]] = []
    before = dict.fromkeys(actions, 0)
    for stage in stages:
        visits = {action: count for action, count, *_ in stage}
        running = {action for action in actions if visits[action] > before[action]}
        before = visits
        if distinct and running <= distinct[-1][0] and len(running) in (0, len(distinct[-1][0])):
            distinct[-1] = (distinct[-1][0], stage)
        elif running:
            distinct.append((running, stage))
    following = [running for running, _ in distinct[1:]] + [{chosen}]
    return tuple(
        _phase(running, stage, kept) for (running, stage), kept in zip(distinct, following, strict=True)
    )


def _phase(running: set[int], stage: Sequence[Sighting], kept: set[int]) -> Phase:
    candidates = [
        Candidate(action, visits, None if math.isnan(q) else q, score, action in kept)
        for action, visits, q, score in stage
        if action in running
    ]
    return Phase(tuple(sorted(candidates, key=lambda c: (-c.score, c.action))))
