"""The slow planner against mctx: Gumbel MuZero and MuZero over random models."""

from __future__ import annotations

import itertools

import pytest
from mctx_parity import ParityCase, check_parity

from dicezero.search.reference import reference_plan

# Few shapes (mctx compiles each once), several models a shape: one and two players, with and without masks.
_GUMBEL = [(2, 2, 16), (64, 20, 16), (5, 128, 3)]
_MUZERO = [(64, 40), (5, 128)]
_VARIANTS = list(itertools.product(("single", "alternate"), (False, True)))


@pytest.mark.parametrize("shape", _GUMBEL)
def test_gumbel_equals_mctx(shape: tuple[int, int, int]) -> None:
    actions, simulations, considered = shape
    for seed, (players, masked) in enumerate(_VARIANTS):
        case = ParityCase(
            "gumbel",
            actions,
            simulations,
            considered,
            players=players,
            masked=masked,
            discount=1.0 if seed % 2 else 0.97,
            c_scale=0.1 if masked else 1.0,
            c_visit=50.0 if seed else 10.0,
            seed=seed,
        )
        check_parity(reference_plan, case)


@pytest.mark.parametrize("shape", _MUZERO)
def test_muzero_equals_mctx(shape: tuple[int, int]) -> None:
    actions, simulations = shape
    for seed, (players, masked) in enumerate(_VARIANTS):
        case = ParityCase(
            "muzero",
            actions,
            simulations,
            players=players,
            masked=masked,
            discount=1.0 if seed % 2 else 0.97,
            fraction=0.25 if seed in (1, 2) else 0.0,
            seed=seed,
        )
        check_parity(reference_plan, case)
