"""An episode of an environment as a GIF."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from dicezero.agents.base import Agent
from dicezero.rules.extras import require_extra
from dicezero.rules.frames import Picture
from dicezero.rules.protocol import Game, State
from dicezero.runs.files import write_atomically
from dicezero.studio.table import Table

MOST_PICTURES = 3_000  # of a film: a long game of Atari has ten times as many
_WIDEST = 400  # pixels; larger pictures are halved until they fit


class Film:
    """The pictures of an episode as they come, and the file in the end."""

    def __init__(self, path: Path, game: Game, seed: int) -> None:
        """Looks at the first picture of an episode, so that what cannot be filmed is refused at once.

        Raises:
            ValueError: the file's name or the game does not fit, or the folder is not there.
            ExtraError: Pillow is not installed.
        """
        if path.suffix.lower() != ".gif":
            raise ValueError(f"--gif {path} must end in .gif")
        if not path.parent.is_dir():
            raise ValueError(f"--gif {path}: there is no folder {path.parent}; make it first")
        if not hasattr(game, "take"):
            raise ValueError(f"--gif films environments, and {game} is none; leave it out")
        require_extra("PIL", command="--gif")
        self.path = path
        self._pictures: list[Any] = []  # of Pillow, each with a palette of its own
        first = game.new_initial_state(seed=seed)  # type: ignore[call-arg]
        self._seconds = 1.0 / first.frames_per_second  # type: ignore[attr-defined]
        if _picture(first) is None:
            raise ValueError(f"--gif: {game} draws nothing, and what it shows is no picture")

    def __len__(self) -> int:
        return len(self._pictures)

    def add(self, state: State) -> None:
        """The picture of a position; those beyond the most are left out."""
        if len(self._pictures) < MOST_PICTURES and (picture := _picture(state)) is not None:
            from PIL import Image

            self._pictures.append(Image.fromarray(picture).quantize(64))

    def cut(self, pictures: int) -> None:
        """Leaves so many from the start: what was taken back is not shown."""
        del self._pictures[pictures:]

    def save(self) -> str:
        """Writes the file; a line about it."""
        if not self._pictures:
            raise ValueError(f"--gif {self.path}: the environment drew no picture in this episode")
        buffer, (first, *others) = io.BytesIO(), self._pictures
        # A GIF counts in hundredths of a second, and browsers slow down what is faster than two of them.
        milliseconds = max(20, round(100 * self._seconds) * 10)
        first.save(buffer, "GIF", save_all=True, append_images=others, duration=milliseconds, loop=0)
        write_atomically(self.path, buffer.getvalue())
        return f"filmed: {self.path}, {len(self)} pictures"


def film_episode(path: Path, game: Game, agent: Agent, *, seed: int) -> tuple[str, float]:
    """Films the agent at an episode; a line about it, and the episode's return."""
    film, table = Film(path, game, seed), Table(game, agent, seat=1, seed=seed)
    film.add(table.position())
    while not table.over:
        table.advance()
        film.add(table.position())
    paid = (table.returns or (0.0,))[0]
    return f"{film.save()}, return {paid:g}", paid


def _picture(state: State) -> Picture | None:
    picture: Picture | None = state.render()  # type: ignore[attr-defined]
    while picture is not None and picture.shape[1] > _WIDEST:
        rows, columns = (n - n % 2 for n in picture.shape[:2])
        quarters = picture[:rows, :columns].reshape(rows // 2, 2, columns // 2, 2, 3)
        picture = quarters.mean(axis=(1, 3)).astype(np.uint8)
    return picture
