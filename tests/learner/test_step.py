"""The training step: two halves are the whole batch, and the number of cores changes nothing."""

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
import pytest

from dicezero.learner import step
from dicezero.learner.losses import evaluator_terms, total
from dicezero.learner.step import Trainer
from dicezero.model.dense import DenseEvaluator, DenseModel
from dicezero.presets.loss_weights import LossWeights
from dicezero.replay.buffer import Batch

MODEL = DenseModel(observation=5, actions=6, hidden=16, widths=(24,))
EVALUATOR = DenseEvaluator(observation=5, actions=3, widths=(24,))
LOSS = LossWeights(chance=0.5, l2=1e-3)


def random_batch(rows, unroll=2):
    rng = np.random.default_rng(rows)
    policy = rng.random((rows, unroll + 1, MODEL.actions)).astype(np.float32)
    return Batch(
        observation=rng.standard_normal((rows, MODEL.observation)).astype(np.float32),
        legal=np.ones((rows, 3), np.bool_),
        action=rng.integers(MODEL.actions, size=(rows, unroll)).astype(np.int32),
        policy=policy / policy.sum(axis=-1, keepdims=True),
        chance=rng.integers(MODEL.actions, size=(rows, unroll + 1)).astype(np.int32),
        identity=rng.integers(4, size=(rows, unroll + 1)).astype(np.int32),
        value=rng.choice([-1.0, 1.0], size=(rows, unroll + 1)).astype(np.float32),
    )


@pytest.mark.parametrize(("rows", "least"), [(1, 0), (5, 0), (5, 1_000_000)])
def test_the_halves_together_are_the_whole_batch(rows, least, monkeypatch):
    monkeypatch.setattr(step, "_WORTH_HALVES", least)
    weights = EVALUATOR.init(seed=0)
    batch = random_batch(rows)
    trainer = Trainer(EVALUATOR, LOSS, weights)
    found = trainer.step(batch, learning_rate=1e-3)

    @jax.jit
    def loss(params):
        return total(LOSS, evaluator_terms(EVALUATOR, params, batch.arrays()))

    params = {name: jnp.asarray(array) for name, array in weights.items()}
    whole, gradient = jax.value_and_grad(loss)(params)
    assert float(found["total"]) == pytest.approx(float(whole), rel=1e-5)
    for name, moment in trainer.optimiser().items():
        if name.startswith("mu."):  # Adam's first moment after one step is a tenth of the gradient
            np.testing.assert_allclose(moment, 0.1 * gradient[name[3:]], rtol=1e-4, atol=1e-6)


def test_a_trainer_goes_on_where_another_stands(monkeypatch):
    monkeypatch.setattr(step, "_WORTH_HALVES", 0)
    batches = [random_batch(rows) for rows in (8, 6, 8)]
    whole = Trainer(EVALUATOR, LOSS, EVALUATOR.init(seed=0))
    for batch in batches[:2]:
        whole.step(batch, learning_rate=1e-2)
    other = Trainer(EVALUATOR, LOSS, whole.weights(), whole.optimiser())
    for trainer in (whole, other):
        trainer.step(batches[2], learning_rate=1e-2)
    for name, array in whole.weights().items():
        np.testing.assert_array_equal(array, other.weights()[name])


def weights_digest():
    """Of the weights after a few steps of a network large enough for XLA to share its work among threads."""
    config = replace(MODEL, hidden=256, widths=(256,))
    weights = config.init(seed=0)
    assert sum(w.size for w in weights.values()) * 512 * 3 > step._WORTH_HALVES
    trainer = Trainer(config, LOSS, weights)
    for _ in range(3):
        trainer.step(random_batch(512), learning_rate=1e-2)
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
