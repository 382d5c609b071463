"""Outside programs as opponents: GNU Go and Stockfish where installed, and programs that fail."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from dicezero.agents import AgentError, make_agent
from dicezero.agents.engine_process import EngineError
from dicezero.evaluation.arena import play_match
from dicezero.rules import load_game
from dicezero.rules.names import Name


def installed(program: str) -> bool:
    return bool(shutil.which(program) or shutil.which(program, path="/usr/games"))


needs_gnugo = pytest.mark.skipif(not installed("gnugo"), reason="GNU Go is not installed")
needs_stockfish = pytest.mark.skipif(not installed("stockfish"), reason="Stockfish is not installed")
needs_fairy = pytest.mark.skipif(not installed("fairy-stockfish"), reason="Fairy-Stockfish is not installed")

GNUGO = "gnugo --mode gtp --level 1 --chinese-rules --positional-superko"


def gtp(command: str, **parameters: str) -> str:
    return str(Name("gtp", {"command": command, **parameters}))


def uci(command: str, **parameters: str) -> str:
    return str(Name("uci", {"command": command, **parameters}))


# ---- the real ones ----


@needs_gnugo
def test_gnugo_beats_random_moves() -> None:
    game = load_game("go(board_size=5,komi=0.5)")
    agent = make_agent(gtp(GNUGO), game)
    result = play_match(game, agent, make_agent("random", game), games=4, seed=1)
    assert result.score == 1.0
    agent.close()


@needs_gnugo
def test_gnugo_is_told_of_a_start_position_and_of_moves_taken_back() -> None:
    game = load_game("go(board_size=9,komi=0.5)")
    agent = make_agent(gtp(GNUGO), game)
    # Black's four stones are in atari at D4; wherever the search comes from, White takes or Black saves them.
    state = game.new_initial_state("9/9/9/9/9/2OX5/1OXXX4/2OOO4/9 w")
    first = agent.search(state, seed=1)
    assert first.action in state.legal_actions()
    other = game.new_initial_state()
    assert agent.search(other, seed=1).action in other.legal_actions()
    assert agent.search(state, seed=1).action == first.action
    agent.close()


@needs_stockfish
def test_stockfish_finds_a_mate_and_gives_one_answer() -> None:
    game = load_game("chess")
    agent = make_agent("uci(command=stockfish,nodes=2000)", game)
    state = game.new_initial_state("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    result = agent.search(state, seed=0)
    assert state.action_to_string(result.action) == "Rd8#"
    assert result.value == 1.0
    start = game.new_initial_state()
    assert len({agent.search(start, seed=i).action for i in range(3)}) == 1
    agent.close()


def test_a_chess_program_is_told_the_whole_line(program, tmp_path: Path) -> None:
    """Only who knows the moves so far can see a repetition coming."""
    heard = tmp_path / "heard"
    body = f"open({str(heard)!r}, 'a').write(line + '\\n')" + UCI_START + "say('bestmove g8f6')"
    game = load_game("chess")
    agent = make_agent(uci(program(body)), game)
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 2"
    for position, told in ((None, "startpos"), (start, f"fen {start}")):
        state = game.new_initial_state(position)
        for move in ("Nf3", "Nc6", "e4"):
            state.apply_action(state.string_to_action(move))
        agent.search(state, seed=0)
        assert f"position {told} moves g1f3 b8c6 e2e4" in heard.read_text().split("\n")
    agent.close()


@needs_fairy
def test_fairy_stockfish_plays_gardner_chess() -> None:
    game = load_game("gardner_chess")
    agent = make_agent(uci("fairy-stockfish", nodes="500", options="Skill Level=20"), game)
    assert play_match(game, agent, make_agent("random", game), games=2, seed=1).score == 1.0
    agent.close()


@needs_stockfish
def test_a_program_that_does_not_know_the_variant_is_refused() -> None:
    game = load_game("gardner_chess")
    agent = make_agent("uci(command=stockfish)", game)
    with pytest.raises(EngineError, match="does not play gardner; fairy-stockfish does"):
        agent.search(game.new_initial_state(), seed=0)


# ---- what can go wrong ----


def test_a_missing_program_is_said_at_once() -> None:
    with pytest.raises(AgentError, match="there is no program 'no-such-program'"):
        make_agent(gtp("no-such-program --mode gtp"), load_game("go(board_size=5)"))
    with pytest.raises(AgentError, match="there is no program 'no-such-program'"):
        make_agent("uci(command=no-such-program)", load_game("chess"))


@pytest.mark.parametrize(
    ("spec", "game", "complaint"),
    [
        ("gtp(command=cat)", "chess", "gtp plays go, not chess"),
        ("uci(command=cat)", "go(board_size=5)", "uci plays chess and gardner_chess, not go"),
        ('gtp(command="")', "go(board_size=5)", "command"),
        ('gtp(command="a \'b")', "go(board_size=5)", "is not a command line"),
        ("gtp(command=cat,timeout_seconds=0)", "go(board_size=5)", "timeout_seconds=0.0 must be positive"),
        ("uci(command=cat,nodes=0)", "chess", "nodes=0 must be positive"),
        ("uci(command=cat,options=Skill)", "chess", "must be like"),
        ("gtp", "go(board_size=5)", "command is missing"),
    ],
)
def test_wrong_parameters(spec: str, game: str, complaint: str) -> None:
    with pytest.raises(AgentError) as caught:
        make_agent(spec, load_game(game))
    assert complaint in str(caught.value)


def _patience(complaint: str) -> str:
    """Seconds: few for a program that never answers, enough for Python to start on a busy machine else."""
    return "0.5" if "did not answer" in complaint else "9"


GTP_START = """
if line == "list_commands": say("= genmove\\n"); continue
if line.split()[0] in ("boardsize", "clear_board", "komi", "play"): say("=\\n"); continue
"""


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("time.sleep(60)", "did not answer within 0.5 s"),
        ("sys.exit('out of memory')", "ended with code 1: out of memory"),
        (GTP_START + 'say("= Z99\\n")', "played 'z99', which is illegal here"),
        (GTP_START + 'say("= hello world\\n")', "played 'hello world', which is illegal here"),
        (GTP_START + 'say("? cannot\\n")', "refuses 'genmove b': cannot"),
        (GTP_START + "time.sleep(60)", "did not answer within 0.5 s"),
        (GTP_START + "say('=' + 9000 * '\\nno end')", "answers 'genmove b' without end"),
        (GTP_START + "say('? ' + 'x' * 5000 + '\\n')", f"refuses 'genmove b': {'x' * 200}"),
        (GTP_START + "\nwhile True: say('chatter')", "did not answer within 0.5 s"),
    ],
)
def test_a_go_program_that_fails_is_one_line(program, body: str, complaint: str) -> None:
    game = load_game("go(board_size=5)")
    agent = make_agent(gtp(program(body), timeout_seconds=_patience(complaint)), game)
    begin = time.monotonic()
    with pytest.raises(EngineError) as caught:
        agent.search(game.new_initial_state(), seed=0)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
    assert time.monotonic() - begin < 30
    agent.close()


UCI_START = """
if line == "uci": say("uciok"); continue
if line == "isready": say("readyok"); continue
if not line.startswith("go"): continue
"""


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("time.sleep(60)", "did not answer within 0.5 s"),
        ("sys.exit(3)", "ended with code 3"),
        (UCI_START + 'say("bestmove e2e5")', "played 'e2e5', which is illegal here"),
        (UCI_START + 'say("bestmove")', "played '', which is illegal here"),
        (UCI_START + "time.sleep(60)", "did not answer within 0.5 s"),
        (UCI_START + "\nwhile True: say('info string ' + 'x' * 1000)", "did not answer within 0.5 s"),
    ],
)
def test_a_chess_program_that_fails_is_one_line(program, body: str, complaint: str) -> None:
    game = load_game("chess")
    agent = make_agent(uci(program(body), timeout_seconds=_patience(complaint)), game)
    with pytest.raises(EngineError) as caught:
        agent.search(game.new_initial_state(), seed=0)
    assert complaint in str(caught.value)
    agent.close()


@pytest.mark.parametrize(
    ("agent", "game", "protocol"), [(gtp, "go(board_size=5)", "GTP"), (uci, "chess", "UCI")]
)
def test_a_program_that_speaks_something_else_is_started_once(
    agent, game: str, protocol: str, tmp_path: Path
) -> None:
    loaded, starts = load_game(game), tmp_path / "starts"
    script = tmp_path / "echo.sh"
    script.write_text(f"echo started >> '{starts}'\nexec cat\n")
    echo = make_agent(agent(f"sh {script}", timeout_seconds="1"), loaded)
    with pytest.raises(EngineError, match=f"sh did not answer within 1 s.*; does it speak {protocol}"):
        echo.search(loaded.new_initial_state(), seed=0)
    assert starts.read_text() == "started\n"


def test_a_program_that_crashes_once_is_started_again(program, tmp_path: Path) -> None:
    mark = tmp_path / "crashed"
    body = (
        UCI_START
        + f"p = pathlib.Path({str(mark)!r})\nif not p.exists(): p.touch(); os._exit(1)\nsay('bestmove e2e4')"
    )
    game = load_game("chess")
    agent = make_agent(uci(program(body)), game)
    state = game.new_initial_state()
    assert state.uci(agent.search(state, seed=0).action) == "e2e4"
    assert mark.exists()
    agent.close()


def test_junk_before_an_answer_is_passed_over(program) -> None:
    body = GTP_START + 'say("GNU says hello")\nsay("")\nsay("=12 c3\\n")'
    game = load_game("go(board_size=5)")
    agent = make_agent(gtp(program(body)), game)
    state = game.new_initial_state()
    assert state.action_to_string(agent.search(state, seed=0).action) == "C3"
    agent.close()


def test_a_program_that_resigns_passes(program) -> None:
    game = load_game("go(board_size=5)")
    agent = make_agent(gtp(program(GTP_START + 'say("= resign\\n")')), game)
    result = agent.search(game.new_initial_state(), seed=0)
    assert (result.action, result.value, result.stopped) == (25, -1.0, "resigned")
    agent.close()
