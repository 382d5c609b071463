"""A model that is asked deeper than it was unrolled: what is the default, and what the error says."""

from __future__ import annotations

import numpy as np
import pytest

from dicezero.presets.fitting import network_of, planner_of
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game
from dicezero.rules.spec import spec_of
from dicezero.selfplay.states import positions_of

CONNECT_FOUR = load_game("connect_four")
SPEC = spec_of(CONNECT_FOUR)
SMALL = {"architecture": "board", "board.channels": "4", "board.blocks": "1", "board.bottleneck": "0"}
SMALL |= {"board.mixing": "none"}


def first_search(settings, factor=1.0):
    """A search from the empty board by a model whose dynamics multiply what it sees."""
    preset = with_settings(PRESETS["gumbel-muzero"], SMALL | {"play.simulations": "64"} | settings)
    weights = network_of(preset, SPEC).init(seed=3)
    grown = {
        name: array * np.float32(factor) if name.startswith("dynamics") else array
        for name, array in weights.items()
    }
    planner = planner_of(preset, SPEC, grown)
    positions = positions_of(CONNECT_FOUR, SPEC, [CONNECT_FOUR.new_initial_state()])
    return planner.search(positions, preset.play, np.arange(1, dtype=np.uint64), noise=False)


def test_a_tower_plays_as_deep_as_it_is_unrolled_unless_its_states_are_scaled_or_more_is_asked():
    def depth(settings, preset="gumbel-muzero"):
        return with_settings(PRESETS[preset], settings).play.max_depth

    assert depth(SMALL) == PRESETS["gumbel-muzero"].unroll
    assert depth(SMALL | {"unroll": "7"}) == 7
    assert depth(SMALL | {"hidden_scaling": "minmax"}) == 0
    assert depth(SMALL | {"play.max_depth": "0"}) == 0
    assert depth(SMALL | {"play.max_depth": "12"}) == 12
    assert depth({"unroll": "7"}) == 0  # dense networks search as ever
    assert depth(SMALL, "gumbel-alphazero") == 0
    assert depth(SMALL | {"unroll": "3"}, "gumbel-ndmz") == PRESETS["gumbel-ndmz"].play.max_depth
    assert with_settings(PRESETS["gumbel-muzero"], SMALL).search.max_depth == 0


def test_a_model_that_grows_without_bound_is_searched_to_the_default_depth():
    factor = 1e4
    with pytest.raises(ValueError, match=r"network's .*; check its weights.*give max_depth=K.*minmax"):
        first_search({"play.max_depth": "0"}, factor)
    assert np.isfinite(first_search({}, factor).value).all()
    assert np.isfinite(first_search({"hidden_scaling": "minmax", "play.max_depth": "0"}, factor).value).all()
