"""Expectimax over a judge: the native search against the plain one, and against values known by hand."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from dicezero.rules import load_game
from dicezero.rules.protocol import CHANCE_PLAYER
from dicezero.rules.spec import spec_of
from dicezero.selfplay.judged import JudgedConfig, judged_moves, reference_moves
from dicezero.selfplay.planners import Units
from dicezero.solve import solve


def some_states(game: Any, count: int, *, seed: int) -> list[Any]:
    """Choice nodes of random games."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        state = game.new_initial_state()
        for _ in range(rng.randrange(1, 30)):
            if state.is_terminal():
                break
            chance = state.current_player() == CHANCE_PLAYER
            actions = [a for a, _ in state.chance_outcomes()] if chance else state.legal_actions()
            state.apply_action(rng.choice(actions))
        if not state.is_terminal() and state.current_player() != CHANCE_PLAYER:
            found.append(state)
    return found


def any_judge(size: int) -> Any:
    """An arbitrary function of what is seen, in (-1, 1)."""
    weights = np.random.default_rng(0).normal(size=size).astype(np.float32)
    return lambda seen: np.tanh(np.asarray(seen, np.float32) @ weights).astype(np.float32)


@pytest.mark.parametrize(
    ("name", "count", "config"),
    [
        ("2048(rows=2,columns=3)", 12, JudgedConfig(plies=1)),
        ("2048(rows=2,columns=3)", 8, JudgedConfig(plies=2)),
        ("2048(rows=2,columns=2)", 8, JudgedConfig(plies=3)),
        ("2048(rows=2,columns=3)", 5, JudgedConfig(plies=3, candidates=2)),
        ("2048(rows=2,columns=2)", 8, JudgedConfig(plies=4, rare=0.5)),
        ("backgammon(start=hyper2)", 6, JudgedConfig(plies=1)),  # a double is two actions of one turn
        ("backgammon(start=hyper2)", 2, JudgedConfig(plies=2)),
    ],
)
def test_the_native_search_is_the_plain_one(name: str, count: int, config: JudgedConfig) -> None:
    game = load_game(name)
    assert hasattr(game, "judged")
    spec, states = spec_of(game), some_states(game, count, seed=1)
    assert spec.observation is not None
    judge, units = any_judge(spec.observation.size), Units(scale=2.0)
    found = judged_moves(game, spec, states, judge, units, config)
    plain = reference_moves(game, spec, states, judge, units, config)
    np.testing.assert_array_equal(found.row, plain.row)
    np.testing.assert_array_equal(found.action, plain.action)
    np.testing.assert_allclose(found.value, plain.value, rtol=1e-5, atol=1e-5)
    assert (found.leaves <= plain.leaves).all()  # what is known is not asked again
    left_out = np.isnan(found.value)
    assert left_out.any() == bool(config.candidates)


@pytest.mark.parametrize(("name", "moves"), [("2048(rows=2,columns=2,max_tile=8)", 2), ("tic_tac_toe", 5)])
def test_looking_to_the_end_needs_no_judge(name: str, moves: int) -> None:
    """Natively and plainly, alone and for two: the solution's values."""
    game = load_game(name)
    spec, solution = spec_of(game), solve(game)
    states = [s for s in some_states(game, 60, seed=2) if len(s.history()) >= moves][:4]

    def wrong(seen: Any) -> Any:
        return np.full(len(seen), 1e6, np.float32)

    deep = judged_moves(game, spec, states, wrong, Units(), JudgedConfig(plies=12))
    assert deep.leaves.sum() == 0
    assert len(states) > 2
    for row, state in enumerate(states):
        best = float(deep.value[deep.row == row].max())
        assert best == pytest.approx(solution.value(state), abs=1e-9)


def test_candidates_are_the_best_at_one_ply() -> None:
    game = load_game("2048")
    spec, states = spec_of(game), some_states(game, 10, seed=3)
    assert spec.observation is not None
    judge = any_judge(spec.observation.size)
    shallow = judged_moves(game, spec, states, judge, Units(), JudgedConfig())
    deep = judged_moves(game, spec, states, judge, Units(), JudgedConfig(plies=2, candidates=1))
    for row in range(len(states)):
        at = shallow.row == row
        kept = ~np.isnan(deep.value[at])
        assert kept.sum() == 1
        assert shallow.value[at][kept] == shallow.value[at].max()


@pytest.mark.parametrize("wrong", [{"plies": 0}, {"candidates": -1}, {"rare": 1.5}])
def test_what_cannot_be_searched_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        JudgedConfig(**wrong)
