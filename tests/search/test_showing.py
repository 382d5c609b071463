"""What a notebook shows: trees as pictures, results as tables."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from dicezero import load_game, make_agent, play_match
from dicezero.rules.showing import shown, table_html
from dicezero.search.explicit import ExplicitGame, explicit_tree
from dicezero.search.minimax import MinimaxConfig, Recording, minimax_search
from dicezero.solve import solve

FIGURE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]


def texts(markup: str) -> list[str]:
    root = ElementTree.fromstring(f"<div>{markup}</div>")  # noqa: S314 - our own output
    return [text for element in root.iter() if (text := (element.text or "").strip())]


def test_a_tree_that_is_written_out_is_a_picture_of_itself():
    game = ExplicitGame.parse(FIGURE)
    drawn = texts(game._repr_svg_())
    for value in map(str, (3, 12, 8, 2, 4, 6, 14, 5)):
        assert value in drawn
    tree = explicit_tree(game)
    assert [child.label for child in tree.children] == ["a1", "a2", "a3"]
    assert tree.children[1].children[2].value == 6
    dice = ExplicitGame.parse({"tree": {"chance": [[0.25, [1, 2]], [0.75, 5]]}, "first_player": 1})
    assert [child.prior for child in explicit_tree(dice).children] == [0.25, 0.75]
    minimum = explicit_tree(ExplicitGame.parse({"min": [4, 7]}))
    assert [child.value for child in minimum.children] == [-4, -7]  # for the root's player


def test_a_result_shows_its_moves_and_its_tree():
    game = ExplicitGame.parse(FIGURE)
    result = minimax_search(game, game.new_initial_state(), MinimaxConfig(), record=Recording())
    cells = texts(result._repr_html_())
    assert cells[cells.index("visits") + 1 :][:2] == ["a1", "3"]
    assert any(
        text.startswith("plays a1, value 3 for the mover; 11 nodes, 7 leaves, 2 pruned") for text in cells
    )
    plain = minimax_search(game, game.new_initial_state())
    assert "<svg" in result._repr_html_()
    assert "<svg" not in plain._repr_html_()


def test_solutions_and_matches_are_tables():
    game = load_game("nannon")
    solution = solve(game)
    cells = texts(solution._repr_html_())
    assert cells[cells.index("states") + 1] == "2,530"
    assert cells[cells.index("first player win") + 1] == "0.515737"
    match = play_match(game, make_agent("greedy", game), make_agent("random", game), games=20, seed=1)
    cells = texts(match._repr_html_())
    assert cells[cells.index("games") + 1] == "20"
    assert "adjusted score" not in cells


def test_texts_are_escaped_and_long_tables_cut():
    page = table_html("<b>", ("x",), [("<script>",)] * 50)
    assert "<script>" not in page
    assert "… 10 more" in page
    assert [shown(x) for x in (True, 11492, 0.5, (0.1, 0.25))] == ["yes", "11,492", "0.5", "0.1 to 0.25"]
