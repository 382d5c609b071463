"""Monte Carlo tree search: UCT, NMCTS and flat Monte Carlo, on any game that follows the protocol.

docs/explanation/algorithms/mcts.md defines them; they run on the planner's tree.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from dicezero import _native
from dicezero.rules.door import checked_player
from dicezero.rules.protocol import CHANCE_PLAYER, TERMINAL_PLAYER, Game, State
from dicezero.rules.registry import load_game
from dicezero.search.result import SearchResult
from dicezero.search.tree import TreeNode
from dicezero.search.trees import Trees
from dicezero.search.uct_config import FlatConfig, FlatRoot, UctConfig, check_utilities

__all__ = [
    "Evaluate",
    "FlatConfig",
    "PlayoutFunction",
    "UctConfig",
    "UctSearcher",
    "flat_monte_carlo",
    "nmcts_search",
    "uct_search",
]

# An estimate of the utility of a state for the player of that number; chance may be to act.
Evaluate = Callable[[Any, int], float]
# The move of a play-out: (state, generator to draw from) -> a legal action.
PlayoutFunction = Callable[[Any, random.Random], int]


class Record(Protocol):
    """What ``record`` must offer, as ``search.recording.Recording`` does: how much to keep, and where."""

    max_nodes: int
    tree: TreeNode | None


class UctSearcher:
    """Searches one game move after move and keeps what it knows of the position that is reached.

    >>> searcher = UctSearcher(game, UctConfig(simulations=1000))
    >>> found = searcher.search(state, seed=1)
    >>> searcher.advance(found.action, roll, reply)   # whatever happened since, chance outcomes included
    """

    def __init__(
        self,
        game: Game,
        config: UctConfig | None = None,
        *,
        evaluate: Evaluate | None = None,
        playout: PlayoutFunction | None = None,
    ) -> None:
        """The arguments are those of :func:`uct_search`."""
        self.game = load_game(game)
        self.config = _checked_config(config, UctConfig())
        self._utilities = _utilities(self.game, self.config)
        self._evaluate = evaluate
        self._playout = playout
        if self.config.playout != "random" and playout is None:
            self._evaluate = evaluate or _own_evaluation(self.game, self.config.playout)
        self._native = _native.uct_searcher(self.game)
        self._mover = 0
        self._paid = 0.0  # before the last root, which the tree's values count

    def search(self, state: State, *, seed: int, record: Record | None = None) -> SearchResult:
        """Searches ``state``, at which a player is to move; values are for that player.

        ``details["reused"]`` is the number of visits the tree brought along: 0 unless ``advance`` led here.
        """
        mover = _checked_mover(state, self.game.num_players())
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**64:
            raise ValueError(f"seed={seed!r} is out of range; give 0..2**64-1")
        if record is not None:
            self._check_one_tree()
        self._mover = mover
        start = time.perf_counter()
        answer = self._native.search(
            state,
            self.config,
            int(seed),
            *self._utilities,
            None if self.config.playout == "random" or self._playout is not None else self._evaluate,
            self._choose(int(seed)),
            isinstance(self.config, FlatConfig),
        )
        seconds = time.perf_counter() - start
        self._paid = answer["paid"]
        if record is not None:
            record.tree = self.tree(max_nodes=record.max_nodes)
        simulations = answer["simulations"]
        return SearchResult(
            action=answer["action"],
            value=answer["value"],
            action_values=answer["action_values"],
            visits=answer["visits"],
            nodes=answer["nodes"],
            leaves=simulations,
            cutoffs=0,
            principal_variation=tuple(answer["line"]),
            stopped=answer["stopped"],
            seconds=seconds,
            details={
                "simulations": simulations,
                "saved": int(answer["saved"]),
                "reused": answer["reused"],
                "bytes": answer["bytes"],
            },
            tree=record.tree if record is not None else None,
        )

    def advance(self, *actions: int) -> bool:
        """Follows what has happened since, chance outcomes included; whether the tree still reaches there.

        Without it the next search starts anew; ``advance()`` alone lets it go on from the same position.
        """
        return bool(self._native.advance(list(actions)))

    def tree(self, *, max_depth: int = 64, max_nodes: int = 10_000, min_visits: int = 1) -> TreeNode:
        """The last search's tree as plain data (see :meth:`Trees.export`)."""
        self._check_one_tree()
        if self._native.forest is None:
            raise ValueError("there is no tree yet; search() first")
        mover = np.array([self._mover], np.int32)
        trees = Trees(self._native.forest, mover, learned=False, paid=self._paid)
        return trees.export(0, max_depth=max_depth, max_nodes=max_nodes, min_visits=min_visits)

    def _check_one_tree(self) -> None:
        if self.config.trees > 1:
            grown = self.config.trees
            raise ValueError(f"trees={grown} grows several trees; to keep one, search with trees=1")

    def _choose(self, seed: int) -> Callable[[Any], int] | None:
        if self._playout is None:
            return None
        playout, generator = self._playout, random.Random(seed)
        return lambda state: playout(state, generator)


