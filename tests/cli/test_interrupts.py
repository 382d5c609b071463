"""Ctrl-C in long commands: interrupted means stopped, and what was finished is reported as such."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import time
import types

import pytest

from dicezero.agents.base import uninterrupted
from dicezero.agents.simple import RandomAgent, immediate_result
from dicezero.cli import main
from dicezero.cli.interrupts import Patient
from dicezero.evaluation.arena import MatchInterrupted, play_match
from dicezero.evaluation.review import review
from dicezero.evaluation.tournament import TournamentInterrupted, play_tournament
from dicezero.rules import load_game
from dicezero.studio.table import Table

CLI = [sys.executable, "-c", "import sys; from dicezero.cli import main; sys.exit(main())"]
GAME = load_game("tic_tac_toe")


class Cut:
    """Plays at random; its search number ``when`` is cut short by Ctrl-C, as a native search reports it."""

    def __init__(self, when, name="cut"):
        self.name, self._left, self._random = name, when, RandomAgent("random", GAME)

    def search(self, state, *, seed):
        self._left -= 1
        found = self._random.search(state, seed=seed)
        if self._left:
            return found
        result = immediate_result(found.action, value=0.0, values={}, begin=time.perf_counter())
        return type(result)(**{**vars(result), "stopped": "interrupted"})


def test_a_search_cut_short_ends_the_match_with_the_games_that_were_over():
    whole = play_match(GAME, Cut(-1), RandomAgent("random", GAME), games=40, seed=3)
    with pytest.raises(MatchInterrupted) as stopped:
        play_match(GAME, Cut(60), RandomAgent("random", GAME), games=40, seed=3)
    part = stopped.value.result
    assert 0 < part.games < whole.games
    again = play_match(GAME, Cut(-1), RandomAgent("random", GAME), games=part.games, seed=3)
    assert part == again
    with pytest.raises(KeyboardInterrupt) as nothing:
        play_match(GAME, Cut(1), RandomAgent("random", GAME), games=40, seed=3)
    assert not isinstance(nothing.value, MatchInterrupted)
    assert uninterrupted(RandomAgent("random", GAME).search(GAME.new_initial_state(), seed=1)).stopped


def test_a_tournament_keeps_the_pairings_that_were_over():
    others = [RandomAgent("a", GAME), RandomAgent("b", GAME)]
    with pytest.raises(TournamentInterrupted) as stopped:
        play_tournament(GAME, [*others, Cut(1)], games=10, seed=1)
    table = stopped.value.result.scores
    assert table[0][1] is not None
    assert stopped.value.result.names == ("a", "b")  # the third has not finished a pairing
    assert len(stopped.value.result.ratings) == 2


def interrupted(words, seconds):
    """Runs a command, presses Ctrl-C after so long; (exit code, stdout, stderr)."""
    process = subprocess.Popen([*CLI, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(seconds)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - begin < 20
    return process.returncode, out, err


def test_an_interrupt_waits_until_a_native_package_is_loaded(monkeypatch):
    """Raised within its modules it ended the process with a crash."""
    package = types.ModuleType("jax")
    package.__spec__ = types.SimpleNamespace(_initializing=True)
    monkeypatch.setitem(sys.modules, "jax", package)
    with Patient():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)  # nothing is raised here
        package.__spec__._initializing = False
        with pytest.raises(KeyboardInterrupt):
            time.sleep(20)
        with pytest.raises(KeyboardInterrupt):  # and from then on at once
            (os.kill(os.getpid(), signal.SIGINT), time.sleep(20))
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_of_the_collector_is_raised_after_it(monkeypatch):
    """What a callback of the collector raises is printed and lost; JAX has such a callback."""
    lost = []
    monkeypatch.setattr(sys, "unraisablehook", lost.append)

    def interrupted(phase, _):
        if phase == "start":
            os.kill(os.getpid(), signal.SIGINT)
            sum(range(10))  # the signal is heard here

    def collected():
        gc.collect()
        gc.callbacks.remove(interrupted)
        time.sleep(20)

    gc.callbacks.append(interrupted)
    try:
        with Patient(), pytest.raises(KeyboardInterrupt):
            collected()
    finally:
        gc.callbacks[:] = [callback for callback in gc.callbacks if callback is not interrupted]
    assert not lost


def test_an_interrupt_of_our_own_imports_is_one_line():
    """The command's modules are not read yet when it comes."""
    code = """
import sys
from dicezero.cli import main
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "dicezero.cli.app":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Finder())
sys.exit(main(["games"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "dicezero: interrupted\n")


def test_a_benchmark_ends_the_processes_it_began():
    code = """
import os, signal, threading
from dicezero.bench import limits
limits._MEASURE = "import time; time.sleep(100)"
threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    limits.sgemm_gflops(2)
except KeyboardInterrupt:
    try:
        print(os.waitpid(-1, os.WNOHANG))
    except ChildProcessError:
        print("none is left")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("none is left\n", "")


