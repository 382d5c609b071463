"""Returns of any range, rewards on the way, a discount, one player or two, turns in any order."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from graphs import CHANCE, END, Graph, Node, graphs
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import dense_evaluation, even, find_states, plain_key, plain_values

from dicezero.solve import NoConvergenceError, Solution, optimal, solve, uniform

# Player 0 is safe or gambles. After 'safe' player 1 accepts 0.5, or challenges for 2 or -2. The gamble gains
# 3 two times in five and costs 1 otherwise: 0.6. By wins and losses alone, or with payments clipped to
# [-1, 1], it would be worth -0.2, and 'safe', 0 once it is challenged, would look better.
GAMBLE = Graph(
    (
        Node(0, (1, 2)),
        Node(1, (3, 4)),
        Node(CHANCE, (5, 6), chances=(0.4, 0.6)),
        Node(END, final=0.5),
        Node(CHANCE, (7, 8), chances=(0.5, 0.5)),
        Node(END, final=3.0),
        Node(END, final=-1.0),
        Node(END, final=2.0),
        Node(END, final=-2.0),
    )
)

# Player 0 takes one coin of four and hands over, or takes it and moves again: hands over now, or takes two
# more. Player 1 takes what is left, and the difference is paid.
TWICE = Graph(
    (
        Node(0, (1, 2)),
        Node(1, (3,)),
        Node(0, (4, 5)),
        Node(END, final=1.0 - 3.0),
        Node(1, (6,)),
        Node(1, (7,)),
        Node(END, final=1.0 - 3.0),
        Node(END, final=3.0 - 1.0),
    )
)


def test_the_gamble_that_clipping_would_refuse():
    solution = solve(GAMBLE)
    start = GAMBLE.new_initial_state()
    assert solution.action_values(start) == pytest.approx({0: 0.0, 1: 0.6})
    assert solution.initial_value == pytest.approx(0.6)
    assert solution.optimal_actions(start) == [1]
    assert solution.first_player_win == pytest.approx((0.6 + 3) / 6)  # returns of -3..3: as found
    assert (solution.scale.low, solution.scale.high) == (-3.0, 3.0)
    # Random play: 'safe' half the time, worth 0.25 against random answers. By seats: 0.425 and -0.425.
    chance = solution.evaluate(uniform(solution.positions), even)
    assert chance.returns == pytest.approx((0.425, -0.425))
    assert chance.scores == pytest.approx(((0.425 + 3) / 6, (3 - 0.425) / 6))
    best = solution.evaluate(optimal(solution), even)
    assert best.returns == pytest.approx((0.6, -(0.5 * 0.0 + 0.5 * 0.6)))
    # Against random play as player 0 the best reply is a challenge: 0.3 to player 0, as perfect play has it.
    reply = solution.best_response(even)
    assert reply.returns == pytest.approx((0.6, -0.3))
    assert reply.exploitability == pytest.approx(0.15 / 6)
    # Given away: 0.3 on average by player 0, 0.25 by player 1, who is worth 0 instead of -0.25.
    regret = solution.regret(even)
    assert (regret.mean, regret.largest, regret.decisions) == pytest.approx((0.275 / 6, 0.3 / 6, 2))


def test_one_side_moves_twice_running():
    solution = solve(TWICE)
    assert solution.initial_value == 2.0
    assert solution.action_values(TWICE.new_initial_state()) == {0: -2.0, 1: 2.0}
    again = TWICE.new_initial_state()
    again.apply_action(1)
    assert again.current_player() == 0
    assert solution.value(again) == 2.0
    assert solution.optimal_actions(again) == [1]


def grid(gamma: float) -> Graph:
    """Sutton and Barto, Reinforcement Learning (2018), example 3.5: five by five fields, and no end.

    Leaving field A pays 10 and leads to A', leaving B pays 5 and leads to B'; stepping off the board costs 1.
    """
    jumps = {1: (21, 10.0), 3: (13, 5.0)}
    nodes = []
    for field in range(25):
        row, column = divmod(field, 5)
        ways = []
        for down, right in ((-1, 0), (0, 1), (1, 0), (0, -1)):
            inside = 0 <= row + down < 5 and 0 <= column + right < 5
            step = (field + 5 * down + right, 0.0) if inside else (field, -1.0)
            ways.append(jumps.get(field, step))
        nodes.append(Node(0, tuple(t for t, _ in ways), tuple(r for _, r in ways)))
    return Graph(tuple(nodes), players=1, pays=True, gamma=gamma)


def test_the_grid_of_sutton_and_barto():
    """Figures 3.2 and 3.5 of the book, one decimal each; field A by hand to six digits."""
    game = grid(0.9)
    solution = solve(game)
    printed = """22.0 24.4 22.0 19.4 17.5
                 19.8 22.0 19.8 17.8 16.0
                 17.8 19.8 17.8 16.0 14.4
                 16.0 17.8 16.0 14.4 13.0
                 14.4 16.0 14.4 13.0 11.7"""
    states = find_states(game)
    best = [solution.value(states[f"0|{field}"]) for field in range(25)]
    assert best == pytest.approx([float(x) for x in printed.split()], abs=0.0501)
    assert best[1] == pytest.approx(10 / (1 - 0.9**5), abs=1e-9)  # ten every five steps: 24.419428
    assert solution.first_player_win is None
    chance = plain_values(game, policies=(even,))
    assert solution.evaluate(even, even).mean_return == pytest.approx(chance["0|0"], abs=1e-9)
    assert chance["0|0"] == pytest.approx(3.3, abs=0.05)
    assert chance["0|1"] == pytest.approx(8.8, abs=0.05)
    assert solution.evaluate(even, even).turns == (math.inf,)
    assert solution.evaluate(optimal(solution), even).mean_return == pytest.approx(best[0], abs=1e-9)


def test_payment_without_end_has_no_value_without_a_discount():
    with pytest.raises(NoConvergenceError, match="discount below 1"):
        solve(grid(1.0))
    # An end can be reached, but whoever does not go there is paid for ever.
    lazy = Graph((Node(0, (0, 1), (1.0, 5.0)), Node(END)), players=1, pays=True)
    with pytest.raises(NoConvergenceError, match="discount below 1"):
        solve(lazy)
    costly = Graph((Node(0, (0, 1), (-1.0, -5.0)), Node(END)), players=1, pays=True)
    solution = solve(costly)
    assert solution.initial_value == -5.0
    with pytest.raises(NoConvergenceError, match="discount below 1"):
        solution.evaluate(lambda _: {0: 1.0}, even)


@given(game=st.one_of(graphs(circles=False), graphs(circles=True)), data=st.data())
@settings(max_examples=150, deadline=None)
def test_values_equal_the_definition(game: Graph, data: st.DataObject):
    solution, expected, states = solve(game), plain_values(game), find_states(game)
    for key, state in states.items():
        assert solution.first_player_value(state) == pytest.approx(expected[key], abs=1e-9)
    for key, state in states.items():
        if state.current_player() >= 0:
            best = solution.optimal_actions(state)[0]
            assert solution.action_values(state)[best] == pytest.approx(solution.value(state), abs=1e-9)
            assert abs(solution.value(state)) == pytest.approx(abs(expected[key]), abs=1e-9)

    def weighted(state) -> dict[int, float]:
        return dict.fromkeys(state.legal_actions(), 0.0) | {state.legal_actions()[state.at % 2 - 1]: 1.0}

    value = plain_values(game, policies=(weighted, even))[plain_key(game.new_initial_state())]
    found = solution.evaluate(weighted, even)
    assert found.returns[0] == pytest.approx(value, abs=1e-9)
    if game.players == 2:
        other = plain_values(game, policies=(even, weighted))[plain_key(game.new_initial_state())]
        assert found.returns[1] == pytest.approx(-other, abs=1e-9)
    if not game.pays and game.gamma == 1.0:
        assert found.turns[0] == pytest.approx(dense_evaluation(game, (weighted, even))[1], abs=1e-9)
    # What is given away at each decision, as often as play comes there, is what is missing to perfect play.
    if len(solution.positions) and data.draw(st.booleans()):
        best = optimal(solution)
        visits = solution.visits(weighted, best, discounted=True)
        loss = np.array([_loss(solution, weighted, i) for i in range(len(solution.positions))])
        missing = solution.best_response(best).mean_return - solution.evaluate(weighted, best).mean_return
        assert float(loss @ visits) == pytest.approx(missing, abs=1e-8)


def _loss(solution: Solution, policy, decision: int) -> float:
    state = solution.positions.state(decision)
    values = solution.action_values(state)
    return max(values.values()) - sum(p * values[action] for action, p in policy(state).items())


def corridor(pays: bool) -> Graph:
    """One player, six fields, left or right; the right end pays 2. Every step but the last may be undone."""
    nodes = [Node(0, (max(i - 1, 0), i + 1), (0.0, 2.0 * (pays and i == 5))) for i in range(6)]
    return Graph((*nodes, Node(END, final=2.0)), players=1, pays=pays)


@pytest.mark.parametrize("pays", [True, False])
def test_perfect_play_does_not_go_round_in_circles(pays: bool):
    solution = solve(corridor(pays))
    start = solution.game.new_initial_state()
    assert solution.action_values(start) == {0: 2.0, 1: 2.0}  # without a discount there is always time
    assert solution.optimal_actions(start) == [1, 0]
    best = solution.evaluate(optimal(solution), even)
    assert (best.returns, best.turns) == ((2.0,), (6.0,))
    back = solution.evaluate(lambda _: {0: 1.0}, even)
    assert (back.returns, back.turns) == ((0.0,), (math.inf,))
    with pytest.raises(NoConvergenceError, match="never end"):
        solution.visits(lambda _: {0: 1.0}, even)


def test_perfect_play_is_not_kept_from_the_end_by_an_opponent_who_waits():
    # Player 0 waits (to node 1) or goes on to 2, from where it wins; player 1 can only send the game round.
    game = Graph(
        (
            Node(0, (1, 2)),
            Node(1, (0, 2)),
            Node(1, (3, 3)),
            Node(0, (0, 4)),
            Node(END, final=1.0),
        )
    )
    solution = solve(game)
    assert solution.initial_value == 1.0
    assert solution.evaluate(optimal(solution), even).returns[0] == 1.0
    assert solution.evaluate(optimal(solution), optimal(solution)).returns == (1.0, -1.0)


@pytest.mark.parametrize("game", [GAMBLE, grid(0.9)], ids=["gamble", "grid"])
def test_files_keep_how_a_game_pays(game: Graph, tmp_path: Path):
    before = solve(game)
    before.save(tmp_path / "solution")
    after = Solution.load(tmp_path / "solution", game)
    assert after.facts == before.facts
    assert after.scale == before.scale
    start = game.new_initial_state()
    assert after.first_player_value(start) == before.first_player_value(start)
    assert after.action_values(start) == before.action_values(start)


def test_returns_outside_what_the_game_says_are_refused():
    class Modest(Graph):
        def min_utility(self) -> float:
            return -1.0

        def max_utility(self) -> float:
            return 1.0

    with pytest.raises(ValueError, match=r"returns 3.0.* outside min_utility\(\)=-1.0.* correct these"):
        solve(Modest(GAMBLE.nodes))
    with pytest.raises(ValueError, match=r"discount\(\) of .* is 1\.5; give a number above 0, 1 at most"):
        solve(Graph(GAMBLE.nodes, gamma=1.5))
    broken = Graph((Node(0, (1,), (math.nan,)), Node(END)), players=1, pays=True)
    with pytest.raises(ValueError, match=r"rewards\(\) is \[nan\]; give a finite number"):
        solve(broken)
