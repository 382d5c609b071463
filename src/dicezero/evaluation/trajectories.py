"""Games of random moves with the truth at every step: what a learned model is tested against."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dicezero.replay.targets import CHANCE_IDENTITY, MOVER, OTHER, TERMINAL_IDENTITY
from dicezero.rules.protocol import Game, outcomes_of
from dicezero.rules.spec import GameSpec, spec_of
from dicezero.selfplay.drive import Choice, Turn, drive
from dicezero.selfplay.episode import CHANCE, TERMINAL, ActionSet, Episode, dense_rows
from dicezero.selfplay.seeds import address_seed, extended_uniforms
from dicezero.selfplay.states import drawn_rows, positions_of
from dicezero.solve import Solution


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
    value: npt.NDArray[np.float64]  # [T], under perfect play, for the mover or else who moved last
    last: npt.NDArray[np.intp]  # [T], the last step of the same game that is to be compared
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
    seen: dict[tuple[int, int], npt.NDArray[np.float32]] = {}  # by (game, decision)

    def choose(turn: Turn) -> Choice:
        positions = positions_of(game, spec, turn.states)
        for row, place in enumerate(zip(turn.episode.tolist(), turn.decision.tolist(), strict=True)):
            seen[place] = positions.observation[row]
        action = drawn_rows(positions.legal.astype(np.float32), extended_uniforms(turn.seeds, 0))
        return Choice(action, legal=positions.legal)

    seeds = np.array([address_seed(seed, number) for number in range(games)], np.uint64)
    episodes = drive(game, spec, choose, seeds=seeds)
    actions = ActionSet.of(spec)
    truth = [_truth(game, spec, episode, solution) for episode in episodes]
    lengths = np.array([len(episode) for episode in episodes])
    actor = np.concatenate([episode.actor for episode in episodes])
    observation = np.zeros((len(actor), spec.observation.size if spec.observation else 0), np.float32)
    observation[actor >= 0] = np.stack([seen[place] for place in sorted(seen)])
    return Trajectories(
        actions=actions,
        observation=observation,
        actor=actor,
        action=np.concatenate([episode.action for episode in episodes]),
        legal=np.concatenate([_legal(episode, actions) for episode in episodes]),
        chance=np.concatenate([labels.chance for labels in truth]),
        value=np.concatenate([labels.value for labels in truth]),
        # The last step of an episode that was cut off is no end of the game.
        last=np.repeat(np.cumsum(lengths) - 1 - [e.truncated for e in episodes], lengths),
        games=games,
    )


def relative_identity(actor: npt.NDArray[np.int8], root_actor: npt.NDArray[np.int8]) -> npt.NDArray[np.int32]:
    """[B], who acts as a model of the root's mover names it."""
    names = np.where(actor == root_actor, MOVER, OTHER)
    names = np.where(actor == CHANCE, CHANCE_IDENTITY, names)
    return np.where(actor == TERMINAL, TERMINAL_IDENTITY, names).astype(np.int32)


def _legal(episode: Episode, actions: ActionSet) -> npt.NDArray[np.bool_]:
    """[T, A], of the choice policy; no-op where no player acts."""
    ones = np.ones(len(episode.legal), np.bool_)
    legal = dense_rows(episode.legal, ones, episode.choices, actions.size)
    legal[episode.actor < 0, actions.no_op] = True
    return np.asarray(legal)


@dataclass(frozen=True, eq=False)
class _Truth:
    """The rules' labels of every step of an episode."""

    chance: npt.NDArray[np.float64]  # [T, A]
    value: npt.NDArray[np.float64]  # [T]


def _truth(game: Game, spec: GameSpec, episode: Episode, solution: Solution | None) -> _Truth:
    """The odds of the dice and the values of perfect play along an episode, read by playing it again."""
    actions = ActionSet.of(spec)
    chance, value = np.zeros((len(episode), actions.size)), np.full(len(episode), np.nan)
    if spec.simulator != "states" or (solution is None and not actions.outcomes):
        return _Truth(chance, value)
    state, mover = game.new_initial_state(), 0
    for step, actor in enumerate(episode.actor.tolist()):
        mover = actor if actor >= 0 else mover
        if solution is not None:
            value[step] = solution.first_player_value(state) * (1 if mover == 0 else -1)
        if actor == CHANCE:
            for outcome, probability in outcomes_of(state):
                chance[step, actions.choices + outcome] = probability
        if actor != TERMINAL:
            action = int(episode.action[step])
            state.apply_action(action - actions.choices if actor == CHANCE else action)
    return _Truth(chance, value)
