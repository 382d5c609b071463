"""OpenSpiel's games here, and Nannon in OpenSpiel."""

import random

import numpy as np
import pytest
from plain_nannon import PlainNannon

from dicezero import _native, check_game, load_game, perft
from dicezero.rules import GameError, list_games, register_with_pyspiel

pyspiel = pytest.importorskip("pyspiel")


@pytest.fixture(autouse=True)
def _registered():
    register_with_pyspiel()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "kuhn_poker",
            "information=IMPERFECT_INFORMATION; choose a game with information=PERFECT_INFORMATION",
        ),
        ("goofspiel", "dynamics=SIMULTANEOUS"),
        ("mfg_crowd_modelling", "dynamics=MEAN_FIELD"),
        ("stones_and_gems", "chance_mode=SAMPLED_STOCHASTIC"),
        ("pig(players=3)", "players=3; choose a game with players=1 or 2"),
        ("misere(game=kuhn_poker())", "information=IMPERFECT_INFORMATION"),
        ("pig(winscore=0)", r"winscore=0 is out of range; give 1\.\.1000000"),
        ("y(board_size=1000)", r"board_size=1000 is out of range; give 1\.\.26"),
        ("pig(piglet=maybe)", "piglet='maybe' is not true or false"),
        ("go(komi=nan)", "komi='nan' is no number"),
        ("pig(wincore=3)", "unknown parameter 'wincore'; did you mean winscore"),
        ("misere", "game is missing; write misere"),
        ("start_at(game=tic_tac_toe(),history=99)", "start_at is not offered"),
        ("misere(game=bargaining(instances_file=/dev/zero))", "instances_file names a file"),
        ("zerosum(game=crossword(puzzles_root=/etc))", "puzzles_root names a file"),
        ("nim(pile_sizes=a)", "OpenSpiel cannot make nim"),
        ("bakgammon", "did you mean backgammon"),
    ],
)
def test_what_does_not_fit_is_refused_by_trait_or_parameter(name, message):
    with pytest.raises(GameError, match=message):
        load_game(name)


def test_objects_of_openspiels_are_held_to_the_same_traits():
    assert load_game(pyspiel.load_game("pig")).num_players() == 2
    with pytest.raises(GameError, match="IMPERFECT_INFORMATION"):
        load_game(pyspiel.load_game("leduc_poker"))


def test_every_listed_game_loads():
    names = [record.name for record in list_games() if record.source == "openspiel"]
    assert {"pig", "breakthrough", "amazons", "checkers"} <= set(names)
    for name in names:
        assert load_game(name).num_players() in (1, 2)


@pytest.mark.parametrize(
    "name",
    ["pig(winscore=15)", "morpion_solitaire", "breakthrough(rows=4,columns=3)", "misere(game=nannon())"],
)
def test_openspiels_games_follow_the_protocol(name):
    report = check_game(name, games=3)
    assert report.passed, str(report)


def test_the_native_core_plays_openspiels_states():
    """Perft and play-outs run on a foreign state by the same code as on ours."""
    for name in ("tic_tac_toe", "connect_four", "nannon"):
        assert _native.perft(pyspiel.load_game(name), 4) == perft(name, 4)
    moves, _ = _native.random_playouts(pyspiel.load_game("pig(winscore=10)"), 5, seed=1)
    assert moves > 5


@pytest.mark.parametrize(
    "name",
    [
        "nannon",
        "nannon(points=6,checkers=3,sides=6)",
        "nannon(points=12,checkers=5,sides=6)",
        "nannon(points=2,checkers=1,sides=2)",
        "nannon(points=20,checkers=8,sides=10)",
    ],
)
def test_nannon_passes_openspiels_own_test(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=5, serialize=True, verbose=False)


def test_registering_twice_changes_nothing():
    register_with_pyspiel()
    assert pyspiel.registered_names().count("nannon") == 1
    with pytest.raises(Exception, match="points=1 is out of range"):
        pyspiel.load_game("nannon(points=1)")


def test_registered_and_native_nannon_are_one_game():
    rng = random.Random(0)
    theirs = pyspiel.load_game("nannon(points=8,checkers=4)").new_initial_state()
    ours = load_game("nannon(points=8,checkers=4)").new_initial_state()
    while not ours.is_terminal():
        assert str(ours) == str(theirs)
        assert ours.current_player() == theirs.current_player()
        assert ours.legal_actions() == theirs.legal_actions()
        assert ours.chance_outcomes() == (theirs.chance_outcomes() if theirs.is_chance_node() else [])
        for player in (0, 1):
            assert ours.observation_tensor(player).tolist() == theirs.observation_tensor(player)
        action = rng.choice(ours.legal_actions())
        assert ours.action_to_string(action) == theirs.action_to_string(action)
        ours.apply_action(action)
        theirs.apply_action(action)
    assert theirs.is_terminal()
    assert ours.returns() == theirs.returns()


def plain_values(size):
    """Value iteration over the plain rules: what player 0 gets, by position."""
    states, stack = {}, [PlainNannon(*size)]
    while stack:
        state = stack.pop()
        if position(state) not in states:
            states[position(state)] = keys = []
            for action in state.actions():
                child = state.copy()
                child.apply(action)
                keys.append(position(child))
                stack.append(child)
    values = dict.fromkeys(states, 0.0)
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for key, keys in states.items():
            new = backup(key, [values[k] for k in keys])
            change, values[key] = max(change, abs(new - values[key])), new
    return values


def position(state):
    weights = tuple(float(p) for _, p in state.outcomes()) if state.player() == -1 else ()
    places = tuple(map(tuple, state.places))
    return (places, state.turn, state.roll, state.opening, state.player(), state.winner(), weights)


def backup(key, below):
    *_, player, winner, weights = key
    if winner is not None:
        return 1.0 if winner == 0 else -1.0
    if player == -1:
        return sum(w * v for w, v in zip(weights, below, strict=True))
    return max(below) if player == 0 else min(below)


def test_nannon_runs_in_openspiels_value_iteration(value_iteration):
    game = pyspiel.load_game("nannon(points=3,checkers=2,sides=3)")
    values = value_iteration(game, depth_limit=-1, threshold=1e-11, cyclic_game=True)
    root = game.new_initial_state()
    value = sum(p * values[str(root.child(a))] for a, p in root.chance_outcomes())
    start = PlainNannon(3, 2, 3)
    assert value == pytest.approx(plain_values((3, 2, 3))[position(start)], abs=1e-9)


def test_nannon_runs_in_openspiels_search():
    """Its Python search: its C++ MCTSBot crashes on games registered from Python, its own as well."""
    from open_spiel.python.algorithms import mcts, minimax

    game = pyspiel.load_game("nannon")
    state = game.new_initial_state()
    state.apply_action(2)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 1.4, 50, evaluator, random_state=np.random.RandomState(1))
    assert bot.step(state) in state.legal_actions()
    value, action = minimax.expectiminimax(state, 1, lambda _: 0.0, 0)
    assert value == 0.0
    assert action in state.legal_actions()
