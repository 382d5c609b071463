"""Where JAX computes: on the CPU, or on a GPU or TPU, as JAX names them.

On the CPU our own kernels train and play. Elsewhere XLA's do both, and a network evaluates large batches.
Importing this does not import JAX.
"""

from __future__ import annotations

CPU = "cpu"
_chosen = [CPU]


def use_device(name: str) -> str:
    """Makes JAX compute on the first device of that kind from now on; returns the kind's own name.

    Raises:
        ValueError: JAX has no such device here.
    """
    import jax

    try:
        device = jax.devices(name)[0]
    except RuntimeError as error:
        platforms = sorted({each.platform for each in jax.devices()} | {CPU})
        raise ValueError(
            f"device={name!r} is not there: JAX sees {', '.join(platforms)} here; give one of these, or "
            "install the JAX of your device"
        ) from error
    if platform() != device.platform:
        jax.config.update("jax_default_device", device)  # type: ignore[no-untyped-call]
    _chosen[0] = str(device.platform)
    return _chosen[0]


def platform() -> str:
    """The kind of device that JAX computes on."""
    import jax

    default = jax.config.jax_default_device  # type: ignore[attr-defined]
    if default is None:
        return jax.default_backend()
    return default if isinstance(default, str) else str(default.platform)


def chosen_device() -> str:
    """The kind that ``use_device`` last chose; the CPU before."""
    return _chosen[0]
