"""Gymnasium's environments by name: ``gymnasium(id=CartPole-v1)``. The package is imported when needed."""

from __future__ import annotations

import importlib
import re
from contextlib import suppress
from typing import Any

from dicezero.rules.environment import DISCOUNT, EnvironmentGame
from dicezero.rules.errors import GameError
from dicezero.rules.extras import missing
from dicezero.rules.names import Name, nearest, parse_int, quote

_PACKAGES = {"ALE": "ale_py", "MinAtar": "minatar"}  # namespaces of ids, and what registers them


# What an environment may be told by a name, which may be a stranger's: some environments import modules and
# open files that they are told of.
_PLAIN = re.compile(r"[A-Za-z0-9_+-]*(\.[0-9]+)?")


def load_gymnasium(name: Name) -> EnvironmentGame:
    """``gymnasium(id=CartPole-v1,discount=0.997,stack=1)``; other parameters go to ``gymnasium.make``."""
    rest = dict(name.parameters)
    identity = rest.pop("id", None)
    if identity is None:
        raise GameError("gymnasium: id is missing; write gymnasium(id=CartPole-v1)")
    if ":" in identity:  # Gymnasium imports the module before the colon: no name may run code
        raise GameError(f"gymnasium: id={quote(identity)} names a module; give MODULE:CLASS as the game")
    discount = _float("discount", rest.pop("discount", str(DISCOUNT)))
    stack = parse_int("gymnasium", "stack", rest.pop("stack", "1"))
    if not 1 <= stack <= 64:
        raise GameError(f"gymnasium: stack={stack} is out of range; give 1..64")
    try:
        gymnasium = importlib.import_module("gymnasium")
    except ImportError:
        raise GameError(missing("gymnasium(...)", "gymnasium")) from None
    _register(gymnasium, identity)
    if "/" not in identity and identity not in gymnasium.registry:
        raise GameError(
            f"gymnasium has no {quote(identity)}; {nearest(identity, gymnasium.registry)}check the id"
        )
    options = {key: _value(key, text) for key, text in rest.items()}

    def make() -> Any:
        return gymnasium.make(identity, **options)

    return EnvironmentGame(str(name), make, discount=discount, stack=stack)


def _register(gymnasium: Any, identity: str) -> None:
    """Imports the package that registers the id's namespace, where it is one we know."""
    package = _PACKAGES.get(identity.partition("/")[0])
    if package is None:
        return
    try:
        module = importlib.import_module(package)
    except ImportError:
        raise GameError(
            f"{identity} needs the package {package}; pip install {package.replace('_', '-')}"
        ) from None
    if package == "minatar":
        importlib.import_module("minatar.gym").register_envs()
    else:
        gymnasium.register_envs(module)


def _float(key: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise GameError(
            f"gymnasium: {key}={quote(text)} is no number; give one such as {key}=0.997"
        ) from None


def _value(key: str, text: str) -> int | float | bool | str:
    if not _PLAIN.fullmatch(text):
        raise GameError(
            f"gymnasium: {key}={quote(text)} is no number and no plain word; make the environment in a "
            "file of your own and give file.py:Class"
        )
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text
