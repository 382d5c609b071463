"""GNU Backgammon as an agent: the protocol, its moves, and what happens when it is missing or dies."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

from dicezero import load_game
from dicezero.agents import AgentError, make_agent
from dicezero.agents.gnubg_program import GnubgProgram, fibs_board, parse_move

needs_gnubg = pytest.mark.skipif(
    shutil.which("gnubg") is None and shutil.which("gnubg", path="/usr/games") is None,
    reason="gnubg is not installed",
)
START = [0] * 26
START[24], START[13], START[8], START[6] = 2, 5, 3, 5


@pytest.fixture(scope="module")
def agent():
    agent = make_agent("gnubg", load_game("backgammon"))
    yield agent
    agent.close()


def test_the_board_line_of_the_start():
    line = fibs_board(START, START, (3, 1))
    points = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    assert line == f"board:me:you:0:0:0:{points}:1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0"


def test_moves_are_read_and_anything_else_is_refused():
    assert parse_move("25/22* 24/23 ") == ((25, 22), (24, 23))
    assert parse_move("") == ()
    with pytest.raises(AgentError, match="gnubg answered 'beaver' instead of a move"):
        parse_move("beaver")


@needs_gnubg
@pytest.mark.parametrize(
    ("roll", "move"), [("31", "8/5 6/5"), ("42", "8/4 6/4"), ("61", "13/7 8/7"), ("65", "24/13")]
)
def test_it_opens_as_everybody_does(agent, roll, move):
    state = load_game("backgammon").new_initial_state()
    state.apply_action(state.string_to_action(f"roll {roll}"))
    assert state.action_to_string(agent.search(state, seed=0).action) == move


@needs_gnubg
def test_its_moves_are_the_best_by_its_own_evaluation_for_either_side(agent):
    game, rng = load_game("backgammon"), random.Random(1)
    program, judged = GnubgProgram(plies=0, timeout_seconds=30), 0
    state = game.new_initial_state()
    while judged < 40:
        if state.is_terminal():
            state = game.new_initial_state()
        if state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
            continue
        mover, result = state.current_player(), agent.search(state, seed=0)
        if state.dice[0] != state.dice[1]:
            values = {}
            for action in state.legal_actions():
                after = state.child(action)
                values[action] = (
                    after.returns()[mover]
                    if after.is_terminal()
                    else -program.equity(after.checkers(1 - mover), after.checkers(mover))
                )
            judged += 1
            assert values[result.action] >= max(values.values()) - 1e-4
            assert result.value == pytest.approx(values[result.action], abs=1e-5)
        # On with any move, so that both sides and all phases are seen.
        state.apply_action(rng.choice(state.legal_actions()) if rng.random() < 0.3 else result.action)
    program.close()


@needs_gnubg
def test_the_second_half_of_a_double_goes_with_the_first(agent):
    state = load_game("backgammon").new_initial_state("4HPwATDgc/ABMA")
    state.apply_action(state.string_to_action("roll 66"))
    played = []
    for _ in range(2):
        action = agent.search(state, seed=0).action
        played.append(state.action_to_string(action))
        state.apply_action(action)
    assert played == ["24/18(2)", "13/7(2)"]
    assert state.is_chance_node()


@needs_gnubg
def test_many_positions_at_once_are_played_as_one_by_one(agent):
    game, rng, states = load_game("backgammon"), random.Random(3), []
    while len(states) < 24:
        state = game.new_initial_state()
        for _ in range(rng.randrange(2, 40)):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_terminal() and state.is_player_node() and not state.second_half:
            states.append(state)
    found = agent.actions(states, [0] * len(states))
    assert found == [agent.search(state, seed=0).action for state in states]
    doubles = [state.child(action) for state, action in zip(states, found, strict=True)]
    doubles = [state for state in doubles if not state.is_terminal() and state.second_half]
    assert all(
        a in s.legal_actions()
        for s, a in zip(doubles, agent.actions(doubles, [0] * len(doubles)), strict=True)
    )


@needs_gnubg
def test_a_program_that_died_is_started_again():
    program = GnubgProgram(plies=0, timeout_seconds=30)
    before = program.move(START, START, (4, 2))
    os.killpg(program._running._process.pid, signal.SIGKILL)
    assert program.move(START, START, (4, 2)) == before
    program.close()


@needs_gnubg
def test_no_gnubg_is_left_behind_by_a_process_that_was_killed():
    code = (
        "import sys, time\n"
        "from dicezero.agents.gnubg_program import GnubgProgram\n"
        "program = GnubgProgram(plies=0, timeout_seconds=30)\n"
        f"program.move({START}, {START}, (4, 2))\n"
        "print(program._running._process.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as player:
        group = int(player.stdout.readline())
        os.killpg(group, 0)  # it is there
        player.kill()
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.killpg(group, signal.SIGKILL)
    pytest.fail("gnubg went on without its player")


@needs_gnubg
def test_one_that_never_answers_is_one_line():
    program = GnubgProgram(plies=3, timeout_seconds=1e-3)
    with pytest.raises(
        AgentError, match=r"gnubg did not answer within 0\.001 seconds; raise timeout_seconds"
    ):
        program.move(START, START, (4, 2))
    program.close()


def test_a_missing_program_is_one_line(monkeypatch):
    monkeypatch.setattr("dicezero.agents.gnubg_program.shutil.which", lambda *_, **__: None)
    with pytest.raises(AgentError, match="gnubg is not installed; apt install gnubg"):
        make_agent("gnubg", load_game("backgammon"))


@pytest.mark.parametrize(
    ("spec", "game", "message"),
    [
        ("gnubg(plies=9)", "backgammon", r"plies=9 is out of range; give 0\.\.4"),
        ("gnubg(timeout_seconds=0)", "backgammon", "timeout_seconds=0.0 is out of range"),
        ("gnubg", "nannon", "gnubg plays backgammon"),
    ],
)
def test_what_it_cannot_play_is_refused(spec, game, message):
    with pytest.raises(AgentError, match=message):
        make_agent(spec, load_game(game))


@pytest.mark.parametrize("answer", ["99/3", "-1/-5", "8/5 8/5 8/5 8/5 8/5", "3/8", "1/1", "8/x"])
def test_answers_that_are_no_moves_are_one_line(answer):
    with pytest.raises(AgentError, match="instead of a move; check its version"):
        parse_move(answer)


IMPOSTOR = """#!{python} -S
import socket, sys, time
commands = open(sys.argv[sys.argv.index("--commands") + 1]).read()
server = socket.socket(socket.AF_UNIX)
server.bind(commands.split("external ")[1].strip())
server.listen()
other = server.accept()[0]
while other.recv(4096):
    {then}
