"""One convention of the discount, from the solver to the targets, beside a plain recursion and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from discounted_trees import CHANCE, END, Place, TreeGame, initial_value, step_value, tree_games, way_values
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero.replay.values import ValueTarget, value_targets
from dicezero.rules.spec import spec_of
from dicezero.search.config import SearchConfig
from dicezero.search.minimax import MinimaxConfig, minimax_search
from dicezero.search.plan import plan_states
from dicezero.search.reference import reference_plan_states
from dicezero.search.reference_minimax import reference_value
from dicezero.search.reference_uct import ReferenceUct
from dicezero.search.uct import UctConfig, uct_search
from dicezero.selfplay.drive import Choice, Rules, drive
from dicezero.selfplay.episode import TERMINAL, Episode
from dicezero.selfplay.planners import Units
from dicezero.selfplay.states import positions_of
from dicezero.selfplay.td import AfterstatePlanner
from dicezero.solve import solve
from dicezero.solve.policy import uniform

# Go on for 1, a die that pays 0 or 2, and a second decision: 3 for sure, or a die for 10 with probability
# 0.4. Or stop at once for 5.3. Going on is worth 1 + 1 + 0.9 * 4 = 5.6. Were what the dice pay discounted
# with what follows, it would be 1 + 0.9 * (1 + 0.9 * 4) = 5.14, and stopping right.
OVER = Place(END)
GAMBLE = Place(CHANCE, (OVER, OVER), (0.0, 10.0), (0.6, 0.4))
SECOND = Place(0, (OVER, GAMBLE), (3.0, 0.0))
DIE = Place(CHANCE, (SECOND, SECOND), (0.0, 2.0), (0.5, 0.5))
PAID = TreeGame(Place(0, (OVER, DIE), (5.3, 1.0)), on_the_way=True, players=1)
# Two players and results alone: a result that the second decision brings counts 0.9, one that the first
# brings, by a die or not, in full.
RISK = Place(CHANCE, (Place(END, final=4.0), Place(END, final=-4.0)), (0.0, 0.0), (0.8, 0.2))
REPLY = Place(1, (Place(END, final=2.8), Place(END, final=5.0)), (0.0, 0.0))
RESULTS = TreeGame(Place(0, (RISK, REPLY), (0.0, 0.0)), on_the_way=False)
CASES = pytest.mark.parametrize(
    ("game", "values"), [(PAID, [5.3, 5.6]), (RESULTS, [2.4, 0.9 * 2.8])], ids=["rewards", "results"]
)


def blind(observations, legal):
    """A network that knows nothing."""
    del observations
    return np.zeros(legal.shape, np.float32), np.zeros(len(legal), np.float32)


def knowing(observations, legal):
    """A network that knows what every decision is worth."""
    return np.zeros(legal.shape, np.float32), np.asarray(observations, np.float32).reshape(-1)


@CASES
def test_by_hand_with_every_method(game, values):
    state = game.new_initial_state()
    assert way_values(game, game.root) == pytest.approx(values)  # the recursion of this test itself
    assert spec_of(game).discount == 0.9
    solution = solve(game)
    assert solution.action_values(state) == pytest.approx(dict(enumerate(values)))
    assert solution.initial_value == pytest.approx(max(values))
    for pruning in ("none", "star1", "star2"):
        config = MinimaxConfig("expectiminimax", depth=None, chance_pruning=pruning, exact_root=True)
        found = minimax_search(game, state, config)
        assert found.action_values == pytest.approx(dict(enumerate(values)))
    found = uct_search(game, state, UctConfig(simulations=60_000, c=0.1), seed=1)
    assert found.action == 1
    assert found.action_values == pytest.approx(dict(enumerate(values)), abs=0.15)
    for way in ("mean", "completed"):
        config = SearchConfig(simulations=3000, interior="puct", chance_value=way)
        planned = plan_states(knowing, [state], config, game=game, seed=1)
        assert planned.policy[0].argmax() == 1
        assert planned.q[0, :2] == pytest.approx(values, abs=0.15)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(tree_games(), st.sampled_from(["none", "star1", "star2"]), st.booleans())
def test_solver_and_minimax_on_random_trees(game, pruning, table):
    state = game.new_initial_state()
    sign = 1.0 if game.root.player == 0 else -1.0
    want = {a: sign * v for a, v in enumerate(way_values(game, game.root))}
    solution = solve(game)
    assert solution.action_values(state) == pytest.approx(want, abs=1e-9)
    assert solution.initial_value == pytest.approx(initial_value(game, game.root), abs=1e-9)
    config = MinimaxConfig(
        "expectiminimax",
        depth=None,
        chance_pruning=pruning,
        table_entries=1000 if table else 0,
        exact_root=True,
    )
    assert minimax_search(game, state, config).action_values == pytest.approx(want, abs=1e-9)
    plain = reference_value(state, maximiser=game.root.player, discount=game.discount, pays=game.on_the_way)
    assert plain == pytest.approx(max(want.values()), abs=1e-9)
    # Every place below, as the start of a game of its own.
    for place in game.root.ways:
        begun = TreeGame(place, game.on_the_way, game.discount, game.players)
        assert solve(begun).initial_value == pytest.approx(initial_value(begun, place), abs=1e-9)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(tree_games(), st.integers(0, 99), st.sampled_from(["roulette", "low_variance", "expectation"]))
def test_searches_and_their_plain_twins_on_random_trees(game, seed, chance):
    state = game.new_initial_state()
    config = SearchConfig(simulations=40, chance=chance, interior="puct")
    fast = plan_states(blind, [state], config, game=game, seed=seed)
    slow = reference_plan_states(blind, [state], config, game=game, seed=seed)
    np.testing.assert_array_equal(fast.visits, slow.visits)
    np.testing.assert_allclose(fast.q, slow.q, atol=1e-5, rtol=0)
    twin = ReferenceUct(state, seed=seed, c=1.0, low=-50.0, high=50.0, discount=game.discount)
    found = uct_search(game, state, UctConfig(simulations=60, c=1.0), seed=seed)
    assert found.visits == twin.run(60)
    assert found.value == pytest.approx(twin.root.wins / twin.root.visits, abs=1e-5)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(tree_games(most=1))
def test_searches_of_games_without_a_choice_come_to_what_the_dice_bring(game):
    state = game.new_initial_state()
    sign = 1.0 if game.root.player == 0 else -1.0
    want = sign * initial_value(game, game.root)
    found = uct_search(game, state, UctConfig(simulations=3000, chance="low_variance"), seed=1)
    assert found.action_values[0] == pytest.approx(want, abs=0.15)
    for chance in ("low_variance", "expectation"):
        config = SearchConfig(simulations=1500, chance=chance)
        planned = plan_states(blind, [state], config, game=game, seed=1)
        assert planned.q[0, 0] == pytest.approx(want, abs=0.15)


def all_episodes(game: TreeGame) -> list[tuple[float, Episode]]:
    """Every way an episode between players may go who take each action alike: (probability, episode).

    Decisions have the value that such play has there.
    """
    found = []

    def follow(place: Place, mass: float, steps: list[tuple[int, int, float, float]]) -> None:
        if place.player == END:
            found.append((mass, episode_of([*steps, (TERMINAL, 7, 0.0, 0.0)])))
            return
        for action, following in enumerate(place.ways):
            share = place.chances[action] if place.player == CHANCE else 1.0 / len(place.ways)
            result = following.final if following.player == END else 0.0
            reward = place.pays[action] if game.on_the_way else result
            value = 0.0 if place.player == CHANCE else step_value(game, place, even=True)
            step = (place.player, action, reward, value if place.player == 0 else -value)
            follow(following, mass * share, [*steps, step])

    follow(game.root, 1.0, [])
    return found


def episode_of(steps: list[tuple[int, int, float, float]]) -> Episode:
    actor, action, reward, value = (np.array(column) for column in zip(*steps, strict=True))
    count = len(steps)
    return Episode(
        observation=np.zeros((0, 1), np.float32),
        observed=np.zeros(count, np.bool_),
        actor=actor.astype(np.int8),
        action=action.astype(np.int32),
        reward=reward.astype(np.float32),
        choices=np.zeros(count, np.int32),
        value=value.astype(np.float32),
        legal=np.zeros(0, np.int32),
        policy=np.zeros(0, np.float32),
    )


@settings(max_examples=40, deadline=None, derandomize=True)
@given(tree_games())
def test_targets_are_right_on_average(game):
    """Of every kind: at the first decision, of its afterstates, and at the die after it."""
    sign = 1.0 if game.root.player == 0 else -1.0
    following = game.root.ways[0]
    later = game.discount if following.player >= 0 else 1.0
    after = later * step_value(game, following, even=True)
    if following.player == END:
        after = 0.0  # its result is what the move pays
    value = sign * step_value(game, game.root, even=True)
    for target in (
        ValueTarget("outcome", discount=game.discount),
        ValueTarget("n_step", td_steps=2, discount=game.discount),
        ValueTarget("lambda", value_lambda=0.6, discount=game.discount),
    ):
        episodes = all_episodes(game)
        at_first = sum(mass * value_targets(episode, target)[0] for mass, episode in episodes)
        assert at_first == pytest.approx(value, abs=1e-4)
        behind = ValueTarget(
            target.kind, target.value_lambda, target.td_steps, target.discount, afterstates=True
        )
        afterstate = sum(mass * value_targets(episode, behind)[0] for mass, episode in episodes)
        assert afterstate == pytest.approx(sign * after, abs=1e-4)
        if following.player == CHANCE:
            rolled = sum(mass * value_targets(episode, target)[1] for mass, episode in episodes)
            assert rolled == pytest.approx(sign * after, abs=1e-4)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(tree_games())
def test_exact_evaluation_of_policies_on_random_trees(game):
    solution = solve(game)
    even = uniform(solution)
    want = initial_value(game, game.root, even=True)
    assert solution.evaluate(even, even).returns[0] == pytest.approx(want, abs=1e-9)


def test_one_ply_play_over_true_afterstates_is_perfect():
    """A judge that says what an afterstate is worth by the definition chooses as the solver does."""
    for game, best in ((PAID, 1), (RESULTS, 1)):
        worth = {id(p): step_value(game, p) for p in game.root.ways}
        later = {id(p): game.discount if p.player >= 0 else 1.0 for p in game.root.ways}

        def judge(observations, worth=worth, later=later, game=game):
            del observations
            going = [id(p) for p in game.root.ways if p.player != END]
            return np.array([later[i] * worth[i] for i in going], np.float32)

        spec = spec_of(game)
        planner = AfterstatePlanner(judge, spec, Units())
        state = game.new_initial_state()
        table, value = planner.predict(positions_of(game, spec, [state]))
        assert table[0, :2] == pytest.approx(way_values(game, game.root), abs=1e-5)
        assert int(table[0].argmax()) == best
        assert value[0] == pytest.approx(step_value(game, game.root), abs=1e-5)


def test_an_episode_that_is_cut_off_expects_the_next_decision():
    """Cut after the first decision of PAID, where 4 is expected: 1, the die, and 0.9 times 4."""

    def go_on(turn):
        return Choice(np.ones(len(turn.states), np.int32), np.full(len(turn.states), 5.6, np.float32))

    episodes = drive(
        PAID,
        spec_of(PAID),
        go_on,
        seeds=np.arange(8, dtype=np.uint64),
        expected=lambda turn: np.full(len(turn.states), 4.0, np.float32),
        rules=Rules(limit=1),
    )
    for episode in episodes:
        assert episode.truncated
        rolled = float(episode.reward[1])
        for kind in ("outcome", "n_step", "lambda"):
            targets = value_targets(episode, ValueTarget(kind, discount=0.9))
            assert targets[:2] == pytest.approx([1.0 + rolled + 3.6, rolled + 3.6])
