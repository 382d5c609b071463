"""Chess and 19x19 Go from the first round to other people's programs: train, resume, match, uci, gtp."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from dicezero.cli.gtp_server import GtpServer
from dicezero.cli.uci_server import UciServer

TINY = {
    "games": "2",
    "max_moves": "6",
    "batch": "4",
    "steps": "1",
    "search.simulations": "2",
    "play.simulations": "2",
    "board.channels": "4",
    "board.blocks": "1",
    "measure_every": "1",
}


@pytest.mark.parametrize("game", ["chess(history=1)", "go(board_size=19,max_moves=12)"])
def test_a_run_is_trained_resumed_and_played(run, tmp_path: Path, game: str) -> None:
    folder = tmp_path / "run"
    settings = [word for key, value in TINY.items() for word in ("--set", f"{key}={value}")]
    words = ["train", "gumbel-alphazero", "--game", game, "--out", str(folder), "--seed", "1", *settings]
    words += ["--measure", "match(opponent=random,games=2,opening=2)"]
    assert run(*words, "--rounds", "1").code == 0
    assert run(*words, "--rounds", "2", "--resume").code == 0
    rounds = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    assert [line["round"] for line in rounds] == [1, 2]
    assert all(0.0 <= line["score"] <= 1.0 for line in rounds)
    agent = f"run(path={folder})"
    played = run("match", agent, "random", "--game", game, "--games", "2", "--opening", "2", "--json").data
    assert played["games"] == 2
    out = io.StringIO()
    if game.startswith("chess"):
        lines = "position startpos moves e2e4\ngo nodes 2\n"
        UciServer(agent, "chess(history=1)", seed=1, out=out).run(io.StringIO(lines))
        assert out.getvalue().split("bestmove ")[1].split()[0][1] in "78"  # a first move of Black's
    else:
        lines = "boardsize 19\nplay b Q16\ngenmove w\nlist_stones white\nquit\n"
        GtpServer(agent, game, seed=1).run(io.StringIO(lines), out)
        said = [part.strip() for part in out.getvalue().split("\n\n") if part.strip()]
        assert said[2].startswith("= ")
        assert said[2] == "= pass" or said[2] == said[3]
