"""One game at a table: whose turn it is, the same dice for the same seed, undo and retry."""

from __future__ import annotations

import pytest

from dicezero.agents import make_agent
from dicezero.rules import load_game
from dicezero.studio.table import MAX_PLIES, Table


def table(game="nannon", agent="random", **options):
    loaded = load_game(game)
    return Table(loaded, make_agent(agent, loaded), **{"seat": 0, "seed": 3, **options})


def play_out(seated):
    """The person plays the first legal move; returns all that happened."""
    events = []
    while not seated.over:
        event = seated.advance()
        events.append(event if event is not None else seated.play(min(seated.legal())))
    return events


@pytest.mark.parametrize("game", ["nannon", "tic_tac_toe", "connect_four"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_whole_game_is_its_actions(game, seat):
    seated = table(game, "uct(simulations=20)", seat=seat)
    events = play_out(seated)
    assert tuple(event.action for event in events) == seated.actions
    assert seated.returns is not None
    assert sum(seated.returns) == 0
    assert seated.advance() is None
    assert seated.legal() == {}
    again = table(game, "uct(simulations=20)", seat=seat)
    assert play_out(again) != []
    assert again.actions == seated.actions, "the same seed and the same moves are the same game"
    state = seated.game.new_initial_state()
    for event in events:
        assert event.player == state.current_player()
        assert (event.kind == "roll") == state.is_chance_node()
        if event.kind != "roll":
            assert (event.kind == "forced") == (len(state.legal_actions()) == 1)
        state.apply_action(event.action)


def test_undo_goes_back_to_the_last_real_decision_and_the_dice_stay():
    seated = table(seed=11)
    play_out(seated)
    whole = seated.actions
    plies = []
    while seated.undo():
        plies.append(len(seated.actions))
        state = seated.position()
        assert state.current_player() == 0
        assert len(state.legal_actions()) > 1
        assert seated.actions == whole[: plies[-1]]
    assert plies == sorted(plies, reverse=True)
    assert len(plies) > 2
    assert not seated.undo()
    play_out(seated)
    assert seated.actions == whole
    seated.retry()
    assert seated.actions == ()
    play_out(seated)
    assert seated.actions == whole


def test_moves_out_of_turn_illegal_moves_and_wrong_seats_are_refused():
    seated = table()
    with pytest.raises(ValueError, match="not your turn"):
        seated.play(0)
    seated.advance()
    with pytest.raises(ValueError, match="action 6 is illegal; legal: "):
        seated.play(6)
    assert len(seated.actions) == 1
    play_out(seated)
    with pytest.raises(ValueError, match="the game is over"):
        seated.play(0)
    with pytest.raises(ValueError, match="seat=2 must be 0 or 1"):
        table(seat=2)
    with pytest.raises(ValueError, match="ply="):
        seated.position(len(seated.actions) + 1)
    with pytest.raises(ValueError, match="not your turn"):
        seated.hint()


def test_a_hint_is_what_the_agent_would_play():
    seated = table("tic_tac_toe", "optimal", seat=0)
    seated.actions = (0, 3, 8, 4)  # o threatens to take 5
    assert seated.hint().action == 5


def test_a_game_that_never_ends_is_stopped():
    seated = table("nannon")
    seated.advance()
    seated.actions = seated.actions * (MAX_PLIES + 1)
    with pytest.raises(ValueError, match="plies"):
        seated._check_length()
