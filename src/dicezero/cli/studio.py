"""``dicezero studio``."""

from __future__ import annotations

import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from tyro.conf import Positional

from dicezero.cli.load import load
from dicezero.cli.progress import working
from dicezero.rules.extras import require_extra


@dataclass(frozen=True)
class Studio:
    """Play, look inside the search and watch runs learn, in the browser; a page on this machine only.

    With no folder it offers the classical agents and perfect play. A JSON API for programs is under /api/v1,
    its description at /api/v1/docs. Ctrl-C ends it.

    Example: dicezero studio runs
    """

    folders: Positional[Annotated[tuple[Path, ...], tyro.conf.arg(metavar="[DIR ...]")]] = ()
    """Folders that hold runs; nothing outside of them is read."""
    port: int = 8765
    """Port on 127.0.0.1; 0 takes a free one."""
    no_open: bool = False
    """Do not open the page in the browser."""
    game: tuple[str, ...] = ()
    """Further games to offer: path/to/file.py:Name or tree.json; may be given again. Code of files is run."""
    trust: bool = False
    """Offer the games whose code lies beside the runs, too. Their code is run."""
    solution: tuple[Path, ...] = ()
    """Files of dicezero solve --out, for games too large to be solved when they are opened."""
    judge: tuple[str, ...] = ()
    """Agents that judge moves where a game is not solved, e.g. "uci(command=stockfish,nodes=1000)"."""

    def run(self) -> int:
        """Serves until Ctrl-C."""
        if not 0 <= self.port <= 65535:
            raise ValueError(f"--port {self.port} must be in 0..65535")
        require_extra("nicegui", command="dicezero studio")
        from dicezero.studio.catalog import Catalog
        from dicezero.studio.hall import Hall
        from dicezero.studio.judges import Judges
        from dicezero.studio.solutions import Solutions

        judges = Judges(self.judge)
        games = {text: load(text) for text in self.game}
        catalog = Catalog(self.folders, games=games, solutions=Solutions(self.solution), trust=self.trust)
        with working("loading the studio", quiet=False):
            from dicezero.studio.page.app import serve  # mistakes are reported before it

        hall = Hall(catalog, judges=judges)
        try:
            serve(catalog, hall, self.port, ready=self._ready)
        finally:
            hall.shutdown()
        return 0

    def _ready(self, address: str) -> None:
        print(f"dicezero studio: {address}   (Ctrl-C ends it)", flush=True)
        if not self.no_open:
            webbrowser.open(address)
