"""What the native search notes of Sequential Halving, beside what the plain one does."""

from __future__ import annotations

import numpy as np
import pytest
from table_model import random_model

from dicezero.search.config import SearchConfig
from dicezero.search.halving import halving_phases
from dicezero.search.plan import plan
from dicezero.search.reference import reference_plan
from dicezero.search.reference.root import HalvingRoot
from dicezero.search.simulator import Root


@pytest.mark.parametrize("simulations", [1, 7, 16, 50, 200])
@pytest.mark.parametrize("rule", ["gumbel", "gumbel_with_replacement"])
def test_it_is_what_the_plain_search_knew_when_each_phase_ended(monkeypatch, rule, simulations):
    seen: list[tuple[int, int, float, float]] = []
    account = HalvingRoot.account

    def note(self: HalvingRoot) -> None:
        numbers = zip(self.node.ids, self.node.visits, self.node.q(), self.score(), strict=True)
        seen.extend((int(a), int(n), float(q), float(s)) for a, n, q, s in numbers)

    def listening(self: HalvingRoot, cost: int, *, visited: bool) -> None:
        rounds = self.rounds
        account(self, cost, visited=visited)
        if self.rounds > rounds and self.phase_cost == 0 and self.first_considered > 1:
            note(self)

    final = HalvingRoot.final
    monkeypatch.setattr(HalvingRoot, "account", listening)
    monkeypatch.setattr(HalvingRoot, "final", lambda self: (note(self), final(self))[1])
    model = random_model(np.random.default_rng(4), states=200, actions=9, learned=True)
    made = model.root(np.array([17]), np.ones((1, 9), bool))
    root = Root(made.hidden, made.policy_logits, made.value, made.legal, made.player.astype(np.int32))
    config = SearchConfig(simulations=simulations, root=rule, max_considered_actions=8)
    fast = plan(model, root, config, seed=11)
    reference_plan(model, root, config, seed=11)
    noted = fast.tree.forest.halving(0)
    assert [(a, n) for a, n, _, _ in noted] == [(a, n) for a, n, _, _ in seen]
    np.testing.assert_allclose([s[2:] for s in noted], [s[2:] for s in seen], atol=1e-4, rtol=1e-5)


def test_puct_notes_nothing():
    model = random_model(np.random.default_rng(4), states=200, actions=5, learned=True)
    made = model.root(np.array([3]), np.ones((1, 5), bool))
    root = Root(made.hidden, made.policy_logits, made.value, made.legal, made.player.astype(np.int32))
    found = plan(model, root, SearchConfig(simulations=20, root="puct"), seed=0)
    assert found.tree.halving(0, chosen=int(found.action[0])) == ()


def test_phases_of_the_same_candidates_are_one_and_the_best_score_comes_first():
    nan = float("nan")
    stages = [
        [(0, 1, 0.1, 5.0), (1, 1, 0.2, 7.0), (2, 1, -0.3, 1.0), (3, 0, nan, -2.0)],
        [(0, 3, 0.2, 6.0), (1, 3, 0.1, 5.5), (2, 1, -0.3, 1.0), (3, 0, nan, -2.0)],
        [(0, 4, 0.3, 6.5), (1, 4, 0.1, 5.5), (2, 1, -0.3, 1.0), (3, 0, nan, -2.0)],
    ]
    phases = halving_phases([s for stage in stages for s in stage], chosen=0)
    assert [[c.action for c in phase.candidates] for phase in phases] == [[1, 0, 2], [0, 1]]
    assert [[c.kept for c in phase.candidates] for phase in phases] == [[True, True, False], [True, False]]
    assert [c.visits for c in phases[1].candidates] == [4, 4]
    assert halving_phases([], chosen=0) == ()


def test_the_budget_may_end_within_a_round():
    stages = [[(0, 2, 0.0, 3.0), (1, 2, 0.0, 2.0)], [(0, 3, 0.0, 3.0), (1, 2, 0.0, 2.0)]]
    phases = halving_phases([s for stage in stages for s in stage], chosen=0)
    assert [[(c.action, c.visits, c.kept) for c in p.candidates] for p in phases] == [
        [(0, 2, True), (1, 2, False)],
        [(0, 3, True)],
    ]