def test_a_real_match_stops_with_what_it_has():
    words = [
        "match",
        "uct(simulations=300)",
        "random",
        "--game",
        "tic_tac_toe",
        "--games",
        "100000",
        "--json",
    ]
    code, out, err = interrupted(words, 8)
    assert code == 130
    assert err.count("\n") == 1
    if out:  # else not one game was over by then
        found = json.loads(out)
        assert found["interrupted"]
        assert 0 < found["games"] < 100_000


def test_perft_reacts():
    code, out, err = interrupted(["perft", "nannon", "--depth", "20"], 5)
    assert (code, out) == (130, "")
    assert "interrupted" in err


def test_no_game_goes_on_with_a_move_of_a_search_that_was_cut_short():
    with pytest.raises(KeyboardInterrupt):
        Table(GAME, Cut(1), seat=1, seed=0).advance()
    with pytest.raises(KeyboardInterrupt):
        Table(GAME, Cut(1), seat=0, seed=0).hint()
    with pytest.raises(KeyboardInterrupt):
        review(GAME.new_initial_state(), [4, 0], Cut(1))


def test_a_bot_and_an_opponent_hand_the_interrupt_on():
    pyspiel = pytest.importorskip("pyspiel")
    gymnasium = pytest.importorskip("gymnasium")
    del gymnasium
    from dicezero.gymnasium import GameEnv
    from dicezero.openspiel import AgentBot

    with pytest.raises(KeyboardInterrupt):
        AgentBot(Cut(1), native=False).step(pyspiel.load_game("tic_tac_toe").new_initial_state())
    environment = GameEnv("tic_tac_toe", opponent="random")
    environment._opponent = Cut(1)
    with pytest.raises(KeyboardInterrupt):
        (environment.reset(seed=0), environment.step(0))


def test_an_analysis_tells_the_games_it_was_through_with(tmp_path, monkeypatch, capsys):
    file, seen = tmp_path / "games.jsonl", []
    game = {"format": "dicezero-game", "version": 1, "game": "tic_tac_toe", "moves": [4, 0, 2]}
    file.write_text(f"{json.dumps(game)}\n" * 3)

    def cut(*words, **named):
        seen.append(words)
        if len(seen) == 3:
            raise KeyboardInterrupt
        return review(*words, **named)

    monkeypatch.setattr("dicezero.cli.analyse.review", cut)
    assert main(["analyse", str(file), "--judge", "optimal", "--json"]) == 130
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert (len(found["games"]), found["interrupted"]) == (2, True)
    assert err == "dicezero: interrupted; after 2 of 3 games\n"


# Moves pass the turn, and every position is another: no game of it ends, and no count of its states.
ENDLESS = """
class State:
    def __init__(self, moves=0): self.moves = moves
    def current_player(self): return self.moves % 2
    def is_terminal(self): return False
    def legal_actions(self): return [0, 1]
    def apply_action(self, action): self.moves += 1
    def clone(self): return State(self.moves)
    def returns(self): return [0.0, 0.0]
    def observation_tensor(self, player=None): return [float(self.moves % 2)]
    def action_to_string(self, player, action=None): return str(action)
    def __str__(self): return f"after {self.moves}"

class Endless:
    def num_distinct_actions(self): return 2
    def num_players(self): return 2
    def min_utility(self): return -1.0
    def max_utility(self): return 1.0
    def max_game_length(self): return 10**9
    def observation_tensor_shape(self): return [1]
    def new_initial_state(self): return State()
    def __str__(self): return "endless"
"""


def test_a_game_without_end_can_be_left_in_every_command(tmp_path):
    """One line more than the reports of progress, exit code 130, and at once; `cube` while it begins."""
    (tmp_path / "endless.py").write_text(ENDLESS)
    game = ["--game", f"{tmp_path / 'endless.py'}:Endless"]
    commands = [
        ["search", "uct(simulations=10000000)", *game],
        ["search", "optimal", *game],
        ["match", "random", "uct(simulations=5)", *game],
        ["tournament", "random", "uct(simulations=5)", *game],
        ["solve", game[1]],
        ["perft", game[1], "--depth", "60"],
        ["train", "gumbel-alphazero", *game, "--out", str(tmp_path / "run")],
        ["play", "random", *game],
    ]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    begun = [subprocess.Popen([*CLI, *words], **pipes) for words in commands]
    time.sleep(20)
    begun.append(subprocess.Popen([*CLI, "cube", "pretrained(plies=3)"], **pipes))
    time.sleep(1)
    try:
        begin = time.monotonic()
        for process in begun:
            process.send_signal(signal.SIGINT)
        for process, words in zip(begun, [*commands, ["cube"]], strict=True):
            _, err = process.communicate(timeout=60)
            assert process.returncode == 130, (words, err)
            assert "dicezero: interrupted" in err.splitlines()[-1], (words, err)
            assert "Traceback" not in err, words
        assert time.monotonic() - begin < 20
    finally:
        for process in begun:
            process.kill()
            process.communicate()
    assert not (tmp_path / "run").exists()
