"""Agents that know the cube: how games may end, and Janowski's formula beside GNU Backgammon's own."""

import base64
import random
import shutil

import pytest

from dicezero import load_game
from dicezero.agents import AgentError, make_agent
from dicezero.agents.base import KnowsChances, roller
from dicezero.agents.cube import TurnedCube, cube_decision, cube_life
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


def position_id(own, other):
    """GNU Backgammon's ID; points 1..24 of each side's own counting."""
    bits = ""
    for side in (other, own):
        for point in range(1, 26):
            bits += "1" * side.get(point, 0) + "0"
    bits = bits.ljust(80, "0")
    raw = bytes(int(bits[i : i + 8][::-1], 2) for i in range(0, 80, 8))
    return base64.b64encode(raw).decode()[:14]


END = ({1: 2, 4: 1}, {5: 1, 1: 1})  # both sides of the table
HOME = ({1: 3, 3: 4, 6: 3}, {2: 4, 5: 4})
SHORT = ({8: 2, 6: 2, 3: 4}, {7: 1, 4: 3, 2: 5})
LONG = ({13: 5, 8: 5, 6: 5}, {11: 5, 9: 5, 6: 5})


def at(sides):
    return load_game(GAME).new_initial_state(position_id(*sides))


def test_a_cube_lives_longer_the_longer_the_race():
    assert cube_life(load_game(GAME).new_initial_state()) == 0.68  # contact
    assert cube_life(at(HOME)) == 0.6
    assert cube_life(at(SHORT)) == pytest.approx(0.6)
    pips = 13 * 5 + 8 * 5 + 6 * 5
    assert cube_life(at(LONG)) == pytest.approx(min(0.7, 0.55 + 0.00125 * pips))
    assert cube_life(at(({13: 1, 8: 1, 6: 1}, {11: 5}))) == pytest.approx(0.6)
    assert cube_life(at(({13: 6, 8: 2}, {11: 5}))) == pytest.approx(0.55 + 0.00125 * 94)
    assert cube_life(load_game("backgammon(start=hyper)").new_initial_state()) == 0.6


def test_near_the_end_the_cube_is_exact_whoever_is_asked():
    agent = make_agent("pretrained", load_game(GAME))
    found = cube_decision(agent, at(END))
    assert found.life is None
    assert cube_decision(agent, at(END), life=0.68).life == 0.68
    assert cube_decision(agent, at(HOME)).life == 0.6
    # One checker on the six point each: 27 of 36 win at once, the rest is doubled out.
    sixes = cube_decision(agent, at(({6: 1}, {6: 1})))
    assert (sixes.no_double, sixes.double_take) == (pytest.approx(0.5), pytest.approx(1.0))
    assert sixes.chances.win == pytest.approx(27 / 36 + 9 / 36 * 9 / 36)


@needs_gnubg
@pytest.mark.parametrize("sides", [END, HOME, SHORT, LONG])
def test_races_with_a_cube_are_worth_what_gnubg_says(sides):
    agent = make_agent("gnubg", load_game(GAME))
    try:
        state = at(sides)
        for owner in ("centre", "mover", "other"):
            theirs = agent._program.outputs(state.checkers(0), state.checkers(1), owner)[5]
            assert cube_decision(agent, state, owner).equity == pytest.approx(theirs, abs=2e-4)
    finally:
        agent.close()


def test_a_cube_is_turned_by_who_owns_it_and_back_again():
    cube, state = TurnedCube(), at(LONG)
    assert cube.may_double(state, ply=0) is None  # nobody does before the first roll
    assert cube.may_double(state, ply=4) == 0
    cube.take(1, ply=4)
    assert (cube.value, cube.owner, cube.owner_for(0)) == (2, 1, "other")
    assert cube.may_double(state, ply=6) is None
    cube.back_to(3)
    assert (cube.value, cube.owner) == (1, None)
