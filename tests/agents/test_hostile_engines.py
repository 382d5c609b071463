"""Programs that flood, do not read, or leave others behind."""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path

import pytest

from dicezero.agents import make_agent
from dicezero.agents.engine_process import EngineError
from dicezero.rules import load_game
from dicezero.rules.names import Name

UCI_START = """
if line == "uci": say("uciok"); continue
if line == "isready": say("readyok"); continue
if not line.startswith("go"): continue
"""


def uci(command: str, **parameters: str) -> str:
    return str(Name("uci", {"command": command, **parameters}))


def resident_megabytes() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


needs_proc = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")


@needs_proc
@pytest.mark.parametrize("command", ["yes", "cat /dev/zero"])
def test_a_flood_ends_in_time_and_fills_no_memory(command: str) -> None:
    game, begin = load_game("chess"), time.monotonic()
    before = resident_megabytes()
    agent = make_agent(uci(command, timeout_seconds="1"), game)
    with pytest.raises(EngineError, match="did not answer within 1 s"):
        agent.search(game.new_initial_state(), seed=0)
    assert time.monotonic() - begin < 20
    assert resident_megabytes() - before < 50
    agent.close()


def test_a_program_that_does_not_read_blocks_nobody(tmp_path: Path) -> None:
    path = tmp_path / "deaf.py"
    path.write_text(
        "import time\nprint('uciok\\n' + 500 * 'readyok\\nbestmove e2e4\\n', flush=True)\ntime.sleep(60)\n"
    )
    game, begin = load_game("chess"), time.monotonic()
    agent = make_agent(uci(f"{sys.executable} -S {path}", timeout_seconds="0.5"), game)
    agent.search(game.new_initial_state(), seed=0)
    with pytest.raises(EngineError, match=r"did not answer within 0\.5 s"):
        agent._connection.process.send("x" * 200_000)  # a pipe holds 64 kB that nobody reads
    assert time.monotonic() - begin < 30
    agent.close()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    script = tmp_path / "wrapper.sh"
    script.write_text(f"sleep 600 & echo $! > {mark}\nwait\n")
    game = load_game("chess")
    agent = make_agent(uci(f"sh {script}", timeout_seconds="0.5"), game)
    with pytest.raises(EngineError):
        agent.search(game.new_initial_state(), seed=0)
    agent.close()
    child = int(mark.read_text())
    for _ in range(100):
        if not is_running(child):
            break
        time.sleep(0.05)
    assert not is_running(child)


@pytest.mark.parametrize(
    "said", ["info depth --5 nodes 7", "info depth \u00b2 nodes 7", "info nodes 7 score cp"]
)
def test_numbers_that_are_none_are_passed_over(program, said: str) -> None:
    game = load_game("chess")
    agent = make_agent(uci(program(f"{UCI_START}\nsay({said!r})\nsay('bestmove e2e4')")), game)
    found = agent.search(game.new_initial_state(), seed=0)
    assert (found.nodes, found.details["depth"]) == (7, 0)
    agent.close()
