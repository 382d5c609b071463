"""``tools/checks_cost.py`` takes checks out of the core: each must still be where it says."""

from __future__ import annotations

import gc
import importlib.util
from pathlib import Path

import pytest

from dicezero import load_game, make_agent

ROOT = Path(__file__).parents[2]


def load():
    spec = importlib.util.spec_from_file_location("checks_cost", ROOT / "tools" / "checks_cost.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_check_that_is_taken_out_is_there_once():
    tool = load()
    for file in tool.REMOVED:
        text = (ROOT / file).read_text(encoding="utf-8")
        assert tool.without_checks(file, text) != text


def test_a_check_that_has_gone_is_said():
    with pytest.raises(ValueError, match="is there 0 times; bring REMOVED up to date"):
        load().without_checks("cpp/bindings/busy.h", "")


def test_searches_make_no_objects_that_the_collector_tracks():
    """docs/results/benchmarks.md says so: what a search costs does not hang on how many states it makes."""
    game = load_game("nannon")
    state = game.new_initial_state()
    state.apply_action(1)
    agent = make_agent("uct(simulations=1000)", game)
    agent.search(state, seed=1)
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        for seed in range(20):
            agent.search(state, seed=seed)
        assert len(gc.get_objects()) - before < 100  # 20,000 simulations, of several states each
    finally:
        gc.enable()
