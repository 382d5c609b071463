"""The example of a network of one's own: it trains through the same loop, resumes, and is one short page."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

from dicezero.learner.loop import train
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game
from dicezero.runs.checkpoint import read_weights
from dicezero.runs.config import RunConfig
from dicezero.runs.errors import RunError
from dicezero.runs.loading import load_run

PATH = Path(__file__).parents[2] / "examples" / "own_network.py"
OWN = runpy.run_path(str(PATH))
SMALL = {"games": "8", "batch": "16", "steps": "4", "simulations": "4", "play.simulations": "4"}


def test_it_is_a_short_page():
    assert len(PATH.read_text().splitlines()) < 60


def test_it_trains_and_resumes_through_the_loop(tmp_path):
    network = OWN["ResidualEvaluator"](observation=18, actions=9, width=8)
    preset, game = with_settings(PRESETS["gumbel-alphazero"], SMALL), load_game("tic_tac_toe")
    last = train(preset, game, tmp_path / "whole", rounds=2, network=network)
    assert 0.0 <= last["vs_optimal"] <= 0.5
    train(preset, game, tmp_path / "parts", rounds=1, network=network)
    train(preset, game, tmp_path / "parts", rounds=2, resume=True, network=network)
    whole, parts = (read_weights(tmp_path / name)[1] for name in ("whole", "parts"))
    config = RunConfig.read(tmp_path / "whole")
    assert {name: array.shape for name, array in whole.items()} == network.shapes()
    for name, array in whole.items():
        np.testing.assert_array_equal(parts[name], array)
    with pytest.raises(RunError, match="a network of somebody's own, own_network"):
        load_run(tmp_path / "whole")
    assert (tmp_path / "whole" / "network.py").read_bytes() == PATH.read_bytes()
    for options in ({"network": network}, {"trust": True}, {"network": f"{PATH}:{config.network.name}"}):
        assert load_run(tmp_path / "whole", **options).round == 2
    with pytest.raises(RunError, match="another network"):
        train(preset, game, tmp_path / "parts", rounds=3, resume=True)
    (tmp_path / "whole" / "network.py").write_text("raise SystemExit")
    with pytest.raises(RunError, match="not what the run wrote"):
        load_run(tmp_path / "whole", trust=True)
