"""What the search view shows, as text: every word escaped, every path read back."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

pytest.importorskip("nicegui")

from dicezero.search.halving import Candidate, Phase
from dicezero.search.result import SearchResult
from dicezero.search.tree import TreeNode
from dicezero.studio.analysis import Snapshot
from dicezero.studio.beliefs import Belief, Odds
from dicezero.studio.branches import outline
from dicezero.studio.page.search_chart import budget_options, move_colours
from dicezero.studio.page.search_tables import (
    beliefs_html,
    command_html,
    halving_html,
    moves_html,
    strip_html,
)
from dicezero.studio.page.searchers import budgets
from dicezero.studio.page.tree_html import legend_html, outline_html, path_text, picture_html, read_path
from dicezero.studio.scale import Scale

EVIL = '<script>alert("1")</script>'


def parsed_xml(text):
    return ElementTree.fromstring(text)  # noqa: S314 - our own words


def tree():
    deep = TreeNode("terminal", -4, action=2, label="end", visits=1, q=-1.0, value=-1.0)
    dice = TreeNode("chance", -1, action=0, label=EVIL, visits=6, q=0.25, prior=0.5, children=[deep])
    cut = TreeNode("choice", 1, action=1, label="cut", pruned=True, note="beta")
    who = TreeNode("identity", -1, action=5, label="player 1 moves", visits=2, q=0.1)
    return TreeNode("choice", 0, visits=9, q=0.2, value=0.1, children=[dice, cut, who])


def result(action=0, visits=None, **more):
    visits = visits or {0: 6, 1: 2}
    values = dict.fromkeys(visits, 0.5)
    return SearchResult(action, 0.25, values, visits, 9, 9, 0, (action,), "simulations", 0.1, **more)


def shot(budget, found, unit="simulations"):
    return Snapshot(f"uct(simulations={budget})", budget, unit, found, (), False)


def test_rows_and_pictures_are_well_formed_and_escaped():
    rows = outline(tree(), {(), (0,)})
    html = outline_html(rows, line={(), (0,)}, names=("You", "A & B"))
    parsed = parsed_xml(f"<div>{html}</div>")
    items = [e for e in parsed.iter("div") if e.get("role") == "treeitem"]
    assert [e.get("data-path") for e in items] == ["root", "0", "0.2", "5", "1"]
    assert [e.get("aria-expanded") for e in items] == ["true", "true", None, None, None]
    assert [e.get("tabindex") for e in items] == ["0", "-1", "-1", "-1", "-1"]
    assert "<script>" not in html
    assert "A &amp; B to move" in html
    pruned = items[4]
    assert "pruned" in pruned.get("class")
    assert "pruned, beta" in "".join(pruned.itertext())
    picture = picture_html(rows, line={()}, focus=(0,))
    drawn = parsed_xml(picture)
    groups = [e for e in drawn.iter("g") if e.get("role") == "treeitem"]
    assert {e.get("data-path") for e in groups} == {"root", "0", "0.2", "1", "5"}
    assert [e.get("data-path") for e in groups if e.get("tabindex") == "0"] == ["0"]
    assert len([e for e in drawn.iter("path") if e.get("class") == "x"]) == 1  # the cross of the pruned one
    assert "your move" in legend_html({"max", "chance"}, "You", "Club")


@pytest.mark.parametrize("path", [(), (3,), (3, 0, 12)])
def test_paths_come_back(path):
    assert read_path(path_text(path)) == path


@pytest.mark.parametrize("text", ["", "root", "-1", "1..2", "٣", "1.x", EVIL, None, 7, ["1"], "1." * 2000])
def test_a_browser_may_send_anything(text):
    assert read_path(text) == ()


def test_tables_escape_and_point_out_the_choice():
    html = moves_html(result(), {0: EVIL, 1: "b"}, Scale())
    assert "<script>" not in html
    assert html.index("&lt;script&gt;") < html.index(">b<")
    assert html.count('class="chosen"') == 1
    phases = (
        Phase((Candidate(0, 1, 0.5, 3.0, True), Candidate(1, 1, None, 1.0, False))),
        Phase((Candidate(0, 3, 0.4, 3.5, True),)),
    )
    halved = parsed_xml(halving_html(result(halving=phases), {0: "a", 1: "b"}, Scale()))
    texts = [["".join(cell.itertext()) for cell in row] for row in halved.iter("tr")]
    assert texts == [["considered", "phase 1", "phase 2"], ["a", "175.0 %", "370.0 %"], ["b", "1", ""]]
    assert halving_html(result(), {0: "a", 1: "b"}, Scale()) == ""


def test_beliefs_call_the_players_by_name():
    belief = Belief(0, EVIL, (Odds("player 1", 0.9, 1.0),), (Odds("roll 1", 0.5, 0.5),), ())
    html = beliefs_html([belief], ("You", "Club"))
    assert "<script>" not in html
    assert "Club" in html
    assert "player 1" not in html
    assert beliefs_html([], ("You", "Club")) == ""


def test_the_chart_has_a_colour_a_move_and_the_rest_together():
    shots = [shot(n, result(0, {a: a + 1 for a in range(9)})) for n in (1, 2, 4)]
    names = {a: f"move {a}" for a in range(9)}
    colours = move_colours(shots)
    assert list(colours) == [0, 8, 7, 6, 5, 4]
    options = budget_options(shots, names, colours, chosen=1, scale=Scale())
    assert [series["name"] for series in options["series"]][-1] == "other moves"
    assert sum(series["data"][0]["value"] for series in options["series"]) == pytest.approx(100, abs=0.1)
    assert [point["itemStyle"]["opacity"] for point in options["series"][0]["data"]] == [0.45, 1.0, 0.45]
    strip = strip_html(shots, names, chosen=1, colours=colours)
    assert strip.count('aria-pressed="true"') == 1
    deep = [shot(n, result(n % 2), "plies") for n in (1, 2)]
    for scale, worth, most in ((Scale(), 62.5, 100), (Scale(points=True), 0.25, None)):
        options = budget_options(deep, names, colours, chosen=0, scale=scale)
        assert [p["value"] for p in options["series"][0]["data"]] == [worth] * 2
        assert options["yAxis"]["max"] == most  # said in any case: a chart keeps what is not


def test_budgets_fit_the_agent():
    assert budgets("alphabeta(depth=4)")[1] == "1 ply"
    assert budgets("optimal") == {0: "its own"}
    assert budgets("run(path=x)")[10_000] == "10,000 simulations"


def test_a_picture_tells_probabilities_in_per_cent_and_movers_by_name():
    leaf = TreeNode("choice", 1, action=1, label="player 1 moves", prior=0.25, q=40.0)
    tree = TreeNode("choice", 0, q=50.0, children=[leaf])
    drawn = picture_html(outline(tree, {()}), line={()}, names=("You", "Club"))
    assert "Club 25 %" in drawn
    assert "player 1 moves" not in drawn


def test_a_command_keeps_its_dashes_together_and_its_words():
    command = f'dicezero search "uct(simulations=9)" --game nannon --moves "1/2,{EVIL}--x" --show'
    html = command_html(command)
    drawn = parsed_xml(html)
    assert "".join(drawn.itertext()) == command
    assert [span.text for span in drawn.iter("span")] == ["--game", "--moves", "--show"]


def test_a_value_that_is_a_bound_has_its_sign_where_notes_have_no_room():
    scale = Scale(low=0.0, high=1.0)
    ends = [
        TreeNode("choice", 1, action=a, label=str(a), value=v, bounds=b)
        for a, v, b in ((0, 0.4, (0.0, 0.4)), (1, 0.4, (0.4, 1.0)), (2, 0.4, (0.4, 0.4)))
    ]
    html = outline_html(
        outline(TreeNode("choice", 0, value=0.4, children=ends), {()}), line={()}, scale=scale
    )
    signs = ["".join(e.itertext()) for e in parsed_xml(html).iter("span") if e.get("class") == "value"]
    assert signs[-3:] == ["\u2264 40.0 %", "\u2265 40.0 %", "40.0 %"]
