"""A game from the command line: a name, ``file.py:Name`` of the user's own, or a tree written as JSON."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import cast

from dicezero.rules import GameError, load_game, load_object
from dicezero.rules.names import parse_name
from dicezero.rules.objects import MOST_BYTES, is_object
from dicezero.rules.ordinary import read_ordinary
from dicezero.rules.protocol import Game
from dicezero.runs.code import run_game
from dicezero.runs.config import RunConfig


def load(text: str) -> Game:
    """The game that ``text`` names, known to follow the protocol; raises GameError.

    The text must be the user's own, from the command line: code that it names is run.
    """
    return load_game(cast("Game", load_unchecked(text)))


def load_unchecked(text: str) -> object:
    """The object that ``text`` names, whatever it is; a name itself where it is a registered game's."""
    if text.endswith(".json"):
        return _tree(text)
    if text.endswith(".py"):
        raise GameError(f"{text} is a file; name the game in it: {text}:{_first_class(Path(text))}")
    return load_object(text) if is_object(text) else text


def load_run_game(agent: str, *, trust: bool) -> Game:
    """What an agent ``run(path=DIR)`` has learned; ValueError for any other agent.

    Raises:
        RunError: no run, or of a game of somebody's own and not to be trusted.
    """
    name = parse_name(agent)
    if name.word not in ("run", "td") or "path" not in name.parameters:
        raise ValueError(f"--game is missing; give what {agent} is to play, e.g. --game nannon")
    folder = Path(name.parameters["path"])
    return run_game(folder, RunConfig.read(folder), trust=trust)


def _first_class(file: Path) -> str:
    """The class of a file that looks like a game, found without running it."""
    try:
        tree = ast.parse(read_ordinary(file, most_bytes=MOST_BYTES).decode("utf-8"))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return "Class"
    for node in ast.walk(tree):
        methods = getattr(node, "body", ()) if isinstance(node, ast.ClassDef) else ()
        if any(getattr(m, "name", "") in ("new_initial_state", "reset") for m in methods):
            return str(getattr(node, "name", "Class"))
    return "Class"


def _tree(path: str) -> Game:
    """A game whose whole tree stands in a file."""
    from dicezero.search.explicit import ExplicitGame

    try:
        return ExplicitGame.read(path)
    except ValueError as error:
        raise GameError(str(error)) from None
