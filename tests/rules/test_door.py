"""A game that breaks the rules is refused where it breaks them, in every algorithm, and never crashes."""

from __future__ import annotations

import random

import numpy as np
import pytest
from lying_games import Honest, HonestState, lying_games

from dicezero import _native
from dicezero.rules import load_game
from dicezero.rules.door import (
    checked_clone,
    checked_frame,
    checked_legal_actions,
    checked_outcomes,
    checked_player,
    checked_returns,
    checked_rewards,
    checked_sizes,
)
from dicezero.search.config import SearchConfig
from dicezero.search.minimax import MinimaxConfig, minimax_search
from dicezero.search.plan import plan_states
from dicezero.search.uct import UctConfig, UctSearcher, uct_search
from dicezero.solve import solve

CASES = [pytest.param(method, game, id=name) for name, method, game in lying_games()]


def first_choice(game: Honest) -> HonestState:
    state = game.new_initial_state()
    state.apply_action(0)
    return state


def judge(observations, legal):
    return np.zeros(legal.shape, np.float32), np.zeros(len(observations), np.float32)


def by_hand(game: Honest) -> None:
    """A loop in Python as matches and self-play have it."""
    for seed in range(40):
        rng, state = random.Random(seed), game.new_initial_state()
        players, actions, outcomes = checked_sizes(game)
        while (player := checked_player(state, players)) != -4:
            if player == -1:
                state.apply_action(rng.choice(checked_outcomes(state, outcomes))[0])
            else:
                state.apply_action(rng.choice(checked_legal_actions(state, actions)))
            checked_rewards(state, players)
        checked_returns(state, players)


ALGORITHMS = {
    "solve": lambda game: solve(game),
    "perft": lambda game: _native.perft(game, 12),
    "random_playouts": lambda game: _native.random_playouts(game, 200, seed=0),
    "expectiminimax": lambda game: minimax_search(
        game, first_choice(game), MinimaxConfig("expectiminimax", chance_pruning="none", depth=None)
    ),
    "uct": lambda game: uct_search(game, first_choice(game), UctConfig(simulations=2000), seed=0),
    "uct, widened": lambda game: uct_search(
        game, first_choice(game), UctConfig(simulations=2000, widen_chance_k=1.0), seed=0
    ),
    "plan_states": lambda game: plan_states(
        judge, [first_choice(game)], SearchConfig(simulations=2000), game=game, seed=0
    ),
    "loops in Python": by_hand,
}
BLIND = {  # what an algorithm never asks
    "solve": {"observation_tensor"},
    "perft": {"returns", "observation_tensor"},
    "random_playouts": {"observation_tensor"},
    "expectiminimax": {"observation_tensor"},
    "uct": {"observation_tensor"},
    "uct, widened": {"observation_tensor"},
    "loops in Python": {"observation_tensor"},
}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_an_honest_game_passes(algorithm):
    ALGORITHMS[algorithm](Honest())


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(("method", "game"), CASES)
def test_a_lie_is_refused_with_the_state_and_the_remedy(method, game, algorithm):
    if method in BLIND.get(algorithm, set()):
        return
    with pytest.raises(ValueError, match="At the state:\nscore") as refused:
        ALGORITHMS[algorithm](game)
    assert "; " in str(refused.value)


@pytest.mark.parametrize(
    ("method", "game"), [case for case in CASES if case.values[0] in ("legal_actions", "observation_tensor")]
)
def test_afterstates_of_a_lying_game_are_refused(method, game):
    state = first_choice(game)
    state.moves = 5
    del method
    with pytest.raises(ValueError, match="At the state:\nscore"):
        _native.afterstates(game, [state, state.clone()])


def test_what_a_game_announces_is_checked():
    for method, answer in (
        ("num_distinct_actions", -1),
        ("num_distinct_actions", "three"),
        ("max_chance_outcomes", 2**40),
        ("num_players", 3),
        ("num_players", 0),
        ("observation_tensor_shape", [10**9, 10**9]),
        ("observation_tensor_shape", [-1]),
        ("observation_tensor_shape", 7),
    ):
        game = Honest()
        setattr(game, method, lambda answer=answer: answer)
        with pytest.raises(ValueError, match=r"players|is "):
            _native.afterstates(game, [first_choice(Honest())])