"""


@pytest.mark.parametrize(
    ("then", "complaint"),
    [
        ("[other.sendall(b'x' * 4096) for _ in iter(int, 1)]", "it answers without end"),
        ("[(other.sendall(b'x'), time.sleep(0.1)) for _ in iter(int, 1)]", "did not answer within 1 seconds"),
        ("other.sendall(b'0 0 0 0 0 nan 0\\n')", "instead of an evaluation"),
        ("other.sendall(b'0 0 0 0 0 1e999 0\\n')", "instead of an evaluation"),
        ("other.sendall(bytes(range(128, 250)) + b'\\n')", "instead of an evaluation"),
        ("other.close()", "it closed the connection"),
    ],
)
def test_an_impostor_is_one_line(then, complaint, tmp_path, monkeypatch):
    path = tmp_path / "gnubg"
    path.write_text(IMPOSTOR.format(python=sys.executable, then=then))
    path.chmod(0o755)
    monkeypatch.setattr("dicezero.agents.gnubg_program.shutil.which", lambda *_, **__: str(path))
    program, begin = GnubgProgram(plies=0, timeout_seconds=1.0), time.monotonic()
    with pytest.raises(AgentError, match=complaint):
        program.equity(START, START)
    assert time.monotonic() - begin < 20
    program.close()
