"""Positions and searches in one line, for the tests of Monte Carlo tree search."""

from dicezero.rules import load_game
from dicezero.search.uct import UctConfig, uct_search


def played(name, *actions):
    state = load_game(name).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def search(state, seed=1, **options):
    return uct_search(state.get_game(), state, UctConfig(**options), seed=seed)
