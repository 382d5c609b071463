"""Ctrl-C in long commands: interrupted means stopped, and what was finished is reported as such."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

from dicezero.agents.base import uninterrupted
from dicezero.agents.simple import RandomAgent, immediate_result
from dicezero.evaluation.arena import MatchInterrupted, play_match
from dicezero.evaluation.tournament import TournamentInterrupted, play_tournament
from dicezero.rules import load_game

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
