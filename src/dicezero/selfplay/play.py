"""Self-play: a planner decides for all sides, every random choice named by (seed, round, game, move)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from dicezero.rules.protocol import Game
from dicezero.rules.spec import GameSpec, spec_of
from dicezero.search.config import SearchConfig
from dicezero.selfplay.drive import Choice, Rules, Turn, drive, episode_limit
from dicezero.selfplay.episode import Episode
from dicezero.selfplay.planners import Decisions, Floats, Planner, decide
from dicezero.selfplay.seeds import SeedArray, address_seed, extended_seeds, extended_uniforms
from dicezero.selfplay.states import Positions, drawn_rows, positions_of

_SEARCH, _DRAW, _STRAY, _STRAY_MOVE, _FULL = range(5)  # the last part of an address: what the number is for


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
    fast_simulations: int = 0,
    full_share: float = 0.25,
    max_moves: int = 0,
    opening_moves: int = 0,
    together: int = 0,
    spec: GameSpec | None = None,
    on_moves: Callable[[int, int], None] | None = None,
) -> list[Episode]:
    """Plays the games of those numbers against itself and returns them in that order.

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
        epsilon: the probability that a decision's move is any legal one, each as likely.
        fast_simulations: playout-cap randomisation: a decision is searched in full with probability
            ``full_share`` alone, else with so many simulations and without noise, and then its policy is
            recorded as zeros, which recommend nothing; 0 searches all in full.
        full_share: of the decisions, 0..1.
        max_moves: decisions after which a game is cut off and its end estimated; 0 is the game's own limit.
        opening_moves: a game begins after 0..``opening_moves`` random moves, which are not recorded.
        together: games under way at once, 0 for all.
        spec: of the game, if it is known.
        on_moves: called with (games over, decisions made) each time every game has moved.
    """
    spec = spec or spec_of(game)

    def choose(turn: Turn) -> Choice:
        # Step 1. The search decides; early in a game its visits are drawn from (a forced move has none).
        positions = positions_of(game, spec, turn.states)
        seeds, full = extended_seeds(turn.seeds, _SEARCH), None
        if fast_simulations:
            full = extended_uniforms(turn.seeds, _FULL) < full_share
            fast = replace(config, simulations=fast_simulations)
            decisions = _by_kind(planner, positions, (config, fast), seeds, full)
        else:
            decisions = decide(planner, positions, config, seeds, noise=True)
        searched = decisions.visits.any(axis=1, keepdims=True)
        shares = np.where(searched, decisions.visits, decisions.policy).astype(np.float32)
        drawn = drawn_rows(shares, extended_uniforms(turn.seeds, _DRAW))
        action = np.where(turn.decision < explore_moves, drawn, decisions.action)
        # Step 2. Now and then any move at all.
        if epsilon:
            stray = extended_uniforms(turn.seeds, _STRAY) < epsilon
            anywhere = extended_uniforms(turn.seeds, _STRAY_MOVE)
            action = np.where(stray, drawn_rows(positions.legal.astype(np.float32), anywhere), action)
        return Choice(
            action=action.astype(np.int32),
            value=decisions.value * np.float32(config.value_scale),
            legal=positions.legal,
            policy=decisions.policy if full is None else decisions.policy * full[:, None].astype(np.float32),
            frame=positions.frame,
        )

    def expected(turn: Turn) -> Floats:
        value = planner.predict(positions_of(game, spec, turn.states))[1]
        return np.asarray(value * np.float32(config.value_scale), np.float32)

    rules = Rules(
        limit=episode_limit(spec, max_moves),
        together=together,
        afterstates=planner.afterstates,
        opening=opening_moves,
        before_rolls=config.chance_value == "afterstate" and not planner.afterstates,
    )
    addresses = np.array([address_seed(seed, round_index, number) for number in games], np.uint64)
    return drive(game, spec, choose, seeds=addresses, expected=expected, rules=rules, on_moves=on_moves)


def _by_kind(
    planner: Planner,
    positions: Positions,
    configs: tuple[SearchConfig, SearchConfig],
    seeds: SeedArray,
    full: npt.NDArray[np.bool_],
) -> Decisions:
    """Searches with the first configuration and noise where ``full`` [B], else with the second and none."""
    kinds = (np.flatnonzero(full), np.flatnonzero(~full))
    parts = [
        decide(planner, positions.rows(here), config, seeds[here], noise=noise)
        for here, config, noise in zip(kinds, configs, (True, False), strict=True)
    ]
    order = np.argsort(np.concatenate(kinds))
    joined = {name: np.concatenate([getattr(part, name) for part in parts])[order] for name in vars(parts[0])}
    return Decisions(**joined)
