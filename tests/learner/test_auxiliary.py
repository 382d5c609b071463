"""What the end of a game tells beside its result: from the rules to the loss."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dicezero.learner.loop import train
from dicezero.learner.losses import auxiliary_loss
from dicezero.model.board import BoardConfig, BoardEvaluator
from dicezero.model.board_player import NativeBoardEvaluator
from dicezero.presets.fits import MisfitError, fits
from dicezero.presets.registry import get_preset
from dicezero.presets.settings import with_settings
from dicezero.replay.buffer import Replay
from dicezero.replay.shards import pack_episodes, unpack_episodes
from dicezero.replay.turned import turned_batch
from dicezero.rules import GameError, load_game
from dicezero.rules.spec import AuxiliarySpec, spec_of
from dicezero.runs.checkpoint import read_metrics
from dicezero.selfplay.drive import Choice, Rules, Turn, drive
from dicezero.selfplay.episode import Episode

SIZE, KOMI = 5, 0.5
GAME = load_game(f"go(board_size={SIZE},komi={KOMI})")
SPEC = spec_of(GAME)
SMALL = {
    "architecture": "board",
    "board.channels": "8",
    "board.blocks": "1",
    "games": "6",
    "steps": "4",
    "batch": "16",
    "simulations": "2",
    "play.simulations": "2",
    "measure_every": "0",
    "loss.auxiliary": "1",
}


def random_episodes(count: int, *, limit: int = 1000) -> list[Episode]:
    """Games of random moves."""
    rng = np.random.default_rng(1)

    def choose(turn: Turn) -> Choice:
        legal = np.array([state.legal_actions_mask() for state in turn.states], np.bool_)
        action = np.array([rng.choice(np.flatnonzero(row)) for row in legal], np.int32)
        frame = np.stack(
            [state.observation_tensor().reshape(SPEC.observation.shape) for state in turn.states]
        )
        policy = (legal / legal.sum(axis=1, keepdims=True)).astype(np.float32)
        return Choice(action, np.zeros(len(action), np.float32), legal, policy, frame)

    return drive(GAME, SPEC, choose, seeds=np.arange(count, dtype=np.uint64), rules=Rules(limit=limit))


def owners(state: Any) -> np.ndarray[Any, Any]:
    """[points] by a plain flood fill over the board as text: 1 Black's, -1 White's, 0 nobody's."""
    stones = np.zeros((SIZE, SIZE), int)
    planes = state.observation_tensor(0).reshape(-1, SIZE, SIZE)  # Black's own stones, then the other's
    stones[planes[0] > 0], stones[planes[1] > 0] = 1, -1
    found = stones.copy()
    for row, column in zip(*np.nonzero(stones == 0), strict=True):
        seen, todo, touched = {(row, column)}, [(row, column)], set()
        while todo:
            r, c = todo.pop()
            for point in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                if not (0 <= point[0] < SIZE and 0 <= point[1] < SIZE) or point in seen:
                    continue
                if stones[point]:
                    touched.add(int(stones[point]))
                else:
                    seen.add(point)
                    todo.append(point)
        found[row, column] = touched.pop() if len(touched) == 1 else 0
    return found.ravel()


def final_state(episode: Episode) -> Any:
    state = GAME.new_initial_state()
    for action in episode.action[:-1]:
        state.apply_action(int(action))
    return state


def test_go_tells_whose_each_point_is_and_by_how_much() -> None:
    assert SPEC.auxiliary == AuxiliarySpec(1, SIZE * SIZE, 1)
    for episode in random_episodes(20):
        state = final_state(episode)
        told = state.auxiliary_targets()
        np.testing.assert_array_equal(told[:-1], owners(state))
        lead = told[-1] * (SIZE * SIZE + KOMI)
        assert lead == pytest.approx(told[:-1].sum() - KOMI, abs=1e-5)
        assert np.sign(lead) == state.returns()[0]
        np.testing.assert_array_equal(episode.auxiliary, told)
    with pytest.raises(ValueError, match="not over"):
        GAME.new_initial_state().auxiliary_targets()
    assert spec_of(load_game("tic_tac_toe")).auxiliary is None


def test_samples_see_it_from_the_side_that_moves_and_turned() -> None:
    episodes = random_episodes(3)
    replay = Replay(SPEC, capacity=10, auxiliary=True)
    replay.add(episodes)
    batch = replay.batch(np.arange(replay.decisions), unroll=0)
    assert batch.auxiliary is not None
    row = 0
    for episode in episodes:
        for step in episode.decisions:
            sign = 1.0 if episode.actor[step] == 0 else -1.0
            np.testing.assert_array_equal(batch.auxiliary[row], sign * episode.auxiliary)
            row += 1
    # A board turned before it is played out and one turned afterwards tell the same.
    which = np.arange(len(batch.legal)) % len(SPEC.symmetries)
    turned = turned_batch(batch, SPEC.symmetries, which)
    assert turned.auxiliary is not None
    for i in (0, 5, 11):
        cells = np.array(SPEC.symmetries[which[i]].cells)
        np.testing.assert_array_equal(turned.auxiliary[i, :-1], batch.auxiliary[i, :-1][cells])
        assert turned.auxiliary[i, -1] == batch.auxiliary[i, -1]


