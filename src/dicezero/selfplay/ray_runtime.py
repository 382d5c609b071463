"""Tasks on Ray: workers that come and go, and results that do not depend on it."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from dicezero import __version__, _native
from dicezero.model.weights import Weights
from dicezero.selfplay.last_words import LastWords
from dicezero.selfplay.ledger import Ledger
from dicezero.selfplay.ray_cluster import connect, unhurried
from dicezero.selfplay.ray_worker import Delivery, Greeting, RayWorker
from dicezero.selfplay.runtime import (
    Answer,
    OnProgress,
    Part,
    Player,
    RayConfig,
    RuntimeUnavailableError,
    Task,
    chunks,
)

_IN_FLIGHT = 2  # chunks a worker: it never waits for us, and no more than these are in memory at a time
_GONE = (
    "dicezero: Ray has ended this process, as it does when its own on this machine (the raylet) dies; the "
    "last round stands: see whether memory ran out, then go on with --resume, or with --runtime local"
)
_LOOK_SECONDS = 1.0  # between two looks whether Ray is there
_MOST_FALSE_STARTS = 3  # in a row


@dataclass(eq=False)
class _Place:
    """A worker, from its start to its end."""

    handle: Any
    greeting: Any  # reference to it; None once it has come
    flights: dict[Any, int] = field(default_factory=dict)  # references to chunks on their way, oldest first


@dataclass
class Traffic:
    """What went over the wire and what it took; kept for reports."""

    weights_seconds: float = 0.0  # to put the weights into the object store, the last time
    chunk_seconds: list[float] = field(default_factory=list)  # in the worker, each chunk of the last task
    chunk_bytes: list[int] = field(default_factory=list)
    restarts: int = 0  # workers replaced so far


class RayRuntime:
    """Workers on Ray: started at once, used as soon as they are ready, replaced when they die.

    Weights go to the object store once; every worker fetches them from there once. A dead worker's chunks are
    done again with the same seeds, so that nothing shows.
    """

    def __init__(self, player: Player, config: RayConfig) -> None:
        """Connects; the player is our own, whose recipe the workers follow.

        Raises:
            GameError: the game has no name by which workers could load it.
            RuntimeUnavailableError: no Ray.
        """
        player.recipe.load_game()  # what cannot be loaded here cannot be loaded there
        self._config, self._recipe = config, player.recipe
        self._last_words = LastWords(_GONE)  # first: Ray may end while it begins
        try:
            self._connection = connect(config)
        except BaseException:
            self._last_words.close()
            raise
        self._ray = self._connection.ray
        self._actor = self._ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(RayWorker)
        self.workers = config.workers or self._connection.cores
        self._places: list[_Place] = []
        self._false_starts = 0
        self._weights: Weights | None = None
        self._reference: Any = None
        self._version = -1
        self.cpu_seconds = 0.0
        self.traffic = Traffic()

    def run(self, task: Task[Answer], weights: Weights, *, on_progress: OnProgress | None = None) -> Answer:
        """Does the task on the workers there are; ends when every chunk is here.

        Raises:
            RuntimeUnavailableError: no worker could be had within the configuration's time, or three in a row
                died over the same chunk.
        """
        self._publish(weights)
        self.traffic.chunk_seconds, self.traffic.chunk_bytes = [], []
        for place in self._places:  # what a task that failed or was interrupted has left on its way
            place.flights = {}
        parts = chunks(task.count, task.chunk)
        ledger = Ledger(len(parts))
        done, moves = 0, 0
        while not ledger.done:
            self._hire()
            self._hand_out(task, parts, ledger)
            for chunk, part in self._settle(self._next_news(task), ledger):
                done, moves = done + len(parts[chunk]), moves + task.moves(part)
            if on_progress:
                on_progress(done, moves)
        return task.join(ledger.parts())

    def worker_pids(self) -> list[int]:
        """Process ids of the workers, once all are ready."""
        self._hire()
        return [self._ray.get(place.handle.greet.remote()).pid for place in self._places]

    def close(self) -> None:
        """Ends the workers and what was started with them."""
        with unhurried():
            for place in self._places if self._connection.is_alive() else ():
                self._ray.kill(place.handle, no_restart=True)
            self._places = []
            self._reference = None
            self._last_words.close()
            self._connection.close()

    def _publish(self, weights: Weights) -> None:
        if weights is not self._weights:
            begin = time.perf_counter()
            self._reference = self._ray.put(weights)
            self.traffic.weights_seconds = time.perf_counter() - begin
            self._weights = weights
            self._version += 1

    def _hire(self) -> None:
        while len(self._places) < self.workers:
            handle = self._actor.remote(self._recipe)
            self._places.append(_Place(handle, handle.greet.remote()))

    def _hand_out(self, task: Task[Any], parts: list[range], ledger: Ledger) -> None:
        """One chunk to everybody who is ready before anybody gets a second one."""
        for load in range(_IN_FLIGHT):
            for place in self._places:
                if place.greeting is None and len(place.flights) <= load and ledger.waiting:
                    chunk = ledger.next()
                    reference = place.handle.do.remote(task, parts[chunk], self._version, [self._reference])
                    place.flights[reference] = chunk

    def _next_news(self, task: Task[Any]) -> list[Any]:
        """References that have an answer now."""
        flights = [reference for place in self._places for reference in place.flights]
        greetings = [place.greeting for place in self._places if place.greeting is not None]
        patience = None if flights else self._config.start_seconds
        begin = time.monotonic()
        news: list[Any] = []
        while not news and (patience is None or time.monotonic() - begin < patience):
            if not self._connection.is_alive():
                raise RuntimeUnavailableError(
                    "Ray's process on this machine (the raylet) has ended, and its workers with it; see "
                    "whether memory ran out, then go on with --resume, or with --runtime local"
                )
            news, _ = self._ray.wait(
                flights + greetings, num_returns=1, timeout=_LOOK_SECONDS, fetch_local=True
            )
        if not news:
            free = self._ray.available_resources().get("CPU", 0.0)
            raise RuntimeUnavailableError(
                f"no worker for the {task.what} within {self._config.start_seconds:.0f} s; the cluster has "
                f"{self._connection.cores} CPUs, {free:.0f} of them free: wait for it or lower --workers"
            )
        return list(news)

    def _settle(self, news: list[Any], ledger: Ledger) -> Iterator[tuple[int, Part]]:
        """Chunks that are committed now, after whatever else the news are."""
        for reference in news:
            place = next((p for p in self._places if reference is p.greeting or reference in p.flights), None)
            if place is None:  # its worker was given up for lost meanwhile
                continue
            try:
                answer = self._ray.get(reference)
            except self._ray.exceptions.RayTaskError as error:
                raise _own_error(error) from error
            except self._ray.exceptions.RayError as error:
                self._bury(place, error, ledger)
                continue
            if isinstance(answer, Greeting):
                self._welcome(place, answer)
            elif ledger.commit(chunk := place.flights.pop(reference), answer.part):
                self._book(answer)
                yield chunk, answer.part

    def _welcome(self, place: _Place, greeting: Greeting) -> None:
        if greeting.version != __version__:
            raise RuntimeUnavailableError(
                f"a worker has dicezero {greeting.version}, this is {__version__}; install the same "
                "everywhere"
            )
        if greeting.kernel != (own := _native.dense_kernels()[0]):
            warnings.warn(
                f"a worker's processor uses the kernel {greeting.kernel}, this one {own}: another "
                "number of workers may give other games",
                stacklevel=2,
            )
        place.greeting = None
        self._false_starts = 0

    def _book(self, delivery: Delivery) -> None:
        self.cpu_seconds += delivery.cpu_seconds
        self.traffic.chunk_seconds.append(delivery.seconds)
        self.traffic.chunk_bytes.append(sum(array.nbytes for array in delivery.part.values()))

    def _bury(self, place: _Place, error: Exception, ledger: Ledger) -> None:
        """Gives a worker up; its chunks wait again, and the next round of the loop hires another."""
        self._places.remove(place)
        self._ray.kill(place.handle, no_restart=True)  # should it only have been out of reach
        self.traffic.restarts += 1
        if place.greeting is not None:
            self._false_starts += 1
            if self._false_starts >= _MOST_FALSE_STARTS:
                raise RuntimeUnavailableError(
                    f"{self._false_starts} workers in a row did not start: {_last_line(error)}; "
                    + _remedy(error)
                ) from error
        ledger.lose(list(place.flights.values()))


def _own_error(error: Any) -> Exception:
    """What a worker raised, as if it had been raised here."""
    cause = getattr(error, "cause", None)
    return cause if isinstance(cause, Exception) else RuntimeError(_last_line(error))


def _remedy(error: Exception) -> str:
    """What to do about workers that do not start: their code failed, or somebody ended them."""
    if getattr(error, "actor_init_failed", False):
        return "install dicezero and the game on every machine of the cluster"
    return "they were killed, not at fault: see whether memory ran out, then go on with --resume"


def _last_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
