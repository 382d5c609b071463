"""``dicezero uci``: driven by python-chess, by hand, and by junk."""

from __future__ import annotations

import io
import random
import signal
import subprocess
import sys

import pytest

from dicezero.cli.gtp_server import GtpServer
from dicezero.cli.plain import short_lines
from dicezero.cli.uci_limits import parse_limits
from dicezero.cli.uci_server import UciServer, value_to_centipawns

COMMAND = [sys.executable, "-c", "import sys; from dicezero.cli import main; sys.exit(main())", "uci"]


def talk(*lines: str, agent: str = "random", game: str = "chess") -> list[str]:
    """What the server says to the lines; a search that runs at the end is heard out."""
    out = io.StringIO()
    UciServer(agent, game, seed=1, out=out).run(io.StringIO("".join(line + "\n" for line in lines)))
    return out.getvalue().split("\n")[:-1]


def test_python_chess_plays_a_game() -> None:
    chess = pytest.importorskip("chess")
    engines = pytest.importorskip("chess.engine")
    with engines.SimpleEngine.popen_uci([*COMMAND, "alphabeta(depth=2)"], timeout=60) as engine:
        assert engine.id["name"].startswith("dicezero")
        assert "Seed" in engine.options
        engine.configure({"Seed": 7})
        board = chess.Board()
        rng = random.Random(1)
        for _ in range(12):
            result = engine.play(board, engines.Limit(depth=2), info=engines.INFO_ALL)
            assert result.move in board.legal_moves
            assert "score" in result.info
            board.push(result.move)
            board.push(rng.choice(list(board.legal_moves)))
        # A mate in one, under a clock, after an analysis.
        board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
        info = engine.analyse(board, engines.Limit(time=0.2))
        assert info["pv"][0] == chess.Move.from_uci("d1d8")
        clock = engines.Limit(white_clock=10, black_clock=10, white_inc=0.1, black_inc=0.1)
        assert engine.play(board, clock).move == chess.Move.from_uci("d1d8")
        engine.ping()


def test_handshake() -> None:
    said = talk("uci", "isready")
    assert said[0].startswith("id name dicezero")
    assert said[1].startswith("id author")
    assert said[-2:] == ["uciok", "readyok"]
    assert any(line.startswith("option name UCI_Variant type combo default chess") for line in said)


def test_positions_and_moves() -> None:
    said = talk("position startpos moves e2e4 e7e5", "d")
    assert said[-1] == "Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert talk(f"position fen {fen} moves e1g1", "d")[-1] == "Fen: r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"


