"""Grades against the truth, and the story's arithmetic."""

from __future__ import annotations

import random
import threading

import pytest

from dicezero.evaluation.luck import luck_of
from dicezero.rules import load_game
from dicezero.solve import solve
from dicezero.studio import grading
from dicezero.studio.grading import Grader, mark_of
from dicezero.studio.solutions import Solutions
from dicezero.studio.story import make_story


def random_game(game, seed):
    lots, state, actions = random.Random(seed), game.new_initial_state(), []
    while not state.is_terminal():
        actions.append(lots.choice(list(state.legal_actions())))
        state.apply_action(actions[-1])
    return actions, state.returns()


def after(game, *actions):
    state = load_game(game).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def test_marks_begin_where_they_are_said_to():
    assert [mark_of(x) for x in (0.0, 0.0199, 0.02, 0.0499, 0.05, 0.0999, 0.10, 1.0)] == [
        "",
        "",
        "?!",
        "?!",
        "?",
        "?",
        "??",
        "??",
    ]


def test_a_solved_game_is_graded_exactly():
    game = load_game("nannon")
    solution, grader = solve(game), Grader(game)
    state = after("nannon", 2)  # roll 3: worth 0.645001
    values = solution.action_values(state)
    best, worst = max(values, key=values.__getitem__), min(values, key=values.__getitem__)
    good, bad = grader.grade(state, best), grader.grade(state, worst)
    assert good.truth == bad.truth == "solved"
    assert good.win == pytest.approx(0.645001, abs=1e-6)
    assert (good.lost, good.mark, good.best) == (0.0, "", best)
    assert bad.best == best
    assert bad.lost == pytest.approx((values[best] - values[worst]) / 2)
    assert bad.win == pytest.approx(good.win - bad.lost)
    assert grader.best(state) == best
    assert grader.win(game.new_initial_state()) == pytest.approx(0.515736870969)
    with pytest.raises(ValueError, match="illegal"):
        grader.grade(state, 5)


def test_tic_tac_toe_mistakes_have_their_marks():
    grader = Grader(load_game("tic_tac_toe"))
    state = after("tic_tac_toe", 0, 3, 8, 4)  # x must block at 5
    assert grader.grade(state, 5).lost == 0.0
    miss = grader.grade(state, 1)
    assert (miss.mark, miss.best) == ("??", 5)


def test_connect_four_is_graded_by_search_and_proofs():
    grader = Grader(load_game("connect_four"))
    assert grader.truth == "search"
    threat = after("connect_four", 3, 0, 3, 0, 3, 6)  # x wins at once in column 3
    assert grader.grade(threat, 3).win == 1.0
    missed = grader.grade(after("connect_four", 3, 0, 3, 0, 3), 6)  # o had to block column 3
    assert missed.win == 0.0
    assert missed.best == 3
    assert missed.mark == "??"
    assert grader.win(threat) == 1.0
    start = load_game("connect_four").new_initial_state()
    assert grader.grade(start, 3).lost < 0.05
    assert grader.win(start) == grader.win(start)
    assert 0.5 < grader.win(start) < 0.8


def test_dice_games_too_large_to_solve_are_searched():
    game = load_game("nannon(points=14,checkers=5)")
    grader = Grader(game)
    assert grader.truth == "search"
    assert 0.35 < grader.win(game.new_initial_state()) < 0.65
    state = game.new_initial_state()
    state.apply_action(2)
    grade = grader.grade(state, min(state.legal_actions()))
    assert 0.0 <= grade.lost <= 1.0


def test_a_board_that_chance_sets_up_is_judged_by_few_of_its_ways(monkeypatch):
    """EinStein begins with 6! * 6! setups: a search for each would never end."""
    game, searched = load_game("einstein_wurfelt_nicht"), []
    search = grading.uct_search
    monkeypatch.setattr(grading, "uct_search", lambda *a, **k: (searched.append(1), search(*a, **k))[1])
    win = Grader(game).win(game.new_initial_state())
    assert 100 <= len(searched) <= 300
    assert 0.3 < win < 0.7  # nobody has an advantage by the setup alone
    assert Grader(game).win(game.new_initial_state()) == win


