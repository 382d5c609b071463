"""The textbook's chess positions: figure 6.8 (an evaluation by features) and 6.9 (the horizon effect)."""

from __future__ import annotations

import pytest

from dicezero.rules import load_game
from dicezero.search.minimax import MinimaxConfig, minimax_search


def search(fen: str, **settings: object):
    game = load_game("chess")
    state = game.new_initial_state(fen)
    return state, minimax_search(game, state, MinimaxConfig(**settings))


def test_a_rook_that_takes_the_queen_turns_the_evaluation() -> None:
    """Two positions of one material that differ by a rook's square, as in the textbook's figure 6.8.

    Black is a knight and two pawns ahead in the first; in the second its queen stands in the rook's way.
    """
    safe = "r5k1/pp3ppp/2n5/3q4/8/5PPP/4Q1K1/7R w - - 0 1"
    hanging = "r5k1/pp3ppp/2n5/3q4/8/5PPP/4Q1K1/3R4 w - - 0 1"
    (_, behind), (state, ahead) = (search(fen, depth=1, quiescence=8) for fen in (safe, hanging))
    assert behind.value < -0.3
    assert ahead.value > 0.3
    assert state.action_to_string(ahead.action) == "Rxd5"


HORIZON = "8/6k1/4p3/6pp/5p2/1P6/b1P3K1/R7 b - - 0 1"  # the bishop on a2 cannot be saved


@pytest.mark.parametrize("depth", [2, 4])
def test_the_horizon_effect_and_the_singular_extension_that_mends_it(depth: int) -> None:
    """As in the textbook's figure 6.9: a check with a pawn pushes the loss of a bishop past the horizon."""
    state, blind = search(HORIZON, depth=depth, quiescence=8)
    check = state.string_to_action("f3+")
    assert blind.action == check
    _, truth = search(HORIZON, depth=8, quiescence=8, exact_root=True)
    _, seeing = search(HORIZON, depth=depth, quiescence=8, singular_margin=0.1)
    assert seeing.action == truth.action == state.string_to_action("Bxb3")
    # What was believed of the check is worth a pawn more than the truth at least.
    assert blind.value > truth.action_values[check] + 0.1
    assert truth.action_values[check] < truth.value
    assert abs(seeing.value - truth.value) < 0.1
