"""Parts that need packages a plain install does not have, and the extra that brings each."""

from __future__ import annotations

import importlib.util

EXTRAS = {  # package to extra
    "flax": "learn",
    "jax": "learn",
    "jaxlib": "learn",
    "optax": "learn",
    "tensorboardX": "learn",
    "pyspiel": "openspiel",
    "open_spiel": "openspiel",
    "gymnasium": "gymnasium",
    "pettingzoo": "pettingzoo",
    "PIL": "gymnasium",
    "ale_py": "atari",
    "Box2D": "control",
    "minatar": "control",
    "pygame": "control",
    "ray": "ray",
    "fastapi": "studio",
    "nicegui": "studio",
    "pydantic": "studio",
    "uvicorn": "studio",
    "bitbully": "solver",
    "matplotlib": "bench",
    "mctx": "bench",
    "onnx": "bench",
    "onnxruntime": "bench",
}


class ExtraError(ValueError):
    """Something needs packages that are not installed."""


def require_extra(*modules: str, command: str) -> None:
    """Raises ExtraError that names what to install, unless every module can be imported."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            raise ExtraError(missing(command, module))


def explained(error: ModuleNotFoundError, what: str) -> ModuleNotFoundError:
    """The error with what to install, if an extra brings the module; otherwise as it is."""
    module = (error.name or "").split(".")[0]
    return ModuleNotFoundError(missing(what, module), name=module) if module in EXTRAS else error


def missing(command: str, module: str) -> str:
    """What to install so that ``command`` has ``module``."""
    extra = EXTRAS[module]
    return f'{command} needs dicezero[{extra}]: pip install "dicezero[{extra}]"   (no package {module} here)'


def lacking(command: str, error: Exception) -> str | None:
    """What to install where an environment's error is the lack of one of our extras' packages, else None."""
    if type(error).__name__ != "DependencyNotInstalled" and not isinstance(error, ImportError):
        return None
    message = str(error).lower()
    return next(
        (missing(command, module) for module in ("Box2D", "pygame") if module.lower() in message), None
    )
