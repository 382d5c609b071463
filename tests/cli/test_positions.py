"""``--position``, tree files, and games for one on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from dicezero.rules import load_game


def test_a_search_begins_at_the_position(run, refused):
    words = ("search", "minimax(depth=9)", "--game", "tic_tac_toe", "--json")
    by_moves = run(*words, "--moves", "0,3,1,4").data
    state = load_game("tic_tac_toe").new_initial_state()
    for action in (0, 3):
        state.apply_action(action)
    by_position = run(*words, "--position", state.serialize(), "--moves", "1,4").data
    assert {**by_moves, "seconds": 0} == {**by_position, "seconds": 0}
    assert by_position["action"] == 2
    assert "is no position of tic_tac_toe" in refused(*words[:-1], "--position", "nowhere")


def test_a_match_begins_at_the_position(run):
    words = ("match", "greedy", "random", "--game", "tic_tac_toe", "--games", "20", "--json")
    data = run(*words, "--position", "tic_tac_toe|0,3,1,4").data
    assert data["wins"] >= 10  # x wins at once, and greedy is x in every other game
    assert data["mean_return"] == pytest.approx((data["wins"] - data["losses"]) / 20)
    assert data["mean_return_ci95"][0] <= data["mean_return"] <= data["mean_return_ci95"][1]
    assert data["truncated"] == 0


def test_openspiels_positions_are_their_actions(run, refused):
    pytest.importorskip("pyspiel")
    words = ("search", "uct(simulations=20)", "--game", "breakthrough(rows=5,columns=5)")
    state = load_game("breakthrough(rows=5,columns=5)").new_initial_state()
    state.apply_action(state.legal_actions()[0])
    name = run(*words, "--position", state.serialize(), "--json").data["action_string"]
    assert name in [state.action_to_string(state.current_player(), a) for a in state.legal_actions()]
    assert "action 1 is 7" in refused(*words, "--position", "7")


def test_a_python_game_that_reads_no_positions_says_so(refused):
    pig = str(Path(__file__).parents[2] / "examples" / "pig.py") + ":Pig"
    assert "reads no positions" in refused("search", "random", "--game", pig, "--position", "x")


def test_environments_are_not_branched(refused):
    pytest.importorskip("gymnasium")
    game = ("--game", "gymnasium(id=CartPole-v1)")
    assert "simulator=episodes" in refused("search", "uct", *game)
    assert "--position" in refused("search", "random", *game, "--position", "x")


def test_a_match_of_a_game_for_one_points_to_evaluate(refused):
    message = refused("match", "random", "random", "--game", "2048")
    assert "has one player" in message
    assert "dicezero evaluate" in message


def test_a_tree_in_a_file_is_a_game(run, refused, tmp_path: Path):
    tree = tmp_path / "tree.json"
    tree.write_text("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", encoding="utf-8")  # Russell and Norvig, figure 5.2
    assert run("search", "minimax(depth=2)", "--game", str(tree), "--json").data["value"] == 3.0
    assert "there is no file" in refused("search", "minimax", "--game", str(tmp_path / "absent.json"))
    tree.write_text("{", encoding="utf-8")
    assert "no game tree" in refused("search", "minimax", "--game", str(tree))
