"""A model with many actions makes edges when they are first taken: the same searches in less memory."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero.search.config import Puct, SearchConfig
from dicezero.search.plan import plan
from dicezero.search.simulator import Root, Step


class Table:
    """A model of any size: what it says is drawn from the hidden state and the action."""

    def __init__(self, actions: int, identities: int) -> None:
        self.actions = actions
        self.identities = identities

    def step(self, hidden, action):
        rows = [
            np.random.default_rng([int(h[0] * 2**20), int(a)]) for h, a in zip(hidden, action, strict=True)
        ]
        many = np.stack([r.normal(0, 2, self.actions) * r.integers(0, 2) for r in rows]).astype(np.float32)
        return Step(
            hidden=np.stack([r.random(2) for r in rows]).astype(np.float32),
            reward=np.array([0.1 * r.normal() for r in rows], np.float32),
            policy_logits=many,
            value=np.array([np.tanh(r.normal()) for r in rows], np.float32),
            identity_logits=np.stack([r.normal(0, 2, self.identities) for r in rows]).astype(np.float32)
            if self.identities
            else None,
            chance_logits=np.stack([r.normal(0, 2, self.actions) for r in rows]).astype(np.float32)
            if self.identities
            else None,
        )


def root(actions: int, seed: int) -> Root:
    rng = np.random.default_rng(seed)
    return Root(
        hidden=rng.random((2, 2)).astype(np.float32),
        policy_logits=rng.normal(0, 1, (2, actions)).astype(np.float32),
        value=np.zeros(2, np.float32),
        legal=np.ones((2, actions), np.bool_),
        player=np.zeros(2, np.int32),
    )


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    actions=st.sampled_from([2, 5, 30, 120]),
    interior=st.sampled_from(["puct", "improved"]),
    form=st.sampled_from(["ndmz", "muzero"]),
    players=st.sampled_from(["single", "alternate", "learned"]),
    chance=st.sampled_from(["low_variance", "roulette"]),
    normalisation=st.sampled_from(["siblings", "tree", "fixed", "none"]),
    simulations=st.integers(1, 60),
    seed=st.integers(0, 2**31),
)
def test_the_same_visits_as_with_all_edges(
    actions, interior, form, players, chance, normalisation, simulations, seed
):
    model = Table(actions, 4 if players == "learned" else 0)
    found = []
    for above in (0, 1_000_000):
        config = SearchConfig(
            simulations=simulations,
            interior=interior,
            puct=Puct(form=form, init=1.25, base=19652),
            players=players,
            chance=chance,
            q_normalisation=normalisation,
            edges_on_need_above=above,
        )
        found.append(plan(model, root(actions, seed), config, seed=seed))
    on_need, all_edges = found
    np.testing.assert_array_equal(on_need.visits, all_edges.visits)
    np.testing.assert_array_equal(on_need.action, all_edges.action)
    np.testing.assert_allclose(on_need.q, all_edges.q, atol=1e-6)
    assert on_need.tree.num_nodes(0) == all_edges.tree.num_nodes(0)


@pytest.mark.parametrize(("actions", "share"), [(1352, 0.1), (4672, 0.05)])
def test_many_actions_take_little_memory(actions, share):
    used = []
    for above in (256, 1_000_000):
        config = SearchConfig(simulations=100, players="alternate", edges_on_need_above=above)
        used.append(plan(Table(actions, 0), root(actions, 0), config, seed=0).tree.num_bytes())
    assert used[0] < share * used[1]
