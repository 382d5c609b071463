"""Atari on one core: emulated steps, evaluations of the image network, self-play, training, bytes a step."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import cast

import numpy as np

from dicezero.bench.row import Row
from dicezero.bench.timing import best_rate
from dicezero.learner.step import Trainer, prefer_one_thread
from dicezero.model.network import ModelPlayer
from dicezero.presets.fitting import fitted, network_of, target_of
from dicezero.presets.suited import preset_for
from dicezero.replay.buffer import Replay
from dicezero.rules import load_game, spec_of
from dicezero.rules.atari import AtariConfig, AtariEnvironment
from dicezero.selfplay.planners import ModelPlanner
from dicezero.selfplay.play import play_games

PRESET, GAME = "gumbel-muzero", "pong"
_STEPS, _ROWS, _GAMES, _MOVES = 200, 16, 8, 25

cpu_rate = partial(best_rate, clock=time.process_time)


def rows(against: frozenset[str]) -> Iterator[Row]:
    """Rates a second of one core, and bytes; nothing where ale-py is not installed."""
    del against
    if importlib.util.find_spec("ale_py") is None:
        return
    prefer_one_thread()
    yield Row(f"atari/steps of {GAME}, 84x84, frame skip 4", "steps/s", cpu_rate(_ours(), _STEPS))
    game = load_game(f"atari(game={GAME})")
    spec = spec_of(game)
    preset = fitted(preset_for(PRESET, spec), spec)
    network = network_of(preset, spec)
    weights = network.init(seed=0)
    player = cast("ModelPlayer", network.player(weights, threads=1))
    seen = np.random.default_rng(0).random((_ROWS, network.observation), np.float32)
    hidden = player.root(seen)[0]
    action = np.zeros(_ROWS, np.int32)
    yield Row("atari/images evaluated", "evaluations/s", cpu_rate(lambda: player.root(seen), _ROWS))
    yield Row(
        "atari/steps in the model", "evaluations/s", cpu_rate(lambda: player.step(hidden, action), _ROWS)
    )
    planner = ModelPlanner(player, threads=1)
    play = partial(
        play_games,
        game,
        planner,
        preset.search,
        games=range(_GAMES),
        seed=0,
        round_index=0,
        max_moves=_MOVES,
        spec=spec,
    )
    what = f"atari/self-play with {preset.search.simulations} simulations"
    yield Row(what, "decisions/s", cpu_rate(play, _GAMES * _MOVES))
    replay = Replay(spec, capacity=_GAMES, value=target_of(preset, spec), support=network.support)
    replay.add(play())
    trainer = Trainer(network, preset.loss, weights, threads=1)
    batch = replay.batch(np.arange(preset.batch), unroll=preset.unroll)

    def learn() -> None:
        np.asarray(trainer.steps(batch, learning_rate=1e-4)["total"])  # waits for it

    what = f"atari/training, batch {preset.batch}, unroll {preset.unroll}"
    yield Row(what, "samples/s", cpu_rate(learn, preset.batch))
    yield Row("atari/stored step", "bytes", replay.step_bytes)


def _ours() -> Callable[[], None]:
    environment = AtariEnvironment(AtariConfig(GAME))

    def run() -> None:
        environment.reset(seed=0)
        for step in range(_STEPS):
            environment.step(step % 6)

    return run
