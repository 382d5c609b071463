"""Positions proved by alpha-beta: against plain minimax and an outside solver, in planners and self-play."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dicezero.agents.learned_config import RunAgentConfig
from dicezero.experiments.perfect import PerfectPlay
from dicezero.presets.fits import MisfitError, require_fit
from dicezero.presets.fitting import network_of, planner_of
from dicezero.presets.registry import PRESETS
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game
from dicezero.rules.spec import spec_of
from dicezero.search.config import SearchConfig
from dicezero.search.minimax import MinimaxConfig, minimax_search
from dicezero.search.plan import plan_states
from dicezero.search.proofs import prove_states
from dicezero.search.reference_minimax import reference_value
from dicezero.selfplay.play import play_games

CONNECT_FOUR = load_game("connect_four")
SPEC = spec_of(CONNECT_FOUR)
FULL = MinimaxConfig(depth=None)
SMALL = {"simulations": "4", "play.simulations": "4", "widths": "8", "architecture": "mlp"}


def after(game, moves):
    state = game.new_initial_state()
    for move in moves:
        state.apply_action(move)
    return state


def random_states(game, stones, count, seed=0):
    """Positions with so many stones on the board, random but for games that were over."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < count:
        state = game.new_initial_state()
        for _ in range(stones):
            state.apply_action(int(rng.choice(state.legal_actions())))
            if state.is_terminal():
                break
        else:
            found.append(state)
    return found


@st.composite
def positions(draw, game):
    state = game.new_initial_state()
    for _ in range(draw(st.integers(0, 12))):
        before = state.clone()
        state.apply_action(draw(st.sampled_from(state.legal_actions())))
        if state.is_terminal():
            return before
    return state


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(["tic_tac_toe", "connect_four(rows=3,columns=4)"]), st.data())
def test_a_proof_says_what_plain_minimax_says(name, data):
    game = load_game(name)
    state = data.draw(positions(game))
    proofs = prove_states(game, [state], nodes=100_000)
    assert proofs.proved[0]
    mover = state.current_player()
    assert proofs.value[0] == reference_value(state, maximiser=mover)
    child = state.clone()
    child.apply_action(int(proofs.action[0]))
    assert reference_value(child, maximiser=mover) == proofs.value[0]
    assert proofs.lost[0] == (proofs.value[0] == -1.0)


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 5), st.integers(3, 5), st.integers(1, 8), st.integers(0, 2**32 - 1))
def test_proofs_of_late_positions_on_boards_of_every_size_say_what_plain_minimax_says(
    rows, columns, empty, seed
):
    game, rng = load_game(f"connect_four(rows={rows},columns={columns})"), np.random.default_rng(seed)
    state = game.new_initial_state()
    for _ in range(rows * columns - empty):
        state.apply_action(int(rng.choice(state.legal_actions())))
        assume(not state.is_terminal())
    mover = state.current_player()
    proofs = prove_states(game, [state], nodes=100_000)
    child = state.child(int(proofs.action[0]))
    assert proofs.value[0] == reference_value(state, maximiser=mover)
    assert proofs.value[0] == reference_value(child, maximiser=mover)


@settings(max_examples=100, deadline=None)
@given(st.integers(3, 7), st.integers(3, 7), st.integers(0, 14), st.integers(0, 2**32 - 1))
def test_proofs_say_what_alpha_beta_says_without_foresight(rows, columns, earlier, seed):
    game, rng = load_game(f"connect_four(rows={rows},columns={columns})"), np.random.default_rng(seed)
    state = game.new_initial_state()
    for _ in range(rows * columns - 7 - earlier):
        child = state.child(int(rng.choice(state.legal_actions())))
        if child.is_terminal():
            break
        state = child
    assume(len(state.history()) >= min(16, rows * columns - 21))
    proofs = prove_states(game, [state], nodes=10**7)
    child = state.child(int(proofs.action[0]))
    assert proofs.value[0] == minimax_search(game, state, FULL).value
    if child.is_terminal():
        assert proofs.value[0] == child.returns()[state.current_player()]
    else:
        assert proofs.value[0] == -minimax_search(game, child, FULL).value


def test_what_a_side_has_an_answer_to_is_not_searched():
    states = random_states(CONNECT_FOUR, 14, 20, seed=3)
    proofs = prove_states(CONNECT_FOUR, states, nodes=10**7)
    searched = [minimax_search(CONNECT_FOUR, state, FULL).nodes for state in states]
    assert proofs.proved.all()
    assert proofs.nodes.sum() < 0.6 * sum(searched)


def test_proofs_of_connect_four_agree_with_the_solver():
    perfect = PerfectPlay()
    states = random_states(CONNECT_FOUR, 18, 60)
    proofs = prove_states(CONNECT_FOUR, states, nodes=20_000)
    assert proofs.proved.sum() > 40
    for row in np.flatnonzero(proofs.proved):
        scores = perfect.scores(states[row].history())
        assert np.sign(scores.max()) == proofs.value[row]
        assert np.sign(scores[proofs.action[row]]) == proofs.value[row]


