"""Games gone over: the accounts add up to the result, and a perfect player loses nothing."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicezero.agents import AgentError, make_agent
from dicezero.evaluation.review import Account, Turn, review, total
from dicezero.evaluation.runs import falls_by
from dicezero.rules import load_game

GAME = load_game("nannon")
OPTIMAL = make_agent("optimal", GAME)


def played(choose, seed: int) -> list[int]:
    """A game in which ``choose`` takes the moves."""
    rng, state = random.Random(seed), GAME.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(choose(state, rng))
    return state.history()


def anything(state, rng):
    return rng.choice(list(state.legal_actions()))


def best(state, rng):  # noqa: ARG001
    return OPTIMAL.search(state, seed=0).action


@given(st.integers(0, 10_000))
def test_value_luck_and_errors_add_up_to_the_result(seed):
    found = review(GAME.new_initial_state(), played(anything, seed), OPTIMAL, falls=falls_by(OPTIMAL, GAME))
    first, second = found.account(0), found.account(1)
    start = OPTIMAL.solution.first_player_value(GAME.new_initial_state())
    assert found.result == pytest.approx(
        start + (first.luck - first.loss) - (second.luck - second.loss), abs=1e-9
    )
    assert all(turn.loss == 0.0 for turn in found.turns if turn.forced)
    assert first.turns + second.turns == len(found.turns)


def test_perfect_players_lose_nothing_and_others_do():
    start = GAME.new_initial_state()
    right = review(start, played(best, 1), OPTIMAL)
    assert right.account(0).loss + right.account(1).loss == pytest.approx(0.0, abs=1e-12)
    assert right.luck is None
    wrong = [review(start, played(anything, seed), OPTIMAL).account(0) for seed in range(20)]
    assert total(wrong).error_rate > 20.0


def test_rates_are_of_turns_with_a_choice():
    account = total([Account(10, 4, 0.02, 0.5), Account(6, 4, 0.02, -0.25)])
    assert account == Account(16, 8, 0.04, 0.25)
    assert account.error_rate == pytest.approx(5.0)
    assert account.performance_rating == pytest.approx(2.5)
    assert total([account, Account(1, 0, 0.0, None)]).luck is None
    assert Account(3, 0, 0.0, None).error_rate == 0.0


def test_both_halves_of_a_double_are_one_turn():
    game = load_game("backgammon")
    state = game.new_initial_state("4HPwATDgc/ABMA")
    actions = [next(a for a, _ in state.chance_outcomes() if "33" in state.action_to_string(-1, a))]
    state.apply_action(actions[0])
    while state.current_player() == 0:
        actions.append(list(state.legal_actions())[-1])
        state.apply_action(actions[-1])
    assert len(actions) == 3
    judge = make_agent("pretrained", game)
    found = review(game.new_initial_state("4HPwATDgc/ABMA"), actions, judge, falls=falls_by(judge, game))
    (turn,) = found.turns
    assert isinstance(turn, Turn)
    assert (turn.place, turn.player, turn.forced) == (1, 0, False)
    assert turn.loss > 0.0
    assert turn.played != turn.best
    assert found.result is None
    assert found.account(1) == Account(0, 0, 0.0, 0.0)


def test_a_judge_that_values_one_move_alone_is_refused():
    with pytest.raises(AgentError, match=r"does not value .*; give a judge"):
        review(GAME.new_initial_state(), played(anything, 3), make_agent("uct(simulations=1)", GAME))
