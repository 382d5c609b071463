"""Options of presets: networks on boards, losses and schedules, as settings and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from tiny import GAME, TINY, contents

from dicezero.cli.presets import settings
from dicezero.learner.loop import train
from dicezero.learner.training import learn
from dicezero.presets.fits import MisfitError, fits
from dicezero.presets.fitting import fitted, network_of
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import preset_from_json, preset_to_json, setting_text, with_settings
from dicezero.presets.suited import preset_for
from dicezero.replay.buffer import Replay
from dicezero.rules import GameSpec, ObservationSpec, load_game, spec_of
from dicezero.runs.checkpoint import read_checkpoint
from dicezero.runs.loading import load_run
from dicezero.selfplay.episode import TERMINAL, Episode
from dicezero.selfplay.planners import decide
from dicezero.selfplay.states import positions_of

BOARD = {
    **{k: v for k, v in TINY.items() if k not in ("hidden", "widths")},
    "architecture": "board",
    "board.channels": "4",
    "board.blocks": "1",
    "board.bottleneck": "0",
    "games": "3",
    "buffer_games": "6",
    "measure_every": "0",
}


@pytest.mark.parametrize("name", PRESETS)
def test_every_setting_that_is_listed_can_be_set_as_text(name):
    preset = PRESETS[name]
    listed = {record.name: record for record in settings(preset)}
    assert {"puct.init", "play.dirichlet.alpha", "loss.value", "board.blocks"} <= listed.keys()
    for key, record in listed.items():
        plain = list(record.default) if isinstance(record.default, tuple) else record.default
        assert with_settings(preset, {key: setting_text(plain)}) == preset
        assert record.meaning


@pytest.mark.parametrize(
    "key", ["dirichlet", "search", "name", "play.name", "rounds.x", "search.search.root"]
)
def test_what_is_no_setting_is_refused_with_a_hint(key):
    with pytest.raises(ValueError, match=f"unknown setting '{key}'; .*dicezero presets muzero lists all"):
        with_settings(PRESETS["muzero"], {key: "1"})


def test_a_board_network_learns_resumes_and_plays_as_dense_ones_do(tmp_path):
    preset, game = with_settings(PRESETS["gumbel-muzero"], BOARD), load_game("tic_tac_toe")
    train(preset, game, tmp_path / "whole", rounds=2, seed=3)
    train(preset, game, tmp_path / "parts", rounds=1, seed=3)
    train(preset, game, tmp_path / "parts", rounds=2, seed=3, resume=True)
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")
    loaded = load_run(tmp_path / "whole", game)
    positions = positions_of(game, loaded.spec, [game.new_initial_state()])
    found = decide(loaded.planner, positions, preset.play, np.array([1], np.uint64), noise=False)
    assert found.visits.sum() == preset.play.simulations
    first = read_checkpoint(tmp_path / "whole").weights
    again = with_settings(PRESETS["gumbel-alphazero"], BOARD)
    train(again, game, tmp_path / "rules", rounds=1, seed=3)
    assert "evaluator.tower.first.kernel" in read_checkpoint(tmp_path / "rules").weights
    assert "dynamics.drawn.kernel" in first


def test_a_run_with_fast_searches_resumes_exactly(tmp_path):
    preset = with_settings(PRESETS["gumbel-ndmz"], TINY | {"fast_simulations": "2", "full_share": "0.4"})
    train(preset, GAME, tmp_path / "whole", rounds=3, seed=3)
    train(preset, GAME, tmp_path / "parts", rounds=1, seed=3)
    train(preset, GAME, tmp_path / "parts", rounds=3, seed=3, resume=True)
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")


def test_a_board_network_needs_planes(tmp_path):
    preset = with_settings(PRESETS["gumbel-ndmz"], {"architecture": "board"})
    with pytest.raises(ValueError, match="architecture=mlp"):
        train(preset, GAME, tmp_path / "run")


def test_every_preset_comes_back_from_json_with_every_option_set():
    for preset in PRESETS.values():
        assert preset_from_json(json.loads(json.dumps(preset_to_json(preset)))) == preset
    options = {
        "policy_loss": "simple",
        "endings": "0.25",
        "schedule": "constant",
        "hidden_scaling": "minmax",
        "skip": "turned",
        "loss.gradient_scaling": "muzero",
        "loss.weight_decay": "0.01",
        "loss.consistency": "0.5",
        "board.mixing": "pooling",
    }
    changed = with_settings(PRESETS["muzero"], options)
    assert preset_from_json(json.loads(json.dumps(preset_to_json(changed)))) == changed
    assert changed.loss.weight_decay == 0.01
    assert changed.learning_rate_at(59) == changed.learning_rate
    with pytest.raises(ValueError, match="policy_loss='none' must be completed_q or simple"):
        with_settings(PRESETS["muzero"], {"policy_loss": "none"})
    with pytest.raises(
        ValueError, match=r"play\.chance_value='afterstate' must be completed, or afterstate in"
    ):
        with_settings(PRESETS["alphazero"], {"play.budget": "evaluations", "play.chance_value": "afterstate"})
    with pytest.raises(ValueError, match=r"search\.chance_value='afterstate' must be completed, or"):
        with_settings(PRESETS["gumbel-ndmz"], {"search.chance_value": "afterstate"})
    with pytest.raises(ValueError, match=r"loss\.consistency=0.5 must be 0"):
        with_settings(PRESETS["gumbel-ndmz"], {"loss.consistency": "0.5"})
    with pytest.raises(ValueError, match=r"endings=0.5 must be 0: only a model"):
        with_settings(PRESETS["alphazero"], {"endings": "0.5"})
    with pytest.raises(ValueError, match="skip='plain' must be none: it is for dense models"):
        with_settings(PRESETS["alphazero"], {"skip": "plain"})
    odd = with_settings(PRESETS["muzero"], {"hidden": "9", "skip": "turned"})
    with pytest.raises(ValueError, match="hidden=9 has no halves"):
        network_of(odd, spec_of(load_game("tic_tac_toe")))
    with pytest.raises(ValueError, match="that of the search: alternate"):
        with_settings(PRESETS["gumbel-ndmz"], {"players": "alternate"})


def test_schedules_go_from_the_first_rate_to_the_last():
    rates = {
        s: replace(PRESETS["muzero"], schedule=s, rounds=11).learning_rate_at for s in ("geometric", "cosine")
    }
    first, last = PRESETS["muzero"].learning_rate, PRESETS["muzero"].final_learning_rate
    for rate in rates.values():
        assert (rate(0), rate(10), rate(99)) == pytest.approx((first, last, last))
    assert rates["geometric"](5) == pytest.approx((first * last) ** 0.5)
    assert rates["cosine"](5) == pytest.approx((first + last) / 2)


def twenty_moves() -> tuple[GameSpec, Episode]:
    """A game of twenty moves, with nothing in it."""
    spec = GameSpec("twenty moves", players=2, actions=2, outcomes=0, observation=ObservationSpec((1,)))
    actor = np.array([0, 1] * 10 + [TERMINAL], np.int8)
    zeros = np.zeros(21, np.float32)
    return spec, Episode(
        observation=zeros[:20, None],
        observed=actor >= 0,
        actor=actor,
        action=np.where(actor >= 0, actor, 3).astype(np.int32),
        reward=zeros,
        choices=np.where(actor >= 0, 2, 0).astype(np.int32),
        value=zeros,
        legal=np.tile([0, 1], 20).astype(np.int32),
        policy=np.full(40, 0.5, np.float32),
    )


@pytest.mark.parametrize(("steps", "share"), [(7, 0.0), (7, 0.5), (0, 0.5)])
def test_the_asked_share_of_every_batch_reaches_the_end_of_its_game(steps, share):
    """Games of twenty moves: of samples drawn from all, one in ten reaches the end within two steps."""
    spec, episode = twenty_moves()
    replay = Replay(spec, capacity=50)
    replay.add([episode] * 50)
    seen = []

    class Watching:
        def steps(self, batch, *, count, learning_rate):
            rows = len(batch.action) // count
            seen.extend(batch.identity[i * rows : (i + 1) * rows] for i in range(count))
            return {"total": np.full(count, learning_rate)}

    preset = replace(PRESETS["gumbel-muzero"], batch=64, unroll=2, steps=steps, endings=share)
    learn(Watching(), replay, preset, seed=1, round_index=0)
    assert {len(identity) for identity in seen} == {64}
    ends = [(identity[:, -1] == 3).sum() for identity in seen]
    assert min(ends) >= share * 64
    assert np.mean(ends) == pytest.approx(64 * (share + (1 - share) * 0.1), abs=4)


ALONE = GameSpec(
    "score", players=1, actions=2, outcomes=0, rewards="each step", observation=ObservationSpec((3,))
)


@pytest.mark.parametrize("name", ["gumbel-muzero", "full-gumbel-muzero", "gumbel-alphazero", "gumbel-ndmz"])
@pytest.mark.parametrize("asked", ["1.0", "0.2", "3"])
def test_c_scale_is_the_users_where_the_user_says_it(name, asked):
    usual = fitted(preset_for(name, ALONE), ALONE)
    assert {usual.search.q_normalisation, usual.play.q_normalisation} == {"tree"}
    assert (usual.search.c_scale, usual.play.c_scale) == (0.1, 0.1)
    told = fitted(with_settings(preset_for(name, ALONE), {"c_scale": asked, "play.c_scale": asked}), ALONE)
    assert (told.search.c_scale, told.play.c_scale) == (float(asked), float(asked))
    own = with_settings(PRESETS[name], {"c_scale": asked, "play.c_scale": asked})  # given to train() as it is
    assert fitted(own, ALONE).search == replace(told.search, q_normalisation="tree")
    assert fitted(told, ALONE) == told


def test_who_plays_alone_draws_every_move_unless_told_otherwise():
    assert fitted(preset_for("muzero", ALONE), ALONE).explore_moves >= 1_000_000
    told = with_settings(preset_for("muzero", ALONE), {"explore_moves": "4"})
    assert fitted(told, ALONE).explore_moves == 4


def test_a_network_beyond_all_memory_is_refused_before_anything_is_written(tmp_path):
    vast = with_settings(PRESETS["gumbel-alphazero"], {"widths": "100000,100000"})
    with pytest.raises(MisfitError, match="weights, more than 500,000,000"):
        train(vast, GAME, tmp_path / "run", rounds=1)
    assert not (tmp_path / "run").exists()


def test_reuse_learns_as_much_from_every_decision_of_a_round():
    """Four samples a decision: of 50 games of 20 moves 4,000, of 5 new games 400."""
    spec, episode = twenty_moves()
    replay = Replay(spec, capacity=50)
    replay.add([episode] * 50, round_number=1)
    taken = []

    class Counting:
        def steps(self, batch, *, count, learning_rate):
            taken.append(len(batch.action))
            return {"total": np.full(count, learning_rate)}

    preset = replace(PRESETS["gumbel-muzero"], batch=40, unroll=2, steps=2, reuse=4.0)
    learn(Counting(), replay, preset, seed=1, round_index=0)
    assert sum(taken) == 4000
    replay.add([episode] * 5, round_number=2)
    taken.clear()
    learn(Counting(), replay, preset, seed=1, round_index=1)
    assert sum(taken) == 400
    taken.clear()
    learn(Counting(), replay, replace(preset, steps=19), seed=1, round_index=1)
    assert sum(taken) == 760  # steps are the least
    with pytest.raises(ValueError, match=r"reuse=-1\.0 must be in"):
        replace(preset, reuse=-1.0)


def test_models_of_environments_of_planes_learn_from_their_latest_episodes():
    seen = ObservationSpec((4, 10, 10), "uint8", "planes")
    environment = replace(ALONE, observation=seen, simulator="episodes")
    for name in ("gumbel-muzero", "muzero", "gumbel-ndmz"):
        preset = preset_for(name, environment)
        assert (preset.reuse, preset.epsilon, preset.architecture) == (8.0, 0.05, "mlp")
        assert preset.buffer_games == 8 * preset.games
        assert preset_for(name, ALONE).reuse == 0.0  # a game whose states can be branched
        assert preset_for(name, replace(ALONE, simulator="episodes")).reuse == 0.0  # of numbers
        assert with_settings(preset, {"reuse": "0", "steps": "7"}).steps_at(0, 10_000, 5_000) == 7


@pytest.mark.parametrize(
    ("game", "tower", "told"),
    [
        ("connect_four", True, 0.0),
        ("go(board_size=5)", True, 1.0),
        ("tic_tac_toe", False, 0.0),
        ("nannon", False, 0.0),
        ("banqi", False, 0.0),
    ],
)
def test_native_boards_without_dice_get_a_tower(game: str, tower: bool, told: float) -> None:
    spec = spec_of(load_game(game))
    preset = preset_for("gumbel-alphazero", spec)
    assert (preset.architecture == "board") == tower
    assert preset.loss.auxiliary == told
    assert fits(preset, spec) is None
    assert preset_for("alphazero", spec).architecture == "mlp"  # the paper's settings stay
