"""What a run was made with."""

from __future__ import annotations

import platform
from importlib.metadata import version

import dicezero


def versions() -> dict[str, str]:
    """The versions that may change a result, and the machine's kind."""
    return {
        "dicezero": dicezero.__version__,
        "jax": version("jax"),
        "numpy": version("numpy"),
        "python": platform.python_version(),
        "platform": platform.platform(),
    }
