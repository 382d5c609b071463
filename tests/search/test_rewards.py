"""Games that pay before their end: the planner, minimax and Monte Carlo search count every reward once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paying_game import PayingGame, PayingState, still_to_come

from dicezero.rules import load_game
from dicezero.rules.spec import spec_of
from dicezero.search.config import SearchConfig
from dicezero.search.minimax import MinimaxConfig, minimax_search
from dicezero.search.plan import plan_states
from dicezero.search.reference import reference_plan_states
from dicezero.search.reference_uct import ReferenceUct
from dicezero.search.uct import UctConfig, uct_search
from dicezero.selfplay.drive import Choice, Turn, drive


def judge(observations, legal):
    """A network of a kind: fixed numbers that hang on what is seen."""
    seen = np.asarray(observations, np.float64).reshape(len(legal), -1)
    logits = np.sin(seen.sum(1, keepdims=True) + np.arange(legal.shape[1]))
    return logits.astype(np.float32), np.cos(seen @ np.arange(seen.shape[1])).astype(np.float32)


def first_choice(game: PayingGame) -> PayingState:
    return game.new_initial_state()  # the start is never a chance node


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    players=st.integers(1, 2),
    seed=st.integers(0, 10_000),
    chance=st.sampled_from(["roulette", "low_variance", "expectation"]),
    way=st.sampled_from(["mean", "completed", "afterstate"]),
    discount=st.sampled_from([1.0, 0.9]),
    scale=st.sampled_from([1.0, 4.0, 20.0]),
)
def test_the_planner_counts_rewards_as_its_plain_twin(players, seed, chance, way, discount, scale):
    game = PayingGame(players, seed, discount=discount)
    state = first_choice(game)
    config = SearchConfig(
        simulations=60,
        chance=chance,
        chance_value="mean" if chance == "expectation" else way,
        value_scale=scale,
    )
    fast = plan_states(judge, [state], config, game=game, seed=seed)
    slow = reference_plan_states(judge, [state], config, game=game, seed=seed)
    np.testing.assert_array_equal(fast.visits, slow.visits)
    np.testing.assert_allclose(fast.q, slow.q, atol=1e-5, rtol=0)
    np.testing.assert_allclose(fast.value, slow.value, atol=1e-5, rtol=0)


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("scale", [1.0, 10.0])
def test_what_a_long_search_finds_is_what_is_still_to_come(players, scale):
    for seed in range(8):
        game = PayingGame(players, seed, depth=3)
        state = first_choice(game)
        config = SearchConfig(simulations=3000, root="puct", interior="puct", value_scale=scale)
        result = plan_states(judge, [state], config, game=game, seed=1)
        sign = 1 if state.current_player() == 0 else -1
        most = int(result.visits[0].argmax())
        child = state.clone()
        child.apply_action(most)
        worth = sign * (child.rewards()[0] + still_to_come(child))
        assert scale * result.q[0, most] == pytest.approx(worth, abs=0.4)


@pytest.mark.parametrize("players", [1, 2])
def test_minimax_adds_what_is_paid_on_the_way(players):
    for seed in range(40):
        game = PayingGame(players, seed)
        state = first_choice(game)
        state.apply_action(0)
        if state.current_player() < 0:
            continue
        for pruning in ("none", "star2"):
            config = MinimaxConfig("expectiminimax", chance_pruning=pruning, table_entries=1000, depth=None)
            result = minimax_search(game, state, config)
            sign = 1 if state.current_player() == 0 else -1
            assert result.value == pytest.approx(sign * still_to_come(state))
            assert result.stopped == "complete"


def test_a_discount_that_is_not_the_games_is_refused():
    game = PayingGame(2, 0, discount=0.9)
    config = SearchConfig(simulations=2, discount=0.5)
    with pytest.raises(ValueError, match=r"discount=0\.5.* is not the game's own, 0\.9.*; leave it out"):
        plan_states(judge, [first_choice(game)], config, game=game, seed=0)


@pytest.mark.parametrize("moves", [[], [0]])
def test_play_outs_add_what_is_paid_on_the_way(moves):
    """A value is what is still to come: what was paid before counts neither in it nor in the tree."""
    for players in (1, 2):
        for seed in range(6):
            game = PayingGame(players, seed)
            state = first_choice(game)
            for move in moves:
                state.apply_action(move)
            if state.current_player() < 0:
                continue
            result = uct_search(
                game, state, UctConfig(simulations=8000, c=0.2, utility_range=(-20.0, 20.0)), seed=0
            )
            sign = 1 if state.current_player() == 0 else -1
            assert result.value == pytest.approx(sign * still_to_come(state), abs=0.5)


def test_a_game_that_offers_rewards_pays_on_the_way():
    assert spec_of(PayingGame()).rewards == "each step"


def test_openspiels_2048_is_paid_once_for_each_move():
    """Its rewards() say again after the new tile what the move before it paid."""
    game = load_game(pytest.importorskip("pyspiel").load_game("2048"))
    spec = spec_of(game)

    def choose(turn: Turn) -> Choice:
        return Choice(np.array([state.legal_actions()[0] for state in turn.states], np.int32))

    (episode,) = drive(game, spec, choose, seeds=np.array([5], np.uint64))
    state = game.new_initial_state()
    for actor, action in zip(episode.actor[:-1].tolist(), episode.action[:-1].tolist(), strict=True):
        state.apply_action(action - spec.actions if actor < 0 else action)
    assert state.is_terminal()
    assert episode.outcome == state.returns()[0] > 100.0

    state = game.new_initial_state()
    for _ in range(12):  # where moves pay
        state.apply_action(state.legal_actions()[0])
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    config = SearchConfig(simulations=60, value_scale=100.0)
    fast = plan_states(judge, [state], config, game=game, seed=3)
    slow = reference_plan_states(judge, [state], config, game=game, seed=3)
    np.testing.assert_array_equal(fast.visits, slow.visits)
    np.testing.assert_allclose(fast.q, slow.q, atol=1e-5, rtol=0)


@pytest.mark.parametrize("players", [1, 2])
def test_play_outs_without_bounds_are_scaled_by_what_was_seen(players):
    class Unbounded(PayingGame):
        def min_utility(self) -> float:
            return -np.inf

        def max_utility(self) -> float:
            return np.inf

        def short_name(self) -> str:
            return "paying"

        def pays_on_the_way(self) -> bool:
            return True

    for seed in range(4):
        game = Unbounded(players, seed, depth=6)
        state = first_choice(game)
        slow = ReferenceUct(state, seed=seed, c=0.5, low=-np.inf, high=np.inf)
        fast = uct_search(game, state, UctConfig(simulations=300, c=0.5), seed=seed)
        assert fast.visits == slow.run(300)
