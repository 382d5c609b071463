"""Afterstates beside their plain twin, and the planner and the records made of them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from dicezero.model.dense import DenseJudge
from dicezero.presets.registry import PRESETS
from dicezero.rules import load_game
from dicezero.runs.loading import make_planner
from dicezero.selfplay.play import play_games, positions_of
from dicezero.selfplay.record import CHANCE, FIELDS, ActionSet
from dicezero.selfplay.td import afterstates, check_suits, reference_afterstates

GAME = load_game("nannon(points=4,checkers=2,sides=4)")


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
    config = PRESETS["td-lambda"].network(game)
    return make_planner(config, config.init(seed=seed))


def games_of(game, numbers, *, epsilon=0.0):
    search = PRESETS["td-lambda"].search
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
    found, plain = afterstates(game, states), reference_afterstates(game, states)
    for field in ("row", "action", "observation", "result"):
        np.testing.assert_array_equal(getattr(found, field), getattr(plain, field), field)
    assert np.isfinite(found.result).any()


def test_afterstates_of_a_game_in_python():
    game = Plain()
    states = positions_by_lot(game, 60)
    found, plain = afterstates(game, states), reference_afterstates(game, states)
    for field in ("row", "action", "observation", "result"):
        np.testing.assert_array_equal(getattr(found, field), getattr(plain, field), field)
    assert set(found.result[np.isfinite(found.result)].tolist()) == {1.0}  # who moves there wins


def test_openspiel_afterstates():
    pytest.importorskip("pyspiel")
    game = load_game("pig(players=2,winscore=15)")
    states = positions_by_lot(game, 60)
    found, plain = afterstates(game, states), reference_afterstates(game, states)
    np.testing.assert_array_equal(found.observation, plain.observation)
    np.testing.assert_array_equal(found.result, plain.result)


def test_a_position_without_a_mover_is_refused():
    with pytest.raises(ValueError, match="state 0 has no player to move"):
        afterstates(GAME, [GAME.new_initial_state()])


def test_the_planner_takes_the_best_afterstate_and_a_win_at_once():
    config = PRESETS["td-lambda"].network(GAME)
    weights = config.init(seed=5)
    planner, judge = make_planner(config, weights), config.player(weights)
    states = positions_by_lot(GAME, 100)
    positions = positions_of(states, GAME.num_distinct_actions())
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
    actions = ActionSet.of(GAME)
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
            want = np.zeros_like(record.observation[step]) if over else state.observation_tensor(actor)
            np.testing.assert_array_equal(record.observation[step], want)
            assert record.legal[step, action]
            strayed += record.policy[step, action] == 0.0
        assert (record.outcome == state.returns()[0]).all()
    assert (strayed > 0) == (epsilon > 0.0)


def test_a_game_is_the_same_in_whatever_batch_it_is_played():
    whole = games_of(GAME, range(6), epsilon=0.2)
    parts = games_of(GAME, [0, 1], epsilon=0.2) + games_of(GAME, [5, 4, 3, 2], epsilon=0.2)[::-1]
    for first, second in zip(whole, parts, strict=True):
        assert all(np.array_equal(getattr(first, f), getattr(second, f)) for f in FIELDS)


def test_a_game_in_python_is_played():
    records = games_of(Plain(), range(3))
    assert all(abs(record.outcome[0]) == 1.0 for record in records)


def test_games_it_cannot_play_are_refused():
    with pytest.raises(ValueError, match="3 players"):
        check_suits(Plain(players=3))

    class AtOnce(Plain):
        def new_initial_state(self):
            state = PlainState(self)
            state.current_player = lambda: -2
            return state

    with pytest.raises(ValueError, match="simultaneous moves"):
        PRESETS["td-lambda"].network(AtOnce())
