"""A game for money told with its cube: lines, grades, points, and the file it is saved in."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from made_run import make_run
from test_cube_table import GAME, Sure

from dicezero import load_game
from dicezero.evaluation.cube_review import CubeTurn
from dicezero.rules.notation import Double, NotationError
from dicezero.studio import game_files
from dicezero.studio.catalog import Catalog
from dicezero.studio.cube import CubeJudge
from dicezero.studio.doubling import Doubling
from dicezero.studio.grading import Grade
from dicezero.studio.hall import Hall
from dicezero.studio.lines import script_of, view_lines
from dicezero.studio.page.cube_words import (
    cube_account_line,
    cube_notes,
    cube_rows,
    cube_signs,
    cube_verdict,
    last_turn,
)
from dicezero.studio.page.win_chart import win_options
from dicezero.studio.page.words import summary_line
from dicezero.studio.pool import Pool
from dicezero.studio.scale import Scale
from dicezero.studio.session import Session
from dicezero.studio.story import Point, Story, with_cube
from dicezero.studio.table import Table


def seated(win, *, seat=0, seed=5):
    """A money game against an agent that doubles by ``win``; played up to the first question."""
    agent = Sure(win)
    table = Table(load_game(GAME), agent, seat=seat, seed=seed)
    hall = SimpleNamespace(
        grading=Pool("grading", workers=1, waiting=0), grader=lambda _: SimpleNamespace(grade=None)
    )
    session = Session("id", GAME, "sure", "sure", table, hall)
    session.doubling = Doubling(table, agent, CubeJudge(agent))
    go_on(session)
    return session


def go_on(session):
    """Plays the first moves until something is asked or the game is over."""
    while True:
        session.settle()
        if session.doubling.asked is not None or session.returns is not None:
            return
        session.play(next(iter(session.table.legal())))


def until(session, answers):
    """On to the question with these answers; rolls on at others."""
    while session.doubling.asked.answers != answers:
        session.answer("roll")
        go_on(session)
    return len(session.table.actions)


def test_an_undo_goes_back_to_the_double_and_the_line_keeps_it():
    session = seated(0.74)
    ply = until(session, ("take", "drop"))
    session.answer("take")
    go_on(session)
    taken = session.script
    assert session.doubles == (Double(ply, True),)
    while len(session.table.actions) > ply:  # moves first, then the double itself
        assert session.undo()
    assert (session.doubling.value, session.doubles) == (1, ())
    go_on(session)
    assert session.doubling.asked.answers == ("take", "drop")
    session.answer("drop")
    assert session.returns == (-1.0, 1.0)
    first, second = session.lines()
    assert (first.doubles, second.doubles) == ((Double(ply, True),), (Double(ply, False),))
    assert (second.text, second.returns, second.current) == ("double, drop", (-1.0, 1.0), True)
    session.go_to(first.actions, first.doubles)  # the other line again, with its cube
    assert (session.script, session.doubling.value, session.doubling.owner) == (taken, 2, 0)
    assert session.doubling.at(ply).value == 1  # as it lay before it was offered
    assert session.doubling.at(ply + 1).value == 2
    session.go_to(second.actions, second.doubles)
    assert session.undo()
    go_on(session)
    assert session.doubling.asked.answers == ("take", "drop")  # not the move before


def test_a_line_that_did_not_double_says_so():
    start = load_game(GAME).new_initial_state()
    state, actions = start.clone(), []
    while len(actions) < 6:
        actions.append(state.legal_actions()[0])
        state.apply_action(actions[-1])
    place = 4
    assert place < len(actions)
    with_double = script_of(actions, [Double(place, True)])
    plain = script_of(actions, [])
    assert with_double[place] == Double(place, True)
    lines = view_lines((with_double, plain), plain, start)
    assert (lines[1].text, lines[1].fork, lines[1].current) == ("no double", place, True)


def told(session, judge):
    """The story of the line on the board with every move worth half, and the cube judged by ``judge``."""
    actions = session.table.actions
    state, points = session.table.begin(), [Point(0, "", None, None, 0.5)]
    for ply, action in enumerate(actions, 1):
        player = state.current_player()
        grade = Grade(0.01, action, 0.5, "", "search") if player >= 0 else None
        luck = 0.05 if player < 0 else 0.0
        points.append(Point(ply, str(action), player, action, 0.5, grade, luck))
        state.apply_action(action)
    scale = Scale(-3.0, 3.0, points=True)
    plain = Story(tuple(points), (0.0, 0.0), (0.0, 0.0), "search", "half", scale)
    return with_cube(plain, session.table.begin(), session.doubles, CubeJudge(Sure(judge)))


def test_the_story_counts_as_often_as_the_cube_shows():
    session = seated(0.74)
    ply = until(session, ("take", "drop"))
    session.answer("take")
    go_on(session)
    story = told(session, 0.74)
    assert [point.stake for point in story.points] == [1] * (ply + 1) + [2] * (len(story.points) - ply - 1)
    moves = [point for point in story.points if point.grade]
    for player in (0, 1):
        given = sum(point.stake * 0.01 for point in moves if point.player == player)
        assert story.lost[player] == pytest.approx(given)
    assert story.luck[0] == pytest.approx(sum(0.05 * p.stake for p in story.points if p.player == -1))
    (answer,) = [turn for turn in story.cube if turn.played == "take"]
    assert (answer.place, answer.player, answer.loss) == (ply, 0, 0.0)
    assert cube_verdict(story, answer).title == "Good take"
    assert last_turn(story, 0, before=ply + 1) == answer
    assert last_turn(story, 0, before=ply) is None
    assert cube_notes(story) == {ply: "doubled to 2, taken"}
    # By one who thinks that doubler is sure to win, the take has cost the cube that it was.
    hard = told(session, 1.0)
    (answer,) = [turn for turn in hard.cube if turn.played == "take"]
    assert answer.loss == pytest.approx(1.0)
    found = cube_verdict(hard, answer)
    assert found.title == "Blunder ??"
    assert "1.00 points lost against sure; dropping was better." in found.sentence
    assert cube_signs(hard, 0)[ply] == "??"
    assert "??" in "".join(cube_rows(session, hard)[ply])
    assert "doubles to 2" in "".join(cube_rows(session, None)[ply])
    chart = win_options(hard, 0)
    assert chart["yAxis"]["max"] == 6.0  # twice three points
    assert chart["series"][1]["data"][ply]["label"]["formatter"] == "??"
    assert "gave away" in cube_account_line(hard, 0, "Sure")
    assert hard.cube_lost[0] >= 1.0 / 6.0
    assert summary_line(hard, 0, (-2.0, 2.0)).startswith(("You were outplayed", "The dice were against you"))


def test_a_double_that_is_dropped_ends_the_curve():
    session = seated(0.95, seat=1)
    until_mine = ("roll", "double")
    while session.doubling.asked.answers != until_mine:
        session.answer("take")
        go_on(session)
    stake = session.doubling.value
    assert session.answer("double") == "drops"
    story = told(session, 0.95)
    assert story.dropped == -stake
    chart = win_options(story, 1)
    assert (chart["xAxis"]["data"][-1], chart["series"][1]["data"][-1]["value"]) == ("end", stake)
    assert "drops" in "".join(cube_rows(session, story)[len(session.table.actions)])


def test_a_missed_double_is_marked_and_a_right_roll_is_not():
    points = (Point(0, "", None, None, 0.5),)
    missed = CubeTurn(0, 0, "no double", "double", 0.7, 1.0)
    right = CubeTurn(0, 0, "no double", "no double", 0.0, 0.1)
    make = lambda *turns: Story(  # noqa: E731
        points,
        (0.0, 0.0),
        (0.0, 0.0),
        "search",
        "half",
        Scale(-3.0, 3.0, points=True),
        cube=turns,
        cube_judge="gnubg",
    )
    assert last_turn(make(right), 0, before=1) is None
    assert last_turn(make(missed, right), 0, before=1) == missed
    assert cube_verdict(make(missed), missed).sentence == (
        "0.70 points lost against gnubg; doubling was better."
    )
    session = SimpleNamespace(doubling=1, doubles=(), table=None)
    assert "no double<b" in "".join(cube_rows(session, make(missed))[0])
    assert cube_rows(session, make(right)) == {}


@pytest.fixture
def hall():
    found = Hall(Catalog([]))
    yield found
    found.shutdown()


def test_doubles_are_saved_and_loaded(hall):
    session = hall.open("backgammon", "beginner", seed=4, cube=True)
    go_on(session)
    text = game_files.save(session, ".json", ("You", "Beginner"))
    assert '"doubles": []' in text  # a cube that nobody has turned is a cube
    assert game_files.load("game.json", text, hall.catalog).record.cube
    while not session.doubles:
        mine = session.doubling.asked.answers == ("roll", "double")
        session.answer("double" if mine else "take")
        go_on(session)
    for suffix in (".mat", ".json"):
        text = game_files.save(session, suffix, ("You", "Beginner"))
        record = game_files.load(f"game{suffix}", text, hall.catalog).record
        assert (record.actions, record.doubles) == (session.table.actions, session.doubles)
        again = hall.open(
            "backgammon", "beginner", seed=4, actions=record.actions, doubles=record.doubles, cube=True
        )
        assert (again.doubling.value, again.doubling.owner) == (
            session.doubling.value,
            session.doubling.owner,
        )
        assert again.script == session.script
    wrong = text.replace(f"[{session.doubles[0].place}, true]", f"[{session.doubles[0].place + 1}, true]")
    with pytest.raises(NotationError, match="nobody may double before action"):
        game_files.load("game.json", wrong, hall.catalog)
    nannon = game_files.save(hall.open("nannon", "beginner", seed=1), ".json", ("a", "b"))
    assert "doubles" not in nannon
    with pytest.raises(NotationError, match=r"nannon.* is not played with a doubling cube"):
        game_files.load("n.json", nannon.replace('"moves"', '"doubles": [], "moves"'), hall.catalog)


def test_the_cube_is_graded_in_the_hall(hall):
    session = hall.open("backgammon", "beginner", seed=4, cube=True)
    go_on(session)
    while session.doubling.asked.answers != ("roll", "double"):
        session.answer("take")
        go_on(session)
    session.answer("double")
    story = session.story().result(120)
    assert story.doubles == session.doubles
    assert {turn.played for turn in story.cube} >= {"double"}
    assert story.cube_judge == session.doubling.judge.name
    assert session.win_of(session.table.actions) == story.points[-1].win


def test_a_judge_that_fails_is_followed_by_the_next():
    class Broken(Sure):
        name = "broken"

        def chances(self, state):  # noqa: ARG002
            raise RuntimeError("gone")

    judge = CubeJudge(Broken(0.5), Sure(0.7))
    state = load_game(GAME).new_initial_state()
    assert judge.name == "broken"
    assert judge.chances(state).win == 0.7
    assert judge.name == "sure"
    with pytest.raises(ValueError, match="knows no cube"):
        CubeJudge(SimpleNamespace(name="mute", search=None))


def test_a_run_that_searches_is_helped_with_the_cube(tmp_path):
    """It plays, and says nothing of how a game may end: the shipped network decides for it."""
    make_run(tmp_path / "run", rounds=1, game="backgammon", preset="gumbel-ndmz")
    hall = Hall(Catalog([tmp_path]))
    try:
        (run,) = hall.catalog.runs()
        session = hall.open("backgammon", run.id, seed=4, simulations=2, cube=True)
        go_on(session)
        assert session.doubling.asked is not None
    finally:
        hall.shutdown()
