"""A perfect learned model of Nannon 6-3-6 is searched as the rules are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from perfect_model import PerfectModel, build_perfect_model

from dicezero import _native
from dicezero.search.config import SearchConfig
from dicezero.search.reference import reference_plan, reference_plan_states


@pytest.fixture(scope="module")
def nannon() -> PerfectModel:
    return build_perfect_model(_native.Nannon(points=6, checkers=3, sides=6).new_initial_state())


def _positions(nannon: PerfectModel, count: int, seed: int) -> list[Any]:
    """Random positions with a real choice, player 0 to move."""
    rng = np.random.default_rng(seed)
    chosen: list[Any] = []
    while len(chosen) < count:
        state = nannon.states[int(rng.integers(len(nannon.states)))]
        if state.current_player() == 0 and len(state.legal_actions()) > 1:
            chosen.append(state)
    return chosen


def _exact_evaluator(nannon: PerfectModel) -> Any:
    by_view = {
        bytes(np.asarray(state.observation_tensor(state.current_player()), np.float32)): index
        for index, state in enumerate(nannon.states)
        if state.current_player() >= 0
    }

    def evaluator(observations: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows = [by_view[bytes(view)] for view in observations]
        signs = [1.0 if nannon.states[row].current_player() == 0 else -1.0 for row in rows]
        return np.zeros(legal.shape), np.float32(np.array(signs) * nannon.value[rows])

    return evaluator


def test_the_solution_is_the_known_one(nannon: PerfectModel) -> None:
    assert (nannon.value[0] + 1) / 2 == pytest.approx(0.515736870969, abs=1e-10)


@pytest.mark.parametrize("chance", ["low_variance", "expectation"])
@pytest.mark.parametrize("interior", ["puct", "improved"])
def test_visits_equal_those_over_the_rules(nannon: PerfectModel, interior: Any, chance: Any) -> None:
    """Only the costs differ (a model pays for the position before a roll), so the simulations are matched."""
    model = nannon.model(0)
    for state in _positions(nannon, 3, seed=1):
        search: Any = {"root": "puct", "interior": interior, "chance": chance, "temperature": 0.0}
        learned = reference_plan(
            model, nannon.root(model, [state]), SearchConfig(simulations=150, **search), seed=0
        )
        simulations = int(learned.visits.sum())
        budget = simulations if chance == "low_variance" else 150
        rules = reference_plan_states(
            _exact_evaluator(nannon),
            [state],
            SearchConfig(simulations=budget, **search),
            game=state.get_game(),
            seed=0,
        )
        actions = state.get_game().num_distinct_actions()
        if chance == "low_variance":
            np.testing.assert_array_equal(learned.visits[0, :actions], rules.visits[0])
            np.testing.assert_allclose(learned.q[0, :actions], rules.q[0], atol=1e-6)
        assert learned.action[0] == rules.action[0]


@pytest.mark.parametrize(("root", "interior"), [("gumbel", "improved"), ("gumbel", "puct"), ("puct", "puct")])
@pytest.mark.parametrize("chance", ["low_variance", "expectation"])
def test_exact_values_lead_to_optimal_moves(
    nannon: PerfectModel, root: Any, interior: Any, chance: Any
) -> None:
    model = nannon.model(0)
    states = _positions(nannon, 6, seed=2)
    config = SearchConfig(simulations=200, root=root, interior=interior, chance=chance, temperature=0.0)
    gumbel = np.zeros((len(states), 16))
    result = reference_plan(model, nannon.root(model, states), config, seed=0, gumbel=gumbel)
    regrets = []
    for state, action in zip(states, result.action, strict=True):
        values = nannon.action_values(state)
        regrets.append(max(values.values()) - values[int(action)])
    assert max(regrets) < 0.03, regrets
    assert np.mean(regrets) < 0.01, regrets
