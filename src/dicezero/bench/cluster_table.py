"""On paper: what a cluster of 1 to 800 workers would do, from the figures of one machine.

python -m dicezero.bench.cluster_table --save results/cluster.json   # measures here, about a minute
python -m dicezero.bench.cluster_table --read results/cluster.json
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from dicezero.bench.ray import Measured, measure

WORKERS = (1, 2, 8, 16, 32, 64, 128, 200, 400, 800)
CHUNKS_A_WORKER = 4  # a round grows with the cluster, so that the last chunks do not leave most of it idle
_BATCH = 512
_WORKERS_A_MACHINE = 16
_NETWORK_BYTES = 1.25e9  # a second: ten gigabits at the learner's machine


@dataclass(frozen=True)
class Round:
    """A round as expected; times in seconds."""

    workers: int
    games: int
    weights: float  # until every machine has them
    playing: float  # by the workers
    handling: float  # of the learner's process for the chunks; goes on while workers play
    wire: float  # for the games to come in; so does this
    learning: float  # one pass over the new games, while the workers wait

    @property
    def selfplay(self) -> float:
        """From the weights to the last game."""
        return self.weights + max(self.playing, self.handling, self.wire)

    @property
    def games_per_second(self) -> float:
        """Of self-play alone."""
        return self.games / self.selfplay

    @property
    def with_learning(self) -> float:
        """Games a second of the whole round."""
        return self.games / (self.selfplay + self.learning)

    @property
    def bound(self) -> str:
        """What takes the longest."""
        times = {
            "workers": self.playing,
            "learner: chunks": self.handling,
            "network": self.wire + self.weights,
            "learner: training": self.learning,
        }
        return max(times, key=lambda name: times[name])


def expected(measured: Measured, workers: int) -> Round:
    """The arithmetic; docs/howto/cluster.md explains it."""
    chunks = CHUNKS_A_WORKER * workers
    games = chunks * measured.chunk_games
    machines = -(-workers // _WORKERS_A_MACHINE)
    return Round(
        workers=workers,
        games=games,
        weights=measured.put_seconds + machines * measured.weights_bytes / _NETWORK_BYTES,
        playing=CHUNKS_A_WORKER * measured.chunk_seconds,
        handling=chunks * measured.learner_chunk_seconds,
        wire=games * measured.game_bytes / _NETWORK_BYTES,
        learning=games * measured.decisions / _BATCH * measured.step_seconds,
    )


def table(measured: Measured) -> str:
    """As Markdown."""
    lines = [
        "| workers | games a round | self-play, games/s | times one | with training | longest part |",
        "|---:|---:|---:|---:|---:|---|",
    ]
    one = expected(measured, 1).games_per_second
    for workers in WORKERS:
        r = expected(measured, workers)
        lines.append(
            f"| {workers} | {r.games:,} | {r.games_per_second:,.0f} | {r.games_per_second / one:.1f} | "
            f"{r.with_learning:,.0f} | {r.bound} |"
        )
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> None:
    """Measures or reads, prints, and saves if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--read", type=Path, help="figures measured before")
    parser.add_argument("--save", type=Path, help="where to keep the figures")
    arguments = parser.parse_args(argv)
    measured = Measured(**json.loads(arguments.read.read_text())) if arguments.read else measure()
    if arguments.save:
        arguments.save.write_text(json.dumps(asdict(measured), indent=1) + "\n")
    print(table(measured))


if __name__ == "__main__":
    main()
