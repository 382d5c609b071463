"""A finished or running run, read from its folder: the network it has and the planner it plays with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dicezero.model.network import Network
from dicezero.model.weights import Weights
from dicezero.presets.fitting import units_of
from dicezero.rules.protocol import Game
from dicezero.rules.showing import facts_html
from dicezero.rules.spec import GameSpec, spec_of
from dicezero.runs.checkpoint import read_weights
from dicezero.runs.code import run_game, run_network
from dicezero.runs.config import RunConfig
from dicezero.runs.errors import RunError
from dicezero.runs.manifest import read_run
from dicezero.selfplay.making import make_planner
from dicezero.selfplay.planners import Planner
from dicezero.selfplay.seeds import address_seed

_FIRST = 1 << 41  # an address no game's number reaches


@dataclass(frozen=True)
class Run:
    """What a run has learned so far."""

    config: RunConfig
    game: Game
    spec: GameSpec
    round: int
    planner: Planner
    sha256: str  # of the file of its weights
    folder: Path

    def _repr_html_(self) -> str:
        from dicezero.runs.report import curve_html

        facts = [("game", self.config.game), ("preset", self.config.preset.name), ("round", self.round)]
        return facts_html(f"Run {self.folder}", facts) + curve_html(self.folder)


def first_weights(network: Network, *, seed: int) -> Weights:
    """What a run of that seed begins with."""
    return network.init(seed=address_seed(seed, _FIRST))


def load_run(
    path: str | Path,
    game: str | Game | None = None,
    *,
    network: str | Network | None = None,
    trust: bool = False,
    round_number: int | None = None,
    average: int = 1,
    symmetries: bool = False,
) -> Run:
    """A round of a run, every byte of its weights checked. No code of the run's is run but with ``trust``.

    Args:
        path: the folder that ``train`` wrote.
        game: what the run has learned, where it is somebody's own: the game, or ``path/file.py:Name``, whose
            code must be what the run learned from; any other game must be the run's own too.
        network: of a run with a network of somebody's own, that network or ``path/file.py:Name``.
        trust: run the code of the game, or network, that lies in the run's folder.
        round_number: a round whose weights are kept; the last committed one by default.
        average: so many rounds whose weights are kept, that one and those before it, count alike.
        symmetries: average the network's answers over all symmetric forms of a position, in a learned model
            those at the root.

    Raises:
        RunError: no run, damaged, of another game, or of one of somebody's own that was not named; or
            symmetries were asked for where there are none.
    """
    folder = Path(path)
    config, _ = read_run(folder)
    own = run_game(folder, config, game, trust=trust)
    number, tensors, digest = read_weights(folder, round_number, average=average)
    spec = spec_of(own)
    made = run_network(folder, config, spec, network, trust=trust)
    try:
        weights = made.check(tensors)
    except ValueError as error:
        raise RunError(f"{folder}: {error}") from error
    if symmetries and made.kind == "judge":
        raise RunError(
            f"{folder}: symmetries are averaged where a network is searched with, and {config.preset.name} "
            "looks one move ahead; leave symmetries out"
        )
    if symmetries and not spec.symmetries:
        raise RunError(f"{folder}: {spec.name} has no symmetries to average over; leave symmetries out")
    planner = make_planner(
        made,
        weights,
        spec,
        units_of(config.preset, spec),
        symmetries=spec.symmetries if symmetries else (),
    )
    return Run(config, own, spec, number, planner, digest, folder)
