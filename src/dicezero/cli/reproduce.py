"""``dicezero reproduce``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro
from tyro.conf import Positional

from dicezero.cli.console import emit
from dicezero.cli.progress import bar
from dicezero.rules.extras import require_extra

if TYPE_CHECKING:
    from dicezero.experiments.ndmz import Say, Scale  # they load JAX

_EXPERIMENTS = ("ndmz", "gumbel", "gumbel-ndmz", "connect-four", "boards", "opponents")
Experiment = Annotated[str, tyro.conf.arg(metavar="EXPERIMENT")]


@dataclass(frozen=True)
class Reproduce:
    """Run a paper's experiment here: data, figures, and what it takes to make them again, under --out.

    ndmz: section 4 of the NDMZ paper. TD(lambda), AlphaZero and NDMZ learn Nannon, measured before training
    and after each of 100 rounds; figures 2a, 2b, 3a, 3b. gumbel: the Gumbel paper in parts, with a verdict on
    each of its conclusions. gumbel-ndmz: strength against simulations, trained and played with each number;
    with --runs those runs are played with more and more simulations instead. connect-four: the runs of
    --runs beside a perfect solver, in games with themselves and from openings that are won for them. boards:
    what each option of learning on boards is worth, by runs of equal CPU time and a tournament; with
    --gauntlet what each size, rate and other number is worth, every variant against the base alone.
    opponents: the kept rounds of --runs against each of --opponents, by CPU time; without both, the matches
    that --out has are drawn again.

    Ctrl-C loses the round under way; the same command goes on from there.

    Example: dicezero reproduce ndmz --board 6-3-6 --seeds 0,1,2
    """

    experiment: Positional[Experiment]
    """ndmz, gumbel, gumbel-ndmz, connect-four, boards or opponents."""
    parts: str | None = None
    """gumbel: which of its parts, with commas between, e.g. sweep,go,blocks; all by default."""
    board: str | None = None
    """6-3-6, 12-5-6 or both, which is the default; boards: the game, go(board_size=7) by default."""
    algorithms: str | None = None
    """Presets, with commas between; the experiment's own by default; boards: its variants."""
    seeds: str | None = None
    """With commas between; 0,1,2 for ndmz and gumbel, 0 for gumbel-ndmz by default."""
    simulations: str | None = None
    """ndmz: of every search; otherwise the numbers to compare, e.g. 2,4,8."""
    runs: tuple[Path, ...] = ()
    """gumbel-ndmz: play these runs with 0, 2, 4, ... 400 simulations; connect-four, opponents: measure these
    runs. Nothing is trained."""
    opponents: tuple[str, ...] = ()
    """opponents: agents to play, programs outside among them, e.g. 'uci(command=stockfish,nodes=10)'."""
    variants: tuple[str, ...] = ()
    """gumbel-ndmz with --runs, connect-four: search in each of these ways, e.g. c_scale=0.1 or
    proof_nodes=0."""
    gauntlet: bool = False
    """boards: sizes, rates and other numbers in the place of options, each against the base alone."""
    scale: float = 1.0
    """1 is the paper's experiment; 0.05 has a twentieth of its rounds and games."""
    rounds: int | None = None
    """Of every run; by default by the preset and --scale."""
    every: int = 1
    """Rounds between measurements; a run is always measured before it begins and when it ends."""
    games: int | None = None
    """Of a match on 12-5-6 after a round, the luck taken out; 1000 by default, as in the paper. gumbel: of
    each match, pairing or mean return that measures; by --scale by default."""
    minutes: float | None = None
    """Of training a run at most; what is reached by then is the result, and a longer time goes on from it."""
    out: Path | None = None
    """Where runs, data and figures go; results/EXPERIMENT by default."""
    json: bool = False
    """Print one JSON object: what the result file holds, without the rounds."""

    def run(self) -> int:
        """Runs what is missing, then draws."""
        if self.experiment not in _EXPERIMENTS:
            raise ValueError(f"unknown experiment {self.experiment!r}; give {', '.join(_EXPERIMENTS)}")
        require_extra("matplotlib", "jax", "flax", "tensorboardX", command="dicezero reproduce")
        out = self.out or Path("results") / self.experiment
        if self.opponents and self.experiment != "opponents":
            raise ValueError(f"--opponents belongs to the experiment opponents, not to {self.experiment}")
        if self.gauntlet and self.experiment != "boards":
            raise ValueError(f"--gauntlet belongs to the experiment boards, not to {self.experiment}")
        if self.parts is not None and self.experiment != "gumbel":
            raise ValueError(f"--parts belongs to the experiment gumbel; {self.experiment} has none")
        run = {
            "ndmz": self._ndmz,
            "gumbel": self._gumbel,
            "gumbel-ndmz": self._gumbel_ndmz,
            "connect-four": self._connect_four,
            "boards": self._boards,
            "opponents": self._opponents,
        }
        with bar(f"reproducing {self.experiment}", quiet=self.json) as progress:
            result = run[self.experiment](out, progress.say)
        emit(result, *_shown(result), f"written to {out}", as_json=self.json)
        return 0

    def _ndmz(self, out: Path, say: Say) -> dict[str, Any]:
        from dicezero.experiments import ndmz

        if self.runs or self.variants:
            raise ValueError("--runs and --variants belong to the experiment gumbel-ndmz")
        numbers = _numbers("simulations", self.simulations)
        if numbers is not None and len(numbers) != 1:
            raise ValueError(f"--simulations {self.simulations} must be one number for the experiment ndmz")
        return ndmz.reproduce_ndmz(
            out,
            board=self.board or "both",
            algorithms=_words(self.algorithms) or ndmz.ALGORITHMS,
            seeds=_numbers("seeds", self.seeds) or (0, 1, 2),
            scale=self._scale(numbers[0] if numbers else None),
            say=say,
        )

    def _gumbel(self, out: Path, say: Say) -> dict[str, Any]:
        from dicezero.experiments.gumbel.reproduce import reproduce_gumbel
        from dicezero.experiments.gumbel.request import Request

        if self.runs or self.variants or self.board:
            raise ValueError("--runs, --variants and --board do not belong to the experiment gumbel")
        request = Request(
            out,
            algorithms=_words(self.algorithms),
            simulations=_numbers("simulations", self.simulations) or (),
            seeds=_numbers("seeds", self.seeds) or (0, 1, 2),
            scale=self._scale(None),
            say=say,
        )
        return reproduce_gumbel(request, _words(self.parts))

    def _gumbel_ndmz(self, out: Path, say: Say) -> dict[str, Any]:
        from dicezero.experiments import gumbel_ndmz

        numbers = _numbers("simulations", self.simulations)
        if self.variants and not self.runs:
            raise ValueError("--variants needs --runs: which runs are to be played in these ways?")
        if self.runs:
            return gumbel_ndmz.thinking_curve(
                out,
                self.runs,
                simulations=numbers or gumbel_ndmz.THINKING,
                variants=self.variants,
                scale=self._scale(None),
                say=say,
            )
        return gumbel_ndmz.reproduce_gumbel_ndmz(
            out,
            board=self.board or "both",
            algorithms=_words(self.algorithms) or gumbel_ndmz.ALGORITHMS,
            simulations=numbers or gumbel_ndmz.SIMULATIONS,
            seeds=_numbers("seeds", self.seeds) or (0,),
            scale=self._scale(None),
            say=say,
        )

    def _connect_four(self, out: Path, say: Say) -> dict[str, Any]:
        from dicezero.experiments import connect_four

        if not self.runs:
            raise ValueError("connect-four needs --runs: the folders of runs on Connect Four to be measured")
        require_extra("bitbully", command="dicezero reproduce connect-four")
        numbers, games = _numbers("simulations", self.simulations), self._scale(None)
        return connect_four.measure_runs(
            out,
            self.runs,
            simulations=numbers or connect_four.SIMULATIONS,
            games=self.games or games.part(connect_four.GAMES, 9),
            openings=games.part(connect_four.OPENINGS, 5),
            rounds=(self.rounds,) if self.rounds else (),
            variants=self.variants,
            say=say,
        )

    def _boards(self, out: Path, say: Say) -> dict[str, Any]:
        from dicezero.experiments import ablations

        scale, seeds = self._scale(None), _numbers("seeds", self.seeds) or (0,)
        return ablations.reproduce_ablations(
            out,
            game=self.board or ablations.GAME,
            variants=_words(self.algorithms),
            seeds=seeds,
            minutes=self.minutes or self.scale * ablations.MINUTES,
            games=self.games or scale.part(ablations.GAMES, 4),
            gauntlet=self.gauntlet,
            say=say,
        )

    def _opponents(self, out: Path, say: Say) -> dict[str, Any]:
        from dicezero.experiments.opponents import GAMES, SEED, Terms, draw_opponents, measure_opponents

        if not self.runs and not self.opponents:
            return draw_opponents(out)
        if not self.runs or not self.opponents:
            raise ValueError("opponents needs --runs, the folders of runs, and --opponents, names of agents")
        seed = (_numbers("seeds", self.seeds) or (SEED,))[0]
        return measure_opponents(
            out,
            self.runs,
            self.opponents,
            simulations=_numbers("simulations", self.simulations) or (None,),
            terms=Terms(games=self.games or self._scale(None).part(GAMES, 2), seed=seed, every=self.every),
            say=say,
        )

    def _scale(self, simulations: int | None) -> Scale:
        from dicezero.experiments.ndmz import Scale

        return Scale(
            self.scale,
            simulations=simulations,
            minutes=self.minutes,
            rounds=self.rounds,
            every=self.every,
            games=self.games,
        )


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip()) if text else ()


