"""Self-play: many games in lock step, every random choice named by (seed, round, game, move)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from dicezero.rules.protocol import Game, State
from dicezero.search.config import SearchConfig
from dicezero.selfplay.lockstep import drawn_rows, positions_of, roll_dice
from dicezero.selfplay.planners import Floats, Planner, decide
from dicezero.selfplay.record import CHANCE, ActionSet, GameRecord
from dicezero.selfplay.recorder import Recorder
from dicezero.selfplay.seeds import address_seed, extended_seeds, extended_uniforms

__all__ = ["MAX_STEPS", "observation_size", "play_games", "positions_of"]

MAX_STEPS = 100_000
_SEARCH, _DRAW, _STRAY, _STRAY_MOVE = range(4)  # the last part of an address: what the number is for


def play_games(
    game: Game,
    planner: Planner,
    config: SearchConfig,
    *,
    games: Sequence[int],
    seed: int,
    round_index: int,
    explore_moves: int = 0,
    epsilon: float = 0.0,
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
        explore_moves: for so many decisions of a game the move is drawn by the search's visits; after them
            the search's own choice is played.
        epsilon: the probability that a decision's move is any legal one, by lot.
        on_moves: hears (games over, decisions made) each time every game has moved.
    """
    actions = ActionSet.of(game)
    recorder = Recorder(len(games), actions, observation_size(game))
    states = [game.new_initial_state() for _ in games]
    addresses = np.array([address_seed(seed, round_index, number) for number in games], np.uint64)
    decisions = np.zeros(len(games), np.int64)
    playing = np.arange(len(games))
    before_roll: Floats | None = None  # [B, O], what the mover saw after the move
    while True:
        # Step 1. Chance, until a player is to move or the game is over.
        rolls = roll_dice(
            game, [states[i] for i in playing], addresses[playing], recorder.steps[playing], use=_DRAW
        )
        recorder.add_idle(
            playing[rolls.row],
            CHANCE,
            actions.choices + rolls.outcome,
            None if before_roll is None else _seen_at_first(before_roll, rolls.row),
        )
        going = rolls.player >= 0
        playing, player = playing[going], rolls.player[going]
        if on_moves:
            on_moves(len(states) - len(playing), int(decisions.sum()))
        if not len(playing):
            return recorder.records(np.array([state.returns()[0] for state in states], np.float32))
        # Step 2. The search decides; early in a game its visits are drawn from (a forced move has none).
        acting = [states[i] for i in playing]
        positions = positions_of(acting, actions.choices)
        here = addresses[playing], recorder.steps[playing]
        found = decide(planner, positions, config, extended_seeds(*here, _SEARCH), noise=True)
        lots = extended_uniforms(*here, _DRAW)
        early = decisions[playing] < explore_moves
        searched = found.visits.any(axis=1, keepdims=True)
        shares = np.where(searched, found.visits, found.policy).astype(np.float32)
        action = np.where(early, drawn_rows(shares, lots), found.action)
        if epsilon:
            stray = extended_uniforms(*here, _STRAY) < epsilon
            anywhere = drawn_rows(positions.legal.astype(np.float32), extended_uniforms(*here, _STRAY_MOVE))
            action = np.where(stray, anywhere, action)
        # Step 3. The moves.
        for state, move in zip(acting, action.tolist(), strict=True):
            state.apply_action(move)
        seen = positions.observation
        if planner.afterstates:
            seen = observed_by(acting, player.tolist(), seen.shape[1])
        elif config.chance_value == "afterstate":
            before_roll = observed_by(acting, player.tolist(), seen.shape[1])
        recorder.add_decisions(
            playing,
            player,
            action,
            observation=seen,
            legal=positions.legal,
            policy=found.policy,
            value=found.value,
        )
        decisions[playing] += 1
        if recorder.steps.max() > MAX_STEPS:
            raise ValueError(
                f"a game of self-play did not end within {MAX_STEPS} steps; give the game a limit of moves"
            )


def _seen_at_first(observation: Floats, row: npt.NDArray[np.int32]) -> Floats:
    """[M, O] for [B, O] and rolls [M] in ascending rows: of several rolls running only the first sees."""
    first = np.diff(row, prepend=-1) != 0
    seen: Floats = np.where(first[:, None], observation[row], np.float32(0.0))
    return seen


def observation_size(game: Game) -> int:
    """Numbers in an observation of ``game``, flat; ValueError where it has none."""
    shape = getattr(game, "observation_tensor_shape", None)
    if not callable(shape):
        raise ValueError(
            f"{game} has no observation_tensor_shape(); a network needs observations to learn from"
        )
    return int(np.prod(shape()))


def observed_by(states: Sequence[State], players: Sequence[int], size: int) -> Floats:
    """[B, size], each state in the view of its player; zeros once the game is over: its value is known."""
    seen = np.zeros((len(states), size), np.float32)
    for row, (state, player) in enumerate(zip(states, players, strict=True)):
        if not state.is_terminal():
            seen[row] = np.asarray(state.observation_tensor(player)).ravel()  # type: ignore[attr-defined]
    return seen
