"""Fixed games of the shipped 9x9 agent, to learn from and to be tested on; made once and kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dicezero.agents.pretrained import pretrained_folder
from dicezero.experiments.ndmz import Say
from dicezero.replay.buffer import Batch, Replay
from dicezero.replay.shards import pack_episodes, unpack_episodes
from dicezero.replay.values import ValueTarget
from dicezero.rules import load_game
from dicezero.rules.protocol import Game
from dicezero.rules.spec import GameSpec, spec_of
from dicezero.runs.files import write_atomically
from dicezero.runs.loading import load_run
from dicezero.selfplay.episode import Episode
from dicezero.selfplay.play import play_games

GAME = "go(board_size=9)"
SIMULATIONS = 32  # of the teacher's search at every move
_EXPLORE = 12  # moves drawn by the search's visits: every game is another one
_TOGETHER = 50  # games of a file
_SEED = 10
_TRAINING, _TEST = 0, 1  # rounds of the seed: no two games share a random number


@dataclass(frozen=True)
class Games:
    """What the networks are taught and asked.

    Attributes:
        spec: of the game.
        training: the table that samples are drawn from.
        test: positions of other games, without those that are among the training's too.
        best: [P] the move that the teacher's search recommends at each of them.
    """

    spec: GameSpec
    training: Replay
    test: Batch

    @cached_property
    def best(self) -> npt.NDArray[np.intp]:
        """[P] the move that the teacher's search recommends at each position of the test."""
        return np.asarray(self.test.policy[:, 0, : self.spec.actions].argmax(axis=1))


def fixed_games(folder: Path, *, training: int, test: int, say: Say | None = None) -> Games:
    """The games, read from ``folder`` or played there; a stop loses the file under way."""
    game = load_game(GAME)
    spec = spec_of(game)
    parts = [
        [
            episode
            for start in range(0, count, _TOGETHER)
            for episode in _file(folder, game, kind, start, min(start + _TOGETHER, count), say)
        ]
        for kind, count in ((_TRAINING, training), (_TEST, test))
    ]
    taught, asked = (_table(spec, episodes) for episodes in parts)
    return Games(spec, taught, _unseen(asked, taught))


def _file(folder: Path, game: Game, kind: int, start: int, stop: int, say: Say | None) -> Sequence[Episode]:
    path, spec = folder / f"{('training', 'test')[kind]}-{start:05d}-{stop:05d}.npz", spec_of(game)
    if not path.exists():
        shipped = pretrained_folder(game)
        if shipped is None:
            raise ValueError(f"no agent is shipped for {game}; its games cannot be played")
        run = load_run(shipped, game)
        search = replace(run.config.preset.play, simulations=SIMULATIONS)
        numbers = range(start, stop)
        episodes = play_games(
            game, run.planner, search, games=numbers, seed=_SEED, round_index=kind, explore_moves=_EXPLORE
        )
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(path, pack_episodes(episodes))
        if say:
            say(f"{path.name}: {sum(len(episode.decisions) for episode in episodes)} positions")
    return unpack_episodes(path.read_bytes(), spec, name=str(path))


def _table(spec: GameSpec, episodes: Sequence[Episode]) -> Replay:
    table = Replay(spec, capacity=len(episodes), value=ValueTarget("lambda", 1.0), auxiliary=True)
    table.add(episodes)
    return table


def _unseen(asked: Replay, taught: Replay) -> Batch:
    """All positions of ``asked`` that ``taught`` has not: openings come up again and again."""
    seen = {row.tobytes() for row in _everything(taught).observation}
    whole = _everything(asked)
    new = [i for i, row in enumerate(whole.observation) if row.tobytes() not in seen]
    if not new:
        raise ValueError("the games to be tested on have no position of their own; raise --scale")
    return asked.batch(np.array(new, np.int64), unroll=0)


def _everything(replay: Replay) -> Batch:
    return replay.batch(np.arange(replay.decisions, dtype=np.int64), unroll=0)
