"""Objects of somebody's own, by ``file.py:Name`` or ``package.module:Name``: games and networks.

Naming one runs its file. Nothing here is ever given a name that was read from a run's folder: a run keeps the
code of its game as text (``Source``), and whether that text is run is its user's decision.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import linecache
import re
import sys
import weakref
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from dicezero.rules.errors import GameError
from dicezero.rules.names import Name, nearest, parse_name, quote

UNKNOWN = "0" * 64  # the sum of code that has no file
MOST_BYTES = 1 << 20  # of a source file
# What makes an object a game: the protocol's first method, or an environment's two.
GAME_METHODS = (("new_initial_state",), ("reset", "step"))

_NAMED = re.compile(r"\w+\s*(\(.*)?", re.DOTALL)
_A_NAME = re.compile(r"\s*[A-Za-z0-9_]+\s*(\(|$)")
_sources: dict[int, tuple[weakref.ref[Any], Source]] = {}  # by id, of objects that were made here


@dataclass(frozen=True)
class SourceRecord:
    """Which code: the name of its file, what is named in it, and the SHA-256 of its text."""

    file: str  # no folder: it means the same wherever it is read
    name: str | None  # such as Pig(target=50); None where it is unknown how the object was made
    sha256: str

    @property
    def known(self) -> bool:
        """Whether its code was to be had: an object made in a notebook has no file."""
        return self.sha256 != UNKNOWN

    def __str__(self) -> str:
        """As a game's name."""
        return f"{self.file}:{self.name or '?'}"


@dataclass(frozen=True)
class Source:
    """The code of somebody's own object: one file as it is, and what is named in it."""

    file: str
    name: str | None
    code: bytes = field(repr=False)
    place: str | None = field(default=None, compare=False)  # where the file is, if it is here

    @property
    def record(self) -> SourceRecord:
        """What a run's configuration records of it."""
        return SourceRecord(self.file, self.name, hashlib.sha256(self.code).hexdigest())

    def load(self, methods: tuple[tuple[str, ...], ...] = GAME_METHODS) -> object:
        """Runs the code and makes the object; GameError where that fails."""
        if self.name is None:
            raise GameError(f"{self.file} does not record how its object is made; give the object itself")
        return remember(_named_in(_run(self), self.name, self.file, methods), self)


def load_object(text: str, methods: tuple[tuple[str, ...], ...] = GAME_METHODS) -> object:
    """What ``path/file.py:Name`` or ``package.module:Name`` names: an instance, or a class to be called.

    Runs the code of that module: give only what you trust. A class is called with the parameters, plain
    literals such as ``Pig(target=50)``; functions are not called. Hand the object to ``load_game`` or
    ``check_game``.

    Args:
        text: the name.
        methods: groups of methods; the object or class must have all of one group.

    Raises:
        GameError: no such file, module or name, no class or instance of that kind, or its code raised.
    """
    place, name = split_object(text)
    path = _file(place)
    if path is not None:
        return read_source(path, name).load(methods)
    module = _imported(place)
    loaded = _named_in(module, name, place, methods)
    file = getattr(module, "__file__", None) or ""
    return remember(loaded, read_source(Path(file), name, file=place)) if file.endswith(".py") else loaded


def is_object(text: str) -> bool:
    """Whether a text names somebody's own object, whose code is to be run, rather than a game of ours."""
    return ":" in text and not _A_NAME.match(text)


def split_object(text: str) -> tuple[str, str]:
    """The file or module, and the name in it, as ``str(Name)`` writes it."""
    cuts = [(text[:i].strip(), text[i + 1 :].strip()) for i, char in enumerate(text) if char == ":"]
    cuts = [(place, rest) for place, rest in cuts if place and _NAMED.fullmatch(rest)]
    # A folder may have a colon in its name, and a parameter may: the file's ending decides which is the one.
    cuts = [cut for cut in cuts if cut[0].endswith(".py")] or cuts
    if not cuts:
        raise GameError(
            f"{quote(text)} is not MODULE:NAME; write it as examples/pig.py:Pig or package.module:Game"
        )
    place, rest = cuts[0]
    return place, str(parse_name(rest))


def read_source(path: Path, name: str | None, *, file: str | None = None) -> Source:
    """The file's code, not run; ``file`` is what to call it, by default its name without the folder."""
    if not path.is_file():
        raise GameError(f"there is no file {quote(str(path))}; give a path to a Python file")
    if path.suffix != ".py":
        raise GameError(f"{quote(str(path))} is not a Python file; its name must end in .py")
    with path.open("rb") as stream:
        code = stream.read(MOST_BYTES + 1)
    if len(code) > MOST_BYTES:
        raise GameError(f"{quote(str(path))} has more than {MOST_BYTES} bytes; a game is one short file")
    return Source(file or path.name, name, code, str(path.resolve()))


def source_of(made: object) -> Source | None:
    """Where an object came from: what ``load_object`` read, or the file of its class; None if unknown.

    The name in it is that of the class with its parameters, where they are known.
    """
    remembered = _sources.get(id(made))
    if remembered is not None and remembered[0]() is made:
        return remembered[1]
    kind = type(made)
    module = sys.modules.get(kind.__module__)
    own = getattr(module, "__dicezero_source__", None)
    if isinstance(own, Source):
        return Source(own.file, written_name(made), own.code, own.place)
    files = [getattr(module, "__file__", None), *(_file_of(part) for part in vars(kind).values())]
    file = str(next((file for file in files if file), None))
    if kind.__module__.startswith("dicezero.") or not file.endswith(".py") or not Path(file).is_file():
        return None
    return read_source(Path(file), written_name(made))


