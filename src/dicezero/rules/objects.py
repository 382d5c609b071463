"""Games from somebody's own file or module: ``examples/pig.py:Pig`` or ``package.module:NAME(key=value)``."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from dicezero.rules.errors import GameError
from dicezero.rules.names import nearest, parse_name, quote


def load_object(text: str) -> object:
    """What ``module:name`` or ``path/file.py:name`` names; a class or function is called with the parameters.

    Runs the code of that module: give only what you trust. The object is returned as it is; hand it to
    ``load_game`` or ``check_game``.

    Raises:
        GameError: no such file, module or name, or its code raised.
    """
    place, colon, written = text.rpartition(":")
    if not colon or not place.strip() or not written.strip():
        raise GameError(
            f"{quote(text)} is not MODULE:NAME; write it as examples/pig.py:Pig or package.module:Game"
        )
    module = _module(place.strip())
    name = parse_name(written)
    if not hasattr(module, name.word):
        public = [word for word in vars(module) if not word.startswith("_")]
        raise GameError(f"{place} has no {quote(name.word)}; {nearest(name.word, public)}check the spelling")
    found = getattr(module, name.word)
    if hasattr(found, "new_initial_state") and not isinstance(found, type):
        if name.parameters:
            raise GameError(f"{text} is an object and takes no parameters; leave them out")
        return found
    if not callable(found):
        raise GameError(
            f"{text} is a {type(found).__name__}, not a game; name a game, its class or a function"
        )
    try:
        return found(**{key: _value(value) for key, value in name.parameters.items()})
    except Exception as error:
        raise GameError(f"{text} raised {type(error).__name__}: {error}; check its parameters") from error


def _value(text: str) -> int | float | bool | str:
    """A parameter of a foreign class: whatever the text looks like."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _module(place: str) -> ModuleType:
    by_path = place.endswith(".py") or "/" in place or "\\" in place
    try:
        if by_path:
            return _run_file(Path(place))
        beside = Path(*place.split(".")).with_suffix(".py")  # a file here, though here is not on sys.path
        if beside.is_file():
            return _run_file(beside)
        return importlib.import_module(place)
    except GameError:
        raise
    except ModuleNotFoundError as error:
        raise GameError(
            f"{quote(place)} cannot be imported: {error}; give an installed module or a file"
        ) from error
    except (Exception, SystemExit) as error:
        raise GameError(
            f"{quote(place)} raised {type(error).__name__}: {error}; make it importable"
        ) from error


def _run_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise GameError(f"there is no file {quote(str(path))}; give a path to a Python file")
    name = f"dicezero_file_{path.stem}"  # a name of its own: a game may live in a file called random.py
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise GameError(f"{quote(str(path))} is not a Python file; its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up while it runs
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
