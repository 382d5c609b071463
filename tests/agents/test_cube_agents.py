"""Agents that know the cube: how games may end, and Janowski's formula beside GNU Backgammon's own."""

import random
import shutil

import pytest

from dicezero import load_game
from dicezero.agents import AgentError, make_agent
from dicezero.agents.base import KnowsChances, roller
from dicezero.search.cube import decide_cube

needs_gnubg = pytest.mark.skipif(
    shutil.which("gnubg") is None and shutil.which("gnubg", path="/usr/games") is None,
    reason="gnubg is not installed",
)
GAME = "backgammon"


def positions(count, *, seed, turns=12):
    """Before a roll, where checkers can still meet."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        state = load_game(GAME).new_initial_state()
        for _ in range(rng.randrange(4, 4 + 2 * turns)):
            if not state.is_terminal():
                state.apply_action(
                    rng.choice(
                        [a for a, _ in state.chance_outcomes()]
                        if state.is_chance_node()
                        else list(state.legal_actions())
                    )
                )
        if not state.is_terminal() and state.is_chance_node() and state.observation_tensor(0)[-2]:
            found.append(state)
    return found


def test_chances_mean_what_the_network_values_and_belong_to_who_rolls():
    agent = make_agent("pretrained", load_game(GAME))
    assert isinstance(agent, KnowsChances)
    for state in positions(6, seed=1):
        judge = agent.run.planner.judge
        other = 1 - roller(state)
        assert other == 1 - state.turn
        (value,) = judge(state.observation_tensor(other)[None])
        assert -agent.chances(state).equity == pytest.approx(3.0 * float(value), abs=1e-4)


def test_who_cannot_say_how_a_game_ends_knows_no_cube():
    game = load_game(GAME)
    assert not isinstance(make_agent("random", game), KnowsChances)
    rolled = game.new_initial_state().child(1)
    with pytest.raises(AgentError, match="before a roll"):
        make_agent("pretrained", game).chances(rolled)


@needs_gnubg
def test_the_formula_gives_gnubgs_own_equities_with_a_cube():
    agent = make_agent("gnubg", load_game(GAME))
    try:
        verdicts = set()
        for state in positions(16, seed=2):
            own, other = state.checkers(state.turn), state.checkers(1 - state.turn)
            chances = agent.chances(state)
            for owner in ("centre", "mover", "other"):
                # Its equity is that of the best decision, too good and passed doubles included.
                theirs = agent._program.outputs(own, other, owner)[5]
                found = decide_cube(chances, owner)
                assert found.equity == pytest.approx(theirs, abs=2e-4)
                verdicts.add(found.verdict)
        assert len(verdicts) >= 2
        with pytest.raises(AgentError, match="before a roll"):
            agent.chances(load_game(GAME).new_initial_state().child(1))
    finally:
        agent.close()