def uct_search(
    game: Game,
    state: State,
    config: UctConfig | None = None,
    *,
    seed: int,
    evaluate: Evaluate | None = None,
    playout: PlayoutFunction | None = None,
    record: Record | None = None,
) -> SearchResult:
    """UCT (Algorithm 1): UCB1 down the tree, one new node, a play-out, and its result backed up.

    Args:
        game: one of ours, an OpenSpiel game, or any object that follows ``rules.protocol``.
        state: a choice node of it; it is not changed.
        config: how to search.
        seed: names every random draw; with a budget in simulations one seed gives one result.
        evaluate: ``f(state, player) -> float`` within the game's utilities, for ``config.playout`` "greedy"
            and "softmax". Default: the state's own ``evaluate(player)``, or the native games' linear one.
        playout: ``f(state, generator) -> action``, the moves of the play-outs instead of ``config.playout``;
            ``generator`` is a ``random.Random`` named by the seed.
        record: gets the searched tree, up to its ``max_nodes``; it is also in the result.

    Returns:
        The result. ``value`` is the mean of all simulations; ``stopped`` is "simulations", "time", "nodes",
        "interrupted" (Ctrl-C), "one legal move", "decided" or "tied"; ``details`` has the simulations made,
        those saved by stopping early, the visits reused, and the tree's bytes.

    Raises:
        ValueError: the state is not a choice node, ``playout`` returned an illegal action, ``evaluate`` is
            missing or returned no number within the utilities. What the game, ``evaluate`` or ``playout``
            raises comes through, with a note that shows the state.
    """
    searcher = UctSearcher(game, config, evaluate=evaluate, playout=playout)
    return searcher.search(state, seed=seed, record=record)


def nmcts_search(
    game: Game,
    state: State,
    config: UctConfig | None = None,
    *,
    seed: int,
    evaluate: Evaluate | None = None,
    playout: PlayoutFunction | None = None,
    record: Record | None = None,
) -> SearchResult:
    """Nondeterministic MCTS (Yen et al. 2014), of which McGammon (Van Lishout et al. 2007) is a case.

    A nondeterministic node of theirs is an action edge that leads to one of our chance nodes; its inner
    nodes, each with visits, wins and a subtree of its own, are that chance node's outcome edges, chosen by
    roulette. So the search is :func:`uct_search` with ``chance="roulette"`` and no widening, visit for visit;
    what this adds is that no other setting is taken for NMCTS, and ``details["inner_nodes"]``, how many inner
    nodes the tree has.
    """
    config = _checked_config(config, UctConfig())
    if config.chance != "roulette" or config.widen_chance_k > 0.0:
        raise ValueError("NMCTS draws inner nodes by roulette; use chance='roulette' and widen_chance_k=0")
    searcher = UctSearcher(game, config, evaluate=evaluate, playout=playout)
    result = searcher.search(state, seed=seed, record=record)
    result.details["inner_nodes"] = searcher._native.inner_nodes()
    return result


def flat_monte_carlo(
    game: Game,
    state: State,
    simulations: int | None = None,
    *,
    root: FlatRoot = "uniform",
    seed: int,
    config: FlatConfig | None = None,
    evaluate: Evaluate | None = None,
    playout: PlayoutFunction | None = None,
) -> SearchResult:
    """Pure Monte Carlo search: play-outs after each legal move, and the move with the best mean.

    The simulations are shared out evenly (``uniform``) or by UCB1 at the root only (``ucb1``). ``config``, in
    place of ``simulations`` and ``root``, sets everything else.
    """
    if config is None:
        config = FlatConfig(simulations=simulations, root=root, final="mean")
    elif simulations is not None:
        raise ValueError(f"simulations={simulations!r} and config are both given; set config.simulations")
    searcher = UctSearcher(game, _checked_config(config, FlatConfig()), evaluate=evaluate, playout=playout)
    return searcher.search(state, seed=seed)


def _checked_config(config: UctConfig | None, default: UctConfig) -> UctConfig:
    if config is None:
        return default
    if not isinstance(config, type(default)):
        raise ValueError(f"config={config!r} must be a {type(default).__name__}")
    return config


def _checked_mover(state: State, players: int) -> int:
    mover = checked_player(state, players)
    if mover == TERMINAL_PLAYER:
        raise ValueError("the game is over: there is no move to search")
    if mover == CHANCE_PLAYER:
        raise ValueError("the state is a chance node; apply an outcome first")
    return mover


def _utilities(game: Game, config: UctConfig) -> tuple[float, float]:
    if config.utility_range is not None:
        return config.utility_range
    ask = [getattr(game, name, None) for name in ("min_utility", "max_utility")]
    if None in ask:
        return (-1.0, 1.0) if game.num_players() == 2 else (-math.inf, math.inf)
    utilities = (float(ask[0]()), float(ask[1]()))  # type: ignore[misc]
    if any(map(math.isinf, utilities)):
        return (-math.inf, math.inf)  # Q is then scaled by what the search has seen
    check_utilities(f"(min_utility(), max_utility()) of {game}", utilities)
    return utilities


def _own_evaluation(game: Game, policy: str) -> Evaluate | None:
    """What the game itself offers: None stands for a native one."""
    if _native.evaluates(game):
        return None
    if callable(getattr(game.new_initial_state(), "evaluate", None)):
        return lambda state, player: float(state.evaluate(player))
    raise ValueError(f"playout={policy!r} needs an evaluation; give evaluate=f(state, player) -> float")
