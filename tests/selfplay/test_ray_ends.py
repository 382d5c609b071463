"""How a run on Ray ends when Ray's own processes do, with a Ray that only says that they did."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dicezero.model.dense import DenseEvaluator
from dicezero.rules import identify, load_game
from dicezero.search.config import SearchConfig
from dicezero.selfplay import ray_runtime
from dicezero.selfplay.ray_cluster import Connection
from dicezero.selfplay.ray_runtime import RayRuntime
from dicezero.selfplay.runtime import Player, RayConfig, Recipe, RuntimeUnavailableError
from dicezero.selfplay.tasks import SelfPlay

GAME = load_game("nannon(points=4,checkers=2,sides=4)")


class RayError(Exception):
    """Ray's own kind."""


class ActorDiedError(RayError):
    """Of a worker that is gone; ``actor_init_failed`` where its own code was at fault."""

    def __init__(self, *, actor_init_failed):
        super().__init__("The actor died because\nof something.")
        self.actor_init_failed = actor_init_failed


class Ray:
    """As much of Ray as a runtime asks: every worker that is started ends as told."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=type("RayTaskError", (RayError,), {}))

    def __init__(self, end):
        self.end, self.started = end, 0

    def remote(self, **_):
        return lambda _: SimpleNamespace(remote=self._start)

    def _start(self, _):
        self.started += 1
        return SimpleNamespace(greet=SimpleNamespace(remote=lambda number=self.started: f"greeting {number}"))

    def put(self, _):
        return "weights"

    def wait(self, references, **_):
        return (references[:1], []) if self.end else ([], references)

    def get(self, _):
        raise self.end

    def kill(self, handle, *, no_restart):
        pass


@pytest.fixture
def runtime(monkeypatch):
    made = []

    def make(ray, *, raylet):
        process = SimpleNamespace(poll=lambda: raylet)
        monkeypatch.setattr(
            ray_runtime, "connect", lambda _: Connection(ray, own=False, cores=1, raylet=process)
        )
        network = DenseEvaluator(GAME.observation_tensor_shape()[0], 4, widths=(4,))
        made.append(RayRuntime(Player(Recipe(identify(GAME), network), GAME), RayConfig(workers=1)))
        return made[-1]

    yield make
    for one in made:
        one.close()


TASK = SelfPlay(SearchConfig(simulations=2), 2, seed=0, round_index=0)


def test_a_dead_raylet_is_told_before_ray_ends_the_process(runtime):
    with pytest.raises(
        RuntimeUnavailableError, match=r"\(the raylet\) has ended.*--resume, or with --runtime"
    ):
        runtime(Ray(None), raylet=-9).run(TASK, {})


@pytest.mark.parametrize(
    ("at_fault", "remedy"),
    [(False, "they were killed, not at fault"), (True, "install dicezero and the game")],
)
def test_workers_that_are_killed_while_they_start_are_not_said_to_lack_a_package(runtime, at_fault, remedy):
    ray = Ray(ActorDiedError(actor_init_failed=at_fault))
    with pytest.raises(
        RuntimeUnavailableError, match=f"3 workers in a row did not start: .*{remedy}"
    ) as told:
        runtime(ray, raylet=None).run(TASK, {})
    assert ray.started == 3
    assert "\n" not in str(told.value)
