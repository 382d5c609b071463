"""Games of self-play that begin after random moves: where they begin, and that nothing else depends on it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from dicezero.presets.fits import fits
from dicezero.presets.fitting import network_of, planner_of
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game, spec_of
from dicezero.selfplay.opening import random_openings
from dicezero.selfplay.play import play_games
from dicezero.selfplay.seeds import address_seed

MOST = 5
SMALL = {"simulations": "4", "widths": "8"}


def seeds_of(numbers):
    return np.array([address_seed(7, number) for number in numbers], np.uint64)


def openings(name, numbers, most=MOST):
    game = load_game(name)
    states = [game.new_initial_state() for _ in numbers]
    return random_openings(game, spec_of(game), states, seeds_of(numbers), most=most)


def test_every_number_of_moves_and_every_move_is_as_likely():
    found = openings("connect_four", range(3000))
    stones = Counter(len(state.history()) for state in found)
    assert set(stones) == set(range(MOST + 1))
    assert all(abs(count - 500) < 4 * np.sqrt(500) for count in stones.values())
    first = Counter(state.history()[0] for state in found if state.history())
    assert set(first) == set(range(7))
    assert all(abs(count - 2500 / 7) < 4 * np.sqrt(2500 / 7) for count in first.values())


@pytest.mark.parametrize("name", ["connect_four", "nannon", "tic_tac_toe"])
def test_an_opening_depends_on_its_own_seed_alone(name):
    together = openings(name, range(40))
    apart = [openings(name, [number])[0] for number in range(40)]
    assert [str(state) for state in together] == [str(state) for state in apart]


@pytest.mark.parametrize("name", ["tic_tac_toe", "nannon(points=4,checkers=2,sides=4)"])
def test_no_opening_ends_the_game(name):
    found = openings(name, range(300), most=60)  # longer than most random games
    assert not any(state.is_terminal() for state in found)
    assert any(len(state.history()) > 3 for state in found)


def test_a_game_without_native_rules_begins_so_too():
    pytest.importorskip("pyspiel")
    found = openings("breakthrough(rows=5,columns=5)", range(200), most=3)
    assert set(Counter(len(state.history()) for state in found)) == {0, 1, 2, 3}


def test_games_begin_after_the_opening_and_are_the_same_in_any_batch():
    game = load_game("connect_four")
    spec = spec_of(game)
    preset = with_settings(PRESETS["gumbel-alphazero"], SMALL)
    planner = planner_of(preset, spec, network_of(preset, spec).init(seed=1))

    def played(numbers):
        return play_games(
            game, planner, preset.search, games=numbers, seed=3, round_index=0, opening_moves=MOST
        )

    whole = played(range(24))
    stones = [int(episode.observation[0][:2].sum()) for episode in whole]
    assert len(set(stones)) >= 4
    assert max(stones) <= MOST
    for number in (0, 11, 23):
        (alone,) = played([number])
        assert np.array_equal(alone.action, whole[number].action)
        assert np.array_equal(alone.observation, whole[number].observation)


def test_what_cannot_begin_elsewhere_is_refused():
    with pytest.raises(ValueError, match="opening_moves=3 must be 0: online"):
        with_settings(PRESETS["td-lambda"], {"updates": "online", "opening_moves": "3"})
    with pytest.raises(ValueError, match="opening_moves=3 must be 0"):
        with_settings(PRESETS["gumbel-alphazero"], {"reanalyse": "0.1", "opening_moves": "3"})
    with pytest.raises(ValueError, match="opening_moves=-1 must be at least 0"):
        with_settings(PRESETS["gumbel-alphazero"], {"opening_moves": "-1"})
    pytest.importorskip("gymnasium")
    preset = with_settings(PRESETS["gumbel-muzero"], {"opening_moves": "3"})
    assert "opening_moves=0" in str(fits(preset, spec_of(load_game("gymnasium(id=CartPole-v1)"))))
