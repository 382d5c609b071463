"""How a minimax search searches: frozen records, checked at birth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dicezero.search.config import _check_choice, _check_number

Algorithm = Literal["minimax", "alphabeta", "expectiminimax"]
Ordering = Literal["none", "evaluation", "full"]
ChancePruning = Literal["none", "star1", "star2"]

DEFAULT_TABLE_ENTRIES = 1 << 21
DEFAULT_DEPTH: dict[Algorithm, int] = {"minimax": 4, "alphabeta": 6, "expectiminimax": 2}  # plies


def _check_flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise ValueError(f"{name}={value!r} must be True or False")


@dataclass(frozen=True)
class ProbCut:
    """Forward pruning by statistics: a shallow search predicts a deep one (fit_probcut measures how well).

    At nodes ``depth`` plies from the horizon, a search of ``shallow`` plies worth v (for the mover) predicts
    slope * v + offset with a normal error of standard deviation ``sigma``. The node is pruned when that is
    ``threshold`` standard deviations outside the window.
    """

    depth: int
    shallow: int
    slope: float = 1.0
    offset: float = 0.0
    sigma: float = 0.1
    threshold: float = 1.5

    def __post_init__(self) -> None:
        _check_number("probcut.depth", self.depth, 2, 1000, integer=True)
        _check_number("probcut.shallow", self.shallow, 1, self.depth - 1, integer=True)
        _check_number("probcut.slope", self.slope, 1e-6, 1e6)
        _check_number("probcut.offset", self.offset, -1e9, 1e9)
        _check_number("probcut.sigma", self.sigma, 0.0, 1e9)
        _check_number("probcut.threshold", self.threshold, 0.0, 100.0)


@dataclass(frozen=True)
class MinimaxConfig:
    """Everything in which minimax searches differ.

    Without ``beam``, ``probcut`` and the extensions, every setting gives the same value at the same depth:
    they only change how many nodes it takes.

    Attributes:
        algorithm: ``minimax`` searches every branch; ``alphabeta`` prunes what cannot matter;
            ``expectiminimax`` is the one for games with chance.
        depth: the horizon, in choice plies (chance nodes cost none); None searches to the end of the game.
            "default": 4 plies for minimax, 6 for alphabeta, 2 for expectiminimax; to the end where a budget
            is given, or where the whole tree is written out (``search.explicit``).
        max_nodes, max_seconds: a budget. With one, the search deepens ply by ply and returns the best so far.
        iterative: deepen ply by ply without a budget too.
        ordering: moves in the game's order (``none``), by the evaluation of where they lead, or by everything
            known: table, the game's own knowledge, killer moves, history (``full``). "default": ``full``
            where branches are pruned, else ``none``.
        table_entries: size limit of the transposition table, 0 for none. None: 0 for minimax, 2^21 otherwise.
        chance_pruning: Ballard's ``star1`` or ``star2``, or ``none``: expectiminimax in full.
        quiescence: how many plies a position that is not quiet is searched past the horizon.
        beam: moves kept at each choice node, the best by evaluation; None keeps all.
        singular_margin: a move better than all others by this much, in a shallower search, is searched one
            ply deeper; None: no such extensions.
        singular_extensions: at most so many along one line of play.
        probcut: see there.
        exact_root: give every root move its exact value, not only a bound.
        skip_forced: play a single legal move without searching it.
        utility_bounds: start from the window [min_utility, max_utility] instead of an open one. The
            textbook's figures start from an open one.
    """

    algorithm: Algorithm = "alphabeta"
    depth: int | Literal["default"] | None = "default"
    max_nodes: int | None = None
    max_seconds: float | None = None
    iterative: bool = False
    ordering: Ordering | Literal["default"] = "default"
    table_entries: int | None = None
    chance_pruning: ChancePruning = "star2"
    quiescence: int = 0
    beam: int | None = None
    singular_margin: float | None = None
    singular_extensions: int = 4
    probcut: ProbCut | None = None
    exact_root: bool = False
    skip_forced: bool = False
    utility_bounds: bool = True

    def __post_init__(self) -> None:
        _check_choice("algorithm", self.algorithm, Algorithm)
        _check_choice("chance_pruning", self.chance_pruning, ChancePruning)
        if self.ordering != "default":
            _check_choice("ordering", self.ordering, Ordering)
        if self.depth is not None and self.depth != "default":
            _check_number("depth", self.depth, 1, 1000, integer=True)
        if self.max_nodes is not None:
            _check_number("max_nodes", self.max_nodes, 1, 10**15, integer=True)
        if self.max_seconds is not None:
            _check_number("max_seconds", self.max_seconds, 1e-6, 1e9)
        if self.table_entries is not None:
            _check_number("table_entries", self.table_entries, 0, 1 << 32, integer=True)
        if self.beam is not None:
            _check_number("beam", self.beam, 1, 1_000_000, integer=True)
        if self.singular_margin is not None:
            _check_number("singular_margin", self.singular_margin, 0.0, 1e9)
        _check_number("quiescence", self.quiescence, 0, 1000, integer=True)
        _check_number("singular_extensions", self.singular_extensions, 0, 100, integer=True)
        if self.probcut is not None and not isinstance(self.probcut, ProbCut):
            raise ValueError(
                f"probcut={self.probcut!r} must be a ProbCut(depth, shallow, ...); fit_probcut makes one"
            )
        for name in ("iterative", "exact_root", "skip_forced", "utility_bounds"):
            _check_flag(name, getattr(self, name))

    @property
    def prunes(self) -> bool:
        """Whether any branch may be left out."""
        if self.algorithm == "expectiminimax":
            return self.chance_pruning != "none"
        return self.algorithm == "alphabeta"

    def horizon(self, *, tree_is_explicit: bool) -> int | None:
        """Plies to look ahead, the default filled in; None is to the end of the game."""
        if self.depth != "default":
            return self.depth
        budget = self.max_nodes is not None or self.max_seconds is not None
        return None if budget or tree_is_explicit else DEFAULT_DEPTH[self.algorithm]

    @property
    def deepens(self) -> bool:
        """Whether the search goes ply by ply."""
        return self.iterative or self.max_nodes is not None or self.max_seconds is not None

    @property
    def effective_ordering(self) -> Ordering:
        """``ordering`` with its default filled in."""
        if self.ordering != "default":
            return self.ordering
        return "full" if self.prunes else "none"

    @property
    def effective_table_entries(self) -> int:
        """``table_entries`` with its default filled in."""
        if self.table_entries is not None:
            return self.table_entries
        return DEFAULT_TABLE_ENTRIES if self.prunes else 0
