"""The cube at a table: who may double, what an undo does, and a game in the terminal that is doubled."""

import io

import pytest

from dicezero import load_game
from dicezero.agents import make_agent
from dicezero.cli.play import Terminal
from dicezero.search.cube import Chances
from dicezero.studio.cube import MOST_CUBE, MoneyCube
from dicezero.studio.table import Table

GAME = "backgammon(start=hyper1)"


class Sure:
    """Plays the first move and expects to win that often, whoever rolls."""

    name = "sure"

    def __init__(self, win):
        self.win = win
        self._inner = make_agent("random", load_game(GAME))

    def search(self, state, *, seed):
        return self._inner.search(state, seed=seed)

    def chances(self, state):  # noqa: ARG002
        return Chances(self.win, 1.0, 1.0)


def before_a_roll():
    state = load_game(GAME).new_initial_state()
    state.apply_action(state.chance_outcomes()[0][0])
    state.apply_action(state.legal_actions()[0])
    return state


def test_the_cube_passes_to_who_takes_and_comes_back_with_an_undo():
    cube, state = MoneyCube(Sure(0.74)), before_a_roll()
    assert cube.may_double(load_game(GAME).new_initial_state(), ply=0) is None
    assert cube.may_double(state.child(state.chance_outcomes()[0][0]), ply=3) is None
    mover = cube.may_double(state, ply=2)
    assert mover == state.turn
    assert cube.decision(state).verdict == "double, take"
    cube.take(1 - mover, ply=2)
    assert (cube.value, cube.owner) == (2, 1 - mover)
    assert cube.may_double(state, ply=2) is None
    assert not cube.decision(state).may_double
    cube.back_to(2)
    assert cube.value == 2
    cube.back_to(1)
    assert (cube.value, cube.owner) == (1, None)
    while cube.value < MOST_CUBE:
        cube.take(mover, ply=9)
    assert cube.may_double(state, ply=9) is None


def test_who_knows_no_cube_is_refused():
    with pytest.raises(ValueError, match="random does not predict how a game may end"):
        MoneyCube(make_agent("random", load_game(GAME)))


def played(answers, *, win, monkeypatch, capsys, seed=5):
    """What a game in the terminal says; the person sits first."""
    agent = Sure(win)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(answers) + "\n"))
    table = Table(load_game(GAME), agent, seat=0, seed=seed)
    Terminal(table, cube=MoneyCube(agent)).play()
    return capsys.readouterr().out


def test_a_game_in_the_terminal_is_doubled_taken_and_passed(monkeypatch, capsys):
    passes = played(["1", "1", "double"], win=0.95, monkeypatch=monkeypatch, capsys=capsys)
    assert "sure doubles to 2: take or pass" in passes
    assert "answer take or pass" in passes  # to the 1
    told = played(["1", "pass"], win=0.95, monkeypatch=monkeypatch, capsys=capsys)
    assert "You lose: -1." in told
    # Who takes owns the cube; a double of one's own is then answered by the agent.
    told = played(["1", "take", "double"], win=0.95, monkeypatch=monkeypatch, capsys=capsys)
    assert "the cube is 2: roll or double" in told
    assert "you double to 4: sure passes" in told
    assert "You win: +2." in told
    told = played(["1", "", "1"] + ["", "1"] * 40, win=0.5, monkeypatch=monkeypatch, capsys=capsys)
    assert "the cube is 1: roll or double" in told
    assert "doubles to" not in told
    assert "Bye." in played(["1", "quit"], win=0.95, monkeypatch=monkeypatch, capsys=capsys)
