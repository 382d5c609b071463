"""Games of a match in a file that other programs read, written one by one as they end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from dicezero.rules.names import quote
from dicezero.rules.notation import GameText, NotationError, pgn_text, sgf_text
from dicezero.rules.notation.files import suffix_of
from dicezero.rules.protocol import Game


class GameBook:
    """An SGF collection or a PGN file. A match that is stopped leaves the games that were over."""

    def __init__(self, path: Path, game: Game, *, start: str | None) -> None:
        suffix = suffix_of(str(game))
        if path.suffix.lower() != suffix:
            raise NotationError(
                f"--save {quote(str(path))}: games of {game} are saved as {suffix}; name it so"
            )
        self._path, self._game, self._start = path, str(game), start
        path.write_text("", encoding="utf-8")  # a folder that is not there is better found before the games

    def writer(self, first: str, second: str) -> Callable[[int, Sequence[int]], None]:
        """What ``play_match`` calls after every game; the first agent has the first seat in even games."""

        def write(index: int, actions: Sequence[int]) -> None:
            players = (first, second) if index % 2 == 0 else (second, first)
            record = GameText(self._game, tuple(actions), players, start=self._start)
            chess = self._path.suffix.lower() == ".pgn"
            text = pgn_text(record, round_number=index + 1) if chess else sgf_text(record)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(text)

        return write
