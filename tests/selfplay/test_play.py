"""Self-play: what a record holds, and that a game depends on its address alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dicezero.presets.registry import PRESETS
from dicezero.rules import load_game
from dicezero.runs.loading import make_planner
from dicezero.selfplay.planners import available_cores
from dicezero.selfplay.play import play_games
from dicezero.selfplay.record import CHANCE, FIELDS, TERMINAL, ActionSet
from dicezero.selfplay.runtime import Player, Recipe
from dicezero.selfplay.seeds import address_seed, address_uniform

GAME = load_game("nannon(points=4,checkers=2,sides=4)")


def games_of(preset, numbers, *, seed=3, round_index=0):
    config = PRESETS[preset].network(GAME)
    planner = make_planner(config, config.init(seed=1))
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
    actions = ActionSet.of(GAME)
    for record in games_of(preset, range(4)):
        state = GAME.new_initial_state()
        for step in range(len(record) - 1):
            actor, action = int(record.actor[step]), int(record.action[step])
            assert actor == state.current_player()
            if actor == CHANCE:
                assert not record.observation[step].any()
                state.apply_action(action - actions.choices)
                continue
            np.testing.assert_array_equal(record.observation[step], state.observation_tensor())
            assert np.flatnonzero(record.legal[step]).tolist() == list(state.legal_actions())
            assert record.policy[step].sum() == pytest.approx(1.0, abs=1e-5)
            assert not record.policy[step][~record.legal[step]].any()
            state.apply_action(action)
        assert state.is_terminal()
        assert record.actor[-1] == TERMINAL
        assert record.action[-1] == actions.end
        assert (record.outcome == state.returns()[0]).all()


def test_dice_fall_as_the_rules_say():
    first = [int(record.action[0]) for record in games_of("gumbel-alphazero", range(2000))]
    shares = np.bincount(first, minlength=ActionSet.of(GAME).size) / len(first)
    for outcome, probability in GAME.new_initial_state().chance_outcomes():
        assert shares[ActionSet.of(GAME).choices + outcome] == pytest.approx(probability, abs=0.04)


def test_addresses_are_unrelated():
    seeds = {address_seed(s, r, g) for s in range(4) for r in range(8) for g in range(64)}
    assert len(seeds) == 4 * 8 * 64
    assert np.mean([address_uniform(0, i) for i in range(4000)]) == pytest.approx(0.5, abs=0.02)


def test_a_game_without_observations_is_refused():
    class Blind:
        def num_distinct_actions(self):
            return 1

        def max_chance_outcomes(self):
            return 0

    with pytest.raises(ValueError, match="observation_tensor_shape"):
        PRESETS["ndmz"].network(Blind())


def test_afterstates_are_seen_by_whoever_moved_only_where_a_network_learns_them():
    config = PRESETS["gumbel-alphazero"].network(GAME)
    planner = make_planner(config, config.init(seed=1))
    actions = ActionSet.of(GAME)
    for way in ("afterstate", "completed"):
        search = replace(PRESETS["gumbel-alphazero"].search, chance_value=way)
        for record in play_games(GAME, planner, search, games=range(3), seed=0, round_index=0):
            state, mover = GAME.new_initial_state(), None
            for step in range(len(record) - 1):
                if record.actor[step] == CHANCE:
                    seen = np.zeros(config.observation, np.float32)
                    if way == "afterstate" and mover is not None:
                        seen = np.asarray(state.observation_tensor(mover), np.float32).ravel()
                    np.testing.assert_array_equal(record.observation[step], seen)
                    state.apply_action(int(record.action[step]) - actions.choices)
                else:
                    mover = state.current_player()
                    state.apply_action(int(record.action[step]))
            assert mover is not None


def test_a_worker_that_may_use_one_thread_uses_one():
    """Workers share a machine: with a planner of all cores each, two would be hardly faster than one."""
    asked = []

    def make(config, weights, *, threads=None):
        asked.append(threads)
        return make_planner(config, weights, threads=threads)

    config = PRESETS["alphazero"].network(GAME)
    for threads in (1, None):
        player = Player(Recipe("nannon", config, make), GAME, threads=threads)
        player.take(config.init(seed=1))
        assert player.planner.threads == (1 if threads else available_cores())
    assert asked == [1, None]
