"""Parts that need packages a plain install does not have."""

from __future__ import annotations

import importlib.util


def require_extra(module: str, *, command: str, extra: str) -> None:
    """Raises ValueError that says what to install, unless ``module`` can be imported."""
    if importlib.util.find_spec(module) is None:
        raise ValueError(f"{command} needs the package {module}; pip install 'dicezero[{extra}]'")