@pytest.mark.parametrize(
    "line",
    [
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen junk",
        "position",
        "position startpos moves e2e5",
        "setoption name Levitate value 3",
        "setoption",
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(line: str) -> None:
    said = talk("position startpos moves e2e4", line, "d")
    assert [text for text in said if text.startswith("info string ")]
    assert said[-1] == "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def test_every_search_says_one_best_move() -> None:
    said = talk("go nodes 10", "isready", "go infinite", "stop", "stop", "go movetime 10")
    assert len([line for line in said if line.startswith("bestmove ")]) == 3


def test_the_end_of_a_game_has_no_move() -> None:
    said = talk("position fen R6k/8/6K1/8/8/8/8/8 b - - 0 1", "go depth 3")
    assert said == ["info depth 0 score mate 0", "bestmove (none)"]


def test_perft() -> None:
    assert talk("go perft 3") == ["Nodes searched: 8902"]


def test_gardner_chess_by_option() -> None:
    said = talk("setoption name UCI_Variant value gardner", "position startpos moves a2a3", "d")
    assert said[-1].startswith("Fen: rnbqk/ppppp/P4/1PPPP/RNBQK b") or "info string" in said[0]


def test_a_thousand_junk_lines_do_not_upset_it() -> None:
    rng = random.Random(4)
    words = [
        "uci",
        "isready",
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "go",
        "depth",
        "nodes",
        "1",
        "-5",
        "stop",
        "setoption",
        "name",
        "value",
        "d",
        "x",
        "é",
        "\x00",
    ]
    lines = []
    for _ in range(1000):
        if rng.random() < 0.5:
            lines.append(" ".join(rng.choice(words) for _ in range(rng.randrange(7))))
        else:
            text = bytes(rng.randrange(256) for _ in range(rng.randrange(60))).decode("latin-1")
            lines.append("".join(c for c in text if c not in "\n\r\x0b\x0c\x1c\x1d\x1e\x85"))
    lines = [line for line in lines if "quit" not in line]
    said = talk(*lines, "ucinewgame", "position startpos", "go depth 1")
    assert said[-1].startswith("bestmove ")


def test_time_is_shared_out() -> None:
    assert parse_limits(["wtime", "60000", "btime", "1000"], turn=0).seconds == pytest.approx(1.95)
    assert parse_limits(
        ["wtime", "60000", "btime", "1000", "movestogo", "1"], turn=1
    ).seconds == pytest.approx(0.45)
    assert parse_limits(["movetime", "1"], turn=1).seconds == 0.001
    assert parse_limits(["wtime", "-50"], turn=0).seconds == 0.001
    assert parse_limits(["nodes", "5", "depth", "3"], turn=0).nodes == 5
    assert parse_limits(["nodes", "five"], turn=0).nodes is None


def test_centipawns() -> None:
    assert value_to_centipawns(0.0) == 0
    assert value_to_centipawns(1.0) == 10_000
    assert value_to_centipawns(-1.0) == -10_000
    assert 300 < value_to_centipawns(0.75) < 400


def test_mistakes_are_one_line_and_exit_2() -> None:
    for arguments in (["random", "--game", "go"], ["nonsense"]):
        done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, input="", check=False)
        assert done.returncode == 2
        assert done.stdout == ""
        assert len(done.stderr.strip().split("\n")) == 1


@pytest.mark.parametrize("end", ["quit\n", ""])
def test_quit_in_the_middle_of_a_search_ends_at_once_and_in_order(end):
    """Python's end must not end the search's thread inside native code, which would abort the process."""
    process = subprocess.Popen(
        [*COMMAND, "alphabeta(depth=30,max_seconds=300)"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdin.write("isready\n")
    process.stdin.flush()
    assert process.stdout.readline() == "readyok\n"
    process.stdin.write("position startpos\ngo\nisready\n")
    process.stdin.flush()
    assert process.stdout.readline() == "readyok\n"
    if end:
        process.stdin.write(end)
        process.stdin.flush()
    else:
        process.send_signal(signal.SIGINT)
    _, complaints = process.communicate(timeout=60)
    assert (process.returncode, complaints) == (0 if end else 130, "")


class Broken:
    name = "broken"

    def search(self, state, *, seed):  # noqa: ARG002
        raise RuntimeError("out of\norder")


def test_an_agent_that_raises_anything_leaves_no_client_waiting() -> None:
    out = io.StringIO()
    server = UciServer("random", "chess", seed=1, out=out)
    server._agent = Broken()
    server.run(io.StringIO("go depth 1\nisready\n"))
    assert "info string out of order" in out.getvalue()
    assert "bestmove " in out.getvalue()


def test_a_line_without_end_is_cut() -> None:
    stream = io.StringIO("y" * 1000 + "\nuci\n")
    assert list(short_lines(stream, 10)) == ["y" * 10, "uci\n"]
    assert list(short_lines(io.StringIO("a\n\nb"), 10)) == ["a\n", "\n", "b"]
    for server in (UciServer("random", "chess", seed=1, out=io.StringIO()).run, _gtp_run):
        stream = Pieces(["z" * 10_000] * 50 + ["\n", "quit\n"])
        server(stream)
        assert max(stream.asked) <= 100_000


class Pieces(io.TextIOBase):
    """Hands out pieces of lines, and remembers how much was asked for at once."""

    def __init__(self, pieces: list[str]) -> None:
        self.pieces, self.asked = pieces, []

    def readline(self, most: int = -1) -> str:
        self.asked.append(most)
        assert most > 0, "a line may have no end"
        return self.pieces.pop(0) if self.pieces else ""


def _gtp_run(stream: io.TextIOBase) -> None:
    GtpServer("random", "go(board_size=5)", seed=1).run(stream, io.StringIO())