def test_a_game_that_was_cut_off_tells_nothing() -> None:
    cut = random_episodes(2, limit=3)
    assert all(episode.truncated and np.isnan(episode.auxiliary).all() for episode in cut)
    replay = Replay(SPEC, capacity=10, auxiliary=True)
    replay.add(cut)
    told = replay.batch(np.arange(4), unroll=0).auxiliary
    rng = np.random.default_rng(0)
    planes, numbers = rng.normal(size=(4, SIZE * SIZE)), rng.normal(size=(4, 1))
    assert float(auxiliary_loss(planes, numbers, told)) == 0.0
    known = np.where(np.isnan(told), 0.5, told)
    expected = np.mean(((planes - 0.5) ** 2).mean(axis=1) + (numbers[:, 0] - 0.5) ** 2)
    assert float(auxiliary_loss(planes, numbers, known)) == pytest.approx(expected, rel=1e-5)


def test_shards_keep_it_and_older_ones_do_not_know() -> None:
    episodes = random_episodes(3)
    kept = unpack_episodes(pack_episodes(episodes), SPEC, name="shard")
    for before, after in zip(episodes, kept, strict=True):
        np.testing.assert_array_equal(before.auxiliary, after.auxiliary)
    older = pack_episodes([replace(e, auxiliary=np.empty(0, np.float32)) for e in episodes])
    assert all(np.isnan(e.auxiliary).all() for e in unpack_episodes(older, SPEC, name="shard"))
    lying = [replace(e, auxiliary=e.auxiliary + 3.0) for e in episodes]
    with pytest.raises(ValueError, match=r"auxiliary has a value outside \[-1, 1\]"):
        unpack_episodes(pack_episodes(lying), SPEC, name="shard")


def test_it_is_learned_beside_the_heads_and_left_out_of_play() -> None:
    network = BoardEvaluator((3, 5, 5), 26, BoardConfig(channels=8, blocks=2), None, (1, 1))
    plain = replace(network, auxiliary=(0, 0))
    weights = network.init(seed=0)
    extra = set(weights) - set(plain.shapes())
    assert extra
    rows = np.random.default_rng(0).normal(size=(4, 75)).astype(np.float32)
    heads = network.apply(weights, "evaluator", rows)
    assert heads["planes"].shape == (4, 25)
    assert heads["numbers"].shape == (4, 1)
    legal = np.ones((4, 26), np.bool_)
    common = {name: weights[name] for name in plain.shapes()}
    for one, other in zip(
        NativeBoardEvaluator(network, weights)(rows, legal),
        NativeBoardEvaluator(plain, common)(rows, legal),
        strict=True,
    ):
        np.testing.assert_array_equal(one, other)


def test_a_run_learns_it_and_resumes_exactly(tmp_path: Path) -> None:
    preset = with_settings(get_preset("gumbel-alphazero"), SMALL)
    train(preset, GAME, tmp_path / "whole", rounds=2)
    train(preset, GAME, tmp_path / "parts", rounds=1)
    train(preset, GAME, tmp_path / "parts", rounds=2, resume=True)
    whole, parts = (read_metrics(tmp_path / name) for name in ("whole", "parts"))
    assert [line["loss_auxiliary"] for line in whole] == [line["loss_auxiliary"] for line in parts]
    assert 0.0 < whole[1]["loss_auxiliary"] < 3.0


@pytest.mark.parametrize(
    ("game", "settings", "says"),
    [
        ("connect_four", {}, "has no targets beside its result"),
        ("go(board_size=5)", {"architecture": "mlp"}, "architecture=board"),
    ],
)
def test_a_preset_that_cannot_is_refused(game: str, settings: dict[str, str], says: str) -> None:
    preset = with_settings(get_preset("gumbel-alphazero"), SMALL | settings)
    assert says in (fits(preset, spec_of(load_game(game))) or "")


def test_nothing_is_written_by_a_refused_run(tmp_path: Path) -> None:
    preset = with_settings(get_preset("gumbel-alphazero"), SMALL)
    with pytest.raises(MisfitError, match="auxiliary"):
        train(preset, load_game("connect_four"), tmp_path / "run")
    assert not (tmp_path / "run").exists()


class _Told:
    """Go by delegation, with something else to tell."""

    def __init__(self, state: Any, told: Any) -> None:
        self._state, self._told = state, told

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

    def auxiliary_targets(self) -> Any:
        return self._told


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ([0.5], "has 1 values"),
        ([2.0] * 26, r"outside \[-1, 1\]"),
        ([float("nan")] * 26, "outside"),
        ("x", "is"),
    ],
)
def test_what_a_game_tells_is_checked(told: Any, says: str) -> None:
    from dicezero.selfplay.states import auxiliary_targets

    state = final_state(random_episodes(1)[0])
    with pytest.raises(ValueError, match=says):
        auxiliary_targets(SPEC, [_Told(state, told)])


@pytest.mark.parametrize("shape", [(1,), "x", (-1, 0), (1.5, None)])
def test_shapes_that_are_none_are_refused(shape: Any) -> None:
    from dicezero.rules.auxiliary import auxiliary_of

    class Lying:
        def auxiliary_shape(self) -> Any:
            return shape

    with pytest.raises(GameError, match="auxiliary_shape"):
        auxiliary_of(Lying(), (3, 5, 5))  # type: ignore[arg-type]
