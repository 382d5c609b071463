"""``dicezero analyse`` without a judge of the reader's choice."""

from __future__ import annotations

import re
import shlex

import pytest

from dicezero.rules import load_game
from dicezero.rules.notation import GameText, record_text

# One for which no agent ships, and two whose agents search: neither values every move.
GAMES = {"go(board_size=7)": ".sgf", "connect_four": ".jsonl", "gardner_chess": ".pgn"}


@pytest.mark.parametrize(("game", "suffix"), GAMES.items(), ids=GAMES)
def test_without_a_judge_for_the_game_it_says_how_to_choose_one(run, tmp_path, game, suffix):
    state = load_game(game).new_initial_state()
    while len(state.history()) < 6:
        state.apply_action(state.legal_actions()[0])
    file = tmp_path / f"game{suffix}"
    file.write_text(record_text(GameText(game, tuple(state.history()), ("Ann", "Bo")), suffix))
    refused = run("analyse", str(file))
    assert refused.code != 0
    assert "default judge" in refused.err
    option = re.search(r'--judge "[^"]+"', refused.err)[0]
    data = run("analyse", str(file), *shlex.split(option), "--json").data  # the example works
    assert [player["turns"] for player in data["players"]] == [3, 3]
