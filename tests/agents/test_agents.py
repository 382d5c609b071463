"""Agents by name: what they play, and what is refused."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

import pytest

from dicezero.agents import AGENTS, AgentError, make_agent
from dicezero.agents.parameters import parse_parameters
from dicezero.rules import load_game
from dicezero.rules.race import pips


def after(game, *actions):
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(state.string_to_action(action))
    return state


def test_random_plays_every_legal_move_about_equally_often_and_the_same_for_the_same_seed():
    game = load_game("tic_tac_toe")
    agent = make_agent("random", game)
    state = game.new_initial_state()
    played = [agent.search(state, seed=seed).action for seed in range(1800)]
    assert played == [agent.search(state, seed=seed).action for seed in range(1800)]
    assert all(140 < played.count(action) < 260 for action in range(9))


def test_greedy_takes_a_win_and_else_the_largest_lead_in_pips():
    game = load_game("nannon")
    start = game.new_initial_state()
    assert pips(game, start, 0) == pips(game, start, 1) == 7 + 6 + 5

    def lead(state, player: int) -> int:
        return pips(game, state, 1 - player) - pips(game, state, player)

    rng = random.Random(0)
    agent = make_agent("greedy", game)
    choices = 0
    for _ in range(30):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node() or len(state.legal_actions()) == 1:
                state.apply_action(rng.choice(state.legal_actions()))
                continue
            player = state.current_player()
            gains = {a: lead(state.child(a), player) for a in state.legal_actions()}
            wins = [a for a in gains if state.child(a).is_terminal()]
            chosen = agent.search(state, seed=0).action
            assert chosen in wins if wins else gains[chosen] == max(gains.values())
            choices += 1
            state.apply_action(rng.choice(state.legal_actions()))
    assert choices > 100


def test_the_pips_of_a_known_position():
    game = load_game("nannon")
    # The hit checker starts again: x has 7 + 7 + 6 pips to go, o on its points 1, 2 and 3 has 6 + 5 + 4.
    state = after(game, "roll 2", "2/4", "roll 3", "home/3*")
    assert pips(game, state, 0) == 20
    assert pips(game, state, 1) == 15


def test_greedy_on_another_game_completes_a_line():
    game = load_game("tic_tac_toe")
    state = after(game, "x(0,0)", "o(1,0)", "x(0,1)", "o(1,1)")
    result = make_agent("greedy", game).search(state, seed=0)
    assert state.action_to_string(result.action) == "x(0,2)"


@pytest.mark.parametrize(
    "spec",
    [
        "minimax(depth=2)",
        "alphabeta(depth=5)",
        "alphabeta(max_nodes=2000)",
        "uct(simulations=2000)",
        "nmcts(simulations=2000)",
        "flat_mc(simulations=2000)",
    ],
)
def test_searches_see_a_threat(spec: str):
    game = load_game("tic_tac_toe")
    agent = make_agent(spec, game)
    block = after(game, "x(0,0)", "o(1,1)", "x(0,1)")
    assert block.action_to_string(agent.search(block, seed=0).action) == "o(0,2)"
    assert agent.name == spec


def test_monte_carlo_agents_answer_by_seed():
    game = load_game("nannon")
    state = after(game, "roll 3")
    agent = make_agent("uct(simulations=100)", game)
    first, again, other = (agent.search(state, seed=seed) for seed in (1, 1, 2))
    assert first.visits == again.visits
    assert first.visits != other.visits
    assert sum(first.visits.values()) == 100


def test_a_tree_is_kept_where_it_is_asked_for():
    game = load_game("nannon")
    state = after(game, "roll 3")
    kept = make_agent("expectiminimax(depth=2)", game, keep_tree=True).search(state, seed=0).tree
    assert kept is not None
    assert kept.kind == "choice"
    assert {child.label for child in kept.children} == {"home/3", "1/4"}
    assert make_agent("expectiminimax(depth=2)", game).search(state, seed=0).tree is None


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("rndom", "did you mean random"),
        ("", "is not a name"),
        ("minimax(", "no closing bracket"),
        ("minimax(dept=3)", "did you mean depth"),
        ("minimax(depth=three)", "must be a whole number"),
        ("minimax(depth=0)", "depth=0 is out of range"),
        ("minimax(depth=99999999999999999999999999999999999999999999)", "must be a whole number"),
        ("alphabeta(algorithm=minimax)", "unknown parameter 'algorithm'"),
        ("alphabeta(ordering=best)", "give one of none, evaluation, full"),
        ("alphabeta(iterative=maybe)", "must be true or false"),
        ("alphabeta(max_seconds=soon)", "must be a number"),
        ("random(x=1)", "it takes none"),
        ("uct(simulations=0)", "simulations=0 is out of range"),
        ("uct(simulation=5)", "did you mean simulations"),
        ("uct(utility_range=3)", "unknown parameter 'utility_range'"),
        ("flat_mc(root=best)", "give one of uniform, ucb1"),
        ("optimal(pth=x)", "did you mean path"),
    ],
)
def test_mistakes_are_named(spec: str, complaint: str):
    with pytest.raises(AgentError, match=complaint):
        make_agent(spec, load_game("tic_tac_toe"))


def test_parameters_of_every_plain_type():
    @dataclass(frozen=True)
    class Inner:
        x: int = 0

    globals()["Inner"] = Inner  # type hints are looked up by name

    @dataclass(frozen=True)
    class Config:
        size: int
        share: float = 0.5
        loud: bool = False
        mode: Literal["a", "b"] = "a"
        limit: int | None = 3
        inner: Inner | None = None

    text = {"size": "-4", "share": "1e-3", "loud": "TRUE", "mode": "b", "limit": "none"}
    assert parse_parameters("thing", Config, text) == Config(-4, 0.001, True, "b", None)
    with pytest.raises(AgentError, match="thing: size is missing"):
        parse_parameters("thing", Config, {})
    with pytest.raises(AgentError, match="unknown parameter 'inner'"):
        parse_parameters("thing", Config, {"size": "1", "inner": "2"})
    with pytest.raises(AgentError, match="limit='x' must be a whole number"):
        parse_parameters("thing", Config, {"size": "1", "limit": "x"})


def test_every_agent_has_a_summary():
    assert all(kind.summary for kind in AGENTS.values())


def test_no_ordering_is_not_the_default_ordering():
    game = load_game("connect_four")
    nodes = {
        name: make_agent(f"alphabeta(depth=4,table_entries=0{name})", game)
        .search(game.new_initial_state(), seed=0)
        .nodes
        for name in ("", ",ordering=default", ",ordering=full", ",ordering=none")
    }
    assert nodes[""] == nodes[",ordering=default"] == nodes[",ordering=full"] == 173
    assert nodes[",ordering=none"] == 1019
