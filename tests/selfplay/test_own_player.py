"""The example of a player of one's own: both ways to plug it in, and it plays well."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

from dicezero import ModelPlanner, RulesPlanner, load_game
from dicezero.evaluation.policies import planned_policy
from dicezero.evaluation.yardstick import Yardstick
from dicezero.solve import solve

PATH = Path(__file__).parents[2] / "examples" / "own_player.py"
OWN = runpy.run_path(str(PATH))


@pytest.fixture(scope="module")
def yardstick():
    return Yardstick(solve(load_game("tic_tac_toe")))


def planners():
    return [ModelPlanner(OWN["OwnModel"]()), RulesPlanner(OWN["own_evaluator"])]


def test_it_is_one_page():
    assert len(PATH.read_text().splitlines()) < 100


def test_perfect_searches_draw(capsys):
    first, second = planners()
    assert np.abs(OWN["play"](first, second)).tolist() == [0, 0]
    assert np.abs(OWN["play"](second, first)).tolist() == [0, 0]
    assert "x" in capsys.readouterr().out


@pytest.mark.parametrize("planner", planners(), ids=["model", "rules"])
def test_with_a_little_search_it_does_not_lose_to_perfect_play(planner, yardstick):
    policy = planned_policy(planner, yardstick.solution.positions, OWN["SEARCH"], seed=1)
    assert yardstick.against_optimal(policy).score == 0.5
