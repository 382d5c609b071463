"""Where the work of a round is done: here, or handed out to workers; the results are the same.

A round asks for things that have numbers (games, rows of positions), each a function of its number and the
weights alone. A task defines how to make some of them; a runtime defines where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from dicezero.model.network import Network
from dicezero.model.weights import Weights
from dicezero.rules import Identity
from dicezero.rules.protocol import Game
from dicezero.rules.spec import spec_of
from dicezero.search.config import SearchConfig
from dicezero.selfplay.making import make_planner
from dicezero.selfplay.planners import Planner, Units

Part = dict[str, npt.NDArray[Any]]  # some of a task's results, as arrays that travel
OnProgress = Callable[[int, int], None]  # receives (things done, moves made)
Kept = TypeVar("Kept")
Result = TypeVar("Result", covariant=True)
Answer = TypeVar("Answer")


class RuntimeUnavailableError(ValueError):
    """The place where the work was to be done cannot be had."""


@dataclass(frozen=True)
class Recipe:
    """A player but for its weights, small enough to be sent: workers make their own from it."""

    game: Identity  # with the code of a game of somebody's own: workers need no file
    network: Network
    units: Units = field(default_factory=Units)
    by_jax: bool = False  # evaluated by JAX on its device, not natively

    def load_game(self) -> Game:
        """The game, made anew."""
        return self.game.load()


class Player:
    """A game and a planner with the weights of the hour; does tasks."""

    def __init__(self, recipe: Recipe, game: Game | None = None, *, threads: int | None = None) -> None:
        """Takes the game as it is if given one; ``threads`` replaces that of every search."""
        self.recipe = recipe
        self.game = recipe.load_game() if game is None else game
        self.spec = spec_of(self.game)
        self._threads = threads
        self._weights: Weights | None = None
        self._planner: Planner | None = None
        self._kept: dict[str, object] = {}

    @property
    def planner(self) -> Planner:
        """That of the weights taken last."""
        if self._planner is None:
            raise ValueError("the player has no weights yet; call take(weights) first")
        return self._planner

    def take(self, weights: Weights) -> None:
        """Plays with these weights from now on; the same dict again costs nothing."""
        if weights is not self._weights:
            recipe = self.recipe
            self._planner = make_planner(
                recipe.network,
                weights,
                self.spec,
                recipe.units,
                threads=self._threads,
                by_jax=recipe.by_jax,
            )
            self._weights = weights

    def search(self, config: SearchConfig) -> SearchConfig:
        """``config`` as this player may run it; the results are the same."""
        return config if self._threads is None else replace(config, threads=self._threads)

    def keep(self, name: str, make: Callable[[], Kept]) -> Kept:
        """What ``make`` gave the first time it was asked for under that name."""
        if name not in self._kept:
            self._kept[name] = make()
        return cast("Kept", self._kept[name])


class Task(Protocol[Result]):
    """Things numbered 0 to count - 1 that a player can make, some at a time, in any order."""

    @property
    def what(self) -> str:
        """Their name in messages."""
        ...

    @property
    def count(self) -> int:
        """How many there are."""
        ...

    @property
    def chunk(self) -> int:
        """How many go to a worker at a time; never a function of the number of workers."""
        ...

    def do(self, player: Player, numbers: range, on_progress: OnProgress | None = None) -> Part:
        """Makes those of ``numbers``."""
        ...

    def moves(self, part: Part) -> int:
        """How many moves were played for it."""
        ...

    def join(self, parts: Sequence[Part]) -> Result:
        """The result, from the parts in the order of their numbers."""
        ...


class Runtime(Protocol):
    """A place where tasks are done."""

    @property
    def cpu_seconds(self) -> float:
        """Processor time spent so far outside this process."""
        ...

    def run(self, task: Task[Answer], weights: Weights, *, on_progress: OnProgress | None = None) -> Answer:
        """Does the task with those weights."""
        ...


class LocalRuntime:
    """This process, all of a task at once."""

    cpu_seconds = 0.0

    def __init__(self, player: Player) -> None:
        self._player = player

    def run(self, task: Task[Answer], weights: Weights, *, on_progress: OnProgress | None = None) -> Answer:
        """Does the task here."""
        self._player.take(weights)
        return task.join([task.do(self._player, range(task.count), on_progress)])


@dataclass(frozen=True)
class RayConfig:
    """Workers on Ray.

    Attributes:
        address: of a running cluster, ``host:port``, ``ray://host:port`` or ``auto``; None starts Ray here.
        workers: how many; None is one for every processor core of this machine or of the cluster.
        start_seconds: how long to wait for a first worker, and for another when all are lost.
    """

    address: str | None = None
    workers: int | None = None
    start_seconds: float = 120.0

    def __post_init__(self) -> None:
        if self.workers is not None and not 1 <= self.workers <= 10_000:
            raise ValueError(f"workers={self.workers} must be in 1..10000")
        if not 0.0 < self.start_seconds <= 86_400.0:
            raise ValueError(f"start_seconds={self.start_seconds} must be in (0, 86400]")
        if self.address is not None and not self.address.strip():
            raise ValueError("address is empty; give host:port, or leave it out to start Ray here")

    def check(self) -> None:
        """Sees that Ray is installed and the address answers, within ten seconds.

        Raises:
            RuntimeUnavailableError: it is not, or does not.
        """
        from dicezero.selfplay.ray_cluster import check_address, import_ray

        import_ray(local=self.address is None)
        if self.address is not None:
            check_address(self.address)


@contextmanager
def open_runtime(player: Player, config: RayConfig | None) -> Iterator[Runtime]:
    """The runtime of a configuration, None being this process; ends its workers at the end."""
    if config is None:
        yield LocalRuntime(player)
        return
    from dicezero.selfplay.ray_runtime import RayRuntime

    runtime = RayRuntime(player, config)
    try:
        yield runtime
    finally:
        runtime.close()


def chunks(count: int, size: int) -> list[range]:
    """0 to count - 1 in ranges of ``size``, the last one what is left."""
    return [range(start, min(start + size, count)) for start in range(0, count, size)]


def joined(parts: Sequence[Part]) -> Part:
    """The arrays of all parts, one after another."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