def _numbers(name: str, text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    try:
        return tuple(int(word) for word in _words(text))
    except ValueError:
        raise ValueError(f"--{name} {text} must be whole numbers with commas between, e.g. 0,1,2") from None


def _shown(result: dict[str, Any]) -> list[str]:
    """What a reader wants at once: last scores, verdicts, hours."""
    lines = []
    for board, data in result.get("boards", {}).items():
        for name, last in data["algorithms"].items():
            scores = ", ".join(f"{score:.4f}" for score in last["vs_optimal"])
            lines.append(f"{board} {name}: {scores} against perfect play after {last['rounds']} rounds")
    for claim in result.get("conclusions", ()):
        numbers = ", ".join(f"{key} {value:.4f}" for key, value in claim["numbers"].items())
        verdict = "confirmed" if claim["holds"] else "refuted"
        lines.append(f"{claim['board']}: {claim['claim']}: {verdict} ({numbers})")
    for row in result.get("rows", ()):
        words = f"{row['board']} {row['algorithm']} n={row['simulations']} seed {row['seed']}"
        lines.append(f"{words}: {row['vs_optimal']:.4f} (network {row['network_vs_optimal']:.4f})")
    for curve in result.get("trained", ()):
        seeds = "seed" + ("s " if len(curve["seeds"]) > 1 else " ") + ", ".join(map(str, curve["seeds"]))
        lines.append(f"{curve['board']} {curve['algorithm']}, {seeds}: {_curve(curve)}")
    for curve in result.get("curves", ()):
        lines.append(f"{curve['run']} {curve['variant']}: {_curve(curve)}")
    for name, part in result.get("parts", {}).items():
        for end in part.get("ends", ()):
            state = "" if end["ended"] else f", not done: round {end['round']}"
            lines.append(f"{end['method']} n={end['simulations']} seed {end['seed']}: {end['told']}{state}")
        if "runs_wanted" in part:
            lines.append(f"{name}: {part['runs_ended']} of {part['runs_wanted']} runs have ended")
        for claim in part.get("verdicts", ()):
            numbers = ", ".join(f"{key} {value:.4g}" for key, value in claim["numbers"].items())
            lines.append(f"{claim['where']}, {claim['name']}: {claim['verdict']} ({numbers})")
    if "matches" in result:
        from dicezero.experiments.opponents import shown

        lines += [shown(row) for row in result["matches"]]
    return [*lines, f"{result['hours']:.2f} hours"]


def _curve(curve: dict[str, Any]) -> str:
    scores = ", ".join(f"{p['simulations']}: {p['vs_optimal']:.4f}" for p in curve["points"])
    hurts = f"costs up to {curve['greatest_fall']:.4f}"
    return f"{scores}; more thinking {'never hurts' if curve['never_hurts'] else hurts}"
