"""Files of games and trees that are made to hang, to fill the memory or to be no files at all."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from dicezero.cli import main
from dicezero.rules.notation import NotationError, parse_games
from dicezero.rules.notation.moves import MOST_GAMES
from dicezero.rules.ordinary import read_ordinary

JUNK = {
    ".mat": (
        " Game 1\n" + " " * 100_000 + "x\n",
        " Game 1\n" + ": 1 " * 30_000 + "x\n",
        " Game 1\n" + ":" * 100_000 + "\n",
        " Game 1\n a : 0  b : 0\n 1) 31: 8/5" + " " * 100_000 + "win\n",
        "Game 1\n" * (MOST_GAMES + 2),
    ),
    ".pgn": ("* " * (MOST_GAMES + 2), "[" + " " * 100_000, '[A "' + "\\" * 100_000, "1." * 50_000),
    ".sgf": ("(;)" * (MOST_GAMES + 2), "(" * 100_000, "(;B" + "[" * 100_000, "(" + ";" * 200_000 + ")"),
    ".jsonl": ("[" * 100_000, '{"format":' * 10_000, "9" * 100_000),
}


@pytest.mark.parametrize(("suffix", "text"), [(key, text) for key in JUNK for text in JUNK[key]])
def test_junk_is_refused_in_a_moment(suffix: str, text: str) -> None:
    begin = time.process_time()
    with pytest.raises(NotationError):
        parse_games(text, suffix)
    assert time.process_time() - begin < 20  # a square of the length would be hours


@pytest.mark.parametrize("line", ["ann : 0     bob : 3", " a:b : 12 c : 0 ", ": 0  : 0"])
def test_names_of_players_are_read_as_before(line: str) -> None:
    left, right = {"ann : 0     bob : 3": ("ann", "bob"), ": 0  : 0": ("", "")}.get(line, ("a:b", "c"))
    (game,) = parse_games(f" Game 1\n{line}\n  1) 31: 8/5 6/5\n", ".mat")
    assert game.players == (left, right)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("games.mat", ["analyse", "FILE"]),
        ("tree.json", ["check", "FILE"]),
        ("tree.json", ["solve", "FILE"]),
        ("game.py", ["check", "FILE"]),
        ("game.py", ["check", "FILE:Game"]),
    ],
)
@pytest.mark.parametrize("kind", ["pipe", "endless", "folder"])
def test_what_is_no_file_is_one_line(
    name: str, command: list[str], kind: str, tmp_path: Path, capsys
) -> None:
    path = tmp_path / name
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "endless":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    assert main([word.replace("FILE", str(path)) for word in command]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert str(path)[:30] in line


def test_a_file_is_read_to_its_end_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(b"12345")
    assert read_ordinary(path, most_bytes=5) == b"12345"
    with pytest.raises(OSError, match="more than 4 bytes"):
        read_ordinary(path, most_bytes=4)
