"""The functions of the core that XLA's compiled programs call on a CPU (``cpp/bindings/xla.h``)."""

from __future__ import annotations

from functools import cache

import jax

from dicezero import _native


@cache
def registered() -> bool:
    """Whether this JAX calls them; an older one has another interface, and does without."""
    if not hasattr(jax, "ffi"):
        return False
    for name, target in _native.xla_targets().items():
        jax.ffi.register_ffi_target(name, target, platform="cpu")
    return True
