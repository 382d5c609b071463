"""``dicezero train``."""

from __future__ import annotations

import shlex
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro
from tyro.conf import Positional, UseAppendAction

from dicezero.cli.console import GameName, emit
from dicezero.cli.interrupts import Interrupts
from dicezero.cli.load import load
from dicezero.cli.plain import one_line
from dicezero.cli.progress import working
from dicezero.cli.screen import Screen
from dicezero.evaluation.meters import is_harmless
from dicezero.learner.progress import Progress
from dicezero.presets.registry import Preset, get_preset
from dicezero.presets.settings import with_settings
from dicezero.presets.suited import preset_for
from dicezero.rules.extras import require_extra
from dicezero.rules.names import quote
from dicezero.rules.spec import spec_of
from dicezero.runs.commands import resume_command
from dicezero.runs.config import CONFIG, RunConfig
from dicezero.runs.errors import RunError
from dicezero.runs.folder import REPORT
from dicezero.runs.manifest import Manifest
from dicezero.runs.report import write_report
from dicezero.selfplay.last_words import leave
from dicezero.selfplay.runtime import RayConfig

if TYPE_CHECKING:
    from dicezero.learner.loop import Metrics

_STOPPING = "stopping: the round under way is dropped; Ctrl-C again stops at once"

PresetName = Annotated[str, tyro.conf.arg(metavar="PRESET")]


@dataclass(frozen=True)
class Train:
    """Learn a game from nothing: rounds of self-play, training and measurement.

    Presets: alphazero, gumbel-alphazero (search over the rules), ndmz, gumbel-ndmz (search in a learned
    model), muzero, gumbel-muzero, full-gumbel-muzero (the same, for games without dice), td-lambda (no
    search); dicezero check GAME lists which of them fit a game. Ctrl-C loses the round under way and nothing
    else, a second one stops at once; --resume goes on.

    Example: dicezero train gumbel-ndmz --game nannon --out runs/first --rounds 20 --set simulations=32
    """

    preset: Positional[PresetName] = "gumbel-ndmz"
    """How to learn."""
    game: GameName = "nannon"
    out: Path | None = None
    """The folder of the run: config.json, metrics.jsonl, weights, games, report.html, events. Required."""
    rounds: int | None = None
    """Stop after this round; by default the preset's own number, with --resume the run's."""
    seed: int = 0
    """Random seed of the whole run; the same seed gives the same weights."""
    resume: bool = False
    """Go on with the run in --out."""
    keep_every: int | None = None
    """Keep the checkpoint of every so many rounds for good; 10 by default, 0 keeps only the last."""
    set: Annotated[tuple[str, ...], UseAppendAction] = ()
    """key=value: a field of the preset, of its search, play.NAME or loss.NAME; may be given again."""
    measure: str | None = None
    """The meter: exact, match(opponent=AGENT,games=N) or mean_return(episodes=N); by default what fits."""
    runtime: Literal["local", "ray"] = "local"
    """Where games are played and strength is measured: in this process, or by workers on Ray."""
    address: str | None = None
    """Address of a Ray cluster, host:port; without it Ray is started here and ended with the run."""
    workers: int | None = None
    """Workers on Ray; one for every core by default."""
    device: str = "cpu"
    """What JAX computes on: cpu (networks are evaluated natively); gpu or tpu (by JAX, in large batches)."""
    json: bool = False
    """Print one JSON object: the last round's metrics."""

    def run(self) -> int:
        """Trains, with a line a round."""
        if self.out is None:
            raise ValueError("--out is missing; give the folder of the run, e.g. --out runs/first")
        get_preset(self.preset)  # a wrong name is reported before the game is loaded
        settings = _settings(self.set)
        game = load(self.game)
        preset = with_settings(preset_for(self.preset, spec_of(game)), settings)
        if self.measure is not None:
            preset = replace(preset, measure=self.measure)
        if self.resume and (self.out / CONFIG).is_file() and not (self.set or self.measure):
            preset = self._own_preset(preset)
        workers = self._workers()
        require_extra("jax", "flax", "tensorboardX", command=f"dicezero train {preset.name}")
        with working("loading JAX", quiet=self.json):
            from dicezero.learner.loop import train  # mistakes are reported before it

        target = self.rounds if self.rounds is not None else self._own_rounds() or preset.rounds
        screen = Screen(f"{preset.name} on {game}: {self.out}", target, quiet=self.json)
        interrupts = Interrupts(lambda: screen.note(_STOPPING))

        def progress(now: Progress) -> None:
            screen.progress(now)
            if interrupts.count:  # where a library swallowed the exception
                raise KeyboardInterrupt

        try:
            with interrupts, screen:
                last = train(
                    preset,
                    game,
                    self.out,
                    rounds=target,
                    seed=self.seed,
                    resume=self.resume,
                    keep_every=self.keep_every,
                    on_round=screen.add,
                    on_progress=progress,
                    device=self.device,
                    runtime=workers,
                )
        except KeyboardInterrupt:
            print(one_line(f"dicezero: interrupted; {_what_stands(self.out)}"), file=sys.stderr, flush=True)
            if interrupts.count:
                # Computations that were under way go on in threads of their own, and an interpreter that is
                # taken down around them may crash; nothing on disk is waiting for it.
                leave(130)
            return 130
        emit({"out": str(self.out), **last}, self._end(last), as_json=self.json)
        return 0

    def _workers(self) -> RayConfig | None:
        if self.runtime == "ray":
            return RayConfig(self.address, self.workers)
        if self.address is not None or self.workers is not None:
            raise ValueError("--address and --workers are for Ray; give --runtime ray too, or leave them out")
        return None

    def _end(self, last: Metrics) -> str:
        assert self.out is not None  # noqa: S101 - seen to above
        return f"{self.out}: round {last['round']} done; its page: {self.out / REPORT}"

    def _own_rounds(self) -> int | None:
        """The round that a run to be resumed was to stop after."""
        assert self.out is not None  # noqa: S101 - seen to above
        if self.resume and (self.out / CONFIG).is_file():
            return RunConfig.read(self.out).rounds
        return None

    def _own_preset(self, named: Preset) -> Preset:
        """The settings the run was begun with need not be given again; its preset's name must agree."""
        assert self.out is not None  # noqa: S101 - seen to above
        own = RunConfig.read(self.out).preset
        if own.name == named.name and not is_harmless(own.measure):
            raise ValueError(
                f"{self.out} is measured by {quote(own.measure)}, which runs a program or somebody's code, "
                f"and that only if you say so: give --measure {shlex.quote(own.measure)} too"
            )
        return own if own.name == named.name else named


def _what_stands(out: Path) -> str:
    """Where an interrupted run is, and the line that goes on with it; its page is brought up to date."""
    if not (out / CONFIG).is_file():
        return f"no round was finished, and nothing is left in {out}; the same command begins again"
    stands = "no round was finished"
    with suppress(RunError, OSError):
        stands = f"round {Manifest.read(out).round} stands"
        write_report(out)
    return f"{stands}; go on with: {resume_command(RunConfig.read(out), out)}"


def _settings(words: tuple[str, ...]) -> dict[str, str]:
    settings: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise ValueError(f"--set {word!r} is not key=value; write e.g. --set simulations=32")
        settings[key] = value
    return settings
