"""How a user's program ends: without a word of leaked objects, whatever it still holds.

The module tells of leaks only where ``DICEZERO_LEAK_WARNINGS`` is set: a thread that never ends holds at
Python's end what it holds, which nobody can mend. All the rest is told here.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# A daemon's frame is never cleared, so what it holds outlives the interpreter.
DAEMON = """
import threading, time
from dicezero import load_game
def work():
    game = load_game("nannon")
    state = game.new_initial_state()
    held.set()
    time.sleep(1000)
held = threading.Event()
threading.Thread(target=work, daemon=True).start()
held.wait()
"""

PROGRAMS = {
    "games and states of a module": """
from dicezero import _native
games = [make() for _, make, _ in _native.registered_games()]
states = [game.new_initial_state() for game in games]
held = {state: game for state, game in zip(states, games)}
""",
    "a cache": """
import functools
from dicezero import load_game
@functools.lru_cache
def begin(game):
    return game.new_initial_state()
@functools.cache
def loaded(name):
    return load_game(name)
begin(loaded("nannon"))
""",
    "a game that extends one of ours and keeps its states": """
from dicezero import _native
class Mine(_native.TicTacToe):
    pass
game = Mine()
game.first = game.new_initial_state()
game.next = [game.first.child(3), game.first.clone()]
""",
    "searchers with functions of their own": """
import random
from dicezero import load_game
from dicezero.search.uct import UctConfig, UctSearcher
game = load_game("tic_tac_toe")
def playout(state, generator):
    return searcher and generator.choice(state.legal_actions())
def evaluate(state, player):
    return searcher and 0.0
searcher = UctSearcher(game, UctConfig(simulations=20), playout=playout)
found = searcher.search(game.new_initial_state(), seed=1)
other = UctSearcher(game, UctConfig(simulations=20), evaluate=evaluate)
tree = (other.search(game.new_initial_state(), seed=1), other.tree())
""",
    "agents, one in a thread that ends late": """
import threading, time
from dicezero import load_game, make_agent
game = load_game("nannon")
state = game.new_initial_state(); state.apply_action(1)
names = ("uct(simulations=20)", "optimal", "random", "expectiminimax(depth=2)")
agents = [make_agent(name, game) for name in names]
results = [agent.search(state, seed=1) for agent in agents]
def work(agent=agents[0], state=state):
    time.sleep(0.3)
threading.Thread(target=work).start()
""",
    "a solution and its tables": """
from dicezero import load_game
from dicezero.solve import solve
game = load_game("tic_tac_toe")
solution = solve(game)
value = solution.value(game.new_initial_state())
""",
    "a match and its players": """
from dicezero import load_game, make_agent, play_match
game = load_game("nannon")
a, b = make_agent("uct(simulations=10)", game), make_agent("random", game)
result = play_match(game, a, b, games=4, seed=1)
""",
    "what JAX has compiled with a game in it": """
import jax
from dicezero import load_game
game = load_game("tic_tac_toe")
double = jax.jit(lambda game, x: x * game.num_players(), static_argnums=0)
state = jax.jit(lambda x: x + state_held.num_players())
state_held = game.new_initial_state()
found = double(game, 1.0), state(1.0)
""",
    "an error that nobody caught, kept with its frames": """
import sys
from dicezero import load_game
game = load_game("tic_tac_toe")
def fail(state):
    state.apply_action(99)
try:
    fail(game.new_initial_state())
except ValueError as error:
    kept = error
sys.last_value = kept
""",
}

LOADED = """
import sys
from dicezero import load_run, make_agent
run = load_run(sys.argv[1])
agent = make_agent(f'run(path="{sys.argv[1]}")', run.game)
found = agent.search(run.game.new_initial_state(), seed=1)
"""

STUDIO = """
import json, os, signal, sys, threading, urllib.request
from pathlib import Path
from dicezero.studio.catalog import Catalog
from dicezero.studio.hall import Hall
from dicezero.studio.page.app import serve
def visit(url):
    def work():
        urllib.request.urlopen(url).read()
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=work).start()
catalog = Catalog([Path(sys.argv[1])])
try:
    serve(catalog, Hall(catalog), 0, ready=visit)
except KeyboardInterrupt:
    pass
"""


def ended(code: str, *words: str, told: bool = True) -> subprocess.CompletedProcess[str]:
    """The program, run to its end."""
    env = {name: value for name, value in os.environ.items() if name != "DICEZERO_LEAK_WARNINGS"}
    env |= {"DICEZERO_LEAK_WARNINGS": "1"} if told else {}
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=env,
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_outlives_a_program(name):
    done = ended(PROGRAMS[name])
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("preset", ["gumbel-alphazero", "gumbel-muzero"])
def test_nothing_outlives_a_run_that_was_loaded(untrained, preset):
    done = ended(LOADED, str(untrained(preset, "tic_tac_toe")))
    assert (done.returncode, done.stderr) == (0, "")


def test_nothing_outlives_a_studio_that_was_stopped(untrained):
    done = ended(STUDIO, str(untrained("gumbel-alphazero", "tic_tac_toe")))
    assert done.returncode == 0
    assert "nanobind" not in done.stderr


# Where the suite's own objects were held beyond its end: planners that tests are called with, and modules
# that pytest has rewritten and extension modules never let go of (tests/conftest.py has the whole chain).
HELD = ("tests/rules/test_control.py", "tests/rules/test_door_loops.py::test_an_honest_game_passes")


@pytest.mark.parametrize("workers", [("-p", "no:xdist"), ("-n", "1")])
def test_nothing_outlives_the_tests_themselves(workers):
    code = "import sys, pytest; sys.exit(pytest.main(sys.argv[1:]))"
    done = ended(code, "-q", "-p", "no:cacheprovider", *workers, *(str(ROOT / name) for name in HELD))
    assert done.returncode == 0, done.stdout
    assert "nanobind" not in done.stdout + done.stderr


def test_what_a_thread_without_end_holds_is_told_to_nobody_but_us():
    assert "nanobind: leaked" in ended(DAEMON).stderr, "else the tests above could not fail"
    assert ended(DAEMON, told=False).stderr == ""
