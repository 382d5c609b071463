"""How the planner searches: one frozen record, checked at birth."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, get_args

RootRule = Literal["puct", "gumbel", "gumbel_with_replacement", "trpo", "mpo"]
InteriorRule = Literal["puct", "improved", "improved_sampled", "trpo", "mpo"]
ChanceRule = Literal["roulette", "low_variance", "expectation"]
ChanceValue = Literal["mean", "completed", "afterstate"]
Players = Literal["single", "alternate", "learned"]
QNormalisation = Literal["siblings", "tree", "fixed", "none"]
CompletedQ = Literal["mixed", "raw"]
Budget = Literal["evaluations", "paper"]
TerminalValue = Literal["own", "ancestor"]


def _check_choice(name: str, value: object, choices: object) -> None:
    allowed = get_args(choices)
    if value not in allowed:
        raise ValueError(f"{name}={value!r} is unknown; give one of {', '.join(map(repr, allowed))}")


def _check_number(name: str, value: object, low: float, high: float, *, integer: bool = False) -> None:
    kinds = (int,) if integer else (int, float)
    if isinstance(value, bool) or not isinstance(value, kinds):
        raise ValueError(f"{name}={value!r} must be {'an integer' if integer else 'a number'}")
    if not (math.isfinite(value) and low <= value <= high):
        raise ValueError(f"{name}={value!r} is out of range; give {low:g}..{high:g}")


@dataclass(frozen=True)
class Puct:
    """The exploration term of PUCT, c P sqrt(sum N) / (1 + N).

    Attributes:
        form: c is ``init`` itself (``ndmz``: the NDMZ paper, line 50), or grows with the visits N of the
            node: init + log((1 + base + N) / base) (``muzero``).
        init: c where a node has few visits.
        base: visits at which c begins to grow.
    """

    form: Literal["ndmz", "muzero"] = "muzero"
    init: float = 1.25
    base: float = 19652.0

    def __post_init__(self) -> None:
        _check_choice("puct.form", self.form, Literal["ndmz", "muzero"])
        _check_number("puct.init", self.init, 0.0, 1e6)
        _check_number("puct.base", self.base, 1.0, 1e12)


@dataclass(frozen=True)
class Dirichlet:
    """Noise mixed into the root's priors: (1 - fraction) P + fraction Dir(alpha).

    Attributes:
        fraction: of the noise; 0 is none.
        alpha: of the distribution; the smaller, the fewer actions get most of the noise.
    """

    fraction: float = 0.0
    alpha: float = 0.3

    def __post_init__(self) -> None:
        _check_number("dirichlet.fraction", self.fraction, 0.0, 1.0)
        _check_number("dirichlet.alpha", self.alpha, 1e-6, 1e6)


@dataclass(frozen=True)
class SearchConfig:
    """Everything in which tree searches differ.

    Attributes:
        simulations: the budget of one search, in units of ``budget``.
        root: how the root picks an action to search, and the final one.
        interior: how every other choice node picks.
        chance: how chance (and identity) nodes pick: sampled, the outcome most behind its share
            (argmax p - N / (1 + sum N)), or all outcomes at once, averaged by probability.
        chance_value: what a chance node is worth. ``mean``: the mean of what came back through it.
            ``completed``: in a model a new chance node is a leaf with the model's value of it, which each
            outcome seen corrects by p times what search has changed there; over true rules sum p Q, the
            unseen standing at the mean of the seen. ``afterstate``: over true rules too the network evaluates
            the chance node, in the view of the player who moved last; it has to have learned that.
        players: who moves below the root of a learned model: always the same, the other one each time, or
            whom the model's identity head names. Searches over true rules ask the rules.
        discount: what the value of the next decision counts, in (0, 1]; for learned models. A search over
            true rules takes the game's own, and refuses another.
        value_scale: over true rules, returns and rewards are divided by this in the tree; the network's
            values and the result's are on that scale.
        q_normalisation: how Q enters PUCT and the improved policy: scaled to [0, 1] within the node, by the
            least and greatest Q of the tree, by ``q_range``, or not at all.
        q_range: the range of ``fixed``.
        max_considered_actions: m, the actions that Gumbel samples at the root.
        c_visit, c_scale: sigma(q) = (c_visit + max N) c_scale q (eq. 8).
        completed_q: unvisited actions get v_mix (eq. 33) or the network's value.
        puct, dirichlet: see there.
        forced_playouts: k of a PUCT root (2 in Wu 2019, 0 is off): an action once tried is visited at least
            sqrt(k P sum N) times, so that one that noise proposed is judged.
        prune_targets: the policy of a PUCT root leaves out visits that were forced and that PUCT would not
            have made in the end; nothing without ``forced_playouts``.
        prove: over true rules, what the tree has reached the end of is known: a move that wins all there is
            to win proves its position, and so do moves of which all are known; what came back before over a
            move that is known now counts as that. Chance is not proved.
        proof_nodes: of a planner over true rules without chance: alpha-beta first tries to prove what the
            position is worth, with so many nodes at most; where it succeeds, its move is played and nothing
            is searched. 0 does not try.
        budget: ``evaluations`` counts network evaluations (a simulation that needs none counts one);
            ``paper`` counts the NDMZ paper's tree descents, many of which end without a backup.
        terminal: the value of a learned terminal node: the network's own there, for the last mover, or
            the nearest choice node's (the paper).
        max_depth: steps of the model below the root; at that depth a position's own value is backed up again
            and again. 0 is no limit.
        edges_on_need_above: a learned model with more actions than this makes an edge when it is first taken
            (PUCT and the improved policy below the root; other rules need all edges). Results are the same, a
            search of 4,672 actions takes a fiftieth of the memory.
        temperature: of the final choice by visits (PUCT); 0 takes the most visited.
        threads: the batch is split into that many parts; results do not depend on it.
    """

    simulations: int = 100
    root: RootRule = "gumbel"
    interior: InteriorRule = "improved"
    chance: ChanceRule = "low_variance"
    chance_value: ChanceValue = "mean"
    players: Players = "learned"
    discount: float = 1.0
    value_scale: float = 1.0
    q_normalisation: QNormalisation = "siblings"
    q_range: tuple[float, float] = (-1.0, 1.0)
    max_considered_actions: int = 16
    c_visit: float = 50.0
    c_scale: float = 1.0
    completed_q: CompletedQ = "mixed"
    puct: Puct = field(default_factory=Puct)
    dirichlet: Dirichlet = field(default_factory=Dirichlet)
    forced_playouts: float = 0.0
    prune_targets: bool = False
    prove: bool = False
    proof_nodes: int = 0
    budget: Budget = "evaluations"
    terminal: TerminalValue = "own"
    max_depth: int = 0
    edges_on_need_above: int = 256
    temperature: float = 1.0
    threads: int = 1

    def __post_init__(self) -> None:
        _check_number("simulations", self.simulations, 1, 10_000_000, integer=True)
        _check_choice("root", self.root, RootRule)
        _check_choice("interior", self.interior, InteriorRule)
        _check_choice("chance", self.chance, ChanceRule)
        _check_choice("chance_value", self.chance_value, ChanceValue)
        _check_choice("players", self.players, Players)
        _check_number("discount", self.discount, 1e-9, 1.0)
        _check_number("value_scale", self.value_scale, 1e-9, 1e12)
        _check_choice("q_normalisation", self.q_normalisation, QNormalisation)
        for end in self.q_range:
            _check_number("q_range", end, -1e9, 1e9)
        if len(self.q_range) != 2 or not self.q_range[0] < self.q_range[1]:
            raise ValueError(f"q_range={self.q_range!r} must be (low, high) with low < high")
        _check_number("max_considered_actions", self.max_considered_actions, 1, 1_000_000, integer=True)
        _check_number("c_visit", self.c_visit, 0.0, 1e9)
        _check_number("c_scale", self.c_scale, 0.0, 1e9)
        _check_choice("completed_q", self.completed_q, CompletedQ)
        if not isinstance(self.puct, Puct):
            raise ValueError(f"puct={self.puct!r} must be a Puct(form, init, base)")
        if not isinstance(self.dirichlet, Dirichlet):
            raise ValueError(f"dirichlet={self.dirichlet!r} must be a Dirichlet(fraction, alpha)")
        _check_number("forced_playouts", self.forced_playouts, 0.0, 1e6)
        _check_number("proof_nodes", self.proof_nodes, 0, 10**12, integer=True)
        for name in ("prune_targets", "prove"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name}={getattr(self, name)!r} must be True or False")
        for name in ("forced_playouts", "prune_targets"):
            if getattr(self, name) and self.root != "puct":
                raise ValueError(
                    f"{name}={getattr(self, name)!r} is of a PUCT root, not of root={self.root!r}; "
                    f"leave {name} out"
                )
        _check_choice("budget", self.budget, Budget)
        _check_choice("terminal", self.terminal, TerminalValue)
        _check_number("max_depth", self.max_depth, 0, 1_000_000, integer=True)
        _check_number("edges_on_need_above", self.edges_on_need_above, 0, 1_000_000_000, integer=True)
        _check_number("temperature", self.temperature, 0.0, 1e9)
        for clash, remedy in (
            (("budget", "paper", "chance", "expectation"), "use budget='evaluations'"),
            (("budget", "paper", "chance_value", "completed"), "use budget='evaluations'"),
            (("budget", "paper", "chance_value", "afterstate"), "use budget='evaluations'"),
            (("chance", "expectation", "chance_value", "completed"), "use chance='low_variance'"),
            (("chance", "expectation", "chance_value", "afterstate"), "use chance='low_variance'"),
        ):
            if getattr(self, clash[0]) == clash[1] and getattr(self, clash[2]) == clash[3]:
                raise ValueError("{}={!r} with {}={!r} is undefined; {}".format(*clash, remedy))
        _check_number("threads", self.threads, 1, 256, integer=True)
