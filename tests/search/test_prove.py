"""Values that the tree proves: against a solver, against the plain twin, and what is left alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero.agents.learned_config import RunAgentConfig
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game
from dicezero.rules.spec import spec_of
from dicezero.search.config import SearchConfig
from dicezero.search.plan import Reuse, plan, plan_states
from dicezero.search.reference import reference_plan_states
from dicezero.solve import solve

TIC_TAC_TOE = load_game("tic_tac_toe")
CONNECT_FOUR = load_game("connect_four")


def knows_nothing(_, legal):
    return np.zeros(legal.shape, np.float32), np.zeros(len(legal), np.float32)


def guesses(observations, legal):
    """A network with opinions, mostly wrong ones."""
    flat = np.asarray(observations, np.float32).reshape(len(legal), -1)
    weights = np.random.default_rng(0).normal(size=(flat.shape[1], legal.shape[1] + 1)).astype(np.float32)
    found = flat @ weights
    return 3.0 * found[:, :-1], np.tanh(found[:, -1])


def proving(**changes):
    fixed = {"q_normalisation": "fixed", "q_range": (-1.0, 1.0), "prove": True}
    return SearchConfig(**(fixed | {"simulations": 400} | changes))


def after(game, moves):
    state = game.new_initial_state()
    for move in moves:
        state.apply_action(move)
    return state


@st.composite
def positions(draw, game=TIC_TAC_TOE, least=0, most=7):
    state = game.new_initial_state()
    for _ in range(draw(st.integers(least, most))):
        before = state.clone()
        state.apply_action(draw(st.sampled_from(state.legal_actions())))
        if state.is_terminal():
            return before
    return state


@settings(max_examples=60, deadline=None)
@given(positions(least=4), st.sampled_from(["gumbel", "puct"]))
def test_small_positions_are_proved_to_be_worth_what_the_solver_says(state, root):
    solution = solve(TIC_TAC_TOE)
    # A small c_scale, so that moves that look bad are searched to their ends, too.
    interior = "puct" if root == "puct" else "improved"
    config = proving(root=root, interior=interior, simulations=4000, c_scale=0.05)
    found = plan_states(knows_nothing, [state], config, game=TIC_TAC_TOE, seed=1)
    assert found.value[0] == solution.value(state)  # to the last bit: nothing is estimated any more
    assert solution.action_value(state, int(found.action[0])) == solution.value(state)


@settings(max_examples=40, deadline=None)
@given(
    positions(),
    st.sampled_from(["gumbel", "puct"]),
    st.sampled_from(["fixed", "siblings"]),
    st.integers(1, 120),
    st.integers(0, 3),
)
def test_the_fast_search_is_the_plain_twin(state, root, normalisation, simulations, seed):
    config = proving(
        root=root,
        interior="puct" if root == "puct" else "improved",
        simulations=simulations,
        q_normalisation=normalisation,
    )
    fast = plan_states(guesses, [state], config, game=TIC_TAC_TOE, seed=seed)
    plain = reference_plan_states(guesses, [state], config, game=TIC_TAC_TOE, seed=seed)
    assert np.array_equal(fast.visits, plain.visits)
    assert fast.action[0] == plain.action[0]
    np.testing.assert_allclose(fast.q, plain.q, atol=1e-5)
    np.testing.assert_allclose(fast.value, plain.value, atol=1e-5)
    np.testing.assert_allclose(fast.policy, plain.policy, atol=1e-4)


def test_what_came_back_before_the_proof_counts_as_what_is_known():
    # Three in a column for the mover: the fourth stone wins, and a network that knows nothing says 0.
    state = after(CONNECT_FOUR, [0, 1, 0, 1, 0, 2])
    proved = plan_states(knows_nothing, [state], proving(simulations=64), game=CONNECT_FOUR, seed=0)
    assert proved.value[0] == 1.0
    assert proved.action[0] == 0
    estimated = plan_states(
        knows_nothing, [state], proving(simulations=64, prove=False), game=CONNECT_FOUR, seed=0
    )
    assert 0.0 < estimated.value[0] < 1.0


def test_a_lost_position_is_known_to_be_lost():
    # Both ends of the opponent's three are open: whatever is played, the other end wins.
    state = after(CONNECT_FOUR, [3, 3, 2, 2, 4])
    found = plan_states(knows_nothing, [state], proving(simulations=300), game=CONNECT_FOUR, seed=0)
    assert found.value[0] == -1.0
    assert (found.q[0][found.visits[0] > 0] == -1.0).all()


def test_a_proved_move_is_played_against_every_prior():
    def hates_the_win(_, legal):
        logits = np.zeros(legal.shape, np.float32)
        logits[:, 0] = -30.0
        return logits, np.zeros(len(legal), np.float32)

    state = after(CONNECT_FOUR, [0, 1, 0, 1, 0, 2])
    asked = {"game": CONNECT_FOUR, "seed": 0}
    c = {"simulations": 32, "c_scale": 0.01}
    assert plan_states(hates_the_win, [state], proving(**c), **asked).action[0] == 0
    assert plan_states(hates_the_win, [state], proving(**c, prove=False), **asked).action[0] != 0


def test_chance_is_not_proved():
    game = load_game("nannon(points=4,checkers=2,sides=4)")
    state = game.new_initial_state()
    state.apply_action(state.chance_outcomes()[0][0])
    solution = solve(game)
    found = plan_states(knows_nothing, [state], proving(simulations=3000), game=game, seed=0)
    assert abs(found.value[0]) < 1.0
    assert found.value[0] != solution.value(state)


def test_a_kept_tree_keeps_its_proofs():
    state = after(CONNECT_FOUR, [0, 1, 0, 1])
    first = plan_states(knows_nothing, [state], proving(simulations=400), game=CONNECT_FOUR, seed=0)
    reached = after(CONNECT_FOUR, [0, 1, 0, 1, 0, 2])
    reuse = Reuse(first.tree, [[(0, 0), (1, 2), (0, -1)]])
    again = plan_states(
        knows_nothing, [reached], proving(simulations=1), game=CONNECT_FOUR, seed=0, reuse=reuse
    )
    assert again.value[0] == 1.0


def test_what_cannot_be_proved_is_refused():
    with pytest.raises(ValueError, match="prove='yes' must be True or False"):
        SearchConfig(prove="yes")
    with pytest.raises(ValueError, match="prove=True needs the true rules"):
        plan(None, None, SearchConfig(prove=True), seed=0)
    with pytest.raises(ValueError, match=r"search\.prove=True must be false"):
        with_settings(PRESETS["gumbel-muzero"], {"search.prove": "true"})
    preset, spec = PRESETS["gumbel-alphazero"], spec_of(CONNECT_FOUR)
    assert RunAgentConfig("x", prove=True).search(preset, spec).prove
