"""``--device``: what is refused, and that JAX alone plays and trains as the native core does."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings

import jax
import numpy as np
import pytest
from tiny import NAME, contents, copy, reseal, run

from dicezero import _native
from dicezero.cli.app import main
from dicezero.learner import loop
from dicezero.learner.step import Trainer
from dicezero.model import device
from dicezero.model.jax_player import JaxEvaluator, JaxModel
from dicezero.presets.fitting import network_of, units_of
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.presets.suited import preset_for
from dicezero.replay.buffer import Replay
from dicezero.rules import load_game, spec_of
from dicezero.runs.manifest import MANIFEST, Manifest
from dicezero.runs.versions import rounding_differs
from dicezero.selfplay.making import make_planner
from dicezero.selfplay.play import play_games

GAME = load_game("tic_tac_toe")
SPEC = spec_of(GAME)
SMALL = {
    "architecture": "board",
    "board.channels": "6",
    "board.blocks": "1",
    "board.bottleneck": "0",
    "simulations": "8",
    "unroll": "2",
}
ABSENT = next(name for name in ("tpu", "rocm", "cuda") if name not in {d.platform for d in jax.devices()})


def drawn(network):
    rng = np.random.default_rng(4)
    weights = network.init(seed=1)
    return {n: a + 0.2 * rng.standard_normal(a.shape).astype(np.float32) for n, a in weights.items()}


def games(preset, weights, *, by_jax):
    network = network_of(preset, SPEC)
    planner = make_planner(network, weights, SPEC, units_of(preset, SPEC), by_jax=by_jax)
    played = play_games(GAME, planner, preset.search, games=range(6), seed=2, round_index=0)
    return planner, played


@pytest.mark.parametrize("name", ["gumbel-alphazero", "gumbel-muzero"])
def test_jax_in_padded_batches_plays_the_games_of_the_native_core(name):
    preset = with_settings(PRESETS[name], SMALL)
    weights = drawn(network_of(preset, SPEC))
    planner, ours = games(preset, weights, by_jax=True)
    asked = planner.evaluator if name == "gumbel-alphazero" else planner.model
    assert isinstance(asked, JaxEvaluator | JaxModel)
    assert asked.batch_rows >= 256
    for found, expected in zip(ours, games(preset, weights, by_jax=False)[1], strict=True):
        np.testing.assert_array_equal(found.action, expected.action)
        np.testing.assert_allclose(found.value, expected.value, atol=1e-4)
        np.testing.assert_allclose(found.policy, expected.policy, atol=1e-3)


@pytest.mark.parametrize("name", ["gumbel-alphazero", "gumbel-muzero"])
@pytest.mark.parametrize("architecture", ["board", "mlp"])
def test_xla_alone_learns_what_the_native_kernels_learn(name, architecture):
    preset = with_settings(PRESETS[name], SMALL | {"architecture": architecture})
    network = network_of(preset, SPEC)
    weights = drawn(network)
    replay = Replay(SPEC, capacity=50)
    replay.add(games(preset, weights, by_jax=False)[1])
    unroll = 2 if name == "gumbel-muzero" else 0
    batch = replay.batch(np.arange(32) % replay.decisions, unroll=unroll)
    found = []
    for native in (True, False):
        trainer = Trainer(network, preset.loss, weights, native=native)
        terms = [trainer.steps(batch, learning_rate=1e-3) for _ in range(3)]
        found.append((trainer.weights(), float(terms[-1]["total"][0])))
    assert found[0][1] == pytest.approx(found[1][1], rel=1e-4)
    moved = sum(float(np.abs(found[0][0][name] - weights[name]).sum()) for name in weights)
    apart = sum(float(np.abs(found[0][0][name] - found[1][0][name]).sum()) for name in weights)
    assert apart < 0.02 * moved


def test_a_device_that_is_not_there_is_refused_before_anything_is_written(tmp_path, capsys):
    with pytest.raises(ValueError, match=rf"device='{ABSENT}' is not there: JAX sees .*cpu") as told:
        run(tmp_path / "run", device=ABSENT)
    assert "\n" not in str(told.value)
    words = ["train", "gumbel-ndmz", "--game", NAME, "--out", str(tmp_path / "run"), "--device", ABSENT]
    assert main(words) == 2
    assert capsys.readouterr().err.strip().count("\n") == 0
    assert not (tmp_path / "run").exists()


def test_the_cpu_is_used_where_jax_would_take_another_device(monkeypatch):
    assert device.use_device("cpu") == "cpu"
    assert jax.config.jax_default_device is None  # it is what JAX takes by itself
    monkeypatch.setattr(device, "platform", lambda: "gpu")
    try:
        device.use_device("cpu")
        assert jax.config.jax_default_device.platform == "cpu"
        monkeypatch.undo()
        assert device.platform() == "cpu"
    finally:
        jax.config.update("jax_default_device", None)


def test_online_learning_has_no_device(tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "use_device", lambda name: name)
    preset = preset_for("td-lambda", spec_of(load_game(NAME)))
    with pytest.raises(ValueError, match=r"td-lambda plays and learns natively, on the CPU; leave it out"):
        run(tmp_path / "run", preset=preset, device="gpu")
    assert not (tmp_path / "run").exists()


def test_a_run_says_what_computed_it_and_goes_on_elsewhere_with_a_warning(tmp_path):
    run(tmp_path / "run", rounds=1)
    made = Manifest.read(tmp_path / "run").made_with
    assert (made["device"], made["kernel"]) == ("cpu", _native.dense_kernels()[0])
    there = copy(tmp_path / "run", tmp_path / "there")
    reseal(there / MANIFEST, lambda data: data["made_with"].update(kernel="sse9"))
    with pytest.warns(
        UserWarning, match=r"made with the kernel sse9, this machine has .* not to the last bit"
    ):
        run(there, rounds=2, resume=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(tmp_path / "run", rounds=2, resume=True)


def test_what_rounds_alike_goes_on_without_a_word(monkeypatch):
    monkeypatch.setattr(_native, "dense_kernels", lambda: ["avx512", "avx2", "base"])
    assert rounding_differs({"kernel": "avx2"}) is None
    assert rounding_differs({}) is None  # of a version that did not say
    assert "kernel base" in rounding_differs({"kernel": "base"})
    assert "device gpu" in rounding_differs({"device": "gpu", "kernel": "avx2"})


@pytest.mark.skipif(not {"avx2", "avx512"} <= {*_native.dense_kernels()}, reason="needs AVX-512")
def test_a_run_begun_on_a_machine_with_avx2_ends_alike_on_one_with_avx512(tmp_path):
    """The core and XLA kept to AVX2 make a board run's first round, this machine the second."""
    settings = SMALL | {"games": "3", "batch": "16", "steps": "3", "measure_every": "0"}
    words = ["train", "gumbel-muzero", "--game", "tic_tac_toe", "--json", "--resume", "--out"]
    given = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    assert main([*words, str(tmp_path / "whole"), "--rounds", "2", *given]) == 0
    lesser = os.environ | {"DICEZERO_KERNEL": "avx2", "XLA_FLAGS": "--xla_cpu_max_isa=AVX2"}
    code = "import sys; from dicezero.cli import main; sys.exit(main(sys.argv[1:]))"
    begun = [sys.executable, "-c", code, *words, str(tmp_path / "parts"), "--rounds", "1", *given]
    subprocess.run(begun, check=True, env=lesser, capture_output=True)
    assert Manifest.read(tmp_path / "parts").made_with["kernel"] == "avx2"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main([*words, str(tmp_path / "parts"), "--rounds", "2", *given]) == 0
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")


def test_a_kernel_that_is_not_there_is_named():
    code = "from dicezero import _native; _native.dense_kernels()"
    unknown = os.environ | {"DICEZERO_KERNEL": "sse9"}
    told = subprocess.run([sys.executable, "-c", code], env=unknown, capture_output=True, text=True)
    assert "DICEZERO_KERNEL=sse9 is unknown here; give one of" in told.stderr