def test_too_few_nodes_prove_nothing_and_threads_change_nothing():
    states = random_states(CONNECT_FOUR, 16, 40)
    few, alone, both = (
        prove_states(CONNECT_FOUR, states, nodes=nodes, threads=threads)
        for nodes, threads in ((30, 1), (3000, 1), (3000, 3))
    )
    assert 0 < alone.proved.sum() < len(states)
    assert few.proved.sum() < alone.proved.sum()
    for name in ("proved", "action", "value", "lost", "nodes"):
        np.testing.assert_array_equal(getattr(alone, name), getattr(both, name))
    assert (alone.action[~alone.proved] == -1).all()
    assert not alone.lost[~alone.proved].any()
    assert alone.nodes.max() <= 3000
    order = np.random.default_rng(1).permutation(len(states))
    mixed = prove_states(CONNECT_FOUR, [states[i] for i in order], nodes=3000)
    np.testing.assert_array_equal(mixed.value, alone.value[order])


def test_a_game_in_python_is_proved_alike():
    pytest.importorskip("pyspiel")
    import pyspiel

    game = pyspiel.load_game("tic_tac_toe")
    ours, theirs = ([after(g, [4, 0, 2]), after(g, [0, 4, 8])] for g in (load_game("tic_tac_toe"), game))
    native = prove_states(load_game("tic_tac_toe"), ours, nodes=10_000)
    foreign = prove_states(game, theirs, nodes=10_000, threads=2)
    np.testing.assert_array_equal(native.value, foreign.value)


def test_what_cannot_be_proved_is_refused():
    nannon = load_game("nannon")
    with pytest.raises(ValueError, match="has chance nodes"):
        prove_states(nannon, [nannon.new_initial_state()], nodes=10)
    over = after(load_game("tic_tac_toe"), [0, 3, 1, 4, 2])
    with pytest.raises(ValueError, match="no player to move"):
        prove_states(load_game("tic_tac_toe"), [after(load_game("tic_tac_toe"), []), over], nodes=10)
    with pytest.raises(ValueError, match="proof_nodes=5 is of agents"):
        plan_states(None, [], SearchConfig(proof_nodes=5), game=CONNECT_FOUR, seed=0)
    with pytest.raises(ValueError, match=r"search\.proof_nodes=9 must be 0"):
        with_settings(PRESETS["gumbel-muzero"], {"search.proof_nodes": "9"})
    dice = with_settings(PRESETS["gumbel-alphazero"], {"proof_nodes": "9"})
    with pytest.raises(MisfitError, match="proves nothing where there is chance"):
        require_fit(dice, spec_of(nannon))
    for preset, spec, why in (
        ("gumbel-muzero", SPEC, "proof_nodes=9 needs the true rules"),
        ("gumbel-alphazero", spec_of(nannon), "proves nothing where there is chance"),
        ("td-lambda", SPEC, "which looks one move ahead; leave proof_nodes out"),
    ):
        with pytest.raises(ValueError, match=why):
            RunAgentConfig("x", proof_nodes=9).search(PRESETS[preset], spec)


def test_planners_play_what_is_proved_and_search_the_rest():
    preset = with_settings(PRESETS["gumbel-alphazero"], {**SMALL, "proof_nodes": "3000"})
    planner = planner_of(preset, SPEC, network_of(preset, SPEC).init(seed=1))
    states = random_states(CONNECT_FOUR, 16, 30)
    from dicezero.selfplay.states import positions_of

    asked = positions_of(CONNECT_FOUR, SPEC, states)
    seeds = np.arange(len(states), dtype=np.uint64)
    found = planner.search(asked, preset.search, seeds, noise=True)
    proofs = prove_states(CONNECT_FOUR, states, nodes=3000)
    plain = planner.search(asked, replace(preset.search, proof_nodes=0), seeds, noise=True)
    known, lost = proofs.proved, proofs.lost
    assert lost.any()
    assert (known & ~lost).any()
    assert (~known).any()
    np.testing.assert_array_equal(found.action[known], proofs.action[known])
    np.testing.assert_array_equal(found.value[known], proofs.value[known])
    np.testing.assert_array_equal(found.policy[known & ~lost].sum(axis=1), 1.0)
    assert not found.policy[lost].any()  # all moves are as good: nothing to learn
    for name in ("action", "policy", "value", "visits", "q"):
        np.testing.assert_array_equal(getattr(found, name)[~known], getattr(plain, name)[~known])


def test_self_play_ends_as_perfect_play_would_from_the_first_proof_on():
    preset = with_settings(PRESETS["gumbel-alphazero"], {**SMALL, "proof_nodes": "3000"})
    planner = planner_of(preset, SPEC, network_of(preset, SPEC).init(seed=1))
    episodes = play_games(
        CONNECT_FOUR, planner, preset.search, games=range(12), seed=1, round_index=0, explore_moves=4
    )
    seen = 0
    for episode in episodes:
        state, moves = CONNECT_FOUR.new_initial_state(), []
        for action in episode.action[:-1]:
            proof = prove_states(CONNECT_FOUR, [state], nodes=3000)
            if proof.proved[0] and len(moves) >= 4:
                side = 1.0 if state.current_player() == 0 else -1.0
                assert episode.reward.sum() == side * proof.value[0]
                seen += 1
            moves.append(int(action))
            state.apply_action(moves[-1])
    assert seen > 20
