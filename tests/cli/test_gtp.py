"""``dicezero gtp``: a regression of GTP commands, another program's client, and junk."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from dicezero.agents.gtp import GtpConnection
from dicezero.cli.gtp_server import GtpServer, handicap_points

COMMAND = [sys.executable, "-c", "import sys; from dicezero.cli import main; sys.exit(main())", "gtp"]

# Commands of the GTP 2 draft and what must come back; None: any success.
CONVERSATION: list[tuple[str, str | None]] = [
    ("protocol_version", "= 2"),
    ("7 protocol_version", "=7 2"),
    ("name", "= dicezero"),
    ("version", None),
    ("known_command genmove", "= true"),
    ("known_command levitate", "= false"),
    ("known_command", "= false"),
    ("levitate", "? unknown command"),
    ("12 levitate", "?12 unknown command"),
    ("boardsize 7", "="),
    ("boardsize 25", "? unacceptable size"),
    ("boardsize x", "? syntax error: not an integer"),
    ("query_boardsize", "= 7"),
    ("clear_board", "="),
    ("komi 5.5", "="),
    ("komi nan", "? syntax error: komi is out of range"),
    ("komi", "? syntax error: komi is not a number"),
    ("get_komi", "= 5.5"),
    ("play black D4", "="),
    ("play w d5", "="),
    ("play w D5", "? illegal move"),
    ("play green D3", "? syntax error: invalid colour"),
    ("play b I3", "? syntax error: vertex is not on the board"),
    ("play b Z99", "? syntax error: vertex is not on the board"),
    ("play b", "? syntax error: play COLOUR VERTEX"),
    ("play b C5 # a comment", "="),
    ("play b D6", "="),  # twice in a row
    ("last_move", "= black D6"),
    ("list_stones black", "= D4 C5 D6"),
    ("is_legal w E5", "= 1"),
    ("is_legal w D6", "= 0"),
    ("undo", "="),
    ("last_move", "= black C5"),
    ("reg_genmove w", None),
    ("last_move", "= black C5"),
    ("genmove w", None),
    ("final_score", None),
    ("final_status_list dead", "="),
    ("final_status_list sleeping", "? syntax error: alive, dead or seki"),
    ("time_settings 300 30 1", "="),
    ("time_left b 100 0", "="),
    ("time_left x 100 0", "? syntax error: invalid colour"),
    ("showboard", None),
    ("printsgf", None),
    ("clear_board", "="),
    ("undo", "? cannot undo"),
    ("play b pass", "="),
    ("play w pass", "="),
    ("play b C3", "="),  # clients may go on after two passes
    ("genmove w", None),
    ("boardsize 9", "="),
    ("fixed_handicap 4", "= C3 G7 C7 G3"),
    ("fixed_handicap 4", "? board not empty"),
    ("clear_board", "="),
    ("fixed_handicap 10", "? invalid number of stones"),
    ("set_free_handicap A1 B2", "="),
    ("list_stones b", "= A1 B2"),
    ("genmove w", None),
    ("clear_board", "="),
    ("set_free_handicap A1 A1", "? bad vertex list"),
    ("set_random_seed 5", "="),
    ("get_random_seed", "= 5"),
    ("loadsgf /no/such/file.sgf", "? cannot load file '/no/such/file.sgf'"),
    ("gogui-analyze_commands", None),
]


def converse(server: GtpServer, line: str) -> str:
    answer, _ = server.answer(line + "\n")
    return answer


def test_conversation() -> None:
    server = GtpServer("random", "go(board_size=9)", seed=1)
    for command, expected in CONVERSATION:
        answer = converse(server, command)
        assert answer.endswith("\n\n"), command
        assert "\n\n" not in answer[:-2].lstrip("= \n") or command == "showboard", command
        if expected is None:
            assert answer.startswith("="), (command, answer)
        else:
            assert answer == f"{expected}\n\n", command


def test_empty_lines_and_comments_are_not_answered() -> None:
    server = GtpServer("random", "go(board_size=9)", seed=1)
    assert [converse(server, line) for line in ("", "   ", "# nothing", "\t", "\x07")] == [""] * 5


def test_list_commands_is_what_is_known() -> None:
    server = GtpServer("random", "go(board_size=9)", seed=1)
    commands = converse(server, "list_commands")[2:].split()
    required = [
        "protocol_version",
        "name",
        "version",
        "known_command",
        "list_commands",
        "quit",
        "boardsize",
        "clear_board",
        "komi",
        "play",
        "genmove",
        "undo",
        "showboard",
        "final_score",
        "final_status_list",
        "fixed_handicap",
        "place_free_handicap",
        "set_free_handicap",
        "time_settings",
        "time_left",
        "loadsgf",
        "reg_genmove",
    ]
    assert set(required) <= set(commands)
    for command in commands:
        assert converse(server, f"known_command {command}") == "= true\n\n"


def test_a_thousand_junk_lines_do_not_upset_it() -> None:
    server = GtpServer("random", "go(board_size=5)", seed=1)
    rng = random.Random(4)
    words = [
        *converse(server, "list_commands")[2:].split(),
        "b",
        "w",
        "D4",
        "-1",
        "99999999999",
        "\x00",
        "é",
        "=",
        "?",
    ]
    words = [word for word in words if word not in ("quit", "printsgf", "loadsgf")]
    for _ in range(1000):
        kind = rng.random()
        if kind < 0.4:
            line = bytes(rng.randrange(256) for _ in range(rng.randrange(60))).decode("latin-1")
        else:
            line = " ".join(rng.choice(words) for _ in range(rng.randrange(6)))
        if line.split()[:1] == ["quit"]:
            continue
        answer, goes_on = server.answer(line)
        assert goes_on
        assert answer == "" or (answer[0] in "=?" and answer.endswith("\n\n"))
    assert converse(server, "boardsize 5") == "=\n\n"
    assert converse(server, "genmove b").startswith("= ")


def test_sgf_goes_out_and_comes_back(tmp_path: Path) -> None:
    server = GtpServer("random", "go(board_size=9,komi=6.5)", seed=1)
    for command in ("play b E5", "play w C3", "play b pass"):
        converse(server, command)
    path = tmp_path / "game.sgf"
    assert converse(server, f"printsgf {path}") == "=\n\n"
    other = GtpServer("random", "go", seed=1)
    assert converse(other, f"loadsgf {path}") == "= white\n\n"
    assert converse(other, "move_history") == "= black pass\nwhite C3\nblack E5\n\n"
    assert converse(other, "get_komi") == "= 6.5\n\n"
    assert converse(other, f"loadsgf {path} 2") == "= white\n\n"
    assert converse(other, "move_history") == "= black E5\n\n"
    path.write_text("(;GM[1]SZ[9];B[zz])")
    assert converse(other, f"loadsgf {path}").startswith("? line 1: game 1: 'zz' is no point")


def test_handicap_points_are_those_of_the_protocol() -> None:
    server = GtpServer("random", "go(board_size=19)", seed=1)
    assert converse(server, "fixed_handicap 5") == "= D4 Q16 D16 Q4 K10\n\n"
    converse(server, "clear_board")
    assert converse(server, "fixed_handicap 6") == "= D4 Q16 D16 Q4 D10 Q10\n\n"
    assert handicap_points(5) == []


def test_as_a_program_of_its_own() -> None:
    """Our own client, which knows nothing of this server, plays a game against itself through the pipe."""
    words = [*COMMAND, "random", "--game", "go(board_size=5)"]
    connection = GtpConnection(words, timeout_seconds=60)
    assert "genmove" in connection.commands
    passes, moves = 0, 0
    while passes < 2 and moves < 200:
        vertex = connection.ask(f"genmove {'bw'[moves % 2]}")
        passes = passes + 1 if vertex == "pass" else 0
        moves += 1
    assert connection.ask("final_score")[0] in "BW0"
    connection.ask("quit")
    connection.process.close()


def test_mistakes_are_one_line_and_exit_2() -> None:
    for arguments in (["random", "--game", "chess"], ["nonsense"], ["random", "--game", "go(board_size=99)"]):
        done = subprocess.run(
            [*COMMAND, *arguments],
            capture_output=True,
            text=True,
            input="",
            check=False,
        )
        assert done.returncode == 2
        assert done.stdout == ""
        assert len(done.stderr.strip().split("\n")) == 1


@pytest.mark.parametrize("size", [2, 13, 19])
def test_any_size(size: int) -> None:
    server = GtpServer("random", "go", seed=1)
    assert converse(server, f"boardsize {size}") == "=\n\n"
    assert converse(server, "genmove b").startswith("= ")
