"""Our games registered with OpenSpiel, our agents as its bots; judged by OpenSpiel's tests and players."""

from __future__ import annotations

import random

import numpy as np
import pytest

from dicezero import load_game
from dicezero.rules import list_games

pyspiel = pytest.importorskip("pyspiel")
evaluate_bots = pytest.importorskip("open_spiel.python.algorithms.evaluate_bots")
mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
dz = pytest.importorskip("dicezero.openspiel")

SMALL = {"go": "(board_size=5)", "chess": "(history=1)"}


def test_every_game_is_registered_and_none_of_openspiels_is_replaced():
    assert set(dz.GAMES) == {record.name for record in list_games() if record.source == "dicezero"}
    assert dz.GAMES["nannon"] == "nannon"
    assert dz.GAMES["chess"] == "dicezero_chess"
    assert pyspiel.load_game("chess").get_type().long_name == "Chess"
    listed = {record.name for record in list_games()}
    assert not any(name.startswith("dicezero_") for name in listed)


@pytest.mark.parametrize("name", dz.GAMES)
def test_openspiels_own_random_test(name: str):
    game = pyspiel.load_game(dz.GAMES[name] + SMALL.get(name, ""))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", dz.GAMES)
def test_registered_and_own_are_one_game(name: str):
    text = SMALL.get(name, "")
    theirs = pyspiel.load_game(dz.GAMES[name] + text).new_initial_state()
    ours = load_game(name + text).new_initial_state()
    observer = theirs.get_game().make_py_observer()
    rng = random.Random(3)
    for _ in range(60):
        assert ours.current_player() == theirs.current_player()
        if ours.is_terminal():
            break
        assert list(ours.legal_actions()) == theirs.legal_actions()
        if not ours.is_chance_node():
            observer.set_from(theirs, ours.current_player())
            seen = np.asarray(ours.observation_tensor(ours.current_player()))
            assert np.array_equal(
                observer.dict["observation"], seen.reshape(observer.dict["observation"].shape)
            )
        action = rng.choice(list(ours.legal_actions()))
        ours.apply_action(action)
        theirs.apply_action(action)
    assert list(ours.returns()) == theirs.returns()


def test_rewards_add_up_to_the_return_at_decisions_as_openspiel_counts_them():
    state = pyspiel.load_game("dicezero_2048(rows=3,columns=3)").new_initial_state()
    rng, total = random.Random(0), 0.0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
        else:
            total += state.rewards()[0]
            state.apply_action(rng.choice(state.legal_actions()))
    assert total + state.rewards()[0] == pytest.approx(state.returns()[0])
    assert state.returns()[0] > 0


def played(game, bots, seed: int) -> float:
    return evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(seed))[0]


def test_our_bot_beats_openspiels_random_bot_at_one_of_ours_and_at_one_of_openspiels():
    for name, agent in (
        ("dicezero_connect_four", "alphabeta(depth=4)"),
        ("breakthrough(rows=6,columns=4)", "uct"),
    ):
        game = pyspiel.load_game(name)
        bot = dz.make_bot(agent, game, seed=5)
        results = [
            played(game, [bot, pyspiel.make_uniform_random_bot(1, seed)], seed) for seed in range(4)
        ] + [-played(game, [pyspiel.make_uniform_random_bot(0, seed), bot], seed) for seed in range(4)]
        assert sum(results) >= 6, (name, results)


def test_openspiels_mcts_bot_against_ours():
    """Perfect play never loses at tic-tac-toe, whoever plays the other side; nannon takes both bots too."""
    game = pyspiel.load_game("dicezero_tic_tac_toe")
    rng = np.random.RandomState(1)
    theirs = mcts.MCTSBot(game, 2.0, 40, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    ours = dz.make_bot("optimal", game)
    for seed in range(2):
        assert played(game, [ours, theirs], seed) >= 0
        assert played(game, [theirs, ours], seed) <= 0
    dice = pyspiel.load_game("nannon")
    theirs = mcts.MCTSBot(dice, 2.0, 10, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    assert played(dice, [theirs, dz.make_bot("expectiminimax", dice)], 0) in (-1.0, 1.0)


def test_the_same_seed_plays_the_same_game():
    game = pyspiel.load_game("nannon")

    def line(seed: int) -> list[int]:
        state = game.new_initial_state()
        bots = [dz.make_bot("uct(simulations=20)", game, seed=seed + i) for i in (0, 1)]
        evaluate_bots.evaluate_bots(state, bots, np.random.RandomState(7))
        return state.history()

    assert line(1) == line(1)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="information=IMPERFECT_INFORMATION"):
        dz.make_bot("uct", pyspiel.load_game("kuhn_poker"))
    with pytest.raises(ValueError, match="did you mean uct"):
        dz.make_bot("uctt", pyspiel.load_game("nannon"))
    with pytest.raises(ValueError, match="use expectiminimax"):
        dz.make_bot("alphabeta", pyspiel.load_game("nannon")).step(_first_choice("nannon"))


def _first_choice(name: str):
    state = pyspiel.load_game(name).new_initial_state()
    state.apply_action(0)
    return state
