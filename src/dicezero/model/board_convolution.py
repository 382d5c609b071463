"""A 3x3 convolution with bias, skip and ReLU, for training: our own on a CPU, XLA's on anything else.

XLA's convolutions reach a fraction of a core's arithmetic on small boards; the native ones, which play, also
train: XLA's compiled programs call them (``cpp/bindings/xla.cpp``). ``xla_convolutions`` turns that off.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from dicezero.model.xla_targets import registered

_NATIVE: ContextVar[bool] = ContextVar("native_convolutions", default=True)


@contextmanager
def xla_convolutions() -> Iterator[None]:
    """While it is open, what is traced takes XLA's convolutions on a CPU too: to compare."""
    token = _NATIVE.set(False)
    try:
        yield
    finally:
        _NATIVE.reset(token)


def convolved(x: jax.Array, kernel: jax.Array, bias: jax.Array, skip: jax.Array | None = None) -> jax.Array:
    """relu(x * kernel + bias + skip): [M, H, W, I] and [3, 3, I, O] to [M, H, W, O], the shape kept."""
    if not _NATIVE.get() or not registered():
        return _by_xla(x, kernel, bias, skip)
    return _convolved(x, kernel, bias, jnp.zeros(0) if skip is None else skip)


def _by_xla(x: jax.Array, kernel: jax.Array, bias: jax.Array, skip: jax.Array | None) -> jax.Array:
    y = lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + bias
    return jax.nn.relu(y if skip is None or skip.ndim == 1 else y + skip)


def _native_call(name: str, results: Any, *arguments: jax.Array) -> Any:
    return jax.ffi.ffi_call(name, results, vmap_method="sequential")(*arguments)  # type: ignore[no-untyped-call]


def _shape(like: jax.Array, *shape: int) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape or like.shape, like.dtype)  # type: ignore[no-untyped-call]


@jax.custom_vjp
def _convolved(x: jax.Array, kernel: jax.Array, bias: jax.Array, skip: jax.Array) -> jax.Array:
    result = _shape(x, *x.shape[:3], kernel.shape[3])
    convolved: jax.Array = lax.platform_dependent(
        x,
        kernel,
        bias,
        skip,
        cpu=lambda *arguments: _native_call("dicezero_convolve", result, *arguments),
        default=_by_xla,
    )
    return convolved


def _forward(
    x: jax.Array, kernel: jax.Array, bias: jax.Array, skip: jax.Array
) -> tuple[jax.Array, tuple[jax.Array, ...]]:
    y = _convolved(x, kernel, bias, skip)
    return y, (x, kernel, bias, skip, y)


def _backward(kept: tuple[jax.Array, ...], gradient: jax.Array) -> tuple[jax.Array, ...]:
    x, kernel, bias, skip, y = kept
    skips = skip.ndim == 4

    def native(*_: jax.Array) -> tuple[jax.Array, ...]:
        results = _shape(x), _shape(kernel), _shape(bias), _shape(y)
        x_gradient, *others, passed = _native_call(
            "dicezero_convolve_gradient", results, x, kernel, y, gradient
        )
        return x_gradient, *others, passed if skips else jnp.zeros_like(skip)

    def by_xla(*_: jax.Array) -> tuple[jax.Array, ...]:
        gradients: tuple[jax.Array, ...] = jax.vjp(_by_xla, x, kernel, bias, skip)[1](gradient)
        return gradients

    gradients: tuple[jax.Array, ...] = lax.platform_dependent(cpu=native, default=by_xla)
    return gradients


_convolved.defvjp(_forward, _backward)
