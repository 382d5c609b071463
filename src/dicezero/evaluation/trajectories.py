"""Games of random moves with the truth at every step: what a learned model is tested against."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dicezero.evaluation.streams import pick_outcome, stream_uniform
from dicezero.replay.targets import CHANCE_IDENTITY, MOVER, OTHER, TERMINAL_IDENTITY
from dicezero.rules.protocol import Game, State
from dicezero.rules.spec import spec_of
from dicezero.selfplay.episode import CHANCE, TERMINAL, ActionSet
from dicezero.solve import Solution

MAX_STEPS = 100_000


@dataclass(frozen=True, eq=False)
class Trajectories:
    """The T steps of some games one after another; A is the number of unified actions.

    Every position of a game is a step, the final one included. Where no player acts no-op is the one legal
    choice.
    """

    actions: ActionSet
    observation: npt.NDArray[np.float32]  # [T, O], in the mover's view; zero where no player acts
    actor: npt.NDArray[np.int8]  # [T], 0, 1, CHANCE or TERMINAL
    action: npt.NDArray[np.int32]  # [T], unified, what was done
    legal: npt.NDArray[np.bool_]  # [T, A], of the choice policy
    chance: npt.NDArray[np.float64]  # [T, A], true probabilities of the outcomes; zero where chance is idle
    value: npt.NDArray[np.float64]  # [T], under perfect play, for the mover or else whoever moved last
    last: npt.NDArray[np.intp]  # [T], the final step of the same game
    games: int

    @property
    def roots(self) -> npt.NDArray[np.intp]:
        """The steps at which a player acts: where a model can be started."""
        return np.flatnonzero(self.actor >= 0)


def random_trajectories(
    game: Game, *, games: int, seed: int, solution: Solution | None = None
) -> Trajectories:
    """Plays ``games`` games of random moves; without a solution the values are NaN."""
    if games < 1:
        raise ValueError(f"games={games} must be at least 1")
    spec = spec_of(game)
    if spec.observation is None:
        raise ValueError(f"{game} has no observation_tensor(); a model cannot be started from its positions")
    actions, size = ActionSet.of(spec), spec.observation.size
    rows: list[_Row] = []
    last: list[int] = []
    for number in range(games):
        played = _play(game, actions, size, (seed, number), solution)
        last += [len(rows) + len(played) - 1] * len(played)
        rows += played
    return Trajectories(
        actions=actions,
        observation=np.stack([row.observation for row in rows]),
        actor=np.array([row.actor for row in rows], np.int8),
        action=np.array([row.action for row in rows], np.int32),
        legal=np.stack([row.legal for row in rows]),
        chance=np.stack([row.chance for row in rows]),
        value=np.array([row.value for row in rows]),
        last=np.array(last, np.intp),
        games=games,
    )


def relative_identity(actor: npt.NDArray[np.int8], root_actor: npt.NDArray[np.int8]) -> npt.NDArray[np.int32]:
    """[B], who acts as a model of the root's mover names it."""
    names = np.where(actor == root_actor, MOVER, OTHER)
    names = np.where(actor == CHANCE, CHANCE_IDENTITY, names)
    return np.where(actor == TERMINAL, TERMINAL_IDENTITY, names).astype(np.int32)


@dataclass(frozen=True, eq=False)
class _Row:
    observation: npt.NDArray[np.float32]
    actor: int
    action: int
    legal: npt.NDArray[np.bool_]
    chance: npt.NDArray[np.float64]
    value: float


def _play(
    game: Game, actions: ActionSet, size: int, address: tuple[int, int], solution: Solution | None
) -> list[_Row]:
    state, mover = game.new_initial_state(), 0
    rows: list[_Row] = []
    while True:
        observation = np.zeros(size, np.float32)
        legal, chance = np.zeros(actions.size, np.bool_), np.zeros(actions.size)
        legal[actions.no_op] = True
        uniform = stream_uniform(address[0], "dynamics", address[1], len(rows))
        actor, done = state.current_player(), state.is_terminal()
        if done:
            actor, action = TERMINAL, actions.end
        elif state.is_chance_node():
            outcomes = state.chance_outcomes()
            for outcome, probability in outcomes:
                chance[actions.choices + outcome] = probability
            action = actions.choices + pick_outcome(outcomes, uniform)
        else:
            mover, choices = actor, list(state.legal_actions())
            legal[:] = False
            legal[choices] = True
            observation = np.asarray(state.observation_tensor(), np.float32).ravel()  # type: ignore[attr-defined]
            action = choices[int(uniform * len(choices))]
        value = _value(state, mover, solution)
        rows.append(_Row(observation, actor, action, legal, chance, value))
        if done:
            return rows
        if len(rows) > MAX_STEPS:
            raise ValueError(f"a game of {game} did not end within {MAX_STEPS} steps; give it a limit")
        state.apply_action(action - actions.choices if actor == CHANCE else action)


def _value(state: State, mover: int, solution: Solution | None) -> float:
    if solution is None:
        return float("nan")
    return solution.first_player_value(state) * (1 if mover == 0 else -1)
