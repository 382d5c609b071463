"""What runs in a worker's process."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Any

from dicezero import __version__, _native
from dicezero.selfplay.runtime import Part, Player, Recipe, Task


@dataclass(frozen=True)
class Greeting:
    """A worker's description of itself when it is ready."""

    version: str  # of dicezero
    kernel: str  # of its dense layers: another one may round differently
    pid: int


@dataclass(frozen=True)
class Delivery:
    """A chunk that is done."""

    part: Part
    seconds: float  # by the clock, in the worker
    cpu_seconds: float


class RayWorker:
    """Does chunks of tasks, one after another, on one thread."""

    def __init__(self, recipe: Recipe) -> None:
        # Before JAX first computes, should the planner use it: a worker is one core's work.
        os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
        self._player = Player(recipe, threads=1)
        self._version = -1

    def greet(self) -> Greeting:
        """Ready."""
        return Greeting(__version__, _native.dense_kernels()[0], os.getpid())

    def do(self, task: Task[Any], numbers: range, version: int, weights: list[Any]) -> Delivery:
        """The things of those numbers; ``weights`` holds their reference, fetched once a version."""
        import ray

        begin, cpu = time.perf_counter(), time.process_time()
        if version != self._version:
            self._player.take(ray.get(weights[0]))
            self._version = version
        part = task.do(self._player, numbers)
        return Delivery(part, time.perf_counter() - begin, time.process_time() - cpu)
