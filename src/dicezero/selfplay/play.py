"""Self-play: many games in lock step, every random choice named by (seed, round, game, move)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from dicezero.rules.protocol import Game, State
from dicezero.search.config import SearchConfig
from dicezero.selfplay.planners import Planner, Positions, decide
from dicezero.selfplay.record import CHANCE, TERMINAL, ActionSet, GameRecord
from dicezero.selfplay.seeds import address_seed, address_uniform

MAX_STEPS = 100_000
_SEARCH, _DRAW = 0, 1  # the last part of an address: what the number is for


class _Episode:
    """A game that is being played."""

    def __init__(
        self, game: Game, actions: ActionSet, observation_size: int, address: tuple[int, ...]
    ) -> None:
        self.state = game.new_initial_state()
        self.actions = actions
        self.address = address  # (seed, round, game)
        self.decisions = 0
        self._size = observation_size
        self._rows: list[
            tuple[npt.NDArray[np.float32], int, int, npt.NDArray[np.bool_], npt.NDArray[np.float32], float]
        ] = []

    def uniform(self) -> float:
        """The lot of this step."""
        return address_uniform(*self.address, len(self._rows), _DRAW)

    def search_seed(self) -> int:
        """The seed of this step's search."""
        return address_seed(*self.address, len(self._rows), _SEARCH)

    def roll_dice(self) -> None:
        """Plays chance's part until a player is to move or the game is over."""
        while self.state.is_chance_node():
            outcomes = self.state.chance_outcomes()
            outcome = outcomes[_drawn([p for _, p in outcomes], self.uniform())][0]
            self.state.apply_action(outcome)
            self._add_idle(CHANCE, self.actions.choices + outcome)

    def move(
        self,
        action: int,
        observation: npt.NDArray[np.float32],
        legal: npt.NDArray[np.bool_],
        policy: npt.NDArray[np.float32],
        value: float,
    ) -> None:
        """Plays the mover's action and keeps what was seen and thought."""
        self._rows.append((observation, self.state.current_player(), action, legal, policy, value))
        self.state.apply_action(action)
        self.decisions += 1
        if len(self._rows) > MAX_STEPS:
            raise ValueError(
                f"a game of self-play did not end within {MAX_STEPS} steps; give the game a limit of moves"
            )

    def record(self) -> GameRecord:
        """The finished game."""
        self._add_idle(TERMINAL, self.actions.end)
        columns = list(zip(*self._rows, strict=True))
        outcome = float(np.clip(self.state.returns()[0], -1.0, 1.0))
        return GameRecord(
            observation=np.stack(columns[0]),
            actor=np.array(columns[1], np.int8),
            action=np.array(columns[2], np.int16),
            legal=np.stack(columns[3]),
            policy=np.stack(columns[4]),
            value=np.array(columns[5], np.float32),
            outcome=np.full(len(self._rows), outcome, np.float32),
        )

    def _add_idle(self, actor: int, action: int) -> None:
        choices = self.actions.choices
        empty = np.zeros(self._size, np.float32), np.zeros(choices, np.bool_), np.zeros(choices, np.float32)
        self._rows.append((empty[0], actor, action, empty[1], empty[2], 0.0))


def play_games(
    game: Game,
    planner: Planner,
    config: SearchConfig,
    *,
    games: Sequence[int],
    seed: int,
    round_index: int,
    explore_moves: int = 0,
    on_moves: Callable[[int, int], None] | None = None,
) -> list[GameRecord]:
    """Plays the games of those numbers against itself, all at once, and returns them in that order.

    A game is a function of (seed, round, its number) and the network: playing a round in one batch or in
    several gives the same games.

    Args:
        game: for one or two players.
        planner: decides for both sides.
        config: of its search.
        games: the numbers of the games within the round.
        seed: of the run.
        round_index: of the round.
        explore_moves: for so many decisions of a game the move is drawn from the search's policy; after
            them the search's own choice is played.
        on_moves: hears (games over, decisions made) each time every game has moved.
    """
    actions, size = ActionSet.of(game), observation_size(game)
    episodes = [_Episode(game, actions, size, (seed, round_index, number)) for number in games]
    playing = list(episodes)
    while True:
        for episode in playing:
            episode.roll_dice()
        playing = [episode for episode in playing if not episode.state.is_terminal()]
        if on_moves:
            on_moves(len(episodes) - len(playing), sum(episode.decisions for episode in episodes))
        if not playing:
            return [episode.record() for episode in episodes]
        positions = positions_of([episode.state for episode in playing], actions.choices)
        seeds = np.array([episode.search_seed() for episode in playing], np.uint64)
        found = decide(planner, positions, config, seeds, noise=True)
        for row, episode in enumerate(playing):
            action = int(found.action[row])
            if episode.decisions < explore_moves:
                action = _drawn(found.policy[row].tolist(), episode.uniform())
            episode.move(
                action,
                positions.observation[row],
                positions.legal[row],
                found.policy[row],
                float(found.value[row]),
            )


def observation_size(game: Game) -> int:
    """Numbers in an observation of ``game``, flat; ValueError where it has none."""
    shape = getattr(game, "observation_tensor_shape", None)
    if not callable(shape):
        raise ValueError(
            f"{game} has no observation_tensor_shape(); a network needs observations to learn from"
        )
    return int(np.prod(shape()))


def positions_of(states: Sequence[State], choices: int) -> Positions:
    """Choice nodes as a planner takes them."""
    observation = np.stack(
        [np.asarray(state.observation_tensor(), np.float32).ravel() for state in states]  # type: ignore[attr-defined]
    )
    legal = np.zeros((len(states), choices), np.bool_)
    for row, state in enumerate(states):
        legal[row, list(state.legal_actions())] = True
    return Positions(states, observation, legal)


def _drawn(weights: Sequence[float], uniform: float) -> int:
    """The position whose share of the total holds ``uniform``; one of weight zero is never drawn."""
    ends = list(accumulate(weights))
    at = uniform * ends[-1]
    last = max(i for i, weight in enumerate(weights) if weight > 0.0)
    return next((i for i, end in enumerate(ends) if at < end), last)
