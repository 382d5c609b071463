"""The training step: shards are the whole batch, Adam is optax's, and the number of cores changes nothing."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from dicezero.learner.losses import network_terms, total
from dicezero.learner.step import STEPS_AT_ONCE, Trainer, packed, unpacked
from dicezero.model import shards
from dicezero.model.dense import DenseEvaluator, DenseModel
from dicezero.model.dense_judge import DenseJudge
from dicezero.model.shards import shards_of
from dicezero.presets.loss_weights import LossWeights
from dicezero.replay.buffer import Batch

MODEL = DenseModel(observation=5, actions=6, hidden=16, widths=(24,))
EVALUATOR = DenseEvaluator(observation=5, actions=3, widths=(24,))
LOSS = LossWeights(chance=0.5, l2=1e-3, weight_decay=0.1)


def own_network():
    """Not one that runs on the kernels: its type is another."""

    class Own(DenseEvaluator):
        pass

    return Own(observation=5, actions=3, widths=(24,))


def random_batch(rows, unroll=2, seed=0):
    rng = np.random.default_rng(seed)
    policy = rng.random((rows, unroll + 1, MODEL.actions)).astype(np.float32)
    return Batch(
        observation=rng.standard_normal((rows, MODEL.observation)).astype(np.float32),
        legal=np.ones((rows, 3), np.bool_),
        action=rng.integers(MODEL.actions, size=(rows, unroll)).astype(np.int32),
        policy=policy / policy.sum(axis=-1, keepdims=True),
        chance=rng.integers(MODEL.actions, size=(rows, unroll + 1)).astype(np.int32),
        identity=rng.integers(4, size=(rows, unroll + 1)).astype(np.int32),
        value=rng.choice([-1.0, 1.0], size=(rows, unroll + 1)).astype(np.float32),
        reward=rng.choice([-1.0, 1.0], size=(rows, unroll)).astype(np.float32),
        mask=rng.integers(2, size=(rows, unroll + 1)).astype(np.float32),
    )


def small_shards(monkeypatch, rows=2):
    """Shards of so few rows, whatever their work."""
    monkeypatch.setattr(shards, "_LEAST_ROWS", rows)
    monkeypatch.setattr(shards, "_LEAST_WORK", 1)


@pytest.mark.parametrize(
    ("network", "rows"), [(MODEL, 7), (EVALUATOR, 40), (DenseJudge(5, (24,), "relu"), 1)]
)
def test_shards_together_are_the_whole_batch(network, rows, monkeypatch):
    small_shards(monkeypatch)
    weights, batch = network.init(seed=0), random_batch(rows)
    trainer = Trainer(network, LOSS, weights, threads=2)
    found = trainer.steps(batch, learning_rate=1e-3)

    @jax.jit
    def loss(params):  # of the plain network, whole
        return total(LOSS, network_terms(network, params, batch.arrays(), LOSS))

    params = {name: jnp.asarray(array) for name, array in weights.items()}
    whole, gradient = jax.value_and_grad(loss)(params)
    assert float(found["total"][0]) == pytest.approx(float(whole), rel=1e-5)
    for name, moment in trainer.optimiser().items():
        if name.startswith("mu."):  # Adam's first moment after one step is a tenth of the gradient
            np.testing.assert_allclose(moment, 0.1 * gradient[name[3:]], rtol=1e-4, atol=1e-6)


def test_the_update_is_that_of_adamw():
    trainer = Trainer(EVALUATOR, LOSS, EVALUATOR.init(seed=0))
    theirs = optax.adamw(1e-2, weight_decay=LOSS.weight_decay)
    params = {name: jnp.asarray(array) for name, array in EVALUATOR.init(seed=0).items()}
    state = theirs.init(params)
    slope = jax.jit(jax.grad(lambda p, arrays: total(LOSS, network_terms(EVALUATOR, p, arrays, LOSS))))
    for seed in (1, 2, 3):
        batch = random_batch(8, seed=seed)
        trainer.steps(batch, learning_rate=1e-2)
        updates, state = theirs.update(slope(params, batch.arrays()), state, params)
        params = optax.apply_updates(params, updates)
    for name, array in trainer.weights().items():
        np.testing.assert_allclose(array, params[name], rtol=1e-4, atol=1e-5)


def test_a_trainer_goes_on_where_another_stands_whatever_their_threads(monkeypatch):
    small_shards(monkeypatch)
    batches = [random_batch(8, seed=seed) for seed in (1, 2, 3)]
    whole = Trainer(MODEL, LOSS, MODEL.init(seed=0), threads=2)
    for batch in batches[:2]:
        whole.steps(batch, learning_rate=1e-2)
    other = Trainer(MODEL, LOSS, whole.weights(), whole.optimiser(), threads=1)
    for trainer in (whole, other):
        trainer.steps(batches[2], learning_rate=1e-2)
    for name, array in whole.weights().items():
        np.testing.assert_array_equal(array, other.weights()[name])


@pytest.mark.parametrize("network", [MODEL, own_network()])
def test_several_steps_in_one_call_are_those_steps_one_by_one(network):
    batch, count = random_batch(3 * 8), 3
    assert count < STEPS_AT_ONCE
    at_once = Trainer(network, LOSS, network.init(seed=0))
    told = at_once.steps(batch, count=count, learning_rate=1e-2)
    one_by_one = Trainer(network, LOSS, network.init(seed=0))
    for i in range(count):
        part = Batch(**{name: array[8 * i : 8 * i + 8] for name, array in batch.arrays().items()})
        assert float(told["total"][i]) == float(one_by_one.steps(part, learning_rate=1e-2)["total"][0])
    for name, array in at_once.weights().items():
        np.testing.assert_array_equal(array, one_by_one.weights()[name])


def test_the_number_of_shards_follows_from_the_sizes_alone():
    assert shards_of(weights=94_118, rows=128, passes=5) == 2  # the demo's network
    assert shards_of(weights=500_000, rows=512, passes=7) == 8  # the paper's
    assert shards_of(weights=500_000, rows=128, passes=7) == 2  # no fewer than 64 rows each
    assert shards_of(weights=500_000, rows=4096, passes=7) == 64  # a large batch for a large machine
    assert shards_of(weights=100, rows=512, passes=1) == shards_of(weights=10**9, rows=1, passes=9) == 1


def test_weights_are_packed_and_unpacked():
    weights = MODEL.init(seed=3)
    for name, array in unpacked(MODEL.shapes(), packed(weights)).items():
        np.testing.assert_array_equal(array, weights[name])


def weights_digest():
    """Of the weights after a few steps of a network large enough for XLA to share its work among threads."""
    network = replace(MODEL, hidden=256, widths=(256,))
    weights = network.init(seed=0)
    assert shards_of(sum(w.size for w in weights.values()), 512, 3) == 8
    trainer = Trainer(network, LOSS, weights)
    trainer.steps(random_batch(3 * 512), count=3, learning_rate=1e-2)
    return hashlib.sha256(b"".join(array.tobytes() for array in trainer.weights().values())).hexdigest()


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs Linux to bind a process to a core")
def test_one_core_and_two_give_the_same_weights():
    digests = set()
    environment = {k: v for k, v in os.environ.items() if k not in ("NPROC", "XLA_FLAGS")}
    for cores in (1, 2):
        code = (
            f"import os, sys; sys.path.insert(0, {str(Path(__file__).parent)!r});"
            f"os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:{cores}]);"
            "from dicezero.learner.step import prefer_one_thread; prefer_one_thread();"
            "from test_step import weights_digest; print(weights_digest())"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
        )
        digests.add(done.stdout.strip())
    assert len(digests) == 1
