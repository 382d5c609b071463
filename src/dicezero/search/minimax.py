"""Minimax, alpha-beta and expectiminimax: one search with options, on any game that follows the protocol."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from dicezero import _native
from dicezero.rules.protocol import Game, State, is_chance, max_outcomes
from dicezero.search.minimax_config import Algorithm, ChancePruning, MinimaxConfig, Ordering, ProbCut
from dicezero.search.recording import Recording, Step
from dicezero.search.result import SearchResult

__all__ = [
    "Algorithm",
    "ChancePruning",
    "Evaluate",
    "IsQuiet",
    "MinimaxConfig",
    "Ordering",
    "ProbCut",
    "Recording",
    "Step",
    "minimax_search",
]

# An estimate of the utility of a state, over or not, for the player of that number; chance may be to act.
Evaluate = Callable[[Any, int], float]
# Whether no move from here would change the evaluation radically.
IsQuiet = Callable[[Any], bool]


def minimax_search(
    game: Game,
    state: State,
    config: MinimaxConfig | None = None,
    *,
    evaluate: Evaluate | None = None,
    is_quiet: IsQuiet | None = None,
    record: Recording | None = None,
) -> SearchResult:
    """Searches ``state``, at which a player is to move; values are for that player.

    Args:
        game: one of ours, an OpenSpiel game, or any object that follows ``rules.protocol``.
        state: a choice node of it; it is not changed.
        config: how to search; the default is alpha-beta of six plies.
        evaluate: ``f(state, player) -> float``, the worth to ``player`` of a state at the horizon, within the
            game's utilities. Default: the state's own ``evaluate(player)`` if it has one, the
            weighted linear one of a native game, and else the middle of the utilities.
        is_quiet: ``f(state) -> bool``, asked at the horizon when ``config.quiescence`` is positive. Default:
            the state's own ``is_quiet()`` if it has one, a native game's own, and else everything is quiet.
        record: filled with the searched tree and its steps; the tree is also in the result.

    Returns:
        The result; ``stopped`` is "complete" (the value is exact, whatever the depth), "depth", "nodes",
        "time", "interrupted" (Ctrl-C) or "one legal move".

    Raises:
        ValueError: the game does not suit the algorithm, the state is not a choice node, or ``evaluate``
            returned something that is no number within the game's utilities.
    """
    config = MinimaxConfig() if config is None else config
    chance = config.algorithm == "expectiminimax"
    check_suits(game, state, config.algorithm)
    native = _native.is_native(game)
    own = "the game's" if _native.evaluates(game) else "none"
    if evaluate is None and not native and hasattr(state, "evaluate"):
        evaluate, own = (lambda s, player: s.evaluate(player)), "the game's"
    elif evaluate is not None:
        own = "the caller's"
    if is_quiet is None and not native and hasattr(state, "is_quiet"):
        is_quiet = lambda s: s.is_quiet()  # noqa: E731 - the shortest form
    start = time.perf_counter()
    report = _native.minimax_search(
        game,
        state,
        native_options(game, config, chance=chance),
        evaluate=evaluate,
        is_quiet=is_quiet,
        record_nodes=record.max_nodes if record is not None else 0,
    )
    seconds = time.perf_counter() - start
    if record is not None:
        record.fill(report["recording"])
    return SearchResult(
        action=report["action"],
        value=report["value"] + 0.0,  # a draw is 0.0 to either side, never -0.0
        action_values=report["action_values"],
        visits=report["visits"],
        nodes=report["nodes"],
        leaves=report["leaves"],
        cutoffs=report["cutoffs"],
        principal_variation=tuple(report["line"]),
        stopped=report["stopped"],
        seconds=seconds,
        details={"depth": report["depth"], "table_hits": report["table_hits"], "evaluation": own},
        tree=record.tree if record is not None else None,
    )


def check_suits(game: Game, state: State, algorithm: Algorithm) -> None:
    """ValueError where the game or the state cannot be searched so."""
    name = str(game)
    if algorithm != "expectiminimax" and max_outcomes(game) > 0:
        raise ValueError(f"{name} has chance nodes, which {algorithm} does not handle; use expectiminimax")
    if game.num_players() > 2:
        raise ValueError(f"{name} has {game.num_players()} players; minimax is for one or two")
    get_type = getattr(game, "get_type", None)
    if get_type is not None:  # an OpenSpiel game has a type
        traits = get_type()
        if traits.dynamics.name != "SEQUENTIAL":
            raise ValueError(f"{name} has simultaneous moves; minimax needs a turn-based game")
        if traits.information.name != "PERFECT_INFORMATION":
            raise ValueError(f"{name} hides information from its players; minimax needs perfect information")
        if game.num_players() == 2 and traits.utility.name != "ZERO_SUM":
            raise ValueError(f"{name} is not a zero-sum game; minimax needs one")
    if state.is_terminal():
        raise ValueError("the game is over: there is no move to search")
    if is_chance(state):
        raise ValueError("the state is a chance node; apply an outcome first")


def _utility(game: Game, name: str, default: float) -> float:
    """A bound of the utilities; a plain Python game need not offer it."""
    method = getattr(game, name, None)
    if method is None:
        return default
    value = float(method())
    if math.isnan(value):
        raise ValueError(f"{name}() of {game} is not a number")
    return value


def native_options(game: Game, config: MinimaxConfig, *, chance: bool) -> Any:
    """The configuration as the core takes it, with the game's utilities."""
    options = _native.MinimaxOptions()
    options.prune = config.prunes
    options.chance = chance
    options.chance_pruning = _native.ChancePruning[config.chance_pruning]
    horizon = config.horizon(tree_is_explicit=bool(getattr(game, "tree_is_explicit", False)))
    if horizon is not None:
        options.depth = horizon
    if config.max_nodes is not None:
        options.max_nodes = config.max_nodes
    if config.max_seconds is not None:
        options.max_seconds = config.max_seconds
    options.iterative = config.deepens
    options.ordering = _native.MoveOrdering[config.effective_ordering]
    options.table_entries = config.effective_table_entries
    options.quiescence = config.quiescence
    options.beam = config.beam or 0
    if config.singular_margin is not None:
        options.singular_margin = config.singular_margin
        options.singular_extensions = config.singular_extensions
    if config.probcut is not None:
        probcut = _native.ProbCutOptions()
        for field in ("depth", "shallow", "slope", "offset", "sigma", "threshold"):
            setattr(probcut, field, getattr(config.probcut, field))
        options.probcut = probcut
    options.exact_root = config.exact_root
    options.skip_forced = config.skip_forced
    options.utility_bounds = config.utility_bounds
    options.min_utility = _utility(game, "min_utility", -math.inf)
    options.max_utility = _utility(game, "max_utility", math.inf)
    if options.min_utility > options.max_utility:
        raise ValueError(f"{game} has min_utility() above max_utility()")
    return options
