"""The positions of the search page: of the game on the board, and a textbook's."""

from __future__ import annotations

import pytest

pytest.importorskip("nicegui")

from dicezero.search.minimax import MinimaxConfig, Recording, minimax_search
from dicezero.studio.analysis import analyse
from dicezero.studio.branches import first_open, outline, rescaled
from dicezero.studio.catalog import Catalog
from dicezero.studio.page.search_position import Position, reach, studies
from dicezero.studio.page.searchers import favourites
from dicezero.studio.page.tree_html import outline_html, range_text
from dicezero.studio.scale import Scale


@pytest.fixture(scope="module")
def catalog():
    return Catalog(())


def test_the_textbooks_figures_show_what_they_say(catalog):
    """The plain search falls for the horizon, the one with singular extensions does not."""
    found = {title: (one, reach(one, catalog)) for title, one in studies(catalog).items()}
    assert [title.partition(":")[0] for title in found] == [
        "Chess, Figure 6.8 a",
        "Chess, Figure 6.8 b",
        "Chess, Figure 6.9",
    ]
    assert [reached.state.current_player() for _, reached in found.values()] == [0, 0, 1]
    assert {position.names for position, _ in found.values()} == {("White", "Black")}
    position, reached = found["Chess, Figure 6.9: the horizon effect"]
    plays = []
    for agent, _ in position.study.agents[:2]:
        spec = catalog.spec(agent, reached.game)
        result = list(analyse(reached.game, reached.state, spec, seed=0))[-1].result
        plays.append(reached.state.action_to_string(result.action))
        state, names = reached.after([result.action])
        assert names == (plays[-1],)
        assert state.current_player() != reached.state.current_player()
    assert plays == ["f3+", "Bxb3"]
    assert reached.after([-1]) is None  # an edge that is not in the rules


def test_a_position_before_a_roll_is_the_last_choice(catalog):
    reached = reach(Position("nannon", (2, 0)), catalog)
    assert reached.back
    assert reached.moves == "roll 3"
    assert reach(Position("nannon", ()), catalog).state is None


def searched(catalog, spec):
    reached = reach(Position("tic_tac_toe", (4,)), catalog)
    return reached, list(analyse(reached.game, reached.state, spec, seed=0))[-1].result


def test_the_best_line_is_open_and_in_one_unit(catalog):
    _, result = searched(catalog, "alphabeta(depth=3)")
    tree, scale = result.tree, Scale()
    opened = first_open(tree)
    assert {(), (result.action,)} <= opened
    assert len(outline(tree, opened)) <= 41
    shown = rescaled(tree, scale)
    assert shown.value == pytest.approx(50 * (tree.value + 1), abs=0.1)
    assert rescaled(tree, Scale(points=True)).value == tree.value
    html = outline_html(outline(tree, opened), line=opened, scale=scale)
    assert "has-value" in html
    assert "has-n" not in html  # nothing was counted, so there is no column for it
    assert range_text((-1.0, -0.2), scale) == "at most 40.0 %"
    assert range_text((-0.2, 1.0), scale) == "at least 40.0 %"


def test_arrows_point_out_what_a_search_prefers(catalog):
    reached, result = searched(catalog, "uct(simulations=200)")
    arrows = favourites(reached.state, result, Scale())
    assert sum(arrow.kind == "hint" for arrow in arrows) == 1
    assert 2 <= len(arrows) <= 4
    assert all(arrow.words.endswith(" %") for arrow in arrows)
    reached, result = searched(catalog, "alphabeta(depth=2)")
    (arrow,) = favourites(reached.state, result, Scale())
    assert arrow.kind == "hint"


def test_a_tree_of_ones_own_is_drawn_with_the_way_to_its_node():
    from dicezero.search.explicit import ExplicitGame

    game = ExplicitGame.parse([[3, 12, 8], [2, 4, 6]])
    state = game.new_initial_state()
    assert state.to_svg().count('class="e b"') == 0
    state.apply_action(1)
    drawn = state.to_svg()
    assert drawn.count('class="e b"') == 2  # the edge and its key
    assert "the way here" in drawn
    assert drawn.count(" here") >= 2
    record = Recording()
    minimax_search(game, game.new_initial_state(), MinimaxConfig("minimax"), record=record)
    assert "best line" in record.tree._repr_svg_()