@pytest.mark.parametrize("most", [1, 3, 7, 100])
def test_outcomes_that_stand_for_all_are_as_likely_as_all(most):
    rng = random.Random(most)
    weights = [rng.random() for _ in range(7)]
    outcomes = [(i, w / sum(weights)) for i, w in enumerate(weights)]
    found = grading._spread(outcomes, most)
    assert len(found) == min(most, 7)
    assert sum(p for _, p in found) == pytest.approx(1.0)
    if most >= 7:
        assert found == outcomes
    many = grading._spread([(i, 1.0 / 1000) for i in range(1000)], 100)
    assert all(abs(outcome - 10 * i - 5) <= 1 for i, (outcome, _) in enumerate(many))


def test_chess_is_graded_by_its_own_evaluation():
    """A queen that can be taken for nothing is a blunder, and taking it the best move."""
    game = load_game("chess")
    grader = Grader(game)
    hangs = game.new_initial_state("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    moves = {hangs.action_to_string(action): action for action in hangs.legal_actions()}
    assert grader.grade(hangs, moves["Qg4"]).mark == "??"
    assert grader.grade(hangs, moves["exd5"]).mark == ""
    hangs.apply_action(moves["Qg4"])
    assert hangs.action_to_string(grader.best(hangs)) == "Bxg4"


def test_a_python_game_is_graded_too():
    pytest.importorskip("pyspiel")
    game = load_game("pig(winscore=20)")
    grader = Grader(game)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    grade = grader.grade(state, state.legal_actions()[-1])
    assert 0.0 <= grade.win <= 1.0


@pytest.mark.parametrize("seed", range(8))
def test_luck_and_skill_add_up_to_the_result(seed):
    game = load_game("nannon")
    actions, returns = random_game(game, seed)
    story = make_story(game, actions, Grader(game))
    assert len(story.points) == len(actions) + 1
    first, last = story.points[0].win, story.points[-1].win
    assert first == pytest.approx(0.515736870969)
    assert last == (1 + returns[0]) / 2
    assert first + story.luck[0] - story.lost[0] + story.lost[1] == pytest.approx(last)
    assert story.luck[0] == pytest.approx(luck_of(solve(game), actions) / 2)
    assert story.luck[1] == -story.luck[0]
    assert min(story.lost) >= 0
    assert all((point.grade is None) or point.player in (0, 1) for point in story.points)


def test_a_known_story_is_continued_and_branches_are_judged_again():
    game, grader = load_game("nannon"), Grader(load_game("nannon"))
    actions, _ = random_game(game, 4)
    early = make_story(game, actions[:6], grader)
    assert make_story(game, actions, grader, earlier=early) == make_story(game, actions, grader)
    other, _ = random_game(game, 5)
    assert make_story(game, other, grader, earlier=early) == make_story(game, other, grader)
    assert make_story(game, actions[:3], grader, earlier=early) == make_story(game, actions[:3], grader)


def test_a_game_is_solved_once_for_all_threads(monkeypatch):
    calls = []

    def counted(game, **options):
        calls.append(str(game))
        return solve(game, **options)

    monkeypatch.setattr("dicezero.studio.solutions.solve", counted)
    solutions, found = Solutions(), []
    game = load_game("nannon(points=8,checkers=4)")
    threads = [threading.Thread(target=lambda: found.append(solutions.of(game))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1
    assert len({id(solution) for solution in found}) == 1
    assert found[0].first_player_win == pytest.approx(0.503690986, abs=1e-9)


def test_a_saved_solution_is_used_for_a_game_too_large_to_solve_here(tmp_path, monkeypatch):
    monkeypatch.setattr("dicezero.studio.solutions.MAX_STATES", 1000)
    game = load_game("nannon")
    assert not Solutions().likely(game)
    assert Solutions().of(game) is None
    solve(game).save(tmp_path / "nannon.solution")
    given = Solutions([tmp_path / "nannon.solution"])
    assert given.likely(game)
    assert Grader(game, given).truth == "solved"
