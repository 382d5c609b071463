"""Games of a match in a file that other programs read, written one by one as they end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from dicezero.rules.names import quote
from dicezero.rules.notation import LINES, Double, GameText, NotationError, record_text, suffixes_of
from dicezero.rules.protocol import Game


class GameBook:
    """A file of games in their own notation, or as JSON; a match that is stopped leaves what was over."""

    def __init__(self, path: Path, game: Game, *, start: str | None) -> None:
        own = [suffix for suffix in suffixes_of(str(game)) if suffix != ".json"]
        if path.suffix.lower() not in (*own, LINES):
            endings = " or ".join([*own, LINES])
            raise NotationError(
                f"--save {quote(str(path))}: games of {game} are saved as {endings}; name it so"
            )
        self._path, self._game, self._start = path, game, start
        path.write_text("", encoding="utf-8")  # a folder that is not there is better found before the games

    def writer(self, first: str, second: str) -> Callable[[int, Sequence[int], Sequence[Double]], None]:
        """What ``play_match`` calls after every game; the first agent has the first seat in even games."""

        def write(index: int, actions: Sequence[int], doubles: Sequence[Double]) -> None:
            players = (first, second) if index % 2 == 0 else (second, first)
            record = GameText(
                str(self._game), tuple(actions), players, start=self._start, doubles=tuple(doubles)
            )
            text = record_text(record, self._path.suffix.lower(), number=index + 1, game=self._game)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(text)

        return write
