"""The tests of a learned model: full marks for a perfect one, and none for a spoilt one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from perfect_model import PerfectModel, build_perfect_model
from table_model import Step, TableModel

from dicezero import _native
from dicezero.evaluation.dynamics import measure_dynamics
from dicezero.evaluation.trajectories import Trajectories, random_trajectories
from dicezero.presets.fitting import network_of, planner_of
from dicezero.presets.registry import get_preset
from dicezero.presets.settings import with_settings
from dicezero.rules import load_game, spec_of
from dicezero.runs.loading import first_weights
from dicezero.selfplay.episode import ActionSet
from dicezero.solve import Solution

DEPTH = 6
GAME = load_game("nannon")
ACTIONS = ActionSet.of(spec_of(GAME))


class Table:
    """A model made of tables that starts from observations, as a network does."""

    def __init__(self, perfect: PerfectModel, tables: TableModel) -> None:
        self.tables = tables
        self._numbers = {
            state.observation_tensor().tobytes(): number
            for number, state in enumerate(perfect.states)
            if state.current_player() == 0  # what the mover sees is the same from either seat
        }

    def root(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        numbers = np.array([self._numbers[row.tobytes()] for row in observations])
        root = self.tables.root(numbers, np.ones((len(numbers), ACTIONS.size), bool))
        return root.hidden, root.policy_logits, root.value

    def step(self, hidden: np.ndarray, action: np.ndarray) -> Step:
        return self.tables.step(hidden, action)


@pytest.fixture(scope="module")
def perfect() -> PerfectModel:
    return build_perfect_model(_native.Nannon(points=6, checkers=3, sides=6).new_initial_state())


@pytest.fixture(scope="module")
def tables(perfect: PerfectModel) -> TableModel:
    made = perfect.model(0)
    policy = made.policy_logits.copy()
    idle = ~perfect.legal.any(axis=1)  # where no player acts the policy says no-op
    policy[:-1][idle, ACTIONS.no_op] = 0.0
    return replace(made, policy_logits=policy)


@pytest.fixture(scope="module")
def games(solution: Solution) -> Trajectories:
    return random_trajectories(GAME, games=60, seed=1, solution=solution)


def test_a_perfect_model_has_full_marks_at_every_depth(perfect, tables, games):
    report = measure_dynamics(Table(perfect, tables), games, depth=DEPTH)
    assert report.top_move == report.uniform == 1.0
    assert [row.depth for row in report.by_depth] == list(range(DEPTH + 1))
    assert report.positions == sum(row.positions for row in report.by_depth) > 3000
    for row in report.by_depth:
        for share in (row.top_move, row.uniform, row.top_move_choice, row.uniform_choice):
            assert share in (None, 1.0)
        assert row.illegal_mass in (None, 0.0)
        assert row.dice_distance is None or row.dice_distance < 1e-6
        assert row.identity in (None, 1.0)
        assert row.end_seen in (None, 1.0)
        assert row.end_imagined in (None, 0.0)
        assert row.chance_seen in (None, 1.0)
        assert row.chance_imagined in (None, 0.0)
        assert row.value_error < 1e-6
    table = np.array(report.next_to_act)
    assert (table.diagonal() > 0).all()
    assert table.sum() == table.diagonal().sum() == report.positions - report.by_depth[0].positions
    # Moves and rolls alternate: dice are judged at odd depths, choices at even ones.
    assert [row.dice_distance is None for row in report.by_depth] == [True, False] * 3 + [True]
    assert [row.illegal_mass is None for row in report.by_depth] == [False, True] * 3 + [False]


def test_a_model_with_two_actions_exchanged_fails_from_the_first_move_on(perfect, tables, games):
    order = np.arange(ACTIONS.size)
    order[[1, 2]] = 2, 1
    shuffled = replace(tables, following=tables.following[:, order])
    report = measure_dynamics(Table(perfect, shuffled), games, depth=DEPTH)
    assert report.by_depth[0].top_move == 1.0
    deeper = [row for row in report.by_depth[1:] if row.top_move_choice is not None]
    assert all(row.top_move_choice < 0.8 and row.illegal_mass > 0.2 for row in deeper)
    assert deeper[-1].top_move_choice < deeper[0].top_move_choice
    assert report.by_depth[1].value_error > 0.02


def test_loaded_dice_a_blind_eye_and_one_illegal_favourite_are_each_seen(perfect, tables, games):
    loaded = tables.chance_logits.copy()
    loaded[:, ACTIONS.choices] += np.log(2.0)  # ones come twice as often: 2/7 and five times 1/7
    row = measure_dynamics(Table(perfect, replace(tables, chance_logits=loaded)), games, depth=1).by_depth[1]
    assert row.dice_distance == pytest.approx(2 / 7 - 1 / 6, abs=1e-3)
    assert row.dice_worst == pytest.approx(2 / 7 - 1 / 6, abs=1e-3)

    blind = tables.identity_logits.copy()
    blind[:, 3] = -60.0  # never says that the game is over
    row = measure_dynamics(Table(perfect, replace(tables, identity_logits=blind)), games, depth=1).by_depth[1]
    assert row.end_seen == 0.0
    assert row.identity < 1.0
    assert row.end_imagined == 0.0

    fond = tables.policy_logits.copy()
    fond[:, ACTIONS.end] = 0.1
    report = measure_dynamics(Table(perfect, replace(tables, policy_logits=fond)), games, depth=2)
    assert report.top_move == 0.0
    assert report.uniform == 0.0


def test_who_acts_next_is_counted_by_who_was_named(perfect, tables, games):
    confused = tables.identity_logits.copy()
    confused[:, 2] = -60.0  # knows of no dice
    report = measure_dynamics(Table(perfect, replace(tables, identity_logits=confused)), games, depth=2)
    first, second = report.by_depth[1:]
    assert (first.chance_seen, first.chance_imagined) == (0.0, 0.0)
    assert second.chance_seen is None  # after a roll somebody moves, or it is over
    chance = report.next_to_act[2]
    assert chance[2] == 0
    assert sum(chance) == (games.actor[games.roots + 1] == -1).sum() > 100
    named = report.data()["dynamics"]["next_to_act"]
    assert [named["chance"][who] for who in ("mover", "other", "chance", "end")] == list(chance)

    confused[:, 2] = 60.0  # knows of nothing else
    report = measure_dynamics(Table(perfect, replace(tables, identity_logits=confused)), games, depth=2)
    assert [row.chance_seen for row in report.by_depth] == [None, 1.0, None]
    assert report.by_depth[2].chance_imagined == 1.0


def test_values_are_compared_in_the_games_units(perfect, tables, games):
    """Returns of up to 3 points: a value of 1 of the model stands for 3 of the truth."""
    points = replace(games, value=3.0 * games.value)
    for row in measure_dynamics(Table(perfect, tables), points, depth=2, scale=3.0).by_depth:
        assert row.value_error < 1e-6


def test_games_are_a_function_of_the_seed_and_end_at_their_end(games, solution):
    again = random_trajectories(GAME, games=60, seed=1, solution=solution)
    assert np.array_equal(games.action, again.action)
    assert games.last[0] + 1 < len(games.actor)
    assert (games.actor[np.unique(games.last)] == -4).all()
    assert (games.actor == -4).sum() == 60
    other = random_trajectories(GAME, games=60, seed=2)
    assert not np.array_equal(games.action[:50], other.action[:50])
    assert np.isnan(other.value).all()


def test_muzero_which_knows_no_dice_and_no_end_is_judged_on_what_it_has():
    preset = with_settings(get_preset("muzero"), {"hidden": "8", "widths": "8,8"})
    game = load_game("tic_tac_toe")
    spec = spec_of(game)
    planner = planner_of(preset, spec, first_weights(network_of(preset, spec), seed=1))
    report = measure_dynamics(planner.model, random_trajectories(game, games=20, seed=1), depth=3)
    assert report.by_depth[0].positions > report.by_depth[3].positions > 20
    assert all(row.positions > 0 and row.illegal_mass > 0.0 for row in report.by_depth)
    assert all(row.identity is row.dice_distance is row.end_seen is None for row in report.by_depth)
    assert report.next_to_act is report.data()["dynamics"]["next_to_act"] is None


def test_depth_is_checked(perfect, tables, games):
    with pytest.raises(ValueError, match="depth=-1"):
        measure_dynamics(Table(perfect, tables), games, depth=-1)
