"""Lines of a game, an opponent that adapts, and games from files, without a browser."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from own_games import DICE

from dicezero.rules import GameError, load_game, load_object
from dicezero.rules.notation import NotationError
from dicezero.studio import adaptive, game_files
from dicezero.studio.catalog import Catalog
from dicezero.studio.hall import Hall
from dicezero.studio.lines import Lines, is_prefix, shared


@pytest.fixture
def hall():
    found = Hall(Catalog())
    yield found
    found.shutdown()


@given(st.lists(st.lists(st.integers(0, 1), max_size=5).map(tuple), min_size=1, max_size=8))
def test_no_line_is_lost_and_none_is_the_beginning_of_another(walks):
    lines = Lines()
    for walk in walks[:-1]:
        lines.leave(walk)
    found = lines.all(walks[-1])
    for walk in walks:
        assert any(is_prefix(walk, line) for line in found)
    for at, line in enumerate(found):
        assert not any(is_prefix(line, other) for other in found[:at] + found[at + 1 :])
    assert all(line in walks for line in found)


@given(st.lists(st.integers(0, 2), max_size=6).map(tuple), st.lists(st.integers(0, 2), max_size=6).map(tuple))
def test_what_two_lines_share(one, other):
    count = shared(one, other)
    assert one[:count] == other[:count]
    assert count in (len(one), len(other)) or one[count] != other[count]


def test_a_move_in_an_earlier_position_begins_a_line(hall):
    session = hall.open("connect_four", "beginner", seed=1)
    for action in (3, 3, 2):
        session.play(action)
        session.settle()
    first = session.table.actions
    session.go_to(first[:2])
    session.play(6)
    session.settle()
    lines = session.lines()
    assert [line.current for line in lines] == [False, True]
    assert (lines[0].actions, lines[1].fork, lines[1].text) == (first, 2, "x6")
    session.go_to(first)
    assert session.lines()[0].current
    story = session.story().result(60)
    assert session.win_of(first) == story.points[-1].win
    assert session.undo()
    assert len(session.lines()) == 2  # going back without another move is no line
    with pytest.raises(ValueError, match="ply 1 is illegal"):
        session.go_to((9,))


def test_stories_of_lines_agree_where_the_lines_do(hall):
    session = hall.open("tic_tac_toe", "beginner", seed=3)
    session.play(4)
    session.settle()
    one = session.story().result(60)
    session.go_to(())
    session.play(0)
    session.settle()
    other = session.story().result(60)
    assert one.points[0] == other.points[0]
    assert one.points[1] != other.points[1]
    assert other.judge == "perfect play"


@pytest.mark.parametrize(
    ("losses", "rung"),
    [([], 3), ([0.0] * 3, 6), ([0.0] * 9, 7), ([0.5] * 9, 0), ([0.04] * 9, 3), ([0.5, 0.0], 1)],
)
def test_the_ladder_is_climbed_by_what_moves_lose(losses, rung):
    assert adaptive.rung_after(losses, 8) == rung


def test_an_adaptive_opponent_takes_the_agent_of_its_rung(hall):
    session = hall.open("tic_tac_toe", "adaptive", seed=2)
    assert "level 4 of 8, searches 100 positions" in session.adaption()
    session.play(4)  # nothing lost
    session.settle()
    assert session.table.agent.name == "uct(simulations=300)"
    assert "level 5 of 8" in session.adaption()
    session.undo()
    session.settle()
    assert "level 4 of 8" in session.adaption()


def test_a_game_of_somebodys_own_is_saved_and_loaded_where_it_is_offered(tmp_path):
    (tmp_path / "race.py").write_text(DICE, encoding="utf-8")
    place = f"{tmp_path}/race.py:Race"
    catalog = Catalog(games={place: load_game(load_object(place))})
    hall = Hall(catalog)
    session = hall.open(place, "beginner", seed=1)
    session.settle()
    session.play(0)
    session.settle()
    assert game_files.endings(session) == (".json",)
    text = game_files.save(session, ".json", ("You", "Beginner"))
    loaded = game_files.load("game.json", text, catalog)
    assert (loaded.game, loaded.record.actions) == (place, session.table.actions)
    assert loaded.note == f"Loaded {len(session.table.actions)} moves and rolls."
    again = hall.open(loaded.game, "beginner", actions=loaded.record.actions)
    assert str(again.table.position()) == str(session.table.position())
    with pytest.raises(GameError, match="is not offered"):
        game_files.load("game.json", text, Catalog())
    with pytest.raises(NotationError, match="more than"):
        game_files.load("game.json", " " * 70_000, catalog)
    with pytest.raises(NotationError, match="no file of games"):
        game_files.load("game.exe", "x", catalog)
    hall.shutdown()


def test_a_position_of_a_file_is_where_the_game_begins(hall):
    text = "(;GM[1]SZ[5]KM[0.5]AB[aa][bb]PL[W];W[cc];B[dd])(;SZ[5];B[cc])"
    loaded = game_files.load("two.sgf", text, hall.catalog)
    assert "first of 2 games" in loaded.note
    record = loaded.record
    session = hall.open(loaded.game, "beginner", actions=record.actions, start=record.start)
    assert str(session.table.position()).count("X") == 3
    assert session.story().result(60).points[0].win >= 0.0
    (again,) = [game_files.load("one.sgf", game_files.save(session, ".sgf", ("a", "b")), hall.catalog)]
    assert again.record.actions == record.actions
    assert again.note == f"Loaded {len(record.actions)} moves."


def test_a_story_is_told_in_parts_and_judges_no_move_twice(hall, monkeypatch):
    session = hall.open("connect_four", "beginner", seed=1)
    grader = hall.grader(session.table.game)
    judged, judge = [], grader.grade

    def counted(state, action):
        judged.append(str(state))
        return judge(state, action)

    monkeypatch.setattr(grader, "grade", counted)
    for action in (3, 2):
        session.play(action)
        session.settle()
    while len(session.grades()) < 2:  # in the background
        time.sleep(0.01)
    count = len(session.table.actions)
    assert len(session.story(more=1).result(60).points) == 2
    assert len(session.story(more=2).result(60).points) == 4
    whole = session.story(more=100).result(60)
    assert len(whole.points) == count + 1
    assert len(judged) == len(set(judged)) == count  # the person's moves when they were made, then the others
    assert whole.points[1].grade == session.grade(0)