def _file_of(function: object) -> str | None:
    """The file that a function was read from; a module run by ``runpy`` is known by no other sign."""
    return getattr(getattr(function, "__code__", None), "co_filename", None)


def remember(made: object, source: Source | None) -> object:
    """Records where an object came from; returns it."""
    if source is not None:
        key = id(made)
        with suppress(TypeError):  # no weak references to it: the file of its class is known all the same
            _sources[key] = (weakref.ref(made, lambda _: _sources.pop(key, None)), source)
    return made


def written_name(made: object) -> str | None:
    """How to write an object of somebody's own class, ``Pig(target=50)``; None where it is unknown."""
    kind = type(made)
    if "." in kind.__qualname__:
        return None
    if is_dataclass(kind):
        values = {f.name: getattr(made, f.name) for f in fields(kind) if f.init}
        if all(isinstance(value, bool | int | float | str) for value in values.values()):
            texts = {key: str(value) for key, value in values.items()}
            strings = frozenset(key for key, value in values.items() if isinstance(value, str))
            return str(Name(kind.__name__, texts, strings))
        return None
    try:
        same = bool(vars(kind()) == vars(made))
    except Exception:  # it needs arguments, or cannot be compared
        return None
    return kind.__name__ if same else None


def _file(place: str) -> Path | None:
    """The file that is meant; None where it is a module's name."""
    if place.endswith(".py") or "/" in place or "\\" in place:
        return Path(place)
    beside = Path(*place.split(".")).with_suffix(".py")  # a file here, though here is not on sys.path
    return beside if beside.is_file() else None


def _imported(place: str) -> ModuleType:
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError as error:
        raise GameError(
            f"{quote(place)} cannot be imported: {error}; give an installed module or a file"
        ) from error
    except (Exception, SystemExit) as error:
        raise GameError(
            f"{quote(place)} raised {type(error).__name__}: {error}; make it importable"
        ) from error


def _run(source: Source) -> ModuleType:
    """A module made of the code; a name of its own, as a game may live in a file called random.py."""
    place = source.place or f"<{source.file}>"
    name = f"dicezero_file_{Path(source.file).stem}_{source.record.sha256[:8]}"
    module = ModuleType(name)
    module.__file__ = place
    module.__dict__["__dicezero_source__"] = source
    before = sys.modules.get(name)
    sys.modules[name] = module  # dataclasses look their module up while it runs
    try:
        text = source.code.decode("utf-8", "replace")
        linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)  # for tracebacks
        exec(compile(source.code, place, "exec"), module.__dict__)  # noqa: S102 - its user named or trusted it
    except (Exception, SystemExit) as error:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        raise GameError(
            f"{quote(source.file)} raised {type(error).__name__}: {error}; make it importable"
        ) from error
    return module


def _named_in(module: ModuleType, written: str, place: str, methods: tuple[tuple[str, ...], ...]) -> object:
    """The instance of that name, or one made of the class of that name."""
    name = parse_name(written)
    if not hasattr(module, name.word):
        public = [word for word in vars(module) if not word.startswith("_")]
        raise GameError(f"{place} has no {quote(name.word)}; {nearest(name.word, public)}check the spelling")
    named = getattr(module, name.word)
    if not any(all(callable(getattr(named, m, None)) for m in group) for group in methods):
        kind = f"the class {name.word}" if isinstance(named, type) else f"a {type(named).__name__}"
        needed = " or ".join(" and ".join(f"{m}()" for m in group) for group in methods)
        raise GameError(
            f"{place}:{name.word} is {kind} without {needed}; name a class or an object that has it"
        )
    if not isinstance(named, type):
        if name.parameters:
            raise GameError(f"{place}:{written} is an object and takes no parameters; leave them out")
        return named
    _refuse_unknown_parameters(named, name.parameters, f"{place}:{name.word}")
    try:
        return named(**{key: _value(value, key in name.quoted) for key, value in name.parameters.items()})
    except Exception as error:
        raise GameError(
            f"{place}:{written} raised {type(error).__name__}: {error}; check its parameters"
        ) from error


def _refuse_unknown_parameters(kind: type, keys: Collection[str], what: str) -> None:
    """GameError that lists what a class takes; where its signature cannot be read the call itself raises."""
    try:
        taken = inspect.signature(kind).parameters.values()
    except (TypeError, ValueError):
        return
    if any(one.kind is one.VAR_KEYWORD for one in taken):
        return
    parameters = [one.name for one in taken if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    if unknown := [key for key in keys if key not in parameters]:
        takes = f"it takes {', '.join(parameters)}" if parameters else "it takes none"
        raise GameError(
            f"{what}: unknown parameter {quote(unknown[0])}; {nearest(unknown[0], parameters)}{takes}"
        )


def _value(text: str, is_text: bool) -> int | float | bool | str:
    """A parameter of a foreign class: a plain literal, whatever the text looks like; in quotes a text."""
    if is_text:
        return text
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
