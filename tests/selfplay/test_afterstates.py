"""Afterstates beside their plain twin, and the planner and the records made of them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from dicezero.model.dense_judge import DenseJudge
from dicezero.presets.fitting import fitted, network_of
from dicezero.presets.fitting import planner_of as fitted_planner
from dicezero.presets.registry import PRESETS
from dicezero.rules import load_game, spec_of
from dicezero.selfplay.episode import CHANCE, CHOICE_FIELDS, STEP_FIELDS, ActionSet
from dicezero.selfplay.play import play_games
from dicezero.selfplay.states import positions_of
from dicezero.selfplay.td import afterstates, reference_afterstates

GAME = load_game("nannon(points=4,checkers=2,sides=4)")
TD = PRESETS["td-lambda"]
FIELDS = ("row", "action", "observation", "reward", "over")


def positions_by_lot(game, count, seed=1):
    """Choice nodes of random games."""
    rng, states = random.Random(seed), []
    while len(states) < count:
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                states.append(state.clone())
            state.apply_action(rng.choice(list(state.legal_actions())))
    return states[:count]


def planner_of(game, seed=1):
    spec = spec_of(game)
    return fitted_planner(TD, spec, network_of(TD, spec).init(seed=seed))


def games_of(game, numbers, *, epsilon=0.0):
    search = fitted(TD, spec_of(game)).search
    return play_games(game, planner_of(game), search, games=numbers, seed=3, round_index=0, epsilon=epsilon)


class Plain:
    """Somebody's game in Python: two players add 1 or 2 after a coin's 0 or 1; 7 or more wins."""

    def __init__(self, players=2):
        self.players = players

    def new_initial_state(self):
        return PlainState(self)

    def num_distinct_actions(self):
        return 2

    def max_chance_outcomes(self):
        return 2

    def num_players(self):
        return self.players

    def observation_tensor_shape(self):
        return [3]


class PlainState:
    def __init__(self, game, total=0, mover=1, coin=True):
        self.game, self.total, self.mover, self.coin = game, total, mover, coin

    def get_game(self):
        return self.game

    def is_terminal(self):
        return self.total >= 7

    def is_chance_node(self):
        return self.coin and not self.is_terminal()

    def current_player(self):
        return -4 if self.is_terminal() else -1 if self.coin else self.mover

    def legal_actions(self):
        return [] if self.is_terminal() else [0, 1]

    def chance_outcomes(self):
        return [(0, 0.5), (1, 0.5)]

    def apply_action(self, action):
        if self.coin:
            self.total, self.mover = self.total + action, 1 - self.mover
        else:
            self.total += action + 1
        self.coin = not self.coin

    def clone(self):
        return PlainState(self.game, self.total, self.mover, self.coin)

    def returns(self):
        first = (1.0 if self.mover == 0 else -1.0) if self.is_terminal() else 0.0
        return [first, -first]

    def observation_tensor(self, player=None):
        viewer = self.mover if player is None else player
        return [self.total / 7.0, float(viewer), float(self.mover == viewer)]

    def action_to_string(self, player, action):
        return f"{player}:{action}"


@pytest.mark.parametrize("name", ["nannon", "nannon(points=12,checkers=5)", "tic_tac_toe", "connect_four"])
def test_native_afterstates_are_those_of_the_rules(name):
    game = load_game(name)
    states = positions_by_lot(game, 200)
    spec = spec_of(game)
    found, plain = afterstates(game, spec, states), reference_afterstates(game, spec, states)
    for field in FIELDS:
        np.testing.assert_array_equal(getattr(found, field), getattr(plain, field), field)
    assert found.over.any()


def test_afterstates_of_a_game_in_python():
    game = Plain()
    states = positions_by_lot(game, 60)
    spec = spec_of(game)
    found, plain = afterstates(game, spec, states), reference_afterstates(game, spec, states)
    for field in FIELDS:
        np.testing.assert_array_equal(getattr(found, field), getattr(plain, field), field)
    assert set(found.reward[found.over].tolist()) == {1.0}  # who moves there wins


def test_openspiel_afterstates():
    pytest.importorskip("pyspiel")
    game = load_game("pig(players=2,winscore=15)")
    states = positions_by_lot(game, 60)
    spec = spec_of(game)
    found, plain = afterstates(game, spec, states), reference_afterstates(game, spec, states)
    np.testing.assert_array_equal(found.observation, plain.observation)
    np.testing.assert_array_equal(found.reward, plain.reward)


def test_a_position_without_a_mover_is_refused():
    with pytest.raises(ValueError, match="state 0 has no player to move"):
        afterstates(GAME, spec_of(GAME), [GAME.new_initial_state()])


def test_the_planner_takes_the_best_afterstate_and_a_win_at_once():
    spec = spec_of(GAME)
    network = network_of(TD, spec)
    weights = network.init(seed=5)
    planner, judge = fitted_planner(TD, spec, weights), network.player(weights)
    states = positions_by_lot(GAME, 100)
    positions = positions_of(GAME, spec, states)
    found = planner.search(positions, PRESETS["td-lambda"].play, np.zeros(100, np.uint64), noise=False)
    wins = 0
    for row, state in enumerate(states):
        values = {}
        for action in state.legal_actions():
            after = state.clone()
            after.apply_action(action)
            mover = state.current_player()
            seen = np.asarray(after.observation_tensor(mover))[None]
            values[action] = after.returns()[mover] if after.is_terminal() else float(judge(seen)[0])
            wins += after.is_terminal()
        best = max(values, key=lambda a: (values[a], -a))
        assert found.action[row] == best
        assert found.value[row] == pytest.approx(np.clip(values[best], -1, 1))
        for action, value in values.items():
            assert found.q[row, action] == pytest.approx(value)
    assert wins


def test_the_native_judge_is_the_network():
    config = DenseJudge(observation=6, widths=(8, 8), activation="relu")
    weights = config.init(seed=2)
    x = np.random.default_rng(1).standard_normal((5, 6)).astype(np.float32)
    want = x.astype(np.float64)
    layers = config.merged_layers(weights, "judge")
    for i, (weight, bias) in enumerate(layers):
        want = want @ weight + bias
        want = want if i + 1 == len(layers) else np.maximum(want, 0.0)
    np.testing.assert_allclose(config.player(weights)(x), want[:, 0], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_a_record_holds_the_afterstate_as_the_mover_sees_it(epsilon):
    actions = ActionSet.of(spec_of(GAME))
    strayed = 0
    for record in games_of(GAME, range(6), epsilon=epsilon):
        state = GAME.new_initial_state()
        for step in range(len(record) - 1):
            actor, action = int(record.actor[step]), int(record.action[step])
            assert actor == state.current_player()
            state.apply_action(action - actions.choices if actor == CHANCE else action)
            if actor == CHANCE:
                continue
            over = state.is_terminal()
            seen = record.observation[record.frames[step]]
            np.testing.assert_array_equal(seen, 0.0 if over else state.observation_tensor(actor))
        strayed += int((record.played_probability() == 0.0).sum())
        assert record.outcome == state.returns()[0]
    assert (strayed > 0) == (epsilon > 0.0)


def test_a_game_is_the_same_in_whatever_batch_it_is_played():
    whole = games_of(GAME, range(6), epsilon=0.2)
    parts = games_of(GAME, [0, 1], epsilon=0.2) + games_of(GAME, [5, 4, 3, 2], epsilon=0.2)[::-1]
    for first, second in zip(whole, parts, strict=True):
        for name in ("observation", *STEP_FIELDS, *CHOICE_FIELDS):
            np.testing.assert_array_equal(getattr(first, name), getattr(second, name))


def test_a_game_in_python_is_played():
    records = games_of(Plain(), range(3))
    assert all(abs(record.outcome) == 1.0 for record in records)
