"""What a run was made with."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import version

import dicezero
from dicezero import _native
from dicezero.model.device import chosen_device

# Kernels whose results are the same to the last bit: other widths of one arithmetic.
_ALIKE = ("avx2", "avx512")


def versions() -> dict[str, str]:
    """What may change a result: versions, the machine's kind, its kernels, the device JAX computes on."""
    return {
        "dicezero": dicezero.__version__,
        "jax": version("jax"),
        "numpy": version("numpy"),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "kernel": _native.dense_kernels()[0],
        "device": chosen_device(),
    }


def rounding_differs(made_with: Mapping[str, str]) -> str | None:
    """Why this machine may round otherwise than the one that made a run; None where nothing suggests it."""
    now = versions()
    for name, what in (("device", "on the device"), ("kernel", "with the kernel")):
        then = made_with.get(name, now[name])  # older versions did not record it
        if then != now[name] and not {then, now[name]} <= {*_ALIKE}:
            return f"its last round was made {what} {then}, this machine has {now[name]}"
    return None
