"""Run with a package in which take_away is a native game: is it found wherever games are?"""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np

from dicezero import _native
from dicezero.cli import main
from dicezero.rules import check_game, list_games, load_game
from dicezero.solve import solve


def cli(*words: str) -> dict:
    """The JSON that a command prints."""
    with redirect_stdout(StringIO()) as out:
        assert main([*words, "--json"]) == 0, words
    return json.loads(out.getvalue())


def rules(folder: Path) -> None:
    del folder
    game = load_game("take_away(stones=9,most=2)")
    assert _native.is_native(game)
    assert str(game) == "take_away(stones=9,most=2)"
    assert (game.stones, game.most, game.takes_turns()) == (9, 2, True)
    assert any(record.name == "take_away" for record in list_games())
    assert check_game(game).passed
    assert cli("perft", "take_away", "--depth", "3")["counts"] == [1, 3, 9, 27]
    assert "take1" in repr(game.new_initial_state().action_to_string(0))
    assert game.new_initial_state()._repr_html_().startswith("<svg")


def strength(folder: Path) -> None:
    del folder
    # Perfect play leaves a multiple of most + 1.
    for stones in range(1, 14):
        first_wins = solve(f"take_away(stones={stones})").first_player_win
        assert first_wins == (0.0 if stones % 4 == 0 else 1.0)
    won = cli("match", "optimal", "random", "--game", "take_away", "--games", "20", "--seed", "1")
    assert won["score"] > 0.8
    assert cli("search", "alphabeta", "--game", "take_away(stones=7)")["action_string"] == "take3"
    assert cli("search", "uct(simulations=500)", "--game", "take_away(stones=7)")["action_string"] == "take3"


def fast_paths(folder: Path) -> None:
    del folder
    game = load_game("take_away")
    states = [game.new_initial_state() for _ in range(3)]
    assert list(_native.apply_moves(game, states, np.array([0, 1, 2], np.int32))) == [0.0, 0.0, 0.0]
    seen, legal = _native.observe_states(game, states)
    assert list(seen.argmax(axis=1)) == [20, 19, 18]
    assert legal.all()
    assert len(_native.afterstates(game, states)[0]) == 9


def learning(folder: Path) -> None:
    out = str(folder / "run")
    few = ("--rounds", "1", "--set", "games=4", "--set", "simulations=4")
    cli("train", "alphazero", "--game", "take_away(stones=6)", "--out", out, *few)
    lines = (folder / "run" / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    assert "mean_return" in json.loads(lines[-1])


def studio(folder: Path) -> None:
    del folder
    from dicezero.studio.catalog import Catalog

    assert any(offer.name == "take_away" for offer in Catalog().games())


if __name__ == "__main__":
    for part in (rules, strength, fast_paths, learning, studio):
        try:
            part(Path(sys.argv[1]))
        except ImportError as error:  # an extra that is not installed
            print(part.__name__, "left out:", error)
        else:
            print(part.__name__, "found")
