"""What the studio offers and says of games that are named on its command line."""

from __future__ import annotations

import pytest
from own_games import DICE, PUZZLE

from dicezero.cli.load import load
from dicezero.rules import load_game, load_object
from dicezero.studio.catalog import Catalog
from dicezero.studio.hall import Hall
from dicezero.studio.page.boards.draw import is_text
from dicezero.studio.page.checkpoint_table import _figure
from dicezero.studio.page.rules_card import rules_html
from dicezero.studio.page.tree_html import tree_colours


def test_a_game_of_ours_that_is_named_too_is_listed_once_with_its_rules():
    pytest.importorskip("pyspiel")
    catalog = Catalog(games={"hex": load_game("hex"), "nannon": load_game("nannon")})
    names = [offer.name for offer in catalog.games()]
    assert names[:2] == ["hex", "nannon"]
    assert len(names) == len(set(names))
    assert rules_html("hex", catalog) == rules_html("hex", Catalog())


def test_a_tree_says_how_it_is_played(tmp_path):
    (tmp_path / "tree.json").write_text("[[3, 12], [2, 4]]", encoding="utf-8")
    place = str(tmp_path / "tree.json")
    assert "chooses a branch" in rules_html(place, Catalog(games={place: load(place)}))


def test_a_game_for_one_without_bounds_has_hints_from_every_level(tmp_path):
    (tmp_path / "coins.py").write_text(PUZZLE, encoding="utf-8")
    place = f"{tmp_path}/coins.py:Coins"
    hall = Hall(Catalog(games={place: load_game(load_object(place))}))
    try:
        for level in ("casual", "club", "strong"):
            session = hall.open(place, level, seed=1)
            session.settle()
            assert session.advise().action in session.table.legal()
    finally:
        hall.shutdown()


def test_only_a_position_in_words_needs_the_players_numbers(tmp_path):
    (tmp_path / "race.py").write_text(DICE, encoding="utf-8")
    assert not is_text(load_game(load_object(f"{tmp_path}/race.py:Race")).new_initial_state())  # to_svg
    assert not is_text(load_game("nannon").new_initial_state())
    (tmp_path / "plain.py").write_text(DICE.replace("def to_svg", "def drawn"), encoding="utf-8")
    assert is_text(load_game(load_object(f"{tmp_path}/plain.py:Race")).new_initial_state())


@pytest.mark.parametrize(
    ("seconds", "minutes"), [(0.005, "under 0.1"), (18.0, "0.3"), (630.0, "10"), (90_000.0, "1,500")]
)
def test_minutes_of_a_round_are_no_powers_of_ten(seconds, minutes):
    assert _figure({"seconds": seconds}, "seconds") == minutes


def test_the_trees_of_the_second_player_have_the_second_players_colours():
    css = tree_colours()
    first, second = (css[css.index(f"{name}{{") :].partition("}")[0] for name in ("body", ".search.second"))

    def colour(rule, name):
        return rule.split(f"--{name}:")[1].partition(";")[0]

    assert colour(first, "max-line") == colour(second, "min-line")
    assert colour(first, "min") == colour(second, "max")
