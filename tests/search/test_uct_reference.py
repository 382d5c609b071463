"""The fast UCT against Algorithm 1 in plain Python: same seed, same visits."""

import pytest

from dicezero.rules import load_game
from dicezero.search.reference_uct import ReferenceUct
from dicezero.search.uct import UctConfig, uct_search


def position(name, *actions):
    """The state after these actions, and after the last legal ones until a player is to move."""
    state = load_game(name).new_initial_state()
    for action in actions:
        state.apply_action(action)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[-1])
    return state


POSITIONS = [
    ("tic_tac_toe", ()),
    ("tic_tac_toe", (4, 0, 8)),
    ("nannon", (2,)),
    ("nannon(points=4,checkers=2,sides=3)", (0,)),
    ("nannon", (0, 2)),
]


@pytest.mark.parametrize("order", ["random", "id"])
@pytest.mark.parametrize(("name", "actions"), POSITIONS)
@pytest.mark.parametrize("seed", [1, 2])
def test_same_seed_same_visits(name, actions, order, seed):
    state = position(name, *actions)
    twin = ReferenceUct(state, seed=seed, random_order=order == "random")
    visits = twin.run(600)
    found = uct_search(state.get_game(), state, UctConfig(simulations=600, order=order), seed=seed)
    assert found.visits == visits
    assert found.value == pytest.approx(twin.root.wins / twin.root.visits, abs=1e-9)


def test_another_constant_is_another_search():
    state = position("tic_tac_toe")
    few = uct_search(state.get_game(), state, UctConfig(simulations=500, c=0.2), seed=1)
    assert few.visits == ReferenceUct(state, seed=1, c=0.2).run(500)
    assert few.visits != ReferenceUct(state, seed=1, c=1.4).run(500)
