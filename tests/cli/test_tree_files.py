"""``--game tree.json`` in every command that takes a game."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from dicezero import load_game
from dicezero.cli.load import load

EXAMPLES = Path(__file__).parents[2] / "examples"
FIGURE, DICE = str(EXAMPLES / "figure.json"), str(EXAMPLES / "dice_tree.json")


def test_search(run):
    data = run("search", "alphabeta(ordering=none,utility_bounds=false)", "--game", FIGURE, "--json").data
    assert (data["action_string"], data["value"], data["leaves"], data["cutoffs"]) == ("a1", 3.0, 7, 2)
    assert run("search", "minimax", "--game", FIGURE, "--json").data["leaves"] == 9
    deep = run("search", "expectiminimax", "--game", DICE, "--json").data
    assert (deep["action_string"], deep["value"], deep["stopped"]) == ("roll", 3.5, "complete")
    left = run("search", "minimax", "--game", FIGURE, "--moves", "a2", "--json").data
    assert (left["action_string"], left["value"]) == ("c1", -2.0)  # MIN is to move: its value


def test_solve_match_perft_check_tournament(run):
    assert run("solve", DICE, "--json").data["value"] == 3.5
    assert "first player       3.5" in run("solve", DICE).out
    assert run("perft", FIGURE, "--depth", "3", "--json").data["counts"] == [1, 3, 9, 0]
    assert run("check", DICE, "--games", "5", "--json").data["passed"]
    match = run("match", "optimal", "minimax", "--game", FIGURE, "--games", "2", "--json").data
    assert (match["game"], match["score"], match["mean_return"]) == ("figure 6.2", 0.5, 0.0)
    assert run("tournament", "optimal", "random", "--game", DICE, "--games", "2", "--json").data["games"] == 2


def test_play(run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("hint\na3\n"))
    out = run("play", "minimax", "--game", FIGURE).out
    assert "minimax would play a1 (value +3.000 for you)" in out
    assert "minimax: d3" in out
    assert out.splitlines()[-1] == "You win: +2."


def test_the_studio_offers_a_tree():
    pytest.importorskip("nicegui")
    from dicezero.studio.catalog import Catalog

    catalog = Catalog((), games={FIGURE: load(FIGURE)})
    assert any("figure" in str(game) for game in catalog.games())


def test_a_mistake_names_the_file_and_the_place(refused, tmp_path: Path):
    file = tmp_path / "bad.json"
    file.write_text('{"left": [1, "two"], "right": 3}')
    for words in (
        ("search", "minimax", "--game"),
        ("solve",),
        ("check",),
        ("match", "random", "random", "--game"),
    ):
        message = refused(*words, str(file))
        assert f"{file} is no game tree: the root, move left, move 1 is 'two'" in message
    assert "there is no file" in refused("perft", str(tmp_path / "none.json"), "--depth", "2")


def test_names_from_elsewhere_open_no_files():
    """Only the command line reads files: a name in a run's folder or a request must not."""
    with pytest.raises(ValueError, match="is not a name"):
        load_game(FIGURE)


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("figure", ("alphabeta(ordering=none,table_entries=0,utility_bounds=false)", "--game", FIGURE)),
        (
            "tree",
            ("expectiminimax(depth=2)", *("--game", "nannon", "--moves", "roll 2", "--depth-shown", "3")),
        ),
    ],
)
def test_pictures_of_the_docs_are_what_their_commands_draw(run, tmp_path, name, command):
    run("search", *command, "--tree", str(tmp_path / "made.svg"))
    kept = EXAMPLES.parent / "docs" / "images" / f"{name}.svg"
    assert (tmp_path / "made.svg").read_text() == kept.read_text(), "draw it anew: docs/howto/trees.md"
