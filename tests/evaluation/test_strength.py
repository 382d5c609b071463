"""Exact measurement of policies: known figures, and sums that must agree with one another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dicezero.agents import make_agent
from dicezero.evaluation.arena import play_match
from dicezero.evaluation.exact import agent_policy
from dicezero.evaluation.mistakes import draw_mistakes
from dicezero.evaluation.policies import Decisions, network_actions, planned_policy, search_actions
from dicezero.evaluation.sampled import sampled_regret
from dicezero.evaluation.strength import losses, strength
from dicezero.evaluation.tables import PolicyAgent
from dicezero.evaluation.yardstick import Yardstick
from dicezero.presets.fitting import network_of
from dicezero.presets.fitting import planner_of as fitted_planner
from dicezero.presets.registry import get_preset
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game, spec_of
from dicezero.runs.loading import first_weights
from dicezero.solve import Policy, Solution, optimal, solve, uniform
from dicezero.solve.hypergammon import solve_hypergammon


@pytest.fixture(scope="module")
def greedy(solution: Solution) -> Policy:
    return agent_policy(make_agent("greedy", load_game("nannon")), solution, seed=0)


def planner_of(name: str, game: str = "nannon"):
    """The planner of an untrained network, small."""
    preset = with_settings(get_preset(name), {"widths": "16,16", "hidden": "8", "play.simulations": "4"})
    spec = spec_of(load_game(game))
    weights = first_weights(network_of(preset, spec), seed=1)
    return fitted_planner(preset, spec, weights), preset.play


def test_perfect_play_has_the_known_figures(solution: Solution):
    found = strength(optimal(solution), solution)
    assert found.vs_optimal == pytest.approx(0.5, abs=1e-9)
    assert found.vs_optimal_seats[0] == pytest.approx(0.515736870969, abs=1e-9)
    assert found.vs_random == pytest.approx(0.694359, abs=5e-7)
    assert found.exploitability == pytest.approx(0.0, abs=1e-9)
    assert found.regret == pytest.approx(0.0, abs=1e-12)
    assert found.agreement == found.agreement_played == pytest.approx(1.0)
    assert found.mistakes == ()


def test_random_play_is_measured_as_the_solver_does(solution: Solution):
    policy = uniform(solution.positions)
    found = strength(policy, solution)
    assert found.vs_optimal == pytest.approx(1 - 0.694359, abs=5e-7)
    assert found.vs_random == pytest.approx(0.5, abs=1e-9)
    assert found.regret == pytest.approx(solution.regret(policy).mean, rel=1e-9)
    assert found.decisions == solution.regret(policy).decisions


def test_points_are_points_where_a_game_counts_gammons():
    """Hypergammon pays up to 3: scores are shares of that range, returns are points."""
    solved = solve("backgammon(start=hyper1)")
    first = Policy(
        solved.positions, solved.positions.legal(0, len(solved.positions)).argmax(axis=1).astype(np.int16)
    )
    found = strength(first, solved)
    assert solved.initial_value == pytest.approx(solve_hypergammon(1).first_player_value(start_of(solved)))
    assert found.optimal_return == pytest.approx(0.0, abs=1e-9)
    assert found.mean_return == pytest.approx(6.0 * (found.vs_optimal - 0.5))
    assert found.mean_return < -0.05
    assert found.exploitability_return == pytest.approx(6.0 * found.exploitability)
    assert found.exploitability_return >= -found.mean_return
    lost = found.decisions_played * found.regret_played
    assert 6.0 * lost == pytest.approx(found.optimal_return - found.mean_return, abs=1e-9)


def start_of(solved: Solution):
    return solved.game.new_initial_state()


@pytest.mark.parametrize("game", ["nannon", "tic_tac_toe", "nannon(points=4,checkers=2,sides=4)"])
def test_what_all_mistakes_cost_is_what_is_missing_to_one_half(game: str):
    solved = solve(game)
    rng = np.random.default_rng(3)
    legal = solved.positions.legal(0, len(solved.positions))
    weights = np.where(legal, rng.random(legal.shape), 0.0)
    lots = Policy(solved.positions, weights / weights.sum(axis=1, keepdims=True))
    one = Policy(solved.positions, weights.argmax(axis=1).astype(np.int16))
    for policy in (lots, one, uniform(solved.positions)):
        loss, _ = losses(policy, solved)
        visits = solved.visits(policy, optimal(solved))
        missing = 0.5 - solved.evaluate(policy, optimal(solved)).score
        assert float(loss @ visits) == pytest.approx(missing, abs=1e-9)


def test_visits_add_up_to_the_moves_of_a_game(solution: Solution):
    policy = optimal(solution)
    visits = solution.visits(policy, policy)
    assert 2 * visits.sum() == pytest.approx(12.9858, abs=5e-5)
    assert visits.min() >= 0.0


def test_the_exact_score_lies_in_the_interval_of_twenty_thousand_games(solution: Solution, greedy: Policy):
    exact = strength(greedy, solution)
    first, second = PolicyAgent("greedy", greedy), PolicyAgent("optimal", optimal(solution))
    played = play_match(load_game("nannon"), first, second, games=20_000, seed=4)
    assert played.ci95[0] <= exact.vs_optimal <= played.ci95[1]
    assert played.ci95[1] - played.ci95[0] < 0.015


def test_mistakes_are_sorted_true_and_drawn(solution: Solution, greedy: Policy, tmp_path):
    found = strength(greedy, solution, mistakes=5)
    costs = [mistake.cost for mistake in found.mistakes]
    assert costs == sorted(costs, reverse=True)
    for mistake in found.mistakes:
        state = solution.positions.state(mistake.decision)
        values = {state.action_to_string(0, a): v for a, v in solution.action_values(state).items()}
        assert mistake.loss == pytest.approx((max(values.values()) - values[mistake.played]) / 2)
        assert values[mistake.best] == max(values.values())
        assert mistake.cost == pytest.approx(mistake.loss * mistake.visits)
    for name in ("m.svg", "m.html"):
        draw_mistakes(tmp_path / name, solution, found.mistakes, title="<greedy>")
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert text.count("plays ") == 5
        assert "&lt;greedy&gt;" in text
        assert "<greedy>" not in text
    with pytest.raises(ValueError, match="must end in"):
        draw_mistakes(tmp_path / "m.png", solution, found.mistakes, title="")


@pytest.mark.parametrize("preset", ["gumbel-alphazero", "gumbel-ndmz"])
def test_policies_of_a_network_are_those_of_the_yardstick(preset: str):
    solved = solve("nannon(points=4,checkers=2,sides=4)")
    planner, play = planner_of(preset, "nannon(points=4,checkers=2,sides=4)")
    kept, some = Yardstick(solved).decisions, np.array([5, 0, 77])
    raw = planned_policy(planner, solved.positions, None).data
    searched = planned_policy(planner, solved.positions, play, seed=3).data
    for decisions in (kept, Decisions(solved.positions)):
        for numbers in (range(len(kept)), range(3, 50), some):
            assert np.array_equal(network_actions(planner, decisions, numbers), raw[numbers])
            found = search_actions(planner, decisions, play, numbers, seed=3)
            assert np.array_equal(found, searched[numbers])


def test_the_regret_of_a_sample_agrees_with_that_of_all_decisions(solution: Solution):
    planner, play = planner_of("gumbel-alphazero")
    network = planned_policy(planner, solution.positions, None)
    visits = solution.visits(network, optimal(solution))
    found = sampled_regret(
        planner, solution, play, visits=visits, drawn_by="the network", decisions=1500, seed=2
    )
    loss, choice = losses(planned_policy(planner, solution.positions, play, seed=2), solution)
    weight = np.where(choice, visits, 0.0)
    assert found.regret_ci95[0] <= float(loss @ weight / weight.sum()) <= found.regret_ci95[1]
    alone = strength(network, solution, visits=visits)
    assert found.network_regret == pytest.approx(alone.regret_played, rel=0.1)
    again = sampled_regret(
        planner,
        solution,
        replace(play, threads=2),
        visits=visits,
        drawn_by="the network",
        decisions=1500,
        seed=2,
    )
    assert again == found
