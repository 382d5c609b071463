"""The random numbers in Python against those of the native core."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dicezero.search.random import Rng, mix64, row_seed

# Printed by a program over cpp/rules/random.h: mix64(x), and the first four words of Rng(seed, stream).
_MIXED = {0: 0xE220A8397B1DCDAF, 1: 0x910A2DEC89025CC1, 2**64 - 1: 0xE4D971771B652C20}
_WORDS = {
    (0, 0): (0x8BE319D8B3A9590A, 0xB37D4178A8EED70E, 0x7E3D76C9121E0E51, 0x90335B6327BAD960),
    (1, 0): (0x6FF8271D7602C812, 0x9F1C18E7D02CB56A, 0x3CAB9721EB84FAA7, 0x4954D1F290751FDF),
    (123456789, 7): (0x08D87ED08F1D04F6, 0xB233D913041C9D65, 0xE18757F49D96BD1B, 0x2C59D9A5A494183B),
    (0xFEDCBA9876543210, 0xFFFFFFFF): (
        0xE6109AB07FFF39EF,
        0xCAF397AE3750AFE4,
        0xE0E7A43BB7B9B20D,
        0x5629055D4074F181,
    ),
}


def test_mix64_equals_the_native_one() -> None:
    assert {x: mix64(x) for x in _MIXED} == _MIXED


@pytest.mark.parametrize("name", _WORDS)
def test_words_equal_the_native_ones(name: tuple[int, int]) -> None:
    rng = Rng(*name)
    assert tuple(rng.next() for _ in range(4)) == _WORDS[name]


def test_a_row_seed_depends_on_seed_and_row_only() -> None:
    seeds = {row_seed(seed, row) for seed in range(20) for row in range(20)}
    assert len(seeds) == 400
    assert row_seed(3, 0) == mix64(mix64(3))


def test_roulette_takes_the_edge_that_the_uniform_falls_on() -> None:
    probabilities = [0.2, 0.0, 0.5, 0.3]
    for seed in range(200):
        u = Rng(seed).uniform()
        assert Rng(seed).roulette(probabilities) == (0 if u < 0.2 else 2 if u < 0.7 else 3)
    # A sum below the uniform: rounding, so the last edge.
    assert Rng(1).roulette([0.1, 0.1]) == 1


@pytest.mark.parametrize("alpha", [0.3, 1.0, 4.5])
def test_gamma_has_its_mean_and_variance(alpha: float) -> None:
    rng = Rng(7)
    draws = np.array([rng.gamma(alpha) for _ in range(4000)])
    assert abs(draws.mean() - alpha) < 5 * math.sqrt(alpha / 4000)
    assert abs(draws.var() / alpha - 1.0) < 0.25


def test_gumbel_has_its_mean() -> None:
    rng = Rng(11)
    draws = np.array([rng.gumbel() for _ in range(4000)])
    assert abs(draws.mean() - 0.5772) < 5 * 1.2825 / math.sqrt(4000)
