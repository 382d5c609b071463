"""Gymnasium's environments by name: ``gymnasium(id=CartPole-v1)``. The package is imported when needed."""

from __future__ import annotations

import importlib
import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, ClassVar

from dicezero.rules.environment import DISCOUNT, EnvironmentGame
from dicezero.rules.errors import GameError
from dicezero.rules.extras import missing
from dicezero.rules.names import Name, nearest, parse_int, quote

_PACKAGES = {"ALE": "ale_py", "MinAtar": "minatar"}  # namespaces of ids, and what registers them
# MinAtar has no limit of its own: Freeway ends after 2,501 steps, and who plays Seaquest well may never end.
_MINATAR_STEPS = 10_000


# The arguments that a name may pass to an environment, as it may be a stranger's: some environments import
# modules and open files named in their arguments.
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
    if identity not in gymnasium.registry and (
        "/" not in identity or identity.partition("/")[0] in _PACKAGES
    ):
        raise GameError(
            f"gymnasium has no {quote(identity)}; {nearest(identity, gymnasium.registry)}check the id"
        )
    options: dict[str, Any] = {key: _value(key, text) for key, text in rest.items()}
    if identity.startswith("MinAtar/"):
        options.setdefault("max_episode_steps", _MINATAR_STEPS)

    def make() -> Any:
        if identity.startswith("MinAtar/"):
            with warnings.catch_warnings():  # that v0 is old: it is v1 with all six actions
                warnings.simplefilter("ignore", DeprecationWarning)
                return MinAtarEnvironment(gymnasium.make(identity, disable_env_checker=True, **options))
        # With pictures as arrays, environments draw on request and only then.
        spec = gymnasium.registry.get(identity)
        draws = spec is not None and "rgb_array" in _render_modes(gymnasium, spec)
        return gymnasium.make(identity, **({"render_mode": "rgb_array"} if draws else {}) | options)

    return EnvironmentGame(str(name), make, discount=discount, stack=stack)


class MinAtarEnvironment:
    """A MinAtar game whose episodes are functions of their seeds.

    MinAtar's own reset leaves the last action of the episode before, which the first sticky action of the
    next one would repeat. Its pictures need packages that we do not: what is seen there is drawn instead.
    """

    metadata: ClassVar = {"render_fps": 10.0}

    def __init__(self, env: Any) -> None:
        self._env = env
        self.observation_space, self.action_space, self.spec = (
            env.observation_space,
            env.action_space,
            env.spec,
        )

    def reset(self, *, seed: int) -> Any:
        """The start of the episode of that seed."""
        self._env.unwrapped.game.last_action = 0
        return self._env.reset(seed=seed)

    def step(self, action: int) -> Any:
        """One step."""
        return self._env.step(action)

    @property
    def unwrapped(self) -> MinAtarEnvironment:
        """Itself."""
        return self

    def get_action_meanings(self) -> list[str]:
        """What each action does."""
        words = ("stay", "left", "up", "right", "down", "fire")
        return [words[action] for action in self._env.unwrapped.action_set]


def _render_modes(gymnasium: Any, spec: Any) -> tuple[str, ...]:
    """Those that the environment's class names; none where it does not load, which ``make`` will report."""
    with suppress(Exception):
        entry = spec.entry_point
        made = entry if callable(entry) else gymnasium.envs.registration.load_env_creator(entry)
        return tuple(getattr(made, "metadata", {}).get("render_modes", ()))
    return ()


def _register(gymnasium: Any, identity: str) -> None:
    """Imports the package that registers the id's namespace, where it is one we know."""
    package = _PACKAGES.get(identity.partition("/")[0])
    if package is None:
        return
    try:
        with _quiet():
            module = importlib.import_module(package)
            games = importlib.import_module("minatar.gym") if package == "minatar" else None
    except ImportError:
        raise GameError(missing(f"gymnasium(id={identity})", package)) from None
    if games is None:
        gymnasium.register_envs(module)
    elif "MinAtar/Breakout-v1" not in gymnasium.registry:  # twice would be warned of
        games.register_envs()


@contextmanager
def _quiet() -> Iterator[None]:
    """Without warnings of pictures that cannot be drawn: MinAtar logs them when it is imported."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)


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
