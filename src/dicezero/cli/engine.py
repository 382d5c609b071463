"""``dicezero engine``."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from tyro.conf import Positional

from dicezero.rules.extras import require_extra


@dataclass(frozen=True)
class Engine:
    """Play and analyse over a pipe: a line of JSON on stdin, a line of JSON on stdout.

    The operations are those of the studio's API: new, show, moves, move, undo, analyse, story, close,
    catalog, runs, metrics. docs/howto/studio.md has a worked example. It ends when stdin does.

    Example: echo '{"op": "new", "game": "nannon", "opponent": "perfect"}' | dicezero engine
    """

    folders: Positional[Annotated[tuple[Path, ...], tyro.conf.arg(metavar="[DIR ...]")]] = ()
    """Folders whose runs can be played; nothing outside of them is read."""
    solution: tuple[Path, ...] = ()
    """Files of dicezero solve --out, for games too large to be solved when they are opened."""

    def run(self) -> int:
        """Answers until stdin ends."""
        require_extra("pydantic", command="dicezero engine")
        from dicezero.studio.catalog import Catalog
        from dicezero.studio.engine import Engine as Answers
        from dicezero.studio.hall import Hall
        from dicezero.studio.service import Service
        from dicezero.studio.solutions import Solutions

        hall = Hall(Catalog(self.folders, solutions=Solutions(self.solution)))
        try:
            Answers(Service(hall)).run(sys.stdin.buffer, sys.stdout.buffer)
        finally:
            hall.shutdown()
        return 0
