"""Learning while playing: exact whatever the threads, exact when resumed, and what a plain twin computes."""

from __future__ import annotations

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero.learner.loop import train
from dicezero.learner.online import OnlineSettings
from dicezero.model.dense_judge import DenseJudge
from dicezero.model.dense_online import DenseOnline
from dicezero.presets.fitting import network_of, units_of
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.presets.suited import preset_for
from dicezero.rules import load_game
from dicezero.rules.spec import spec_of
from dicezero.runs.checkpoint import read_checkpoint, read_metrics, read_weights

NANNON = load_game("nannon(points=4,checkers=2,sides=4)")
HYPER = load_game("backgammon(start=hyper)")
SMALL = {"games": "60", "block_games": "20", "batch": "64", "widths": "16", "measure_every": "0"}


def learner_of(game, *, threads=1, widths=(24,), optimiser=None, seed=1, **options):
    spec = spec_of(game)
    preset = replace(PRESETS["td-lambda"], widths=widths, activation="relu")
    network = network_of(preset, spec)
    rules = OnlineSettings(scale=units_of(preset, spec).scale, max_moves=200, **options)
    weights = network.init(seed=seed)
    rng = np.random.default_rng(seed)
    for name in weights:  # heads over results begin with zeros, which tell nothing apart
        weights[name] += rng.normal(size=weights[name].shape, scale=0.05).astype(np.float32)
    return network, weights, DenseOnline(network, game, rules, weights, optimiser, threads=threads)


# By name: pytest and Hypothesis keep parameters beyond the interpreter's end, where games count as leaked.
@pytest.mark.parametrize("name", [str(NANNON), str(HYPER), "tic_tac_toe"])
def test_the_number_of_threads_changes_no_bit(name):
    game, found = load_game(name), []
    for threads in (1, 2, 3):
        _, _, learner = learner_of(game, threads=threads, block=16, batch=192, epsilon=0.1)
        played = learner.play_round(games=40, seed=5, learning_rate=1e-3, on_progress=None)
        found.append((played, learner.weights(), learner.optimiser()))
    for other in found[1:]:
        assert other[0] == found[0][0]
        for one, two in zip(found[0][1:], other[1:], strict=True):
            assert all(np.array_equal(one[name], two[name]) for name in one)


def test_a_new_learner_goes_on_where_the_old_one_stood():
    network, weights, whole = learner_of(NANNON, block=16, batch=64)
    rules = OnlineSettings(max_moves=200, block=16, batch=64)
    whole.play_round(games=40, seed=1, learning_rate=1e-3, on_progress=None)
    other = DenseOnline(network, NANNON, rules, whole.weights(), whole.optimiser(), threads=1)
    for learner in (whole, other):
        learner.play_round(games=40, seed=2, learning_rate=1e-3, on_progress=None)
    assert all(np.array_equal(whole.weights()[n], other.weights()[n]) for n in weights)
    broken = whole.optimiser() | {"mu.judge.0.bias": np.zeros(3, np.float32)}
    with pytest.raises(ValueError, match=r"mu\.judge\.0\.bias"):
        DenseOnline(network, NANNON, rules, whole.weights(), broken)


def plain_targets(game, value_lambda, discount):
    """The lambda-returns of a trace, decision by decision from its end, in plain Python."""
    best, samples = game["best"].astype(float), len(game["target"])
    outputs = best.shape[1]
    following, found = np.zeros(outputs), []
    for t in reversed(range(len(best))):
        if t < samples:
            own = game["sign"][t] > 0
            if outputs == 1:
                found.append(game["sign"][t] * (game["chance"][t] + discount * following))
            else:
                found.append(following if own else following[::-1])
        if outputs == 1:
            returned = game["paid"][t] + game["chance"][t] + discount * following
        else:
            returned = best[t] if t >= samples else following
        mixed = (1 - value_lambda) * best[t] + value_lambda * returned
        following = best[t] if game["stray"][t] else mixed
    return np.array(found[::-1]).reshape(samples, outputs)


@settings(max_examples=25, deadline=None)
@given(
    name=st.sampled_from(["nannon(points=4,checkers=2,sides=4)", "backgammon(start=hyper)", "tic_tac_toe"]),
    value_lambda=st.floats(0.0, 1.0),
    epsilon=st.sampled_from([0.0, 0.3]),
    seed=st.integers(0, 10_000),
)
def test_targets_are_the_lambda_returns_of_the_game(name, value_lambda, epsilon, seed):
    game = load_game(name)
    network, weights, learner = learner_of(game, value_lambda=value_lambda, epsilon=epsilon)
    trace = learner._native.play_game(seed, 0)
    assert not trace["truncated"]
    expected = plain_targets(trace, np.float32(value_lambda), 1.0)
    np.testing.assert_allclose(trace["target"], expected, atol=2e-6)
    # What was said of the moves that were played is what the judge says of the positions they led to.
    results = np.array(network.results) if network.results else np.ones(1)
    samples = len(trace["target"])
    own = np.where(trace["sign"][:samples, None] > 0, 1, -1)
    best = trace["best"][:samples]
    said = best * own if not network.results else np.where(own > 0, best, best[:, ::-1])
    kept = trace["stray"][:samples] == 0
    judged = network.player(weights)(trace["observation"])
    np.testing.assert_allclose(judged[kept], (said @ results)[kept], atol=1e-5)
    if network.results:
        np.testing.assert_allclose(trace["target"].sum(axis=1), 1.0, atol=1e-5)


