"""Training: what is refused before it begins, and round after round until it is done."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from dicezero.evaluation.meters import make_meter
from dicezero.learner.progress import Progress
from dicezero.learner.rounds import Metrics, Rounds
from dicezero.learner.step import prefer_one_thread
from dicezero.learner.training import TrainingError
from dicezero.model.device import CPU, use_device
from dicezero.model.network import Network
from dicezero.presets.fits import MisfitError, require_fit
from dicezero.presets.fitting import fitted, network_of, play_search, units_of
from dicezero.presets.preset import Preset
from dicezero.rules import Game, identify
from dicezero.rules.memory import claim_weights
from dicezero.rules.spec import spec_of
from dicezero.runs.code import GAME_CODE, network_code, same_code
from dicezero.runs.config import CONFIG, KEEP_EVERY, RunConfig
from dicezero.runs.folder import disk_errors_explained, run_folder
from dicezero.runs.report import write_report
from dicezero.selfplay.runtime import Player, RayConfig, Recipe, open_runtime

__all__ = ["Metrics", "TrainingError", "train"]

_LARGE = 25_000_000  # weights: 100 MB a round on disk
_MOST = 500_000_000  # weights: with moments and gradients 8 GB of memory


def train(
    preset: Preset,
    game: Game,
    out: Path,
    *,
    rounds: int | None = None,
    seed: int = 0,
    resume: bool = False,
    keep_every: int | None = None,
    on_round: Callable[[Metrics], None] | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    runtime: RayConfig | None = None,
    network: Network | None = None,
    device: str = CPU,
) -> Metrics:
    """Trains in the folder ``out`` until ``rounds`` rounds are done; returns the last round's metrics.

    Args:
        preset: what to do.
        game: what to learn.
        out: a new folder, or with ``resume`` that of a run; the preset, game and seed must be the run's own.
        rounds: the round to stop after; by default the preset's number, with ``resume`` the run's own.
        seed: of everything.
        resume: go on from the last committed round, exactly as if nothing had happened.
        keep_every: the weights of every so many rounds are kept for good, 0 for none but the last; by default
            what the run began with, 10 for a new one, 0 where the weights are large. It may be changed when
            resuming.
        on_round: called with the metrics of every round once it is committed.
        on_progress: called with the progress of the round under way.
        runtime: workers on Ray play and measure; None does both here. The run is the same.
        network: one of your own instead of the preset's; give it again to resume.
        device: what JAX computes on, as JAX names it: ``cpu``, ``gpu``, ``tpu``. On the CPU the native core
            evaluates networks; elsewhere JAX does on the device, in large batches, but workers on Ray play
            natively. Other rounding, other games: a run is reproduced on the kind of device it was made on.

    Raises:
        ValueError: the device is not there, or the preset does not use it; nothing was written.
        MisfitError: the preset cannot learn this game; nothing was written.
        MeterError: the meter cannot measure it; nothing was written.
        RunError: the folder is no run, another run or damaged, or its disk fails; the last round stands.
        TrainingError: the loss is not finite; the last round stands.
        RuntimeUnavailableError: there is no Ray, or no worker could be had; the last round stands.
    """
    prefer_one_thread()
    spec = spec_of(game)
    require_fit(preset, spec)
    preset = fitted(preset, spec)
    made = network or network_of(preset, spec)
    identity, target, keep = identify(game), preset.rounds, _keep_every(made, preset)
    name, record = identity.name, identity.source.record if identity.source else None
    if resume and (out / CONFIG).exists():
        own = RunConfig.read(out)
        target, keep = own.rounds, own.keep_every
        if same_code(own, game):  # the file may lie elsewhere now
            name, record = own.game, own.source
    target, keep = target if rounds is None else rounds, keep if keep_every is None else keep_every
    network_record, code = network_code(network)
    config = RunConfig(preset, name, seed, target, keep, record, network_record)
    # Sizes that do not fit, meters that cannot measure the game and clusters that do not answer are refused
    # before anything is written.
    on_device = _use(device, preset)
    player = Player(Recipe(identity, made, units_of(preset, spec), on_device and runtime is None), game)
    meter = make_meter(preset.measure or None, player, play_search(preset)) if preset.measure_every else None
    if runtime:
        runtime.check()
    if identity.source:
        code[GAME_CODE] = identity.source.code
    with (
        disk_errors_explained(out),
        run_folder(out, config, resume=resume, code=code) as config,
        open_runtime(player, runtime) as workers,
        closing(Rounds(config, player, out, workers, meter, on_progress)) as run,
    ):
        while run.round < target:
            metrics = run.play_round()
            if on_round:
                on_round(metrics)
        write_report(out)
        return run.last_metrics


def _use(device: str, preset: Preset) -> bool:
    """Has JAX compute there; whether that is another device than the CPU."""
    other = use_device(device) != CPU
    if other and preset.updates == "online":
        raise ValueError(
            f"device={device!r}: {preset.name} plays and learns natively, on the CPU; leave it out, or give "
            "--set updates=replay"
        )
    return other


def _keep_every(network: Network, preset: Preset) -> int:
    """Rounds between weights that are kept for good, by default: none of a network so large.

    Raises:
        MisfitError: the network is larger than what is learned here.
    """
    weights = sum(math.prod(shape) for shape in network.shapes().values())
    if weights > _MOST:
        size = {"board": "board.channels", "mlp": "widths"}.get(preset.architecture)
        raise MisfitError(
            f"the network would have {weights:,} weights, more than {_MOST:,}: the sizes given, the game's "
            f"actions or its observations are large; give smaller {size or 'sizes'}, or fewer actions"
        )
    claim_weights(weights, "give smaller sizes, or take a game of fewer actions")
    return KEEP_EVERY if weights <= _LARGE else 0
