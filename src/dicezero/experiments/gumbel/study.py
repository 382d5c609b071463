"""A part that learns, as a record: which methods on which game, and how their runs are measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from dicezero.experiments.gumbel.learning_claims import Comparison, Criterion
from dicezero.experiments.gumbel.methods import Method
from dicezero.experiments.ndmz import Scale
from dicezero.experiments.training import Line
from dicezero.presets.preset import Preset
from dicezero.rules.protocol import Game
from dicezero.selfplay.planners import Planner


@dataclass(frozen=True)
class Shown:
    """A number of a line as a figure shows it.

    Attributes:
        key: of the line.
        title, ylabel: of its axes.
        level: a horizontal line, with what it is.
    """

    key: str
    title: str
    ylabel: str
    level: tuple[float, str] | None = None


class Judge(Protocol):
    """Measures runs on one game, all of them alike."""

    @property
    def game(self) -> Game:
        """What is learned."""
        ...

    @property
    def criterion(self) -> Criterion:
        """The number that decides."""
        ...

    @property
    def shown(self) -> Sequence[Shown]:
        """The numbers that are drawn; the first is drawn by CPU time too."""
        ...

    def measure(self, preset: Preset, planner: Planner, *, last: bool) -> dict[str, Any]:
        """Named numbers, ``seconds_evaluating`` among them; ``last``: the run has ended."""
        ...

    def summary(self, line: Line) -> str:
        """What was measured, in a few words."""
        ...

    def facts(self) -> dict[str, Any]:
        """What a reader of the data has to know of the measurement."""
        ...


@dataclass(frozen=True)
class Rated:
    """A tournament of all runs of a seed, and of the weights they began with.

    Attributes:
        games: of a pairing.
        opening: random moves that both games of a pair begin with.
        simulations: of every player, whatever it was trained with.
    """

    games: int = 40
    opening: int = 4
    simulations: int = 32


@dataclass(frozen=True)
class Axis:
    """What the methods of a study differ by, where that is one setting and belongs below the figure.

    Attributes:
        label: the setting.
        places: its value for each method, in order.
    """

    label: str
    places: Mapping[str, str]


@dataclass(frozen=True)
class Study:
    """One part: a figure of the paper, or its counterpart on another game.

    Attributes:
        name: of the part, and of its data file.
        figure: of the paper.
        title: above ours.
        methods: to compare; of an ablation the first is the paper's choice.
        simulations: that each is trained with.
        comparisons: what the paper concludes.
        judge: makes what measures the runs under a folder, at a scale.
        choosable: whether ``--algorithms`` chooses among the methods; an ablation is always whole.
        others: methods that are run only where ``--algorithms`` names them.
        prefix: of the folders of its runs; studies with the same prefix share them.
        measured: times in a run, unless ``--every`` makes it less often.
        axis: what is drawn along the x axis in the place of the number of simulations.
        curves: whether the way there is drawn too, by games and by CPU minutes.
        rated: a tournament in the end, where the game has no yardstick of its own.
        needs: modules of extras.
    """

    name: str
    figure: str
    title: str
    methods: tuple[Method, ...]
    simulations: tuple[int, ...]
    comparisons: tuple[Comparison, ...]
    judge: Callable[[Path, Scale], Judge]
    choosable: bool = False
    others: tuple[Method, ...] = ()
    prefix: str = ""
    measured: int = 10
    axis: Axis | None = None
    curves: bool = False
    rated: Rated | None = None
    needs: tuple[str, ...] = ()

    def chosen(self, names: Sequence[str]) -> tuple[Method, ...]:
        """The methods of those names, all of its own without any.

        Raises:
            ValueError: it has none of them.
        """
        if not names or not self.choosable:
            return self.methods
        by_name = {method.name: method for method in (*self.methods, *self.others)}
        chosen = tuple(by_name[name] for name in names if name in by_name)
        if not chosen:
            raise ValueError(f"algorithms: {self.name} has no {', '.join(names)}; give {', '.join(by_name)}")
        return chosen


@dataclass(frozen=True)
class Job:
    """One run: a method, a number of simulations, a seed."""

    method: Method
    simulations: int
    seed: int
    prefix: str = ""

    @property
    def name(self) -> str:
        """Of its folder, and in a tournament."""
        return f"{self.prefix}{self.method.name}-n{self.simulations}-{self.seed}"

    def folder(self, out: Path) -> Path:
        """Where the run lives; its measurements are beside it, with ``.jsonl`` added."""
        return out / "runs" / self.name

    @property
    def title(self) -> str:
        """Of lines of progress."""
        return f"{self.prefix}{self.method.name} n={self.simulations} seed {self.seed}"


def jobs_of(
    methods: Sequence[Method], simulations: Sequence[int], seeds: Sequence[int], prefix: str = ""
) -> list[Job]:
    """Seed by seed, so that a sweep that is stopped has whole figures of fewer seeds; cheap ones first."""
    return [Job(m, n, seed, prefix) for seed in seeds for n in sorted(simulations) for m in methods]
