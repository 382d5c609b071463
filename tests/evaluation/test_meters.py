"""Meters: which one a game gets, what each measures, and that workers do not change it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from toys import Climb, Endless, Stakes

from dicezero.agents import make_agent
from dicezero.evaluation.arena import play_match
from dicezero.evaluation.ladder import LADDER, Rung, ladder_of
from dicezero.evaluation.meter_kinds import MatchConfig, MatchMeter
from dicezero.evaluation.meters import MeterError, make_meter
from dicezero.evaluation.runs import PlannerAgent
from dicezero.rules import load_game
from dicezero.runs.strength import strength_text
from dicezero.selfplay.planners import RulesPlanner
from dicezero.selfplay.runtime import LocalRuntime, Player, Recipe, Task, chunks


class Always:
    """A network that knows one word: the highest legal action."""

    kind = "evaluator"

    def player(self, weights: object, *, threads: int | None = None) -> Any:
        del weights, threads
        return self.evaluate

    def evaluate(self, observation: Any, legal: Any) -> tuple[Any, Any]:
        order = np.arange(legal.shape[1], dtype=np.float32)
        return np.where(legal, order, -np.inf).astype(np.float32), np.zeros(len(observation), np.float32)


def refuses(text: str, game: Any) -> str:
    with pytest.raises(MeterError) as error:
        make_meter(text, player_of(game), None)
    return str(error.value)


def player_of(game: Any) -> Player:
    game = load_game(game)
    return Player(Recipe(str(game), Always()), game)  # type: ignore[arg-type]


class InChunks(LocalRuntime):
    """Does a task as workers do: chunk by chunk, the last one first."""

    def run(self, task: Task[Any], weights: Any, *, on_progress: Any = None) -> Any:
        del on_progress
        self._player.take(weights)
        parts = {part: task.do(self._player, part) for part in reversed(chunks(task.count, task.chunk))}
        return task.join([parts[part] for part in sorted(parts, key=lambda part: part.start)])


def measured(game: Any, text: str | None, **given: Any) -> dict[str, Any]:
    player = player_of(game)
    meter = make_meter(text, player, None)
    found = meter.measure(LocalRuntime(player), {}, seed=3, **given)
    assert found == meter.measure(InChunks(player), {}, seed=3, **given)
    assert set(meter.keys) == set(found)
    return found


def test_each_game_gets_the_meter_that_fits_it():
    assert make_meter(None, player_of("tic_tac_toe"), None).name == "exact"
    assert make_meter(None, player_of("connect_four"), None).name == "match(games=100)"
    assert make_meter(None, player_of(Climb()), None).name == "mean_return(episodes=100)"


def test_exact_values_every_decision():
    found = measured("nannon(points=4,checkers=2,sides=4)", "exact")
    assert found["raw_vs_optimal"] == found["vs_optimal"]  # there was no search
    assert 0.0 < found["vs_optimal"] < 0.5 < found["perfect_vs_random"] < 1.0
    assert found["regret"] > 0.0


def test_exact_values_a_game_for_one_in_what_it_pays():
    found = measured(Climb(), "exact")
    assert found["mean_return"] == found["raw_mean_return"] == found["optimal_return"] == 1.875
    assert found["random_return"] < 1.0
    assert found["regret"] == 0.0


def test_a_match_is_the_match_that_everybody_plays():
    found = measured("connect_four", "match(opponent=uct(simulations=20),games=40)")
    game = load_game("connect_four")
    agents = (
        PlannerAgent("run", RulesPlanner(Always().evaluate), None, game),
        make_agent("uct(simulations=20)", game),
    )
    match = play_match(game, *agents, games=40, seed=3)
    assert found["score"] == match.score
    assert (found["score_low"], found["score_high"]) == match.ci95
    assert found["mean_return"] == pytest.approx(2.0 * match.score - 1.0)
    assert found["opponent"] == "uct(simulations=20)"


def test_progress_is_told_up_to_the_end():
    player = player_of("connect_four")
    told: list[tuple[int, int]] = []
    meter = make_meter("match(opponent=random,games=20)", player, None)
    meter.measure(
        LocalRuntime(player), {}, seed=0, on_progress=lambda done, total: told.append((done, total))
    )
    assert told[-1] == (10, 10)


def test_the_ladder_goes_up_once_an_opponent_is_beaten():
    player = player_of("connect_four")
    meter = make_meter("match(games=4)", player, None)
    assert isinstance(meter, MatchMeter)

    def opponent(last: dict[str, Any] | None) -> Any:
        return meter.measure(LocalRuntime(player), {}, seed=0, last=last)["opponent"]

    assert opponent(None) == LADDER[0]
    assert opponent({"opponent": LADDER[0], "score": 0.9}) == LADDER[0]
    assert opponent({"opponent": LADDER[0], "score": 0.91}) == LADDER[1]
    assert opponent({"opponent": LADDER[2], "score": 1.0}) == LADDER[2]
    assert opponent({"opponent": "greedy", "score": 1.0}) == LADDER[0]


@dataclass(frozen=True)
class Counting:
    """Two players count to ``last`` in turn; whoever says it loses. Two numbers may be said at once."""

    last: int = 20

    def new_initial_state(self) -> Count:
        return Count(self.last)

    def num_distinct_actions(self) -> int:
        return 2

    def max_chance_outcomes(self) -> int:
        return 0

    def num_players(self) -> int:
        return 2

    def observation_tensor_shape(self) -> list[int]:
        return [1]


@dataclass
class Count:
    left: int
    player: int = 0

    def current_player(self) -> int:
        return -4 if self.is_terminal() else self.player

    def is_terminal(self) -> bool:
        return self.left <= 0

    def is_chance_node(self) -> bool:
        return False

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [0, 1]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return []

    def apply_action(self, action: int) -> None:
        self.left -= action + 1
        self.player = 1 - self.player

    def clone(self) -> Count:
        return replace(self)

    def returns(self) -> list[float]:
        first = 0.0 if not self.is_terminal() else 1.0 if self.player == 0 else -1.0
        return [first, -first]

    def observation_tensor(self, player: int) -> list[float]:  # noqa: ARG002
        return [float(self.left)]

    def action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002
        return str(action + 1)


def test_a_shipped_agent_is_a_rung_where_it_plays_without_a_search():
    assert ladder_of(load_game("backgammon")) == (Rung("random", 100), Rung("pretrained", 200))
    for name in ("go(board_size=9)", "gardner_chess"):
        make_agent("pretrained", load_game(name))  # there is one
        assert ladder_of(load_game(name)) == tuple(Rung(name, 100) for name in LADDER)


def test_a_game_in_python_has_the_rungs_it_can_afford():
    """A game to n takes about 2n/3 moves: UCT of s makes n/3 decisions of s play-outs of n/3 moves each."""
    assert ladder_of(load_game("connect_four")) == tuple(Rung(name, 100) for name in LADDER)
    assert ladder_of(Counting(20)) == tuple(Rung(name, 40) for name in LADDER)
    long = ladder_of(Counting(100))
    assert long == (Rung("random", 40), Rung(LADDER[1], 40)) == ladder_of(Counting(100))
    assert ladder_of(Counting(200)) == (Rung("random", 40), Rung(LADDER[1], 26))
    assert ladder_of(Counting(300)) == (Rung("random", 40), Rung("uct(simulations=30)", 40))
    assert ladder_of(Counting(2_000)) == (Rung("random", 40),)
    for last, name in ((20, "match(games=40)"), (100, "match")):
        meter = MatchMeter(MatchConfig(), player_of(Counting(last)), None)
        assert meter.name == name
        again = make_meter(meter.name, player_of(Counting(last)), None)
        assert again._rungs == meter._rungs  # type: ignore[attr-defined]


def test_alone_the_mean_return_is_measured():
    """Always climbing pays 1 + 1/2 + 1/4 + 1/8."""
    found = measured(Climb(), "mean_return(episodes=2000)")
    assert found["mean_return_low"] < 1.875 < found["mean_return_high"]
    assert found["mean_return_high"] - found["mean_return_low"] < 0.15
    assert found["mean_length"] == found["mean_return"]  # a decision pays 1
    assert found["truncated"] == 0


def test_environments_are_measured_with_what_they_pay_on_the_way():
    """CartPole pays 1 a step; pushing one way only, it falls after eight to eleven steps."""
    pytest.importorskip("gymnasium")
    found = measured("gymnasium(id=CartPole-v1)", "mean_return(episodes=40)")
    assert 8.0 <= found["mean_return_low"] < found["mean_return"] < found["mean_return_high"] <= 11.0
    assert found["mean_length"] == found["mean_return"]
    assert found["truncated"] == 0


def test_returns_beyond_one_are_measured_as_they_are():
    """A gamble is worth 2 on average, a sure thing 1: always gambling wins 0 of itself, 0.5 of random."""
    found = measured(Stakes(), "match(opponent=random,games=2000)")
    assert found["mean_return"] == pytest.approx(0.5, abs=0.15)


def test_games_without_an_end_are_draws_and_counted():
    found = measured(Endless(), "match(opponent=random,games=2)")
    assert (found["score"], found["truncated"]) == (0.5, 2)


@pytest.mark.parametrize(
    ("game", "text", "words"),
    [
        ("tic_tac_toe", "exakt", "unknown meter 'exakt'; did you mean exact"),
        ("tic_tac_toe", "match(game=3)", "unknown parameter 'game'"),
        ("tic_tac_toe", "match(games=1)", "games=1 must be in 2"),
        ("tic_tac_toe", "match(opponent=nobody)", "unknown agent 'nobody'"),
        ("tic_tac_toe", "mean_return", "it has 2 players"),
        ("connect_four", "exact", "cannot be solved"),
        (Climb(), "match", "it has one player"),
        ("tic_tac_toe", "match(", "no closing bracket"),
    ],
)
def test_what_does_not_fit_is_refused(game: Any, text: str, words: str):
    assert words in refuses(text, game)


def test_the_curve_of_an_exact_run_alone_is_that_of_its_returns():
    line = {"meter": "exact", **measured(Climb(), "exact")}
    assert strength_text(line) == "1.88"
    assert strength_text({"meter": "exact", **measured(Stakes(), "exact")}) == "0.5000"


def test_a_match_meter_varies_its_openings_and_says_so_in_its_name() -> None:
    player = player_of(load_game("connect_four"))
    meter = make_meter("match(opponent=random,games=4,opening=3)", player, None)
    assert meter.name == "match(opponent=random,games=4,opening=3)"
    assert make_meter(meter.name, player, None).name == meter.name
    with pytest.raises(MeterError, match="opening=-1"):
        make_meter("match(opponent=random,opening=-1)", player, None)


def test_a_page_has_scores_in_per_cent_and_returns_as_they_are() -> None:
    match = {"meter": "match", "score": 0.512, "score_low": 0.48, "score_high": 0.544, "opponent": "random"}
    assert strength_text(match) == "0.512 (0.480 to 0.544) against random"
    assert strength_text(match, percent=True) == "51.2 % (48.0 to 54.4 %) against random"
    assert strength_text({"meter": "exact", "vs_optimal": 0.49667}, percent=True) == "49.67 %"
    assert strength_text({"meter": "mean_return", "mean_return": 1.876}, percent=True) == "1.88"
