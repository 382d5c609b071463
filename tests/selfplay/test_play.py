"""Self-play: what a record holds, and that a game depends on its address alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dicezero.presets.fits import fits
from dicezero.presets.fitting import network_of, planner_of
from dicezero.presets.registry import PRESETS
from dicezero.rules import Identity, load_game, spec_of
from dicezero.selfplay.episode import CHANCE, CHOICE_FIELDS, STEP_FIELDS, TERMINAL, ActionSet
from dicezero.selfplay.planners import available_cores
from dicezero.selfplay.play import play_games
from dicezero.selfplay.runtime import Player, Recipe
from dicezero.selfplay.seeds import address_seed, address_uniform

GAME = load_game("nannon(points=4,checkers=2,sides=4)")
SPEC = spec_of(GAME)
FIELDS = ("observation", *STEP_FIELDS, *CHOICE_FIELDS)


def games_of(preset, numbers, *, seed=3, round_index=0):
    planner = planner_of(PRESETS[preset], SPEC, network_of(PRESETS[preset], SPEC).init(seed=1))
    return play_games(
        GAME,
        planner,
        PRESETS[preset].search,
        games=numbers,
        seed=seed,
        round_index=round_index,
        explore_moves=PRESETS[preset].explore_moves,
    )


def same(first, second):
    return all(np.array_equal(getattr(first, name), getattr(second, name)) for name in FIELDS)


@pytest.mark.parametrize("preset", ["gumbel-alphazero", "alphazero", "gumbel-ndmz", "ndmz"])
def test_a_game_is_the_same_in_whatever_batch_it_is_played(preset):
    whole = games_of(preset, range(6))
    parts = games_of(preset, [0, 1]) + games_of(preset, [2]) + games_of(preset, [5, 4, 3])[::-1]
    assert all(same(a, b) for a, b in zip(whole, parts, strict=True))


def test_seed_round_and_number_each_make_another_game():
    first = games_of("gumbel-alphazero", [0])[0]
    others = (
        games_of("gumbel-alphazero", [1]),
        games_of("gumbel-alphazero", [0], seed=4),
        games_of("gumbel-alphazero", [0], round_index=1),
    )
    assert not any(same(first, other[0]) for other in others)


@pytest.mark.parametrize("preset", ["alphazero", "gumbel-ndmz"])
def test_a_record_replays_by_the_rules(preset):
    actions = ActionSet.of(SPEC)
    for record in games_of(preset, range(4)):
        state, seen, choice = GAME.new_initial_state(), record.frames, 0
        for step in range(len(record) - 1):
            actor, action = int(record.actor[step]), int(record.action[step])
            assert actor == state.current_player()
            assert record.reward[step] == 0.0 or step == len(record) - 2
            if actor == CHANCE:
                assert seen[step] == -1
                state.apply_action(action - actions.choices)
                continue
            np.testing.assert_array_equal(record.observation[seen[step]], state.observation_tensor())
            options = slice(choice, choice + record.choices[step])
            assert record.legal[options].tolist() == list(state.legal_actions())
            assert record.policy[options].sum() == pytest.approx(1.0, abs=1e-5)
            choice += record.choices[step]
            state.apply_action(action)
        assert state.is_terminal()
        assert record.actor[-1] == TERMINAL
        assert record.action[-1] == actions.end
        assert record.outcome == state.returns()[0]


def test_dice_fall_as_the_rules_say():
    first = [int(record.action[0]) for record in games_of("gumbel-alphazero", range(2000))]
    shares = np.bincount(first, minlength=ActionSet.of(SPEC).size) / len(first)
    for outcome, probability in GAME.new_initial_state().chance_outcomes():
        assert shares[ActionSet.of(SPEC).choices + outcome] == pytest.approx(probability, abs=0.04)


def test_addresses_are_unrelated():
    seeds = {address_seed(s, r, g) for s in range(4) for r in range(8) for g in range(64)}
    assert len(seeds) == 4 * 8 * 64
    assert np.mean([address_uniform(0, i) for i in range(4000)]) == pytest.approx(0.5, abs=0.02)


def test_a_game_without_observations_is_refused():
    blind = replace(SPEC, observation=None)
    assert all("observation_tensor" in str(fits(preset, blind)) for preset in PRESETS.values())


def test_afterstates_are_seen_by_whoever_moved_only_where_a_network_learns_them():
    preset = PRESETS["gumbel-alphazero"]
    planner = planner_of(preset, SPEC, network_of(preset, SPEC).init(seed=1))
    actions = ActionSet.of(SPEC)
    for way in ("afterstate", "completed"):
        search = replace(PRESETS["gumbel-alphazero"].search, chance_value=way)
        for record in play_games(GAME, planner, search, games=range(3), seed=0, round_index=0):
            state, mover = GAME.new_initial_state(), None
            for step in range(len(record) - 1):
                if record.actor[step] == CHANCE:
                    assert record.observed[step] == (way == "afterstate" and mover is not None)
                    if record.observed[step]:
                        seen = np.asarray(state.observation_tensor(mover), np.float32).ravel()
                        np.testing.assert_array_equal(record.observation[record.frames[step]], seen)
                    state.apply_action(int(record.action[step]) - actions.choices)
                else:
                    mover = state.current_player()
                    state.apply_action(int(record.action[step]))
            assert mover is not None


def test_a_worker_that_may_use_one_thread_uses_one():
    """Workers share a machine: with a planner of all cores each, two would be hardly faster than one."""
    network = network_of(PRESETS["alphazero"], SPEC)
    for threads in (1, None):
        player = Player(Recipe(Identity("nannon"), network), GAME, threads=threads)
        player.take(network.init(seed=1))
        assert player.planner.threads == (1 if threads else available_cores())


def test_a_game_that_does_not_end_is_cut_off_and_its_end_expected():
    preset = PRESETS["gumbel-alphazero"]
    weights = network_of(preset, SPEC).init(seed=1)
    weights["evaluator.value.bias"] += np.float32(0.25)  # a new network expects nothing
    planner = planner_of(preset, SPEC, weights)
    search = preset.search
    whole = play_games(GAME, planner, search, games=range(4), seed=3, round_index=0)
    cut = play_games(GAME, planner, search, games=range(4), seed=3, round_index=0, max_moves=3)
    for long, short in zip(whole, cut, strict=True):
        assert short.truncated == (len(long.decisions) > 3)
        assert len(short.decisions) == min(3, len(long.decisions))
        np.testing.assert_array_equal(short.action[:-1], long.action[: len(short) - 1])
    assert any(short.truncated for short in cut)
    assert all(short.value[-1] != 0.0 for short in cut if short.truncated)


def test_games_are_refilled_as_they_end_without_changing_any():
    preset = PRESETS["gumbel-alphazero"]
    planner = planner_of(preset, SPEC, network_of(preset, SPEC).init(seed=1))
    address = {"games": range(9), "seed": 3, "round_index": 0}
    all_at_once = play_games(GAME, planner, preset.search, **address)
    three_at_a_time = play_games(GAME, planner, preset.search, **address, together=3)
    assert all(same(a, b) for a, b in zip(all_at_once, three_at_a_time, strict=True))
