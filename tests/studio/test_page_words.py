"""Sentences and charts of the page."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dicezero.rules import load_game
from dicezero.studio.grading import Advice, Grade, Grader
from dicezero.studio.page.curves import CHARTS, RunLines, chart_options
from dicezero.studio.page.win_chart import win_options
from dicezero.studio.page.words import (
    advice_line,
    luck_line,
    percent,
    result_line,
    skill_line,
    summary_line,
    verdict,
)
from dicezero.studio.scale import Scale
from dicezero.studio.story import Point, Story, make_story


def grade(lost, mark, truth="solved"):
    return Grade(lost, 3, 0.5, mark, truth)


def test_verdicts_name_what_was_lost_and_what_was_better():
    assert verdict(grade(0.0, ""), best="1/4").title == "Best move"
    slight = verdict(grade(0.012, ""), best="1/4")
    assert (slight.title, slight.tone) == ("Good move", "good")
    assert slight.sentence == "1.2 % of a win lost against perfect play; 1/4 was better."
    titles = [
        verdict(grade(0.2, mark, "search"), best="x", judge="a deeper search") for mark in ("?!", "?", "??")
    ]
    assert [t.title for t in titles] == ["Inaccuracy ?!", "Mistake ?", "Blunder ??"]
    assert [t.tone for t in titles] == ["fair", "bad", "awful"]
    assert "a deeper search" in titles[0].sentence


def test_hints_say_what_is_as_good_and_what_comes_close():
    names = {0: "a", 1: "b", 2: "c"}
    wins = {0: 0.5, 1: 0.5, 2: 0.48}
    advice = Advice(0, 0.5, ((0, 1.0), (1, 1.0), (2, 0.9)), "perfect play", wins)
    assert advice_line(advice, names, Scale()) == (
        "a: 50.0\u00a0% chance of winning, says perfect play. As good: b. Close: c (48.0\u00a0%)."
    )
    lots = Advice(1, 0.0, ((0, 0.5), (1, 0.5)), "random")
    assert advice_line(lots, names, Scale(), adviser="Beginner") == "Beginner would play b."


def test_an_empty_chart_has_the_unit_of_its_game():
    assert win_options(None, 0, scale=Scale())["yAxis"]["max"] == 100
    assert win_options(None, 0, scale=Scale(-3.0, 3.0, points=True))["yAxis"]["max"] == 3.0


def test_percents_are_typeset():
    assert percent(0.031) == "3.1 %"
    assert percent(-0.5, sign=True) == "\u221250.0 %"


def story(lost, luck, player=-1):
    return Story(
        (SimpleNamespace(player=player, grade=None),), lost, (luck, -luck), "solved", "perfect play", Scale()
    )


@pytest.mark.parametrize(
    ("lost", "luck", "mine", "words"),
    [
        ((0.1, 0.4), 0.2, 1, "You won by playing better."),
        ((0.4, 0.1), 0.8, 1, "You were lucky."),
        ((0.1, 0.2), 0.5, 1, "You were lucky, and you played better too."),
        ((0.5, 0.0), 0.1, -1, "You were outplayed."),
        ((0.0, 0.2), -0.7, -1, "The dice were against you."),
        ((0.1, 0.1), 0.0, 0, "Nobody got ahead."),
    ],
)
def test_what_decided(lost, luck, mine, words):
    assert summary_line(story(lost, luck), 0, (mine, -mine)) == words
    flipped = Story(story(lost, luck).points, lost[::-1], (-luck, luck), "solved", "perfect play", Scale())
    assert summary_line(flipped, 1, (-mine, mine)) == words


@pytest.mark.parametrize(
    ("lost", "mine", "words"),
    [
        ((0.4, 0.1), 1, "You won from the first move on."),
        ((0.1, 0.4), 1, "You won by playing better."),
        ((0.1, 0.4), -1, "The first move decided."),
        ((0.4, 0.1), -1, "You were outplayed."),
    ],
)
def test_without_dice_nobody_is_lucky(lost, mine, words):
    assert summary_line(story(lost, 0.0, player=0), 0, (mine, -mine)) == words


def test_luck_and_result_for_either_seat():
    assert result_line((1.0, -1.0), 0) == "You won."
    assert result_line((1.0, -1.0), 1) == "You lost."
    assert result_line((0.0, 0.0), 1) == "A draw."
    assert result_line((3.0, -3.0), 1) == "You lost 3 points."
    assert [result_line((512.0,), seat) for seat in (0, 1)] == ["You got 512.", "It got 512."]
    assert "for you: worth 25.0 %" in luck_line(story((0, 0), 0.25), 0)
    assert "for your opponent: worth 25.0 %" in luck_line(story((0, 0), 0.25), 1)
    assert "no dice" in luck_line(story((0, 0), 0.0, player=0), 0)


def test_the_line_of_a_real_game_is_for_the_person_and_carries_its_marks():
    game = load_game("tic_tac_toe")
    told = make_story(game, [4, 1, 0, 8, 5, 3, 2, 6, 7], Grader(game))  # o's 1 loses
    for seat in (0, 1):
        options = win_options(told, seat, shown=2)
        column, line = options["series"]
        assert len(column["data"]) == len(line["data"]) == 10
        wins = [dot["value"] / 100 for dot in line["data"]]
        assert wins == pytest.approx([p.win if seat == 0 else 1 - p.win for p in told.points], abs=1e-4)
        assert {"xAxis": "2"}.items() <= line["markLine"]["data"][-1].items()
    marked = [i for i, dot in enumerate(win_options(told, 1)["series"][1]["data"]) if "label" in dot]
    assert marked[0] == 2
    assert "gave away" in skill_line(told, 1, "it")


def test_texts_of_a_game_cannot_leave_the_tooltip():
    story = Story((Point(0, '"</script><b>', 0, None, 0.5),), (0, 0), (0, 0), "search", "", Scale())
    formatter = win_options(story, 0)["tooltip"][":formatter"]
    assert "<" not in formatter
    assert '"&quot;' in formatter


LINES = [
    {
        "round": 1,
        "seconds": 60.0,
        "vs_optimal": 0.3,
        "loss_total": 2.0,
        "games": 100,
        "seconds_selfplay": 2.0,
    },
    {"round": 2, "seconds": 90.0, "loss_total": None, "games": 100, "seconds_selfplay": 0.0},
    {"round": 3, "seconds": 120.0, "vs_optimal": 0.4, "perfect_vs_random": 0.7, "vs_random": 0.6},
]


def options_of(chart_id, axis="round", runs=None):
    chart = next(c for c in CHARTS if c.id == chart_id)
    return chart_options(chart, runs or [RunLines("a", 1, LINES)], axis)


def test_curves_take_what_a_run_has():
    assert options_of("perfect")["series"][0]["data"] == [[1.0, 30.0], [3.0, 40.0]]
    assert options_of("perfect", "minutes")["series"][0]["data"] == [[1.0, 30.0], [2.0, 40.0]]
    assert options_of("loss")["series"][0]["data"] == [[1.0, 2.0]]
    parts = [{"round": 1, "loss_total": 3.0, "loss_value": 1.0, "loss_policy": 2.0, "loss_l2": 900.0}]
    terms = options_of("loss", runs=[RunLines("a", 1, parts)])["series"]
    assert [one["endLabel"]["formatter"] for one in terms] == ["policy", "total", "value"]
    assert len({one["lineStyle"]["color"] for one in terms}) == 3
    (alone,) = options_of(
        "loss", runs=[RunLines("a", 1, [{"round": 1, "loss_total": 1.0, "loss_value": 1.0}])]
    )["series"]
    assert alone["endLabel"]["formatter"] == "value"  # the sum of one term is no second line
    both = options_of("loss", runs=[RunLines("a", 1, parts), RunLines("b", 2, parts)])["series"]
    assert [one["name"] for one in both] == ["a", "b"]
    assert terms[0]["labelLayout"] == {"moveOverlap": "shiftY"}
    assert options_of("games")["series"][0]["data"] == [[1.0, 50.0]]
    assert options_of("simulations") is None
    assert options_of("random")["series"][0]["markLine"]["data"] == [{"yAxis": 70.0}]
    axis = options_of("perfect")["yAxis"]
    assert 0 <= axis["min"] <= 30
    assert 50 <= axis["max"] <= 100
    assert axis["axisLabel"]["formatter"] == "{value} %"
    sure = [{"round": 1, "top_move": 1.0}, {"round": 2, "top_move": 1.0}]
    assert options_of("dynamics", runs=[RunLines("a", 1, sure)])["yAxis"]["max"] == 100  # no share is more


def test_runs_lie_over_one_another():
    two = options_of("perfect", runs=(RunLines("a", 0, LINES), RunLines("b", 4, LINES)))
    assert [one["name"] for one in two["series"]] == ["a with search", "b with search"]
    assert two["series"][1]["lineStyle"]["color"] == "var(--c4)"


def test_a_game_without_dice_was_lost_by_moves_whatever_the_estimate():
    points = (Point(0, "", None, None, 0.5), Point(1, "a", 0, 1, 0.6))
    told = Story(points, (0.16, 0.25), (0.0, 0.0), "search", "a deeper search", Scale())
    assert summary_line(told, 0, (-1.0, 1.0)) == "You were outplayed."
    assert summary_line(told, 1, (-1.0, 1.0)) == "You won by playing better."
    nothing = Story(points, (0.1, 0.0), (0.0, 0.0), "solved", "perfect play", Scale())
    assert skill_line(nothing, 0, "Perfect").endswith("Perfect gave away nothing.")
