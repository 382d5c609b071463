"""Which run plays, and how."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dicezero.presets.preset import Preset
from dicezero.rules.spec import GameSpec
from dicezero.search.config import SearchConfig
from dicezero.selfplay.judged import JudgedConfig

_SEARCH = ("c_scale", "max_depth", "prove", "proof_nodes")  # of a search, None as the preset has it


@dataclass(frozen=True)
class RunAgentConfig:
    """Which run, and how much it searches.

    Attributes:
        path: the folder that ``dicezero train`` wrote.
        simulations: of a search; 0 plays the network's first choice, None as many as in its preset.
        plies: of a run of ``td-lambda``: moves ahead, chance averaged over in between; None is one.
        candidates: of plies beyond the first: moves that are looked at, the best at one ply; None is all.
        round: a round whose weights the run keeps; None is its last.
        average: play the mean of the weights of so many kept rounds, that one and those before it.
        symmetries: the network's answers are averaged over all symmetric forms of a position (a learned
            model's at the root), for as many times the work.
        c_scale, max_depth, prove, proof_nodes: of the search, see ``SearchConfig``; None as its preset plays.
        trust: run the code of a network of somebody's own that lies in the run's folder.
        weights: how the SHA-256 of the weights' file begins; others are refused. None takes what is there.
    """

    path: str
    simulations: int | None = None
    plies: int | None = None
    candidates: int | None = None
    round: int | None = None
    average: int = 1
    symmetries: bool = False
    c_scale: float | None = None
    max_depth: int | None = None
    prove: bool | None = None
    proof_nodes: int | None = None
    trust: bool = False
    weights: str | None = None

    def __post_init__(self) -> None:
        if self.simulations is not None and self.simulations < 0:
            raise ValueError(f"simulations={self.simulations} must be at least 0")
        self.judged()
        if self.round is not None and self.round < 1:
            raise ValueError(f"round={self.round} must be at least 1")
        if self.average < 1:
            raise ValueError(f"average={self.average} must be at least 1")

    def judged(self) -> JudgedConfig | None:
        """How far a judge of afterstates looks; None where nothing is set."""
        if self.plies is None and self.candidates is None:
            return None
        return JudgedConfig(1 if self.plies is None else self.plies, self.candidates or 0)

    def search(self, preset: Preset, spec: GameSpec) -> SearchConfig:
        """The search that a run of ``preset`` plays with, with what is given here in its place.

        Raises:
            ValueError: a value that no such search can have.
        """
        if preset.kind == "td":
            self._refuse_search(preset)
        play = preset.play
        if self.c_scale is not None and play.root != "gumbel" and play.interior != "improved":
            raise ValueError(f"c_scale={self.c_scale} is of Gumbel's search, and this run plays by PUCT")
        for name in ("prove", "proof_nodes"):
            if getattr(self, name) and preset.kind == "model":
                raise ValueError(
                    f"{name}={_shown(getattr(self, name))} needs the true rules, and {self.path} searches a "
                    f"model; leave {name} out"
                )
        if self.proof_nodes and spec.outcomes:
            raise ValueError(
                f"proof_nodes={self.proof_nodes}: alpha-beta proves nothing where there is chance; leave "
                "proof_nodes out"
            )
        changes = {name: getattr(self, name) for name in _SEARCH}
        return replace(play, **{name: value for name, value in changes.items() if value is not None})

    def _refuse_search(self, preset: Preset) -> None:
        """TD(lambda) has no search to be changed; 0 simulations are none."""
        for name in ("simulations", *_SEARCH):
            value = getattr(self, name)
            if value if name == "simulations" else value is not None:
                raise ValueError(
                    f"{name}={_shown(value)}, but {self.path} has learned by {preset.name}, "
                    f"which looks one move ahead; leave {name} out, or give plies"
                )


def _shown(value: object) -> str:
    """A value as it is written in an agent's name."""
    return str(value).lower() if isinstance(value, bool) else str(value)
