"""A value-only network, evaluated natively; a row's answer depends on the row alone, bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dicezero import _native
from dicezero.model.config import ValueConfig
from dicezero.model.weights import Floats, check_weights, merged_layers


class NativeValue:
    """TD(lambda)'s judge of afterstates."""

    def __init__(self, config: ValueConfig, weights: Mapping[str, Any], *, kernel: str = "") -> None:
        layers = merged_layers(config, check_weights(config, weights), "judge")
        # The native evaluator has policy columns before the value's: here one, of zeros, that nobody reads.
        weight, bias = layers[-1]
        layers[-1] = (
            np.concatenate([np.zeros_like(weight), weight], axis=1),
            np.concatenate([np.zeros_like(bias), bias]),
        )
        rows = [(weight, bias[None]) for weight, bias in layers]
        self.config = config
        self._native = _native.MlpEvaluator(rows, activation=config.activation, kernel=kernel)

    def __call__(self, observations: Floats) -> Floats:
        """Observations [M, O] to value [M], each for the player whose view the observation is."""
        legal = np.ones((len(observations), 1), np.bool_)
        _, value = self._native.evaluate(np.ascontiguousarray(observations, np.float32), legal)
        return np.asarray(value)
