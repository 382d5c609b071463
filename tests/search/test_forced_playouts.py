"""Forced playouts and policy-target pruning (Wu 2019, section 3.2): the invariants of the paper."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from table_model import random_legal, random_model

from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import preset_from_json, preset_to_json, with_settings
from dicezero.search.config import Dirichlet, Puct, SearchConfig
from dicezero.search.plan import plan
from dicezero.search.reference import reference_plan

PLAIN = SearchConfig(
    simulations=200,
    root="puct",
    interior="puct",
    players="alternate",
    puct=Puct(form="muzero"),
    q_normalisation="fixed",
    q_range=(-2.0, 2.0),
    temperature=0.0,
)
FORCED = replace(PLAIN, forced_playouts=2.0)
PRUNED = replace(FORCED, prune_targets=True)
NOISE = Dirichlet(fraction=0.25, alpha=0.5)


def searched(config, *, seed, actions=8, rows=6):
    rng = np.random.default_rng(seed)
    model = random_model(rng, states=200, actions=actions)
    root = model.root(rng.integers(0, 200, rows), random_legal(rng, rows, actions))
    logits = np.where(root.legal, root.policy_logits.astype(np.float64), -np.inf)
    prior = np.exp(logits - logits.max(axis=1, keepdims=True))
    return plan(model, root, config, seed=seed), prior / prior.sum(axis=1, keepdims=True)


def test_an_action_once_tried_gets_its_forced_visits():
    """But for what was first tried, or fell due, with the last visits."""
    behind = missing = 0.0
    for seed in range(8):
        (found, prior), (plain, _) = searched(FORCED, seed=seed), searched(PLAIN, seed=seed)
        due = np.ceil(np.sqrt(2.0 * prior * found.visits.sum(axis=1, keepdims=True)) - 1e-4)
        behind += np.where(found.visits > 0, np.maximum(0.0, due - found.visits), 0.0).sum()
        missing += np.where(plain.visits > 0, np.maximum(0.0, due - plain.visits), 0.0).sum()
    assert behind < 0.1 * missing


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("noise", [Dirichlet(), NOISE], ids=["bare", "noise"])
def test_pruning_gives_back_no_more_than_was_forced_and_never_the_best(seed, noise):
    unpruned, prior = searched(replace(FORCED, dirichlet=noise), seed=seed)
    found, _ = searched(replace(PRUNED, dirichlet=noise), seed=seed)
    np.testing.assert_array_equal(found.visits, unpruned.visits)  # the search is the same
    np.testing.assert_allclose(found.policy.sum(axis=1), 1.0, atol=1e-6)
    assert (found.policy[found.visits == 0] == 0.0).all()
    best = found.visits.argmax(axis=1)
    rows = np.arange(len(best))
    # The best keeps all its visits, so its share says what one visit counts.
    kept = np.rint(found.policy * (found.visits[rows, best] / found.policy[rows, best])[:, None])
    assert (kept[rows, best] == found.visits[rows, best]).all()
    removed = found.visits - kept
    assert (removed >= 0).all()
    assert removed.sum() > 0
    assert not (kept == 1.0)[removed > 0].any()
    if not noise.fraction:  # the priors are known
        forced = np.ceil(np.sqrt(2.0 * prior * found.visits.sum(axis=1, keepdims=True)) - 1e-4)
        assert (removed <= forced + (kept == 0.0)).all()


def test_a_pruned_policy_expects_more_than_the_visits_do():
    """What is taken off was forced on worse moves: by the Q of the search itself the rest is better."""
    gains = []
    for seed in range(12):
        forced, _ = searched(replace(FORCED, dirichlet=NOISE), seed=seed)
        pruned, _ = searched(replace(PRUNED, dirichlet=NOISE), seed=seed)
        gains.append(np.nansum((pruned.policy - forced.policy) * forced.q, axis=1))
    assert np.concatenate(gains).mean() > 0.002
    assert np.concatenate(gains).min() > -0.02


def test_nothing_is_pruned_where_nothing_was_forced():
    plain, _ = searched(PLAIN, seed=3)
    pruned, _ = searched(replace(PLAIN, prune_targets=True), seed=3)
    np.testing.assert_array_equal(pruned.policy, plain.policy)


def test_the_slow_twin_agrees_on_long_searches():
    rng = np.random.default_rng(5)
    model = random_model(rng, states=100, actions=6)
    root = model.root(rng.integers(0, 100, 3), random_legal(rng, 3, 6))
    config = replace(PRUNED, simulations=300, dirichlet=NOISE)
    fast, slow = plan(model, root, config, seed=9), reference_plan(model, root, config, seed=9)
    np.testing.assert_array_equal(fast.visits, slow.visits)
    np.testing.assert_allclose(fast.policy, slow.policy, atol=1e-6)


def test_settings_are_of_puct_roots():
    preset = with_settings(PRESETS["alphazero"], {"forced_playouts": "2", "prune_targets": "true"})
    assert (preset.search.forced_playouts, preset.search.prune_targets) == (2.0, True)
    assert preset_from_json(preset_to_json(preset)) == preset
    with pytest.raises(ValueError, match=r"forced_playouts=2.0 is of a PUCT root, not of root='gumbel'"):
        with_settings(PRESETS["gumbel-alphazero"], {"forced_playouts": "2"})
    with pytest.raises(ValueError, match="prune_targets=1 must be True or False"):
        replace(PLAIN, prune_targets=1)
