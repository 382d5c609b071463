"""The fast planner against mctx: Gumbel MuZero and MuZero over 210 random models."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mctx_parity import ParityCase, check_parity

from dicezero.search.config import Dirichlet, SearchConfig
from dicezero.search.plan import PlanResult, plan
from dicezero.search.simulator import Root

# mctx compiles each shape once; every shape sees 30 models with one and two players, masks, discounts, noise.
_GUMBEL = [(2, 2, 16), (6, 33, 4), (14, 100, 16), (64, 128, 16)]
_MUZERO = [(4, 17), (14, 100), (64, 128)]


def _fast(simulator: Any, root: Any, config: SearchConfig, **options: Any) -> PlanResult:
    """The planner with mctx's own Dirichlet noise: mixed into the priors beforehand."""
    logits = np.asarray(root.policy_logits, np.float32)
    noise = options.pop("dirichlet", None)
    if noise is not None:
        fraction = config.dirichlet.fraction
        masked = np.where(root.legal, logits, -np.inf).astype(np.float64)
        prior = np.exp(masked - masked.max(axis=1, keepdims=True))
        prior /= prior.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore"):
            logits = np.log((1 - fraction) * prior + fraction * noise).astype(np.float32)
        config = SearchConfig(**{**vars(config), "dirichlet": Dirichlet(fraction=0.0)})
    checked = Root(root.hidden, logits, root.value, root.legal, root.player)
    return plan(simulator, checked, config, **options)


def _variant(seed: int) -> dict[str, Any]:
    return {
        "players": "alternate" if seed % 2 else "single",
        "masked": seed % 3 == 0,
        "discount": 0.97 if seed % 5 == 0 else 1.0,
        "seed": seed,
    }


@pytest.mark.parametrize("shape", _GUMBEL)
def test_gumbel_equals_mctx(shape: tuple[int, int, int]) -> None:
    for seed in range(30):
        c_scale = (0.1, 1.0)[seed % 4 == 0]
        case = ParityCase(
            "gumbel", *shape, c_scale=c_scale, c_visit=(50.0, 10.0)[seed % 7 == 0], **_variant(seed)
        )
        check_parity(_fast, case)


@pytest.mark.parametrize("shape", _MUZERO)
def test_muzero_equals_mctx(shape: tuple[int, int]) -> None:
    for seed in range(100, 130):
        check_parity(
            _fast, ParityCase("muzero", *shape, fraction=(0.0, 0.25)[seed % 4 == 0], **_variant(seed))
        )
