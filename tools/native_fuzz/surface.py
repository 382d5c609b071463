"""All that the native module offers, read from the module itself: a new binding need not be named."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

_ARRAY = re.compile(r"(?:numpy\.)?ndarray\[([^\]]*)\]")
_DEFAULT = re.compile(r"= \\\d+")
_LEFT_OUT = ("__new__", "__reduce__", "__deepcopy__", "__init_subclass__")


@dataclass(frozen=True)
class Parameter:
    """One parameter; ``kind`` is its type as an expression, arrays as ``ndarray_DTYPE_DIMENSIONS``."""

    name: str
    kind: ast.expr
    keyword: bool
    optional: bool


@dataclass(frozen=True)
class Entry:
    """Something to call.

    Attributes:
        name: ``function``, ``Class``, ``Class.method`` or ``Class.property``.
        owner: the class whose instance is the first argument, None for functions and constructors.
        call: what is called.
        overloads: the parameters of each of its signatures, without the instance.
    """

    name: str
    owner: type | None
    call: Callable[..., Any]
    overloads: tuple[tuple[Parameter, ...], ...]

    @property
    def kind(self) -> str:
        """The class, or ``functions``."""
        made = isinstance(self.call, type)
        return self.name.split(".")[0] if made or "." in self.name else "functions"


def surface(module: ModuleType) -> list[Entry]:
    """Functions, constructors, methods, and both sides of properties, by name."""
    found: list[Entry] = []
    for name, value in sorted(vars(module).items()):
        if name.startswith("__"):
            continue
        if isinstance(value, type):
            found += _of_class(name, value)
        elif callable(value):
            found.append(Entry(name, None, value, _overloads(value, skip=0)))
    return found


def _of_class(name: str, kind: type) -> Iterator[Entry]:
    if hasattr(kind.__init__, "__nb_signature__"):
        yield Entry(name, None, kind, _overloads(kind.__init__, skip=1))
    for key, value in sorted(vars(kind).items()):
        if key == "__init__" or key in _LEFT_OUT:
            continue
        if isinstance(value, property):
            yield Entry(f"{name}.{key}", kind, value.fget or _nothing, ((),))
            if value.fset is not None:
                yield Entry(f"{name}.{key}=", kind, value.fset, _overloads(value.fset, skip=1))
        elif hasattr(value, "__nb_signature__"):
            static = not _text(value.__nb_signature__[0]).startswith(f"def {key}(self")
            call = getattr(kind, key) if static else value
            yield Entry(f"{name}.{key}", None if static else kind, call, _overloads(value, skip=not static))


def _nothing(_: object) -> None:
    return None


def _text(signature: tuple[str, ...]) -> str:
    return signature[0]


def _overloads(value: Any, *, skip: int) -> tuple[tuple[Parameter, ...], ...]:
    signatures = getattr(value, "__nb_signature__", ())
    return tuple(_parameters(_text(signature), skip) for signature in signatures) or ((),)


def _parameters(signature: str, skip: int) -> tuple[Parameter, ...]:
    text = _ARRAY.sub(lambda found: _array_name(found[1]), _DEFAULT.sub("= None", signature))
    text = re.sub(r"def (?=\()", "def f", text)
    made = ast.parse(f"{text}: ...").body[0]
    assert isinstance(made, ast.FunctionDef), signature
    plain = [*made.args.posonlyargs, *made.args.args]
    required = len(plain) - len(made.args.defaults)
    parameters = [
        Parameter(a.arg, a.annotation or ast.Name("object"), keyword=False, optional=i >= required)
        for i, a in enumerate(plain)
    ]
    for argument, default in zip(made.args.kwonlyargs, made.args.kw_defaults, strict=True):
        kind = argument.annotation or ast.Name("object")
        parameters.append(Parameter(argument.arg, kind, keyword=True, optional=default is not None))
    return tuple(parameters[skip:])


def _array_name(inside: str) -> str:
    dtype = re.search(r"dtype=(\w+)", inside)
    shape = re.search(r"shape=\(([^)]*)\)", inside)
    dimensions = str(shape[1].count("*")) if shape else "any"
    return f"ndarray_{dtype[1] if dtype else 'float32'}_{dimensions}"
