"""Each command once rightly and once wrongly."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from dicezero.cli.position import split_moves
from dicezero.search.treefile import load_tree

PIG = str(Path(__file__).parents[2] / "examples" / "pig.py") + ":Pig"


def test_perft(run, refused):
    done = run("perft", "nannon", "--depth", "8", "--json")
    assert done.data["counts"] == [1, 5, 7, 42, 85, 510, 992, 5952, 11492]
    assert done.err == ""
    assert "11,492" in run("perft", "nannon", "--depth", "8").out
    assert "did you mean nannon" in refused("perft", "nanon", "--depth", "3")
    assert "depth" in refused("perft", "nannon", "--depth", "-1")


def test_games(run, refused):
    games = {game["name"]: game for game in run("games", "--json").data["games"]}
    assert {"nannon", "tic_tac_toe", "connect_four"} <= games.keys()
    assert [p["name"] for p in games["nannon"]["parameters"]] == ["points", "checkers", "sides"]
    assert games["nannon"]["traits"]["chance"] == "dice"
    assert "nannon" in run("games").out
    assert "--json" in refused("games", "--jso")


def test_solve(run, refused, tmp_path: Path):
    data = run("solve", "nannon", "--json").data
    assert data["first_player_win"] == pytest.approx(0.515736870969, abs=1e-11)
    assert data["states"] == 2530
    assert data["iterations"] > 0
    assert data["residual"] <= 1e-12
    assert data["seconds"] >= 0
    file = tmp_path / "nannon.solution"
    assert f"saved to {file}" in run("solve", "nannon", "--out", str(file)).out.replace("\n", "")
    words = ("search", f"optimal(path={file})", "--game", "nannon", "--moves", "roll 3", "--json")
    assert run(*words).data["value"] == pytest.approx(2 * 0.645001 - 1, abs=2e-6)
    assert run("solve", "tic_tac_toe", "--json").data["first_player_win"] == pytest.approx(0.5)
    assert "no folder" in refused("solve", "nannon", "--out", str(tmp_path / "no" / "file"))
    assert "tolerance" in refused("solve", "nannon", "--tolerance", "-1")
    assert "states" in refused("solve", "connect_four", "--max-states", "1000")
    foreign = tmp_path / "foreign"
    foreign.write_bytes(b"no solution")
    assert "foreign" in refused("search", f"optimal(path={foreign})", "--game", "tic_tac_toe")
    assert "nannon" in refused("search", f"optimal(path={file})", "--game", "tic_tac_toe")


def test_demo(run, refused, tmp_path: Path):
    out = run("demo", "--out", str(tmp_path / "demo"), "--games", "4", "--rounds", "1").out
    assert "0.515736870969" in out
    assert "0.694359" in out
    assert sorted(file.name for file in (tmp_path / "demo").iterdir()) == [
        "board.svg",
        "run",
        "tree.html",
        "tree.svg",
    ]
    assert "--games 0 must be at least 1" in refused("demo", "--out", str(tmp_path / "demo"), "--games", "0")


def test_check(run, refused, tmp_path: Path):
    assert run("check", PIG, "--games", "5", "--json").data["passed"] is True
    broken = tmp_path / "broken.py"
    broken.write_text(
        "import importlib.util as u\n"
        f"spec = u.spec_from_file_location('pig', {PIG.rpartition(':')[0]!r})\n"
        "pig = u.module_from_spec(spec)\n"
        "import sys; sys.modules['pig'] = pig\n"
        "spec.loader.exec_module(pig)\n"
        "class State(pig.PigState):\n"
        "    def chance_outcomes(self):\n"
        "        return [(face, 1 / 5) for face in range(6)]\n"
        "class Broken(pig.Pig):\n"
        "    def new_initial_state(self):\n"
        "        return State(self)\n"
    )
    done = run("check", f"{broken}:Broken", "--games", "5")
    assert done.code == 1
    assert "remedy" in done.out
    assert "no file" in refused("check", "nowhere.py:Game")
    assert "pig.py is a file; name the game in it: " in refused("check", PIG.rpartition(":")[0])
    assert "pig.py:Pig" in refused("check", PIG.rpartition(":")[0])


def test_search(run, refused):
    words = ("search", "expectiminimax(depth=2)", "--game", "nannon", "--moves", "roll 3", "--json")
    data = run(*words).data
    assert data["action_string"] == "home/3"
    assert data["action"] == 0
    assert -1 <= data["value"] <= 1
    assert set(data["visits"]) == {"home/3", "1/4"}
    assert data["nodes"] > 0
    assert data["seconds"] >= 0
    assert data["principal_variation"][0] == "home/3"
    shown = run(*words[:-1], "--show", "--depth-shown", "1").out
    assert "▲ root" in shown
    assert "● home/3" in shown
    at_the_start = refused("search", "random", "--game", "nannon")
    assert "chance acts at the start; begin it with one of its outcomes: roll 1 (or 0)" in at_the_start


def test_moves_are_strings_or_ids_with_commas_in_brackets(run, refused):
    by_name = run("search", "greedy", "--game", "tic_tac_toe", "--moves", "x(0,0), o(1,1)", "--json").data
    by_id = run("search", "greedy", "--game", "tic_tac_toe", "--moves", "0,4", "--json").data
    assert by_name["action_values"] == by_id["action_values"]
    assert split_moves("x(0,1),roll 3,,".rstrip(",")) == ["x(0,1)", "roll 3"]
    message = refused("search", "greedy", "--game", "tic_tac_toe", "--moves", "x(0,0),x(0,1)")
    assert "move 2 'x(0,1)' is no legal move there; legal: o(0,1) (or 1)" in message
    assert "move 2 is empty" in refused("search", "greedy", "--game", "tic_tac_toe", "--moves", "0,,1")
    over = "0,3,1,4,2"
    assert "the game is over" in refused("search", "greedy", "--game", "tic_tac_toe", "--moves", over)
    assert "move 6 '8' comes after the end" in refused(
        "search", "greedy", "--game", "tic_tac_toe", "--moves", over + ",8"
    )


@pytest.mark.parametrize("ending", ["json", "svg", "html"])
def test_trees_are_saved(run, tmp_path: Path, ending: str):
    file = tmp_path / f"tree.{ending}"
    words = ("search", "alphabeta(depth=3)", "--game", "tic_tac_toe", "--tree", str(file), "--json")
    assert run(*words).data["cutoffs"] > 0
    assert file.stat().st_size > 1000
    if ending == "json":
        tree = load_tree(file)
        assert len(tree.children) == 9


def test_a_tree_that_cannot_be_saved_is_refused_before_the_search(refused, tmp_path: Path):
    words = ("search", "alphabeta(depth=2)", "--game", "tic_tac_toe", "--tree")
    assert "must end in .json, .svg, .html" in refused(*words, "tree.png")
    assert "there is no such file or folder; check the path" in refused(
        *words, str(tmp_path / "no" / "tree.svg")
    )
    assert "keeps no tree" in refused("search", "random", "--game", "tic_tac_toe", "--show")


def test_match(run, refused):
    words = ("match", "greedy", "random", "--game", "nannon", "--games", "200", "--seed", "3")
    data = run(*words, "--json").data
    assert data["wins"] + data["draws"] + data["losses"] == data["games"] == 200
    assert data["ci95"][0] < data["score"] < data["ci95"][1]
    assert data["score"] > 0.5
    again = run(*words, "--json").data
    assert {k: v for k, v in again.items() if k != "seconds"} == {
        k: v for k, v in data.items() if k != "seconds"
    }
    assert "200 games" in run(*words).out
    assert "games=0 must be at least 1" in refused(
        "match", "random", "random", "--game", "nannon", "--games", "0"
    )
    assert "use expectiminimax" in refused("match", "alphabeta", "random", "--game", "nannon")


def test_a_game_in_plain_python_plays(run):
    data = run("match", "random", "random", "--game", PIG, "--games", "4", "--json").data
    assert data["games"] == 4


def test_tournament(run, refused):
    words = (
        "tournament",
        "random",
        "greedy",
        "expectiminimax(depth=2)",
        "--game",
        "nannon",
        "--games",
        "100",
    )
    data = run(*words, "--json").data
    assert data["agents"] == ["random", "greedy", "expectiminimax(depth=2)"]
    assert data["table"][0][0] is None
    assert data["table"][0][1] == pytest.approx(1 - data["table"][1][0])
    elos = [rating["elo"] for rating in data["ratings"]]
    assert elos[0] < min(elos[1:])
    assert sum(elos) == pytest.approx(0)
    assert "● " in run(*words).out or "●─" in run(*words).out
    assert "at least two agents" in refused("tournament", "random", "--game", "nannon")
    assert "given twice" in refused("tournament", "random", "random", "--game", "nannon")


def test_play(run, refused, monkeypatch: pytest.MonkeyPatch):
    def typed(*lines: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))

    typed("hint", "1", "undo", "nonsense", "x(1,1)", "q")
    out = run("play", "alphabeta(depth=3)", "--game", "tic_tac_toe").out
    assert "alphabeta(depth=3) would play" in out
    assert "not a move here" in out
    assert "1 . x ." in out
    assert out.rstrip().endswith("Bye.")
    typed(*["1"] * 60)
    assert "You " in run("play", "random", "--game", "nannon", "--seed", "5").out.splitlines()[-1]
    typed("undo")
    assert "nothing to undo" in run("play", "random", "--game", "tic_tac_toe").out
    assert "--seat" in refused("play", "random", "--game", "nannon", "--seat", "2")


def test_play_alone(run, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("gymnasium")
    monkeypatch.setattr(sys, "stdin", io.StringIO("hint\n" + "2\n" * 20))
    game = ("--game", "gymnasium(id=CartPole-v1)")
    out = run("play", "random", *game, "--seed", "1").out
    assert "You are alone" in out
    assert "random would play" in out
    assert out.splitlines()[-1].startswith("You got ")
    assert "sees [" in out
    assert "random got " in run("play", "random", *game, "--seat", "1", "--seed", "1").out


def test_bench_lists_and_refuses(run, refused):
    assert "playouts" in run("bench", "--list", "--json").data["workloads"]
    assert "did you mean playouts" in refused("bench", "playout")
    assert "did you mean openspiel" in refused("bench", "playouts", "--against", "openspeil")


def test_bench_measures_and_reports_an_absent_peer(run, monkeypatch: pytest.MonkeyPatch):
    from dicezero.bench import workloads
    from dicezero.bench.row import Row

    class Fake:
        @staticmethod
        def rows(against: frozenset[str]):
            yield Row("fake", "games/s", 100.0)
            for peer in sorted(against):
                yield Row("fake", "games/s", 100.0, peer=peer, peer_value=10.0)

    monkeypatch.setitem(sys.modules, "dicezero.bench.fake", Fake)  # type: ignore[arg-type]
    monkeypatch.setitem(workloads.WORKLOADS, "fake", workloads.Workload("dicezero.bench.fake", "for a test"))
    monkeypatch.setitem(workloads.PEERS, "mctx", "no_such_module_anywhere")
    rows = run("bench", "fake", "--against", "mctx,openspiel", "--json").data["rows"]
    by_peer = {row["peer"]: row for row in rows}
    assert by_peer["mctx"]["peer_value"] is None
    assert by_peer["mctx"]["ratio"] is None
    assert by_peer[None]["ours"] == 100.0
    assert "absent" in run("bench", "fake", "--against", "mctx").out
    assert json.dumps(rows)
