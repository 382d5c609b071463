"""Playout-cap randomisation: which decisions are searched in full, and what is learned of the others."""

from __future__ import annotations

from dataclasses import replace

import jax.numpy as jnp
import numpy as np
import pytest

from dicezero.learner.from_replay import _simulations
from dicezero.learner.losses import evaluator_terms
from dicezero.presets.fitting import network_of, planner_of
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.replay.buffer import Replay
from dicezero.replay.reanalyse import reanalyse
from dicezero.replay.shards import pack_episodes, unpack_episodes
from dicezero.rules import load_game, spec_of
from dicezero.selfplay.play import play_games

GAME = load_game("nannon(points=4,checkers=2,sides=4)")  # has forced moves, too
SPEC = spec_of(GAME)
SMALL = {"simulations": "12", "widths": "8", "hidden": "8", "unroll": "2"}
KINDS = ["gumbel-alphazero", "alphazero", "gumbel-ndmz"]


def small(name):
    return with_settings(PRESETS[name], SMALL)


def played(name, numbers=range(12), *, share=0.3, fast=3, explore=0, planner=None):
    preset = small(name)
    planner = planner or planner_of(preset, SPEC, network_of(preset, SPEC).init(seed=1))
    return play_games(
        GAME,
        planner,
        preset.search,
        games=numbers,
        seed=3,
        round_index=0,
        explore_moves=explore,
        fast_simulations=fast,
        full_share=share,
    )


class Listening:
    """A planner that notes (simulations, noise, rows) of every search."""

    afterstates = False

    def __init__(self, name):
        preset = small(name)
        self.inner = planner_of(preset, SPEC, network_of(preset, SPEC).init(seed=1))
        self.heard = []

    def predict(self, positions):
        return self.inner.predict(positions)

    def search(self, positions, config, seeds, *, noise):
        self.heard.append((config.simulations, noise, len(seeds)))
        return self.inner.search(positions, config, seeds, noise=noise)


@pytest.mark.parametrize("name", KINDS)
def test_a_share_is_searched_in_full_with_noise_and_alone_has_a_policy(name):
    planner = Listening(name)
    episodes = played(name, range(60), planner=planner, explore=1000)
    searched = dict.fromkeys(((12, True), (3, False)), 0)
    for simulations, noise, rows in planner.heard:
        searched[simulations, noise] += rows
    with_policy = sum(int(e.advised[e.choices[e.decisions] > 1].sum()) for e in episodes)
    choices = sum(int((e.choices > 1).sum()) for e in episodes)
    assert searched == {(12, True): with_policy, (3, False): choices - with_policy}
    assert 0.2 < with_policy / choices < 0.4
    counted = _simulations(episodes, replace(small(name), fast_simulations=3))
    assert counted == 12 * with_policy + 3 * (choices - with_policy)
    for episode in episodes:
        counts = episode.choices[episode.decisions]
        sums = np.add.reduceat(episode.policy, np.cumsum(counts) - counts)
        assert np.all((np.abs(sums - 1.0) < 1e-5) | (sums == 0.0))
        legal = np.split(episode.legal, np.cumsum(counts)[:-1])
        moves = episode.action[episode.decisions]
        assert all(move in options for move, options in zip(moves, legal, strict=True))


@pytest.mark.parametrize("name", KINDS)
def test_a_game_is_the_same_in_whatever_batch_it_is_played(name):
    parts = played(name, [0, 1]) + played(name, [2]) + played(name, [5, 4, 3])[::-1]
    assert pack_episodes(played(name, range(6))) == pack_episodes(parts)


def test_every_decision_in_full_is_self_play_without_the_option():
    assert pack_episodes(played("alphazero", share=1.0)) == pack_episodes(played("alphazero", fast=0))
    assert pack_episodes(played("alphazero", share=0.5)) != pack_episodes(played("alphazero", fast=0))


def replay_of(episodes, **options):
    replay = Replay(SPEC, capacity=100, **options)
    replay.add(unpack_episodes(pack_episodes(episodes), SPEC, name="shard"))
    return replay


def test_the_policy_is_learned_from_the_decisions_that_have_one():
    """The loss over all samples is the mean cross-entropy over those with a target."""
    replay = replay_of(played("alphazero"))
    batch = replay.batch(np.arange(replay.decisions), unroll=0)
    sums = batch.policy[:, 0].sum(axis=1)
    advised = sums > 0.0
    assert 0.1 < advised.mean() < 0.6
    network = network_of(small("alphazero"), SPEC)
    params = {name: jnp.asarray(array) for name, array in network.init(seed=2).items()}
    arrays = {name: jnp.asarray(array) for name, array in batch.arrays().items()}
    logits = np.where(batch.legal, network.apply(params, "evaluator", arrays["observation"])["policy"], -1e9)
    log = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    share = batch.policy[:, 0, : SPEC.actions] / np.maximum(sums, 1e-9)[:, None]
    expected = -(share * log).sum(axis=1)[advised].mean()
    assert float(evaluator_terms(network, params, arrays)["policy"]) == pytest.approx(expected, rel=1e-5)
    whole = replay_of(played("alphazero", fast=0))
    np.testing.assert_allclose(
        whole.batch(np.arange(whole.decisions), unroll=0).policy.sum(axis=2), 1.0, atol=1e-5
    )


def test_the_simple_loss_learns_the_moves_of_full_searches_alone():
    episodes = played("alphazero")
    kept = replay_of(episodes, played_policy=True).kept
    for before, after in zip(episodes, kept, strict=True):
        assert np.array_equal(before.advised, after.episode.advised)
        assert np.array_equal(after.episode.played_probability() > 0.0, before.advised)


def test_a_game_searched_again_has_a_policy_everywhere():
    preset = small("alphazero")
    planner, replay = (
        planner_of(preset, SPEC, network_of(preset, SPEC).init(seed=1)),
        replay_of(played("alphazero")),
    )
    found = reanalyse(GAME, replay, planner, preset.search, share=1.0, seed=1, round_index=1)
    replay.refresh(found)
    assert all(kept.episode.advised.all() for kept in replay.kept)


def test_settings_are_refused_where_they_mean_nothing():
    with pytest.raises(ValueError, match="fast_simulations=4 must be 0: td looks one move ahead"):
        with_settings(PRESETS["td-lambda"], {"fast_simulations": "4"})
    with pytest.raises(ValueError, match=r"full_share=0.0 must be in \(0, 1\]"):
        with_settings(PRESETS["alphazero"], {"full_share": "0"})
    with pytest.raises(ValueError, match="fast_simulations=-1 must be at least 0"):
        with_settings(PRESETS["alphazero"], {"fast_simulations": "-1"})
