"""Tests of an environment: random episodes, each played twice with the same seed and actions."""

from __future__ import annotations

import random
from collections.abc import Sequence

from dicezero.rules.check_rules import Rule, text_of
from dicezero.rules.errors import GameError
from dicezero.rules.protocol import Game, State

_STEPS = 20_000  # in all: an environment may be slow

SPACES = Rule("spaces", "give Discrete actions, and observations that are a Box or can be laid flat")
RUNS = Rule("runs", "make reset(seed=...) and step(action) work for every action of the space")
ENDS = Rule(
    "every_episode_ends",
    "let every episode terminate or be truncated (a TimeLimit does it), or raise max_moves",
)
SAME = Rule("same_seed", "draw every random number from the generator that reset(seed=...) seeds")

Broken = tuple[Rule, str, tuple[int, ...], str]  # the rule, the state, the actions, what happened


def check_episodes(
    game: Game, *, games: int, max_moves: int, seed: int
) -> tuple[list[Broken], int, int, int]:
    """Plays up to ``games`` episodes; the first failure of each rule, episodes, steps and the longest one."""
    broken: dict[str, Broken] = {}
    steps = longest = 0
    played = 0
    while played < games and steps < _STEPS and not broken:
        rng = random.Random(f"{seed}/{played}")
        history: list[int] = []
        try:
            state, seen = _play(game, played, history, rng, max_moves)
            if not _over(state):
                broken[ENDS.name] = (ENDS, text_of(state), tuple(history), f"no end after {max_moves} steps")
            elif _replay(game, played, history) != seen:
                happened = f"the same seed {played} and actions gave another episode"
                broken[SAME.name] = (SAME, text_of(state), tuple(history), happened)
        except GameError as error:
            broken[RUNS.name] = (RUNS, "", tuple(history), str(error))
        played, steps, longest = played + 1, steps + len(history), max(longest, len(history))
    return list(broken.values()), played, steps, longest


def _play(
    game: Game, number: int, history: list[int], rng: random.Random, max_moves: int
) -> tuple[State, list[str]]:
    state = _start(game, number)
    seen = [str(state)]
    while not _over(state) and len(history) < max_moves:
        history.append(rng.choice(list(state.legal_actions())))
        state.apply_action(history[-1])
        seen.append(_seen(state))
    return state, seen


def _replay(game: Game, number: int, actions: Sequence[int]) -> list[str]:
    state = _start(game, number)
    seen = [str(state)]
    for action in actions:
        if _over(state):  # it ended earlier than before: that is another episode, and all that is asked here
            break
        state.apply_action(action)
        seen.append(_seen(state))
    return seen


def _start(game: Game, number: int) -> State:
    return game.new_initial_state(seed=number)  # type: ignore[call-arg]


def _seen(state: State) -> str:
    """What the last step showed and paid."""
    (paid,) = state.rewards()  # type: ignore[attr-defined]
    return f"{state}, paid {paid!r}"


def _over(state: State) -> bool:
    return state.is_terminal() or bool(state.is_truncated())  # type: ignore[attr-defined]
