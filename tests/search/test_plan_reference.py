"""The fast planner against its slow twin: every combination of rules, draw for draw."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_model import TableModel, random_legal, random_model

from dicezero.rules import load_game
from dicezero.search.config import Dirichlet, Puct, SearchConfig
from dicezero.search.plan import plan, plan_states
from dicezero.search.reference import reference_plan, reference_plan_states


@st.composite
def configs(draw: st.DrawFn) -> SearchConfig:
    chance = draw(st.sampled_from(["roulette", "low_variance", "expectation"]))
    budget = "evaluations" if chance == "expectation" else draw(st.sampled_from(["evaluations", "paper"]))
    ways = (
        ["mean", "completed", "afterstate"]
        if budget == "evaluations" and chance != "expectation"
        else ["mean"]
    )
    root = draw(st.sampled_from(["puct", "puct", "gumbel", "gumbel_with_replacement", "trpo", "mpo"]))
    return SearchConfig(
        forced_playouts=draw(st.sampled_from([0.0, 2.0, 7.3])) if root == "puct" else 0.0,
        prune_targets=root == "puct" and draw(st.booleans()),
        chance_value=draw(st.sampled_from(ways)),
        max_depth=draw(st.sampled_from([0, 0, 1, 2, 4])),
        simulations=draw(st.integers(1, 40)),
        root=root,
        interior=draw(st.sampled_from(["puct", "improved", "improved_sampled", "trpo", "mpo"])),
        chance=chance,
        players=draw(st.sampled_from(["single", "alternate", "learned"])),
        discount=draw(st.sampled_from([1.0, 0.9])),
        q_normalisation=draw(st.sampled_from(["siblings", "tree", "fixed", "none"])),
        max_considered_actions=draw(st.integers(1, 8)),
        c_visit=draw(st.sampled_from([50.0, 5.0])),
        c_scale=draw(st.sampled_from([1.0, 0.1])),
        completed_q=draw(st.sampled_from(["mixed", "raw"])),
        puct=Puct(form=draw(st.sampled_from(["ndmz", "muzero"])), init=1.25, base=19652),
        dirichlet=Dirichlet(
            fraction=draw(st.sampled_from([0.0, 0.25])), alpha=draw(st.sampled_from([0.3, 1.5]))
        ),
        budget=budget,
        terminal=draw(st.sampled_from(["own", "ancestor"])),
        temperature=draw(st.sampled_from([0.0, 1.0, 0.5])),
    )


def assert_equal(fast, slow) -> None:
    np.testing.assert_array_equal(fast.visits, slow.visits)
    np.testing.assert_array_equal(fast.action, slow.action)
    np.testing.assert_array_equal(fast.evaluations, slow.evaluations)
    np.testing.assert_allclose(fast.q, slow.q, atol=1e-5, rtol=0)
    np.testing.assert_allclose(fast.policy, slow.policy, atol=1e-5, rtol=0)
    np.testing.assert_allclose(fast.value, slow.value, atol=1e-5, rtol=0)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(config=configs(), seed=st.integers(0, 2**32), actions=st.integers(1, 9))
def test_learned_models(config: SearchConfig, seed: int, actions: int) -> None:
    rng = np.random.default_rng(seed)
    model: TableModel = random_model(rng, states=200, actions=actions, learned=config.players == "learned")
    start = rng.integers(0, 200, 3)
    root = model.root(start, random_legal(rng, 3, actions))
    assert_equal(plan(model, root, config, seed=seed), reference_plan(model, root, config, seed=seed))


class RandomNetwork:
    """Fixed random logits and values: a function of the observation alone."""

    def __init__(self, observation_size: int, actions: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.policy = rng.standard_normal((observation_size, actions)).astype(np.float32)
        self.worth = rng.standard_normal(observation_size).astype(np.float32)

    def __call__(self, observations: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # Row by row: a product of another size may round differently.
        rows = observations.reshape(len(legal), -1)
        logits = np.stack([row @ self.policy for row in rows])
        return logits, np.tanh(np.array([row @ self.worth for row in rows], np.float32))


@pytest.mark.parametrize("name", ["nannon", "nannon(points=4,checkers=2,sides=3)", "tic_tac_toe"])
@settings(max_examples=60, deadline=None, derandomize=True)
@given(config=configs(), seed=st.integers(0, 2**32), moves=st.integers(0, 5))
def test_true_rules(name: str, config: SearchConfig, seed: int, moves: int) -> None:
    game = load_game(name)
    config = replace(config, discount=1.0)  # the game's own
    rng = np.random.default_rng(seed)
    states = []
    while len(states) < 2:
        state = game.new_initial_state()
        for _ in range(moves * 2 if game.max_chance_outcomes() else moves):
            if not state.is_terminal():
                state.apply_action(int(rng.choice(state.legal_actions())))
        if state.is_chance_node():
            state.apply_action(int(rng.choice(state.legal_actions())))
        if not state.is_terminal():
            states.append(state)
    network = RandomNetwork(int(np.prod(game.observation_tensor_shape())), game.num_distinct_actions(), seed)
    fast = plan_states(network, states, config, game=states[0].get_game(), seed=seed)
    slow = reference_plan_states(network, states, config, game=states[0].get_game(), seed=seed)
    assert_equal(fast, slow)