@pytest.mark.parametrize("name", ["nannon(points=4,checkers=2,sides=4)", "backgammon(start=hyper)"])
def test_a_step_is_adams_on_the_gradient_of_the_loss(name):
    """The batch is one game: JAX differentiates the loss, Optax makes the step."""
    game = load_game(name)
    network, weights, learner = learner_of(game, widths=(24, 16), block=1, batch=1_000_000)
    trace = learner._native.play_game(9, 0)
    x, target = jnp.asarray(trace["observation"]), jnp.asarray(trace["target"])

    def loss(params):
        head = "results" if network.results else "value"
        said = [network.part_heads(params, part, x)[head] for part in network.parts()]
        out = said[0]
        if network.phases == 2:
            out = jnp.where(x[:, -1:] > 0.5, said[1], said[0])
        if network.results:
            return -jnp.mean(jnp.sum(target * jax.nn.log_softmax(out), axis=1))
        return jnp.mean(jnp.square(out - target))

    params = {name: jnp.asarray(array) for name, array in weights.items()}
    optimiser = optax.adam(1e-2)
    value, gradient = jax.value_and_grad(loss)(params)
    change, _ = optimiser.update(gradient, optimiser.init(params))
    expected = optax.apply_updates(params, change)
    played = learner.play_round(games=1, seed=9, learning_rate=1e-2, on_progress=None)
    assert played.losses["value"] == pytest.approx(float(value), rel=1e-5)
    moments = learner.optimiser()
    for name, array in learner.weights().items():
        np.testing.assert_allclose(moments[f"mu.{name}"], 0.1 * gradient[name], atol=1e-6)
        clear = np.abs(gradient[name]) > 1e-5  # Adam's first step is the gradient's sign: noise where it is 0
        np.testing.assert_allclose(array[clear], np.asarray(expected[name])[clear], atol=2e-4)


def preset(**changes):
    return with_settings(preset_for("td-lambda", spec_of(NANNON)), SMALL | changes)


def test_a_resumed_run_ends_with_the_same_bytes_and_keeps_no_games(tmp_path):
    train(preset(), NANNON, tmp_path / "whole", rounds=4, seed=7)
    train(preset(), NANNON, tmp_path / "parts", rounds=2, seed=7)
    train(preset(), NANNON, tmp_path / "parts", rounds=4, seed=7, resume=True)
    whole, parts = (read_checkpoint(tmp_path / name) for name in ("whole", "parts"))
    assert whole.shards == parts.shards == ()
    for one, two in ((whole.weights, parts.weights), (whole.optimiser, parts.optimiser)):
        assert one.keys() == two.keys()
        assert all(np.array_equal(one[name], two[name]) for name in one)
    line = read_metrics(tmp_path / "whole")[-1]
    assert (line["games"], line["truncated"]) == (60, 0)
    assert line["decisions"] == pytest.approx(60 * line["mean_length"])


def test_what_plays_is_a_mean_of_the_rounds_and_what_learns_is_not(tmp_path):
    for name, averaging in (("last", "0"), ("mean", "2")):
        train(preset(averaging=averaging), NANNON, tmp_path / name, rounds=4, seed=7, keep_every=1)
    train(preset(averaging="2"), NANNON, tmp_path / "parts", rounds=3, seed=7, keep_every=1)
    train(preset(averaging="2"), NANNON, tmp_path / "parts", rounds=4, seed=7, resume=True)
    mean, parts = (read_checkpoint(tmp_path / name) for name in ("mean", "parts"))
    rounds = [read_weights(tmp_path / "last", number)[1] for number in (1, 2, 3, 4)]
    # A round's share of the mean after four: number * (number + 1) / 2, the rising factorial of averaging 2.
    shares = np.array([1, 3, 6, 10]) / 20
    for name, array in mean.weights.items():
        wanted = sum(share * last[name] for share, last in zip(shares, rounds, strict=True))
        np.testing.assert_allclose(array, wanted, atol=1e-6)
        np.testing.assert_array_equal(array, parts.weights[name])
        np.testing.assert_array_equal(mean.optimiser[f"last.{name}"], rounds[-1][name])


def test_it_learns_a_small_game_almost_perfectly(tmp_path):
    learned = preset(games="1000", widths="48", block_games="32", measure_every="10")
    last = train(learned, NANNON, tmp_path / "run", rounds=10, seed=3)
    assert last["vs_optimal"] > 0.485


def test_a_network_that_cannot_learns_from_replay(tmp_path):
    class Plain(DenseJudge):
        online = None

    train(
        preset(), NANNON, tmp_path / "run", rounds=1, seed=1, network=Plain(spec_of(NANNON).observation.size)
    )
    assert list((tmp_path / "run").glob("games-*.npz"))


def test_settings_that_contradict_are_refused():
    with pytest.raises(ValueError, match="reanalyse"):
        preset(reanalyse="0.5")
    with pytest.raises(ValueError, match="updates"):
        replace(PRESETS["alphazero"], updates="online")


def test_a_game_that_is_not_native_has_no_learner_of_its_own():
    network = DenseJudge(5, (4,))
    rules = OnlineSettings()
    offered = network.online(
        object(), settings=rules, weights=network.init(seed=0), optimiser=None, threads=1
    )
    assert offered is None
