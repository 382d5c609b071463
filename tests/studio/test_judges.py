"""Who judges a move: the solution, then an engine, then a deeper search; and in what unit it is told."""

from __future__ import annotations

import shutil

import pytest

from dicezero.agents.errors import AgentError
from dicezero.rules import load_game
from dicezero.search.explicit import ExplicitGame
from dicezero.studio import judges
from dicezero.studio.grading import Grader
from dicezero.studio.judges import Judges
from dicezero.studio.scale import Scale
from dicezero.studio.solutions import Solutions

GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")


def test_a_solved_game_is_judged_by_its_solution_whatever_else_there_is():
    game = load_game("tic_tac_toe")
    grader = Grader(game, Solutions(), Judges(["uct(simulations=50)"]))
    assert (grader.truth, grader.judge) == ("solved", "perfect play")
    advice = grader.advise(game.new_initial_state())
    assert advice.win == 0.5
    assert [weight for _, weight in advice.favourites] == [1.0] * 4  # every first move draws


def test_an_agent_of_the_owner_judges_what_is_not_solved():
    game = load_game("connect_four")
    state = game.new_initial_state()
    for action in (3, 0, 3, 0, 3, 1):
        state.apply_action(action)
    grader = Grader(game, Solutions(), Judges(["alphabeta(depth=6)"]))
    assert (grader.truth, grader.judge) == ("engine", "alphabeta(depth=6)")
    assert grader.best(state) == 3
    grade = grader.grade(state, 6)
    assert (grade.best, grade.mark, grade.truth) == (3, "??", "engine")


@pytest.mark.parametrize("name", ["connect_four", "backgammon", "go(board_size=9)", "gardner_chess"])
def test_the_agent_that_ships_judges_where_no_program_is_installed(name, monkeypatch):
    monkeypatch.setattr(judges, "INSTALLED", judges.INSTALLED[1:])
    game = load_game(name)
    grader = Grader(game, Solutions(), Judges())
    assert (grader.truth, grader.judge) == ("engine", "the agent that ships with dicezero")
    state = game.new_initial_state()
    while not state.is_player_node():
        state.apply_action(state.legal_actions()[0])
    advice = grader.advise(state)
    assert len(advice.favourites) > 1  # others are compared too
    assert grader.grade(state, advice.action).lost == 0.0


def test_it_sees_further_than_random_play_outs():
    """The first player threatens a row on the ground: one answer holds it, the second row wins by force."""
    game = load_game("connect_four")
    state = game.new_initial_state()
    for action in (2, 6):
        state.apply_action(action)
    state.apply_action(3)  # two abreast with room on both sides
    grader = Grader(game, Solutions(), Judges())
    assert grader.best(state) in (1, 4)
    assert grader.grade(state, 6).mark == "??"


def test_who_says_no_values_is_no_judge():
    with pytest.raises(AgentError, match="says no values"):
        Judges(["gtp(command=gnugo)"])


def test_an_engine_that_fails_leaves_the_judging_to_the_search():
    game = load_game("connect_four")
    grader = Grader(game, Solutions(), Judges(["alphabeta(depth=2)"]))

    class Broken:
        name = "broken"

        def search(self, *_, **__):
            raise OSError("gone")

    grader._engine = Broken()
    assert 0.4 < grader.win(game.new_initial_state()) < 0.8
    assert grader.truth == "search"


@pytest.mark.skipif(GNUBG is None, reason="needs GNU Backgammon")
def test_gnubg_judges_backgammon_by_its_own_opening_moves():
    judges = Judges()
    game = load_game("backgammon")
    grader = Grader(game, Solutions(), judges)
    try:
        assert grader.judge == "GNU Backgammon (0-ply)"
        state = game.new_initial_state()
        roll = next(o for o, _ in state.chance_outcomes() if state.action_to_string(-1, o) == "roll 31")
        state.apply_action(roll)
        names = {state.action_to_string(0, action): action for action in state.legal_actions()}
        advice = grader.advise(state)
        assert advice.action == names["8/5 6/5"]
        # The published equity of the opening 31 is about +0.16 points; a share counts -3 to 3.
        assert -3 + 6 * advice.win == pytest.approx(0.16, abs=0.06)
        grade = grader.grade(state, names["24/23 13/10"])
        assert 0.1 < 6 * grade.lost < 0.25
    finally:
        judges.close()


@pytest.mark.skipif(STOCKFISH is None, reason="needs Stockfish")
def test_stockfish_judges_chess_where_it_was_given():
    judges = Judges([f"uci(command={STOCKFISH},nodes=2000)"])
    game = load_game("chess")
    grader = Grader(game, Solutions(), judges)
    try:
        state = game.new_initial_state()
        for move in ("e4", "e5", "Bc4", "Nc6", "Qh5"):
            state.apply_action(state.string_to_action(move))
        grade = grader.grade(state, state.string_to_action("Nf6"))  # overlooks the mate on f7
        assert (grade.mark, grade.truth) == ("??", "engine")
    finally:
        judges.close()


def test_go_of_many_moves_is_judged_by_a_few_of_them():
    game = load_game("go(board_size=9)")
    grader = Grader(game, Solutions(), None)
    moves = grader.moves(game.new_initial_state(), 0)
    assert 0 in moves
    assert len(moves) <= 5


def test_values_are_told_in_per_cent_of_a_win_or_in_points():
    wins = Scale.of(load_game("nannon"))
    assert (wins.points, wins.of_value(0.5), wins.difference(0.031)) == (False, "75.0 %", "3.1 % of a win")
    assert (wins.difference(6.26), wins.difference(-1.2, sign=True)) == ("6.3 wins", "\u22121.2 wins")
    points = Scale.of(load_game("backgammon"))
    assert (points.points, points.of_value(-0.5), points.difference(0.02)) == (
        True,
        "\u22120.50",
        "0.12 points",
    )
    tree = Scale.of(ExplicitGame.parse([[3, 12], [2, 4]]))
    assert (tree.low, tree.high, tree.of_share(tree.share(3.0))) == (-12.0, 12.0, "+3.00")
    assert Scale.of(load_game("2048")).points
