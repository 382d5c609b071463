"""Turned boards: the rules cannot tell them from the board itself, and samples are turned as a whole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero import _native
from dicezero.learner.loop import train
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.replay.buffer import Batch
from dicezero.replay.turned import turned_batch
from dicezero.rules import GameError, load_game
from dicezero.rules.spec import spec_of

GAMES = ("tic_tac_toe", "connect_four", "connect_four(rows=4,columns=5)", "go(board_size=5)", "gardner_chess")
DICE = ("2048", "2048(rows=2,columns=3)")
MIRRORED = "kqbnr/ppppp/5/PPPPP/KQBNR w - - 0 1"


def test_games_with_symmetries_are_found_by_their_specs():
    found = {name for name, _, _ in _native.registered_games() if spec_of(load_game(name)).symmetries}
    assert found == {"tic_tac_toe", "connect_four", "go", "gardner_chess", "2048"}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(GAMES + DICE), st.integers(0, 7), st.lists(st.integers(0, 10**6), max_size=40))
def test_a_game_on_the_turned_board_is_the_same_game(name, number, picks):
    game = load_game(name)
    spec = spec_of(game)
    symmetry = spec.symmetries[number % len(spec.symmetries)]
    cells, actions = np.array(symmetry.cells), np.array(symmetry.actions)
    state, turned = game.new_initial_state(), game.new_initial_state()
    if name == "gardner_chess":  # whose kings begin on one side
        turned = game.new_initial_state(MIRRORED if number % 2 else None)
    for pick in [*picks, 0]:
        assert turned.is_terminal() == state.is_terminal()
        if state.is_terminal():
            assert turned.returns() == state.returns()
            return
        if state.is_chance_node():
            rolls = dict(state.chance_outcomes())
            same_rolls = {int(symmetry.rolled[roll]): p for roll, p in rolls.items()}
            assert dict(turned.chance_outcomes()) == pytest.approx(same_rolls)
            outcome = sorted(rolls)[pick % len(rolls)]
            state.apply_action(outcome)
            turned.apply_action(int(symmetry.rolled[outcome]))
            continue
        legal = state.legal_actions()
        assert sorted(actions[turned.legal_actions()].tolist()) == sorted(legal)
        for player in range(spec.players):
            seen = np.array(state.observation_tensor(player)).reshape(-1, len(cells))
            same = np.array(turned.observation_tensor(player)).reshape(-1, len(cells))
            np.testing.assert_array_equal(same, seen[:, cells])
        action = legal[pick % len(legal)]
        state.apply_action(action)
        turned.apply_action(int(symmetry.moved[action]))


def test_samples_are_turned_as_a_plain_loop_turns_them():
    spec = spec_of(load_game("tic_tac_toe"))
    rng, size, unroll, actions = np.random.default_rng(0), 50, 3, 9 + 2
    batch = Batch(
        observation=rng.random((size, 18), np.float32),
        legal=rng.random((size, 9)) < 0.5,
        action=rng.integers(actions, size=(size, unroll)).astype(np.int32),
        policy=rng.random((size, unroll + 1, actions), np.float32),
        chance=rng.integers(3, size=(size, unroll + 1)).astype(np.int32),
        identity=rng.integers(4, size=(size, unroll + 1)).astype(np.int32),
        value=rng.random((size, unroll + 1), np.float32),
        reward=rng.random((size, unroll), np.float32),
        mask=np.ones((size, unroll + 1), np.float32),
        following=rng.random((size, unroll, 18), np.float32),
    )
    which = rng.integers(8, size=size)
    found = turned_batch(batch, spec.symmetries, which)
    for b, number in enumerate(which):
        symmetry = spec.symmetries[number]
        for channel in range(2):
            for cell in range(9):
                old = channel * 9 + symmetry.cells[cell]
                assert found.observation[b, channel * 9 + cell] == batch.observation[b, old]
                np.testing.assert_array_equal(
                    found.following[b, :, channel * 9 + cell], batch.following[b, :, old]
                )
        for action in range(9):
            old = symmetry.actions[action]
            assert found.legal[b, action] == batch.legal[b, old]
            np.testing.assert_array_equal(found.policy[b, :, action], batch.policy[b, :, old])
        for k in range(unroll):
            new, old = found.action[b, k], batch.action[b, k]
            assert new == old if old >= 9 else symmetry.actions[new] == old
    np.testing.assert_array_equal(found.policy[..., 9:], batch.policy[..., 9:])
    for name in ("chance", "identity", "value", "reward", "mask"):
        assert getattr(found, name) is getattr(batch, name)


def test_outcomes_are_turned_with_the_cells_they_belong_to():
    """A 2x2 board of 2048: outcome 2 * cell is a 2 there, 2 * cell + 1 a 4."""
    spec = spec_of(load_game("2048(rows=2,columns=2)"))
    size, unroll, choices = len(spec.symmetries), 8 + 4 + 2, spec.actions
    every = np.tile(np.arange(unroll, dtype=np.int32), (size, 1))  # actions, outcomes, no-op, end
    batch = Batch(
        observation=np.zeros((size, spec.observation.size), np.float32),
        legal=np.ones((size, choices), np.bool_),
        action=every,
        policy=np.zeros((size, unroll + 1, unroll), np.float32),
        chance=every[:, [4, 11, 12]],
        identity=every,
        value=np.zeros((size, unroll + 1), np.float32),
        reward=np.zeros((size, unroll), np.float32),
        mask=np.ones((size, unroll + 1), np.float32),
    )
    found = turned_batch(batch, spec.symmetries, np.arange(size))
    for b, symmetry in enumerate(spec.symmetries):
        for outcome in range(8):
            new = int(found.action[b, choices + outcome]) - choices
            assert (symmetry.cells[new // 2], new % 2) == (outcome // 2, outcome % 2)
        assert found.action[b, 12:].tolist() == [12, 13]
        assert found.chance[b].tolist() == [*found.action[b, [4, 11]].tolist(), 12]
    assert len({tuple(row) for row in found.action.tolist()}) == size == 8


class Claims:
    """Tic-tac-toe with symmetries of somebody's own."""

    def __init__(self, answer):
        self._game, self._answer = load_game("tic_tac_toe"), answer

    def __getattr__(self, name):
        return getattr(self._game, name)

    def symmetries(self):
        return self._answer


def test_symmetries_of_ones_own_are_taken_and_checked():
    same, mirror = list(range(9)), [2, 1, 0, 5, 4, 3, 8, 7, 6]
    assert len(spec_of(Claims([(same, same), (mirror, mirror)])).symmetries) == 2
    for wrong in ([(same, same[:8])] * 2, [(same, [0] * 9)], [same], 7, [(["a"], same)]):
        with pytest.raises(GameError, match=r"symmetries\(\) gives"):
            spec_of(Claims(wrong))


def test_training_turns_its_samples_and_resumes_to_the_same_weights(tmp_path):
    small = {
        "games": "4",
        "batch": "8",
        "steps": "3",
        "widths": "8",
        "simulations": "4",
        "measure_every": "0",
    }
    game, preset = load_game("tic_tac_toe"), with_settings(PRESETS["gumbel-alphazero"], small)

    def learned(folder, preset, *rounds):
        for number in rounds:
            train(preset, game, tmp_path / folder, rounds=number, seed=1, resume=True)
        (newest,) = (tmp_path / folder).glob("weights-00002.safetensors")
        return newest.read_bytes()

    whole = learned("whole", preset, 2)
    assert learned("halves", preset, 1, 2) == whole
    assert learned("plain", with_settings(preset, {"symmetries": "false"}), 2) != whole
