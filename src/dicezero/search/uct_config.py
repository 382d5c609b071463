"""How a Monte Carlo tree search searches: frozen records, checked at birth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dicezero.search.config import _check_choice, _check_number

Playout = Literal["random", "sensible", "greedy", "softmax"]
FinalMove = Literal["visits", "mean"]
Chance = Literal["roulette", "low_variance"]
Order = Literal["random", "id"]
FlatRoot = Literal["uniform", "ucb1"]

DEFAULT_SIMULATIONS = 1000


@dataclass(frozen=True)
class UctConfig:
    """Everything in which Monte Carlo tree searches differ. The defaults are Algorithm 1.

    Attributes:
        simulations: the budget in simulations, each of which adds a node; None means 1000 without
            ``seconds``, and no limit with it.
        seconds: the budget in wall-clock time; with both, whichever ends first.
        c: UCB1's constant: argmax of W / N + c sqrt(ln N(parent) / N), with W / N scaled to [0, 1] by the
            game's utilities.
        playout: moves of a play-out: uniformly ``random``; ``sensible``, random but for what the game itself
            knows to be senseless (in Go a player fills no eye of its own, and passes only where it must);
            ``greedy``, the best by a one-ply evaluation, but
            random with probability ``playout_epsilon``; ``softmax`` of that evaluation over
            ``playout_temperature``.
        playout_epsilon: of greedy play-outs, the share of random moves.
        playout_temperature: of softmax play-outs, in the game's utility.
        playouts: play-outs averaged at each new leaf.
        final: play the action with the most ``visits`` or with the best ``mean`` (Algorithm 1, line 7).
        chance: outcomes sampled (``roulette``) or the one most behind its share (``low_variance``).
        order: untried actions come in ``random`` order, drawn by the seed, or by ``id``.
        widen_choice_k, widen_choice_alpha: a choice node of N visits has at most max(1, ceil(k N^alpha))
            children; 0 is no limit.
        widen_chance_k, widen_chance_alpha: the same for chance nodes.
        stop_forced: one legal move is played out once and played.
        stop_decided: stop when no way to spend the rest of the budget changes the final move; under a time
            budget the rest is estimated from the pace so far.
        tie_bound: stop when, with 95 % confidence, no action beats the leader by more than this share of the
            utility range; 0 is off.
        trees: so many trees are searched apart, each with its share of the simulations (the whole time) and a
            seed of its own, and the statistics of their roots are summed. The result depends on it.
        threads: that grow the trees at the same time; None takes the processor's. The result does not depend
            on it; what calls Python stays on one.
        max_nodes: the tree stops the search when it has that many nodes; several share them.
        utility_range: (low, high) of the returns; None takes the game's. One for two without bounds has
            (-1, 1). A game without bounds is scaled by the least and greatest Q the tree has seen.
    """

    simulations: int | None = None
    seconds: float | None = None
    c: float = 1.4
    playout: Playout = "random"
    playout_epsilon: float = 0.1
    playout_temperature: float = 0.1
    playouts: int = 1
    final: FinalMove = "visits"
    chance: Chance = "roulette"
    order: Order = "random"
    widen_choice_k: float = 0.0
    widen_choice_alpha: float = 0.5
    widen_chance_k: float = 0.0
    widen_chance_alpha: float = 0.5
    stop_forced: bool = False
    stop_decided: bool = False
    tie_bound: float = 0.0
    trees: int = 1
    threads: int | None = None
    max_nodes: int = 50_000_000
    utility_range: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None:
            object.__setattr__(self, "simulations", DEFAULT_SIMULATIONS)
        if self.simulations is not None:
            _check_number("simulations", self.simulations, 1, 1_000_000_000, integer=True)
        if self.seconds is not None:
            _check_number("seconds", self.seconds, 1e-6, 1e9)
        _check_number("c", self.c, 0.0, 1e9)
        _check_choice("playout", self.playout, Playout)
        _check_number("playout_epsilon", self.playout_epsilon, 0.0, 1.0)
        _check_number("playout_temperature", self.playout_temperature, 1e-9, 1e9)
        _check_number("playouts", self.playouts, 1, 1_000_000, integer=True)
        _check_choice("final", self.final, FinalMove)
        _check_choice("chance", self.chance, Chance)
        _check_choice("order", self.order, Order)
        for node in ("choice", "chance"):
            _check_number(f"widen_{node}_k", getattr(self, f"widen_{node}_k"), 0.0, 1e9)
            _check_number(f"widen_{node}_alpha", getattr(self, f"widen_{node}_alpha"), 0.0, 1.0)
        for name in ("stop_forced", "stop_decided"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name}={getattr(self, name)!r} must be True or False")
        _check_number("tie_bound", self.tie_bound, 0.0, 1.0)
        _check_number("trees", self.trees, 1, 1024, integer=True)
        if self.threads is not None:
            _check_number("threads", self.threads, 1, 1024, integer=True)
        self._check_trees()
        _check_number("max_nodes", self.max_nodes, 1, 1_000_000_000, integer=True)
        if self.utility_range is not None:
            check_utilities("utility_range", self.utility_range)
        if self.widen_chance_k > 0.0 and self.chance != "roulette":
            raise ValueError(
                f"widen_chance_k={self.widen_chance_k!r} samples outcomes; use chance='roulette'"
            )

    def _check_trees(self) -> None:
        if self.trees == 1:
            return
        if self.simulations is not None and self.simulations < self.trees:
            raise ValueError(f"trees={self.trees} must be at most simulations={self.simulations}")
        for name in ("stop_decided", "tie_bound"):
            if getattr(self, name):
                raise ValueError(f"{name} watches the root of one tree; use trees=1, not trees={self.trees}")


@dataclass(frozen=True)
class FlatConfig(UctConfig):
    """Flat Monte Carlo: only the root's actions have statistics.

    Attributes:
        root: every action gets the same number of simulations (``uniform``), or UCB1 shares them (``ucb1``).
    """

    root: FlatRoot = "uniform"

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_choice("root", self.root, FlatRoot)


def check_utilities(name: str, utilities: tuple[float, float]) -> None:
    """Raises ValueError unless ``utilities`` is a finite (low, high) with low < high."""
    if len(utilities) != 2:
        raise ValueError(f"{name}={utilities!r} must be (low, high)")
    for end in utilities:
        _check_number(name, end, -1e12, 1e12)
    if not utilities[0] < utilities[1]:
        raise ValueError(f"{name}={utilities!r} must be (low, high) with low < high")
