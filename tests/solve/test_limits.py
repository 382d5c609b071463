"""What is refused, what is reported, and how a long call is stopped."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from plain import Climb, ClimbState

from dicezero import _native, load_object
from dicezero.rules import load_game
from dicezero.solve import NoConvergenceError, Progress, TooLargeError, decisions, optimal, solve, uniform


@pytest.mark.parametrize(
    ("game", "states"),
    [("nannon(points=20,checkers=10,sides=20)", "states and would take"), ("connect_four", r"up to .*e\+")],
)
def test_hopeless_games_are_refused_at_once(game: str, states: str) -> None:
    began = time.perf_counter()
    with pytest.raises(TooLargeError, match=states) as caught:
        solve(game)
    assert time.perf_counter() - began < 1
    assert isinstance(caught.value, ValueError)
    assert "max_states" in str(caught.value)
    assert "B" in str(caught.value)


def test_the_limit_is_met_while_states_are_found() -> None:
    with pytest.raises(TooLargeError, match="at least 1001 states; the limit is max_states=1000"):
        solve("tic_tac_toe", max_states=1000)
    with pytest.raises(TooLargeError, match=r"2530 states .* max_states=2529"):
        solve("nannon", max_states=2529)
    assert solve("nannon", max_states=2530).states == 2530


@pytest.mark.parametrize("name", ["chess", "checkers", "2048", "breakthrough(rows=5,columns=5)"])
def test_games_that_are_far_too_large_are_refused_after_a_moment(name: str) -> None:
    pytest.importorskip("pyspiel")
    game = load_game(name)
    began = time.process_time()  # as on an idle machine
    with pytest.raises(TooLargeError, match=r"more than \de\+\d\d states; the limit is max_states=\d*000000"):
        solve(game)
    assert time.process_time() - began < 2


@pytest.mark.parametrize("target", [1_000, 10_000])
def test_games_whose_size_shows_in_long_play_alone_are_refused_too(target: int) -> None:
    game = load_object(f"{Path(__file__).parents[2] / 'examples/pig.py'}:Pig(target={target})")
    began = time.process_time()
    with pytest.raises(TooLargeError, match=r"more than \de\+\d\d states; the limit is max_states=3000000"):
        solve(game)
    assert time.process_time() - began < 2


def test_more_actions_than_can_be_stored_are_refused_at_once() -> None:
    pytest.importorskip("pyspiel")
    with pytest.raises(TooLargeError, match="actions; games of up to 32767"):
        solve("nim(pile_sizes=9999;9999;9999;9999)")


@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("tic_tac_toe", 5478),
        ("connect_four(rows=4,columns=4)", 161_029),
        ("connect_four(rows=5,columns=4)", 1_706_255),
        ("nannon", 2 * 2530 * 7),
        ("backgammon(start=hyper1)", 25_574),
    ],
)
def test_random_games_never_show_more_states_than_there_are(name: str, states: int) -> None:
    least = _native.states_at_least(load_game(name), enough=1e7, seconds=0.5)
    assert 50 < least <= states


class Corridors(Climb):
    """One of 600 doors, then 250 steps without a choice: games hardly ever meet, and then go on together."""

    def num_distinct_actions(self) -> int:
        return 600

    def new_initial_state(self) -> CorridorState:
        return CorridorState(250, [-1, 0], 0, None)


class CorridorState(ClimbState):
    def is_terminal(self) -> bool:
        return self.heights[1] >= self.top

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else list(range(600)) if self.heights[0] < 0 else [0]

    def apply_action(self, action: int) -> None:
        if self.heights[0] < 0:
            self.heights[0] = action
        else:
            self.heights[1] += 1

    def clone(self) -> CorridorState:
        return CorridorState(self.top, list(self.heights), self.turn, self.trying)


def test_a_few_long_corridors_are_not_taken_for_a_large_game() -> None:
    least = _native.states_at_least(Corridors(), enough=4e6, seconds=5)
    assert least <= 600 * 251 + 1


def test_a_python_game_may_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter(range(0, 10**12, 10**9))
    monkeypatch.setattr("dicezero.solve.table.resident_bytes", lambda: next(sizes))
    with pytest.raises(TooLargeError, match="they take more than 4 GB"):
        solve(Slow(40))


@pytest.mark.parametrize(
    "options",
    [
        {"tolerance": 0.0},
        {"tolerance": float("nan")},
        {"threads": 0},
        {"max_states": 0},
        {"max_iterations": 0},
    ],
)
def test_options_are_checked(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        solve("nannon", **options)


def test_slow_convergence_is_reported() -> None:
    with pytest.raises(NoConvergenceError, match="max_iterations=3"):
        solve("nannon", max_iterations=3)
    with pytest.raises(NoConvergenceError, match="max_iterations=3"):
        solve(Climb(), max_iterations=3)


def test_policies_are_checked() -> None:
    solution = solve("nannon(points=4,checkers=2,sides=4)")
    positions = solution.positions
    count, width = len(positions), positions.num_actions
    even = uniform(positions)
    with pytest.raises(ValueError, match=r"policy_a: .* does not fit"):
        solution.evaluate(np.zeros(count - 1, dtype=np.int8), even)
    with pytest.raises(ValueError, match=r"policy_b: .* does not fit"):
        solution.evaluate(even, np.zeros((count, width + 1)))
    with pytest.raises(ValueError, match="actions must lie in"):
        solution.regret(np.full(count, width))
    with pytest.raises(ValueError, match="is illegal"):
        solution.evaluate(np.full(count, width - 1, dtype=np.int8), even)
    with pytest.raises(ValueError, match="sum to"):
        solution.evaluate(np.full((count, width), 0.9), even)
    with pytest.raises(ValueError, match="sum to"):
        solution.regret(np.full((count, width), np.nan))
    with pytest.raises(ValueError, match="is illegal"):
        solution.evaluate(lambda state: {width - 1: 1.0, state.legal_actions()[0]: 0.0}, even)
    with pytest.raises(ValueError, match="belongs to"):
        solution.evaluate(uniform(decisions("tic_tac_toe")), even)
    with pytest.raises(ValueError, match="out of range"):
        positions.observations(0, count + 1)
    with pytest.raises(ValueError, match="out of range"):
        positions.state(count)


def test_states_of_other_games_are_refused() -> None:
    solution = solve("nannon(points=4,checkers=2,sides=4)")
    with pytest.raises(ValueError, match="not of nannon"):
        solution.value(load_game("nannon").new_initial_state())
    with pytest.raises(ValueError, match="no decision"):
        solution.positions.index(solution.game.new_initial_state())
    with pytest.raises(ValueError, match="never comes to it"):
        solve(Climb(2)).value(ClimbState(9, [7, 7], 0, None))


class Slow(Climb):
    """Takes its time, so that progress is reported."""

    def new_initial_state(self) -> ClimbState:
        return SlowState(self.top, [0, 0], 0, None)


class SlowState(ClimbState):
    def clone(self) -> SlowState:
        time.sleep(0.001)
        return SlowState(self.top, list(self.heights), self.turn, self.trying)


class Idle(Climb):
    """The first to stop wins; but player 1 never has to, and player 0 would lose."""

    def new_initial_state(self) -> IdleState:
        return IdleState(1, [0, 0], 0, None)


class IdleState(ClimbState):
    """Action 0 goes on, action 1 gives the game to the other."""

    def apply_action(self, action: int) -> None:
        self.heights[1 - self.turn] += action
        self.turn = 1 - self.turn

    def clone(self) -> IdleState:
        return IdleState(self.top, list(self.heights), self.turn, self.trying)


def test_play_without_end_is_a_draw() -> None:
    solution = solve(Idle())
    state = solution.game.new_initial_state()
    assert solution.first_player_win == 0.5
    assert solution.action_values(state) == {0: 0.0, 1: -1.0}
    endless = solution.evaluate(lambda _: {0: 1.0}, lambda _: {0: 1.0})
    assert endless.scores == (0.5, 0.5)
    assert endless.turns == (math.inf, math.inf)


def test_progress_is_reported() -> None:
    seen: list[Progress] = []
    solution = solve("nannon(points=10,checkers=5,sides=6)", progress=seen.append, threads=1)
    assert seen
    assert {p.phase for p in seen} == {"solve"}
    assert all(0 <= p.done < p.total == solution.states for p in seen)
    assert [p.done for p in seen] == sorted(p.done for p in seen)
    assert len(seen) <= 10 * solution.seconds + 1


def test_a_callback_may_stop_it() -> None:
    def stop(_: Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        solve("nannon(points=12,checkers=5,sides=6)", progress=stop)


@pytest.mark.skipif(os.name == "nt", reason="signals are sent as on POSIX")
def test_control_c_stops_it() -> None:
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solve("nannon(points=14,checkers=5,sides=6)")
    timer.join()


def test_ties_go_to_the_first_of_the_best() -> None:
    solution = solve("tic_tac_toe")
    chosen = optimal(solution).data
    state = solution.game.new_initial_state()
    assert solution.optimal_actions(state) == list(range(9))
    assert chosen[solution.positions.index(state)] == 0
