"""Answers averaged over the symmetric forms of a position: the native wrapper, its twin, and play."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from dicezero import _native
from dicezero.agents import make_agent
from dicezero.learner.loop import train
from dicezero.model.symmetric import SymmetricEvaluator, turned
from dicezero.presets.fitting import network_of
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game, spec_of
from dicezero.runs.errors import RunError
from dicezero.runs.loading import load_run
from dicezero.search.plan import plan_states
from dicezero.selfplay.planners import decide
from dicezero.selfplay.states import positions_of

GAME = load_game("go(board_size=3)")
SPEC = spec_of(GAME)
BOARD = {
    "architecture": "board",
    "board.channels": "6",
    "board.blocks": "1",
    "board.bottleneck": "0",
    "simulations": "12",
    "play.simulations": "12",
    "games": "3",
    "buffer_games": "6",
    "batch": "16",
    "steps": "2",
    "unroll": "2",
    "max_moves": "12",
    "measure_every": "0",
}
PRESET = with_settings(PRESETS["gumbel-alphazero"], BOARD)


def drawn(network, seed=1):
    rng = np.random.default_rng(seed)
    return {
        n: a + 0.3 * rng.standard_normal(a.shape).astype(np.float32) for n, a in network.init(seed=1).items()
    }


def positions(count=7, seed=0):
    rng, states = np.random.default_rng(seed), []
    while len(states) < count:
        state = GAME.new_initial_state()
        for _ in range(int(rng.integers(0, 6))):
            if not state.is_terminal():
                state.apply_action(int(rng.choice(state.legal_actions())))
        if not state.is_terminal():
            states.append(state)
    return positions_of(GAME, SPEC, states)


@pytest.fixture(scope="module")
def evaluator():
    network = network_of(PRESET, SPEC)
    return network.player(drawn(network))


def test_the_native_wrapper_says_what_its_twin_says_in_any_batch(evaluator):
    both, seen = SymmetricEvaluator(evaluator, SPEC.symmetries), positions(70)
    logits, value = both(seen.observation, seen.legal)
    native = both.native.evaluate(seen.observation, seen.legal)
    np.testing.assert_array_equal(native[0], logits)
    np.testing.assert_array_equal(native[1], value)
    for row in (0, 33, 69):
        alone = both.native.evaluate(seen.observation[row : row + 1], seen.legal[row : row + 1])
        np.testing.assert_array_equal(alone[0][0], logits[row])
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: both.native.evaluate(seen.observation, seen.legal), range(8)))
    assert all(np.array_equal(one[0], logits) and np.array_equal(one[1], value) for one in found)


def test_symmetric_positions_get_the_same_answer_on_a_turned_board(evaluator):
    both, seen = SymmetricEvaluator(evaluator, SPEC.symmetries), positions(5)
    logits, value = both(seen.observation, seen.legal)
    plain, _ = evaluator(seen.observation, seen.legal)
    assert np.abs(plain - logits).max() > 0.01  # the network itself does not know of symmetries
    for symmetry in SPEC.symmetries:
        there, same = both(turned(seen.observation, [symmetry]), seen.legal[:, list(symmetry.actions)])
        np.testing.assert_allclose(there, logits[:, list(symmetry.actions)], atol=1e-5)
        np.testing.assert_allclose(same, value, atol=1e-5)


def test_a_search_is_the_same_natively_and_by_the_twin_whatever_the_threads(evaluator):
    both, seen = SymmetricEvaluator(evaluator, SPEC.symmetries), positions(4)
    found = []
    for asked, threads in ((both, 1), (both, 3), (lambda o, a: both(o, a), 1)):
        search = replace(PRESET.search, threads=threads, chance_value="mean")
        found.append(plan_states(asked, seen.states, search, game=GAME, seed=5))
    for other in found[1:]:
        np.testing.assert_array_equal(other.visits, found[0].visits)
        np.testing.assert_array_equal(other.policy, found[0].policy)
        np.testing.assert_array_equal(other.value, found[0].value)


@pytest.mark.parametrize("name", ["gumbel-alphazero", "gumbel-muzero"])
def test_a_run_plays_with_symmetries_on_request(tmp_path, name):
    preset = with_settings(PRESETS[name], BOARD)
    train(preset, GAME, tmp_path / "run", rounds=1, seed=3)
    seen = positions(6)
    plain = load_run(tmp_path / "run", GAME).planner
    averaged = load_run(tmp_path / "run", GAME, symmetries=True).planner
    logits, value = averaged.predict(seen)
    expected = [
        plain.predict(replace_observation(seen, symmetry)) for symmetry in SPEC.symmetries
    ]  # a plain sum over the forms, action by action
    for row in range(6):
        mean = np.mean([said[1][row] for said in expected])
        assert value[row] == pytest.approx(mean, abs=1e-5)
        for action in np.flatnonzero(seen.legal[row]):
            said = [
                answers[0][row, list(symmetry.actions).index(action)]
                for symmetry, answers in zip(SPEC.symmetries, expected, strict=True)
            ]
            assert logits[row, action] == pytest.approx(np.mean(said), abs=1e-5)
    seeds = np.arange(6, dtype=np.uint64)
    found = decide(averaged, seen, preset.play, seeds, noise=False)
    agent = make_agent(f"run(path={tmp_path / 'run'},symmetries=true)", GAME)
    assert agent.actions(seen.states, seeds.tolist()) == found.action.tolist()
    assert not np.array_equal(found.value, decide(plain, seen, preset.play, seeds, noise=False).value)


def replace_observation(seen, symmetry):
    return replace(
        seen,
        observation=turned(seen.observation, [symmetry]),
        legal=seen.legal[:, list(symmetry.actions)],
    )


def test_symmetries_are_refused_where_there_are_none(tmp_path):
    game = load_game("nannon(points=4,checkers=2,sides=4)")
    small = {
        "games": "2",
        "steps": "1",
        "batch": "8",
        "widths": "8",
        "measure_every": "0",
        "simulations": "2",
    }
    train(with_settings(PRESETS["gumbel-alphazero"], small), game, tmp_path / "run", rounds=1)
    with pytest.raises(RunError, match=r"nannon.* has no symmetries to average over; leave symmetries out"):
        load_run(tmp_path / "run", game, symmetries=True)


def test_bad_permutations_are_refused(evaluator):
    good = list(SPEC.symmetries[0].cells), list(SPEC.symmetries[0].actions)
    with pytest.raises(ValueError, match=r"cells of a symmetry are no permutation of 0\.\.8"):
        _native.SymmetricEvaluator(evaluator.native, [good, ([0] * 9, good[1])])
    with pytest.raises(ValueError, match="actions of a symmetry are no permutation"):
        _native.SymmetricEvaluator(evaluator.native, [(good[0], good[1][:-1])])
    with pytest.raises(ValueError, match="is no multiple"):
        _native.SymmetricEvaluator(evaluator.native, [([*good[0], 9], good[1])])
    with pytest.raises(ValueError, match="symmetries is empty"):
        _native.SymmetricEvaluator(evaluator.native, [])
