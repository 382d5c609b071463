"""The answer of a search as plain data, with the names of its moves: what is printed as JSON."""

from __future__ import annotations

import dataclasses
from typing import Any

from dicezero.rules.protocol import Game, State, is_chance
from dicezero.rules.reading import action_strings
from dicezero.search.result import SearchResult


def search_data(game: Game, state: State, agent: str, result: SearchResult) -> dict[str, Any]:
    """The JSON form of a search; actions are named by their strings, values are for the mover."""
    names = action_strings(state)
    return {
        "game": str(game),
        "agent": agent,
        "action": result.action,
        "action_string": names[result.action],
        "value": result.value,
        "action_values": {names[a]: v for a, v in result.action_values.items()},
        "visits": {names[a]: n for a, n in result.visits.items()},
        "nodes": result.nodes,
        "leaves": result.leaves,
        "cutoffs": result.cutoffs,
        "principal_variation": line_strings(state, result.principal_variation),
        "halving": [
            [{**dataclasses.asdict(c), "action": names[c.action]} for c in phase.candidates]
            for phase in result.halving
        ],
        "stopped": result.stopped,
        "seconds": result.seconds,
        "details": {
            key: value for key, value in result.details.items() if not dataclasses.is_dataclass(value)
        },
    }


def line_strings(state: State, line: tuple[int, ...]) -> list[str]:
    """The line as text; it ends where chance acts. In an environment all names are those of now."""
    branches = not callable(getattr(state, "is_truncated", None))  # an environment cannot be cloned
    if len(line) <= 1 or not branches:
        return [state.action_to_string(state.current_player(), action) for action in line]
    reached, texts = state.clone(), []
    for action in line:
        texts.append(reached.action_to_string(reached.current_player(), action))
        reached.apply_action(action)
        if is_chance(reached) or reached.is_terminal():
            break
    return texts
