"""N-tuple networks: a value is the sum of one entry from each of a few large tables.

A table belongs to a tuple of cells; the values of the cells name the entry, and every table is read under all
symmetries of the board. The tables are large and mostly untouched, so weights are kept as the bits of the
entries that learning has reached (``touched``) and a number for each of these (``weights``). Values are in
the game's own units. They learn while they play (``cpp/learn``).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
import numpy.typing as npt

from dicezero import _native
from dicezero.model.network import Kind, check_size
from dicezero.model.online import OnlineRound, OnlineSettings, OnProgress, Optimiser
from dicezero.model.weights import Floats, Shapes, Weights
from dicezero.rules.spec import CellsSpec

if TYPE_CHECKING:
    import jax

    from dicezero.rules.protocol import Game

Bits = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class TupleConfig:
    """Which tables, and how they learn.

    Attributes:
        set: the name of one of the game's sets of tuples; empty is its usual one.
        optimism: what every position is thought to be worth at first, in the game's units: above what is
            true it sends play to positions that were not seen yet.
        rates: ``coherent`` gives every entry a rate of its own, small where its errors cancel out (TC
            learning); ``constant`` gives all the same.
        lanes: games that are played in lock step. An error of each is learned from at once, so with many the
            steps add up where they meet.
    """

    set: str = ""
    optimism: float = 0.0
    rates: Literal["coherent", "constant"] = "coherent"
    lanes: int = 8

    def __post_init__(self) -> None:
        check_size("tuples.lanes", self.lanes, 1)
        if not abs(self.optimism) <= 1e9:
            raise ValueError(f"tuples.optimism={self.optimism!r} must be in -1e9..1e9")
        if self.rates not in ("coherent", "constant"):
            raise ValueError(f"tuples.rates={self.rates!r} must be coherent or constant")


@dataclass(frozen=True)
class TupleJudge:
    """A judge of afterstates that reads tables.

    Attributes:
        observation: numbers in an observation, O: planes, of which plane v has the cells of value v.
        cells: the board.
        config: which tables, and how they learn.
    """

    observation: int
    cells: CellsSpec
    config: TupleConfig = field(default_factory=TupleConfig)

    actions = 0
    hidden = 0
    identities = 0
    support = None

    def __post_init__(self) -> None:
        check_size("observation", self.observation, 1)
        self.tuples()

    @property
    def kind(self) -> Kind:
        """A judge of afterstates."""
        return "judge"

    def tuples(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each table; ValueError where the game has no such set."""
        sets = dict(self.cells.tuple_sets)
        name = self.config.set or self.cells.tuple_sets[0][0]
        if name not in sets:
            raise ValueError(f"tuples.set={name!r} is unknown; give one of {', '.join(sets)}")
        return sets[name]

    @property
    def entries(self) -> int:
        """Of all tables together."""
        bits = max(1, min(4, (self.cells.values - 1).bit_length()))
        return sum(1 << (bits * len(cells)) for cells in self.tuples())

    @property
    def first_weight(self) -> float:
        """What every entry begins with."""
        reads = len(self.tuples()) * len(self.cells.symmetries)
        return float(np.float32(self.config.optimism / reads))

    def shapes(self) -> Shapes:
        """The bits, and at the most so many weights as there are entries."""
        return {"touched": ((self.entries + 7) // 8,), "weights": (self.entries,)}

    def init(self, *, seed: int) -> Weights:  # noqa: ARG002 - all begin alike
        """Nothing touched yet."""
        bits = np.zeros((self.entries + 7) // 8, np.uint8)
        return {"touched": cast("Floats", bits), "weights": np.empty(0, np.float32)}

    def check(self, weights: Mapping[str, Any]) -> Weights:
        """The weights as they are used; ValueError names an array that does not fit."""
        bytes_ = (self.entries + 7) // 8
        if set(weights) != {"touched", "weights"}:
            raise ValueError(f"weights hold {sorted(weights)}; an n-tuple network has touched and weights")
        bits, values = np.ascontiguousarray(weights["touched"]), np.ascontiguousarray(weights["weights"])
        if bits.dtype != np.uint8 or bits.shape != (bytes_,):
            raise ValueError(
                f"weights['touched'] is {bits.dtype} {bits.shape}; the network needs uint8 ({bytes_},)"
            )
        count = int(np.unpackbits(bits).sum(dtype=np.int64))
        if values.dtype != np.float32 or values.shape != (count,):
            raise ValueError(
                f"weights['weights'] is {values.dtype} {values.shape}; {count} entries are touched"
            )
        if not np.isfinite(values).all():
            raise ValueError("weights['weights'] has values that are not finite; the training has diverged")
        return {"touched": cast("Floats", bits), "weights": values}

    def apply(self, params: Mapping[str, jax.Array], part: str, x: jax.Array) -> dict[str, jax.Array]:
        """Refused: tables learn while they play, not by gradients."""
        del params, part, x
        raise ValueError("an n-tuple network has no gradient; train it with updates=online")

    def player(self, weights: Mapping[str, Any], *, threads: int | None = None) -> NativeTuples:
        """The tables with these weights."""
        del threads  # a search over the rules brings its own
        return NativeTuples(self, weights)

    def online(
        self,
        game: Game,
        *,
        settings: OnlineSettings,
        weights: Weights,
        optimiser: Mapping[str, np.ndarray[Any, Any]] | None,
        threads: int | None,
    ) -> TupleLearner:
        """Plays and learns; see ``OffersOnline``."""
        return TupleLearner(self, game, settings, weights, optimiser, threads=threads)

    def tables(self, weights: Mapping[str, Any], *, coherent: bool) -> _native.Tuples:
        """Native tables that hold these weights."""
        checked, cells = self.check(weights), self.cells
        tables = _native.Tuples(
            rows=cells.rows,
            columns=cells.columns,
            values=cells.values,
            places=list(cells.places),
            symmetries=[list(symmetry) for symmetry in cells.symmetries],
            tuples=[list(tuple_) for tuple_ in self.tuples()],
            weight=self.first_weight,
            coherent=coherent,
        )
        tables.set_weights(cast("Bits", checked["touched"]), checked["weights"])
        return tables


class NativeTuples:
    """The tables as a judge; searches over a native game call its ``native`` part without Python."""

    def __init__(self, network: TupleJudge, weights: Mapping[str, Any]) -> None:
        self.network = network
        self.native = network.tables(weights, coherent=False)

    def __call__(self, observations: npt.ArrayLike) -> Floats:
        """Observations [M, O] to values [M], in the game's units."""
        rows = np.ascontiguousarray(observations, np.float32)
        if rows.ndim != 2 or rows.shape[1] != self.network.observation:
            raise ValueError(f"observations has shape {rows.shape}; give [rows, {self.network.observation}]")
        return np.asarray(self.native.values(rows))


class TupleLearner:
    """An ``OnlineLearner`` of tables: TD(lambda) over afterstates, with rates of their own for entries."""

    def __init__(
        self,
        network: TupleJudge,
        game: Game,
        settings: OnlineSettings,
        weights: Weights,
        optimiser: Mapping[str, np.ndarray[Any, Any]] | None,
        *,
        threads: int | None = None,
    ) -> None:
        """Begins with these weights, and where there is one with the optimiser's state.

        Raises:
            ValueError: the optimiser's state does not fit the weights.
        """
        self._network, self._game, self._settings = network, game, settings
        self._threads = _idle_cores() if threads is None else threads
        self._coherent = network.config.rates == "coherent"
        self._tables = network.tables(weights, coherent=self._coherent)
        if optimiser is not None and self._coherent:
            coherence, count = optimiser.get("coherence"), len(weights["weights"])
            if coherence is None or coherence.shape != (count, 2) or not np.isfinite(coherence).all():
                raise ValueError(
                    f"the optimiser's state does not fit the weights: coherence is not {(count, 2)}; "
                    "train again"
                )
            bits = cast("Bits", weights["touched"])
            self._tables.set_coherence(bits, np.ascontiguousarray(coherence, np.float32))

    def play_round(
        self, *, games: int, seed: int, learning_rate: float, on_progress: OnProgress | None
    ) -> OnlineRound:
        """Plays so many games and learns from every move."""
        totals = self._game.learn_tuples(  # type: ignore[attr-defined]
            self._tables,
            games=games,
            seed=seed,
            learning_rate=learning_rate,
            value_lambda=self._settings.value_lambda,
            coherent=self._coherent,
            lanes=self._network.config.lanes,
            max_decisions=self._settings.max_moves,
            threads=self._threads,
            on_progress=on_progress,
        )
        return OnlineRound(
            games=games,
            decisions=totals["decisions"],
            mean_return=totals["returns"] / games,
            mean_length=totals["decisions"] / games,
            truncated=totals["truncated"],
            losses={"value": totals["squared_errors"] / max(1, totals["errors"])},
        )

    def weights(self) -> Weights:
        """What plays."""
        bits = self._touched()
        return {"touched": cast("Floats", bits), "weights": np.asarray(self._tables.weights(bits))}

    def optimiser(self) -> Optimiser:
        """Of every touched entry the sum of its errors and of their absolute values, [touched, 2]."""
        if not self._coherent:
            return {"coherence": np.empty((0, 2), np.float32)}
        return {"coherence": np.asarray(self._tables.coherence(self._touched()))}

    def _touched(self) -> Bits:
        return np.asarray(self._tables.touched(self._network.first_weight))


def _idle_cores() -> int:
    """Cores that nobody else uses: threads in lock step wait for the slowest; no result depends on it."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return max(1, cores - round(load))
