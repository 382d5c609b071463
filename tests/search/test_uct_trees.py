"""Several trees of one position: the sum of searches with seeds of their own, whatever the threads."""

import signal
import time
from collections import Counter

import pytest
from uct_positions import played, search

from dicezero.cli import main
from dicezero.search.explicit import ExplicitGame
from dicezero.search.random import row_seed
from dicezero.search.recording import Recording
from dicezero.search.reference_uct import ReferenceUct
from dicezero.search.uct import FlatConfig, UctConfig, UctSearcher, flat_monte_carlo, nmcts_search, uct_search

POSITIONS = [("tic_tac_toe", ()), ("nannon", (2,)), ("connect_four", (3, 3))]


def outcome(found):
    return (
        found.action,
        found.value,
        found.visits,
        found.action_values,
        found.nodes,
        found.principal_variation,
    )


@pytest.mark.parametrize(("name", "actions"), POSITIONS[:2])
def test_the_trees_are_the_plain_twins_searches_summed(name, actions):
    state = played(name, *actions)
    twins = [ReferenceUct(state, seed=seed) for seed in (5, row_seed(5, 1), row_seed(5, 2))]
    visits = Counter()
    for twin, simulations in zip(twins, (101, 100, 100), strict=True):
        visits.update(twin.run(simulations))
    found = search(state, 5, simulations=301, trees=3)
    assert found.visits == dict(visits)
    assert found.details["simulations"] == 301
    mean = sum(twin.root.wins for twin in twins) / 301
    assert found.value == pytest.approx(mean, abs=1e-9)
    assert found.action == max(visits, key=lambda action: (visits[action], found.action_values[action]))


@pytest.mark.parametrize(("name", "actions"), POSITIONS)
def test_threads_change_nothing(name, actions):
    state = played(name, *actions)
    one, two, many = (search(state, 3, simulations=3000, trees=4, threads=n) for n in (1, 2, 16))
    assert outcome(one) == outcome(two) == outcome(many)
    assert outcome(one) != outcome(search(state, 3, simulations=3000, trees=3))


def test_one_tree_is_the_default():
    state = played("connect_four")
    assert outcome(search(state, simulations=500)) == outcome(search(state, simulations=500, trees=1))


def test_every_tree_goes_on_from_where_it_was():
    state = played("tic_tac_toe")
    searcher = UctSearcher(state.get_game(), UctConfig(simulations=400, trees=2))
    found = searcher.search(state, seed=1)
    assert searcher.advance(found.action)
    state.apply_action(found.action)
    assert searcher.search(state, seed=2).details["reused"] == found.visits[found.action]


def test_games_and_play_outs_in_python():
    state = ExplicitGame.parse([[1.0, -1.0], [0.5, 0.25]]).new_initial_state()
    assert outcome(search(state, simulations=200, trees=2)) == outcome(
        search(state, simulations=200, trees=2, threads=1)
    )
    position = played("tic_tac_toe")

    def lowest(state, generator):  # noqa: ARG001 - the signature of a play-out
        return state.legal_actions()[0]

    config = UctConfig(simulations=40, trees=2)
    found = uct_search(position.get_game(), position, config, seed=1, playout=lowest)
    assert sum(found.visits.values()) == 40


def test_other_searches_have_trees_too():
    state = played("nannon", 2)
    game = state.get_game()
    inner = nmcts_search(game, state, UctConfig(simulations=300, trees=2), seed=1).details["inner_nodes"]
    assert inner > nmcts_search(game, state, UctConfig(simulations=150), seed=1).details["inner_nodes"]
    flat = flat_monte_carlo(game, state, seed=1, config=FlatConfig(simulations=90, trees=3, final="mean"))
    assert sum(flat.visits.values()) == 90


def test_time_is_shared_by_trees_that_share_a_thread():
    begin = time.perf_counter()
    found = search(played("connect_four"), seconds=0.2, trees=4, threads=1)
    assert found.stopped == "time"
    assert time.perf_counter() - begin < 0.6


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs signals")
def test_ctrl_c_stops_all_trees():
    def press(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, press)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        found = search(played("connect_four", 3), seconds=60.0, trees=3, threads=2)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert found.stopped == "interrupted"
    assert found.details["simulations"] > 0
    assert found.seconds < 20.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"trees": 0}, "trees=0"),
        ({"trees": 2, "simulations": 1}, "trees=2 must be at most simulations=1"),
        ({"trees": 2, "stop_decided": True}, "stop_decided watches the root of one tree"),
        ({"trees": 2, "tie_bound": 0.1}, "tie_bound watches the root of one tree"),
        ({"threads": 0}, "threads=0"),
    ],
)
def test_settings_that_make_no_sense(options, message):
    with pytest.raises(ValueError, match=message):
        UctConfig(**options)


def test_several_trees_are_not_one_to_show(capsys, tmp_path):
    state = played("tic_tac_toe")
    searcher = UctSearcher(state.get_game(), UctConfig(simulations=100, trees=2))
    with pytest.raises(ValueError, match="trees=2 grows several trees"):
        searcher.search(state, seed=1, record=Recording())
    words = ["search", "uct(simulations=100,trees=2)", "--game", "tic_tac_toe"]
    assert main([*words, "--tree", str(tmp_path / "tree.json")]) == 2
    assert "grows several trees" in capsys.readouterr().err
    assert main(words) == 0
