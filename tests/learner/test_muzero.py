"""MuZero's targets and presets: signs that agree with the search, games it can and cannot learn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dicezero.learner.losses import muzero_targets
from dicezero.presets.fitting import fitted, network_of, target_of
from dicezero.presets.registry import PRESETS
from dicezero.replay.buffer import Replay
from dicezero.rules import load_game, spec_of
from dicezero.search.config import Puct, SearchConfig
from dicezero.search.plan import plan
from dicezero.search.simulator import Root, Step
from dicezero.selfplay.drive import Choice, drive
from dicezero.selfplay.seeds import extended_uniforms
from dicezero.selfplay.states import drawn_rows, positions_of
from dicezero.solve import solve

GAME = load_game("tic_tac_toe")
SPEC = spec_of(GAME)


def random_games(count):
    """Games of random moves, as self-play records them."""

    def choose(turn):
        positions = positions_of(GAME, SPEC, turn.states)
        even = (positions.legal / positions.legal.sum(axis=1, keepdims=True)).astype(np.float32)
        action = drawn_rows(even, extended_uniforms(turn.seeds, 0))
        value = np.zeros(len(action), np.float32)
        return Choice(action, value, positions.legal, even, positions.frame)

    return drive(GAME, SPEC, choose, seeds=np.arange(count).astype(np.uint64))


@pytest.fixture(scope="module")
def samples():
    value = target_of(PRESETS["muzero"], SPEC)
    replay = Replay(SPEC, capacity=100, value=value)
    replay.add(random_games(40))
    return replay.batch(np.arange(replay.decisions), unroll=6)


def test_reward_and_value_fit_the_backup_of_a_search_with_turns_at_every_step(samples):
    found = {name: np.asarray(array) for name, array in muzero_targets(samples.arrays(), 9).items()}
    value, reward = found["value"], found["reward"]
    # The search's Q of what was played is reward - value of the next player: to be the value before it.
    np.testing.assert_array_equal(value[:, :-1], reward - value[:, 1:])
    over = samples.identity == 3
    assert over.any()
    assert (value[over] == 0).all()
    assert {-1.0, 0.0, 1.0} >= set(np.unique(reward).tolist())
    assert (np.abs(reward).sum(axis=1) <= 1).all()
    assert (reward > 0).any()


def test_past_the_end_any_action_is_taken_and_nothing_is_asked_of_the_policy(samples):
    found = {name: np.asarray(array) for name, array in muzero_targets(samples.arrays(), 9).items()}
    over = samples.identity == 3
    assert (found["policy"].sum(axis=2)[over] == 0).all()
    np.testing.assert_allclose(found["policy"].sum(axis=2)[~over], 1.0, rtol=1e-6)
    taken = found["action"][over[:, :-1]]
    assert set(taken.tolist()) == set(range(9))
    np.testing.assert_array_equal(found["action"][~over[:, :-1]], samples.action[~over[:, :-1]])


class PaysAtTheEnd:
    """Tic-tac-toe as a model that knows rewards and absorbing states, and values every position at 0."""

    def __init__(self):
        self.states, self.numbers = [], {}

    def number(self, state):
        key = str(state)
        if key not in self.numbers:
            self.numbers[key] = len(self.states)
            self.states.append(state.clone())
        return self.numbers[key]

    def logits(self, state):
        row = np.full(9, -1e9, np.float32)
        row[[0] if state.is_terminal() else state.legal_actions()] = 0.0
        return row

    def step(self, hidden, action):
        after, reward = [], []
        for number, move in zip(np.asarray(hidden)[:, 0].astype(int), action, strict=True):
            state, paid = self.states[number].clone(), 0.0
            if not state.is_terminal():
                mover = state.current_player()
                state.apply_action(int(move))
                paid = state.returns()[mover] if state.is_terminal() else 0.0
            after.append(state)
            reward.append(paid)
        numbers = np.array([[self.number(state)] for state in after], np.float32)
        logits = np.stack([self.logits(state) for state in after])
        return Step(numbers, np.array(reward, np.float32), logits, np.zeros(len(after), np.float32))

    def root(self, states):
        hidden = np.array([[self.number(state)] for state in states], np.float32)
        logits = np.stack([self.logits(state) for state in states])
        zeros = np.zeros(len(states), np.float32)
        return Root(hidden, logits, zeros, logits == 0, np.zeros(len(states), np.int32))


def test_a_model_with_these_targets_makes_the_search_play_perfectly():
    solution = solve(GAME)
    positions = [solution.positions.state(i) for i in range(len(solution.positions))]
    late = [state for state in positions if len(state.legal_actions()) in (2, 3, 4)][::17]
    model = PaysAtTheEnd()
    config = SearchConfig(
        simulations=400,
        root="puct",
        interior="puct",
        players="alternate",
        puct=Puct(init=2.0),
        temperature=0.0,
        q_normalisation="fixed",
    )
    found = plan(model, model.root(late), config, seed=1)
    for row, state in enumerate(late):
        assert int(found.action[row]) in solution.optimal_actions(state), str(state)
        assert found.value[row] == pytest.approx(solution.value(state), abs=0.4), str(state)


@pytest.mark.parametrize("name", ["muzero", "gumbel-muzero", "full-gumbel-muzero"])
def test_the_model_of_muzero_has_the_players_actions_and_no_more(name):
    network = network_of(PRESETS[name], SPEC)
    assert (network.actions, network.identities) == (9, 0)


def test_alone_a_player_moves_at_every_node():
    alone = fitted(PRESETS["gumbel-muzero"], replace(SPEC, players=1))
    assert (alone.search.players, alone.play.players) == ("single", "single")
    assert fitted(PRESETS["gumbel-muzero"], SPEC) == PRESETS["gumbel-muzero"]