def test_native_states_are_believed():
    for name, _, _ in _native.registered_games():
        game = load_game(name)
        players, actions, outcomes = checked_sizes(game)
        state, rng = game.new_initial_state(), random.Random(0)
        for _ in range(60):
            player = checked_player(state, players)
            if player == -4:
                break
            if player == -1:
                assert checked_outcomes(state, outcomes) == list(state.chance_outcomes())
                state.apply_action(rng.choice(state.chance_outcomes())[0])
            else:
                assert checked_legal_actions(state, actions) == state.legal_actions()
                state.apply_action(rng.choice(state.legal_actions()))
            assert checked_rewards(state, players) == state.rewards()


def test_a_game_that_changes_the_list_it_is_in_is_survived():
    states = [first_choice(Honest()) for _ in range(50)]

    class Shrinking(HonestState):
        def clone(self):
            del states[1:]
            return super().clone()

    states[0] = Shrinking(Honest())
    states[0].apply_action(0)
    game = Honest()
    row, *_ = _native.afterstates(game, states)
    assert row.max() == 49


class Unprinted(HonestState):
    """Prints as an address, which the next position may have again."""

    __str__ = object.__str__
    __repr__ = object.__repr__

    def clone(self):
        copy = super().clone()
        copy.__class__ = Unprinted
        return copy


class Addresses(Honest):
    def new_initial_state(self):
        return Unprinted(self)


def test_positions_that_print_as_addresses_are_not_taken_for_one_another():
    game, words = Addresses(), r"Unprinted has neither __str__\(\) nor key\(\)"
    config = MinimaxConfig("expectiminimax", depth=None, table_entries=1024)
    with pytest.raises(ValueError, match=words):
        solve(game)
    with pytest.raises(ValueError, match=words):
        minimax_search(game, first_choice(game), config)


def test_uct_needs_no_print():
    game = Addresses()
    searcher, state = UctSearcher(game, UctConfig(simulations=20)), first_choice(game)
    while not state.is_terminal():
        chance = state.is_chance_node()
        action = 0 if chance else searcher.search(state, seed=1).action
        searcher.advance(action)
        state.apply_action(action)


class Odd:
    """Refuses to be shown."""

    def __repr__(self):
        raise RuntimeError


@pytest.mark.parametrize("copy", ["itself", None, "text", Odd()])
@pytest.mark.parametrize(
    "algorithm", [name for name in ALGORITHMS if name not in ("random_playouts", "loops in Python")]
)
def test_a_clone_that_is_none_is_refused(copy, algorithm):
    """What is done to a copy would be done to the state itself."""
    game = Honest()
    game.new_initial_state = lambda: Uncopied(game, copy)
    with pytest.raises(ValueError, match=r"clone\(\) is .*At the state:\nscore"):
        ALGORITHMS[algorithm](game)


def test_a_match_refuses_a_clone_that_is_none():
    game = load_game(Honest())
    with pytest.raises(ValueError, match=r"clone\(\) is the state itself; give"):
        checked_clone(Uncopied(game, "itself"))
    state = first_choice(game)
    assert checked_clone(state) is not state


class Uncopied(HonestState):
    def __init__(self, game, copy):
        super().__init__(game)
        self.copy = copy

    def clone(self):
        return self if self.copy == "itself" else self.copy


@pytest.mark.parametrize("returns", [["1", "-1"], [1j, -1j], [np.complex64(1), np.complex64(-1)], 1.0, None])
def test_returns_that_are_texts_or_complex_are_refused(returns):
    state = HonestState(Honest(lie=lambda _, method, truth: returns if method == "returns" else truth))
    state.score, state.moves = [5, 0], 9
    with pytest.raises(ValueError, match=r"returns\(\) is .*; give a finite number for each of 2"):
        checked_returns(state, 2)


def test_observations_that_are_complex_are_refused():
    def lie(_, method, truth):
        return np.array(truth, np.complex64) if method == "observation_tensor" else truth

    game = Honest(lie)
    state = first_choice(game)
    state.moves = 5
    with pytest.raises(ValueError, match=r"observation_tensor\(\) is "):
        checked_frame(state, 0, (4,), "float32")
    with pytest.raises(ValueError, match=r"observation_tensor\(\) is "):
        plan_states(judge, [state], SearchConfig(simulations=4), game=game, seed=0)
