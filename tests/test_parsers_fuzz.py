"""The parsers on seeded changes of a small corpus; ``make fuzz`` has the long version, guided by coverage."""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tools" / "fuzz"))

from mutate import CORPUS, changed, corpus
from targets import TARGETS

from dicezero.rules import load_game
from dicezero.rules.errors import GameError
from dicezero.rules.notation import parse_sgf
from dicezero.search.explicit import ExplicitGame
from dicezero.search.treefile import TreeError, tree_from_json

SLOW = {"gtp", "uci", "pgn", "sgf", "mat", "json_games"}  # each input is a game or two


def test_every_target_has_a_corpus():
    assert {path.name for path in CORPUS.iterdir()} == {*TARGETS, "positions_native"}


@pytest.mark.parametrize("name", TARGETS)
def test_a_changed_text_is_refused_or_understood(name):
    for data in islice(changed(corpus(name), seed=7), 40 if name in SLOW else 250):
        TARGETS[name](data)


@pytest.mark.parametrize("name", TARGETS)
def test_the_corpus_is_refused_or_understood(name):
    """Inputs that were found once are part of it, such as an array's header that is not closed."""
    for data in corpus(name):
        TARGETS[name](data)


def test_a_target_can_fail(monkeypatch):
    """A parser that lets something else than a ValueError through is found."""
    monkeypatch.setattr("targets.parse_sgf", lambda text: [][len(text)])
    with pytest.raises(IndexError):
        TARGETS["sgf"](b"(;SZ[9])")


# What the fuzzers found, each once.


@pytest.mark.parametrize("number", ["1" + "0" * 400, "-1" + "0" * 400])
def test_numbers_beyond_a_double_are_refused(number):
    with pytest.raises(ValueError, match="a leaf must be a finite number"):
        ExplicitGame.parse(f"[1, {number}]")
    for field in ("q", "visits", "action"):
        node = f'{{"parent": null, "kind": "choice", "player": 0, "{field}": {number}}}'
        with pytest.raises(TreeError, match=field):
            tree_from_json(f'{{"format": "dicezero-tree", "version": 1, "nodes": [{node}]}}')


def test_half_a_character_is_refused_in_one_line():
    game = load_game("gardner_chess")
    state = game.new_initial_state()
    for ask in (game.new_initial_state, game.deserialize_state, state.string_to_action):
        with pytest.raises(ValueError, match="half of a character"):
            ask("\udc80 w - - 0 1")
    with pytest.raises(GameError, match="half of a character"):
        load_game("backgammon(start=\udcff)")


@pytest.mark.parametrize(
    "text", ["é/5/5/5/5 w - - 0 1", "é" * 200, "rnbqk/pppp\u0416/5/PPPPP/RNBQK w - - 0 1"]
)
def test_an_error_that_quotes_a_byte_of_a_letter_is_still_ours(text):
    with pytest.raises(ValueError, match=r"position|FEN|piece") as refused:
        load_game("gardner_chess").new_initial_state(text)
    assert type(refused.value) is ValueError


def test_a_size_in_other_digits_is_no_size():
    for size in ("\u00b2", "\u0663", "00199"):
        with pytest.raises(ValueError, match="SZ"):
            parse_sgf(f"(;GM[1]SZ[{size}];B[aa])")


def test_json_of_any_depth_is_refused():
    for text in ("[" * 100_000, json.dumps({"format": "dicezero-tree"})[:-1] + ', "nodes": ' + "[" * 50_000):
        with pytest.raises(ValueError, match="JSON"):
            tree_from_json(text)


@pytest.mark.parametrize("found", [("arrays", "name_not_utf8"), ("gtp", "control_characters")])
def test_what_a_fuzzer_found_holds(found):
    name, file = found
    TARGETS[name]((CORPUS / name / file).read_bytes())
