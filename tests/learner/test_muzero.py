"""MuZero's targets and presets: signs that agree with the search, games it can and cannot learn."""

from __future__ import annotations

import numpy as np
import pytest

from dicezero.learner.losses import muzero_targets
from dicezero.presets.registry import PRESETS, check_turns
from dicezero.replay.buffer import Replay
from dicezero.rules import load_game
from dicezero.search.config import Puct, SearchConfig
from dicezero.search.plan import plan
from dicezero.search.simulator import Root, Step
from dicezero.selfplay.record import TERMINAL, ActionSet, GameRecord
from dicezero.solve import solve

GAME = load_game("tic_tac_toe")
ACTIONS = ActionSet.of(GAME)


def random_game(seed):
    """A game of random moves, as self-play records it."""
    rng = np.random.default_rng(seed)
    state, rows = GAME.new_initial_state(), []
    while not state.is_terminal():
        legal = np.zeros(9, np.bool_)
        legal[state.legal_actions()] = True
        action = int(rng.choice(state.legal_actions()))
        rows.append((np.ravel(state.observation_tensor()), state.current_player(), action, legal))
        state.apply_action(action)
    rows.append((np.zeros(18), TERMINAL, ACTIONS.end, np.zeros(9, np.bool_)))
    observation, actor, action, legal = (np.array(column) for column in zip(*rows, strict=True))
    return GameRecord(
        observation=observation.astype(np.float32),
        actor=actor.astype(np.int8),
        action=action.astype(np.int16),
        legal=legal,
        policy=(legal / np.maximum(1, legal.sum(axis=1, keepdims=True))).astype(np.float32),
        value=np.zeros(len(rows), np.float32),
        outcome=np.full(len(rows), state.returns()[0], np.float32),
    )


@pytest.fixture(scope="module")
def samples():
    replay = Replay(ACTIONS, capacity=100)
    replay.add([random_game(seed) for seed in range(40)])
    return replay.batch(np.arange(replay.decisions), unroll=6)


def test_reward_and_value_fit_the_backup_of_a_search_with_turns_at_every_step(samples):
    found = {name: np.asarray(array) for name, array in muzero_targets(samples.arrays(), 9).items()}
    value, reward = found["value"], found["reward"]
    # The search's Q of what was played is reward - value of the next player: to be the value before it.
    np.testing.assert_array_equal(value[:, :-1], reward[:, 1:] - value[:, 1:])
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
    network = PRESETS[name].network(GAME)
    assert (network.actions, network.identities) == (9, 0)


def test_a_game_of_dice_or_of_three_players_is_refused_with_the_way_out():
    with pytest.raises(ValueError, match=r"muzero cannot learn nannon.*ndmz"):
        PRESETS["muzero"].network(load_game("nannon"))

    class Three:
        def num_players(self):
            return 3

        def max_chance_outcomes(self):
            return 0

        def observation_tensor_shape(self):
            return [4]

    with pytest.raises(ValueError, match="1 or 2 players, not 3"):
        PRESETS["gumbel-muzero"].network(Three())


def test_alone_a_player_moves_at_every_node():
    class Alone:
        def num_players(self):
            return 1

    fitted = PRESETS["gumbel-muzero"].fitted(Alone())
    assert (fitted.search.players, fitted.play.players) == ("single", "single")
    assert PRESETS["gumbel-ndmz"].fitted(Alone()) == PRESETS["gumbel-ndmz"]
    assert PRESETS["gumbel-muzero"].fitted(GAME) == PRESETS["gumbel-muzero"]


def test_a_player_who_moves_twice_running_is_noticed():
    game = random_game(3)
    check_turns([game], PRESETS["muzero"])
    twice = GameRecord(**{**vars(game), "actor": np.where(game.actor == 1, 0, game.actor).astype(np.int8)})
    with pytest.raises(ValueError, match="moved twice running; take ndmz"):
        check_turns([twice], PRESETS["muzero"])
    check_turns([twice], PRESETS["ndmz"])
