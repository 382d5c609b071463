"""Quiescence, singular extensions, beam and ProbCut: what each one changes, and what it must not."""

import random

import pytest

from dicezero import _native
from dicezero.search.explicit import ExplicitGame, ExplicitState
from dicezero.search.minimax import MinimaxConfig, Recording, minimax_search
from dicezero.search.probcut import fit_probcut
from dicezero.search.reference_minimax import reference_value


def random_state(game, plies, rng):
    while True:
        state = game.new_initial_state()
        for _ in range(plies):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_terminal():
            return state


def test_quiescence_equals_the_slow_twin():
    game = _native.ConnectFour(rows=5, columns=4)
    rng = random.Random(1)

    def evaluate(state, player):
        value = state.key() % 23 / 11.0 - 1.0
        return value if player == 0 else -value

    def is_quiet(state):
        return state.key() % 3 != 0

    changed = 0
    for _ in range(40):
        state = random_state(game, rng.randint(0, 12), rng)
        me = state.current_player()
        expected = reference_value(
            state, maximiser=me, depth=2, evaluate=evaluate, is_quiet=is_quiet, quiescence=2
        )
        plain = reference_value(state, maximiser=me, depth=2, evaluate=evaluate)
        for table in (0, 1000):
            config = MinimaxConfig(depth=2, quiescence=2, table_entries=table)
            result = minimax_search(game, state, config, evaluate=evaluate, is_quiet=is_quiet)
            assert result.value == pytest.approx(expected, abs=1e-12)
        changed += expected != plain
    assert changed > 5


def test_quiescence_sees_a_threat_behind_the_horizon():
    """An open three: one ply deep all is well, a ply further the game is lost."""
    game = _native.ConnectFour()
    state = game.new_initial_state()
    for column in (2, 2, 3, 3, 4):
        state.apply_action(column)
    shallow = minimax_search(game, state, MinimaxConfig(depth=1))
    quiet = minimax_search(game, state, MinimaxConfig(depth=1, quiescence=2))
    assert shallow.value > -1.0
    assert quiet.value == -1.0  # both ends of the three are open: o cannot hold


def test_a_python_state_may_say_what_it_is_worth_and_whether_it_is_quiet():
    class Talkative(ExplicitState):
        def clone(self):
            return Talkative(self._game, self._path, self._at)

        def evaluate(self, player):
            return (3.0 if self.history() == [1] else 1.0) * (1 if player == 0 else -1)

        def is_quiet(self):
            return self.history() != [1]

    game = ExplicitGame.parse([[2, 7], [-5, -6]])
    noisy = minimax_search(game, Talkative(game), MinimaxConfig(depth=1))
    assert (noisy.action, noisy.value, noisy.details["evaluation"]) == (1, 3.0, "the game's")
    calm = minimax_search(game, Talkative(game), MinimaxConfig(depth=1, quiescence=1))
    assert (calm.action, calm.value) == (0, 1.0)


def test_singular_extensions_follow_a_forced_line_past_the_horizon():
    game = ExplicitGame.parse([[[[4, 4]]], [[3], [3]]])
    # a1 leads through single moves to 4; the horizon of two plies sees only the evaluation.
    root = game.new_initial_state()
    record = Recording()

    def evaluate(_state, _player):
        return -1.0

    plain = minimax_search(game, root, MinimaxConfig(depth=2), evaluate=evaluate)
    assert plain.value == -1.0
    config = MinimaxConfig(depth=2, singular_margin=0.5, singular_extensions=3, ordering="none")
    extended = minimax_search(game, root, config, evaluate=evaluate, record=record)
    assert (extended.action, extended.value) == (0, 4.0)
    assert max(len(step.leaf) for step in record.steps) == 4


def test_singular_extensions_keep_exact_values_exact():
    game = _native.ConnectFour(rows=4, columns=4)
    rng = random.Random(2)
    for _ in range(20):
        state = random_state(game, rng.randint(5, 9), rng)
        exact = minimax_search(game, state, MinimaxConfig(depth=None)).value
        for table in (0, 10_000):
            config = MinimaxConfig(depth=16, singular_margin=0.2, table_entries=table)
            assert minimax_search(game, state, config).value == exact


def test_beam_keeps_the_best_moves_by_evaluation():
    game = ExplicitGame.parse([[0, 9], [4, 4], [1, 1], [3, 3]])
    worth = {0: -9.0, 1: 1.0, 2: 9.0, 3: 2.0}

    def evaluate(state, player):
        value = worth[state.history()[0]]
        return value if player == 0 else -value

    root = game.new_initial_state()
    values = {}
    for beam in (1, 2, 3, 4):
        record = Recording()
        config = MinimaxConfig("minimax", beam=beam, depth=None)
        result = minimax_search(game, root, config, evaluate=evaluate, record=record)
        values[beam] = result.value
        assert record.tree is not None
        assert sum(not child.pruned for child in record.tree.children) == beam
    assert values == {1: 1.0, 2: 3.0, 3: 4.0, 4: 4.0}


def test_fitted_probcut_saves_nodes_and_mostly_keeps_the_value():
    game = _native.ConnectFour()
    probcut = fit_probcut(game, depth=4, shallow=2, positions=150, plies=(4, 20), seed=7)
    assert probcut.slope == pytest.approx(1.0, abs=0.4)
    assert 0.0 < probcut.sigma < 0.1
    assert probcut == fit_probcut(game, depth=4, shallow=2, positions=150, plies=(4, 20), seed=7)
    rng = random.Random(8)
    nodes = [0, 0]
    agreed = 0
    for _ in range(40):
        state = random_state(game, rng.randint(4, 14), rng)
        full = minimax_search(game, state, MinimaxConfig(depth=8))
        cut = minimax_search(game, state, MinimaxConfig(depth=8, probcut=probcut))
        nodes[0] += full.nodes
        nodes[1] += cut.nodes
        agreed += abs(full.value - cut.value) <= 2 * probcut.sigma
    assert nodes[1] < 0.9 * nodes[0]
    assert agreed >= 36


def test_probcut_with_an_endless_threshold_changes_nothing():
    game = _native.ConnectFour()
    probcut = fit_probcut(game, depth=3, shallow=1, positions=20, seed=1, threshold=100.0)
    rng = random.Random(9)
    for _ in range(10):
        state = random_state(game, rng.randint(0, 20), rng)
        full = minimax_search(game, state, MinimaxConfig(depth=5))
        cut = minimax_search(game, state, MinimaxConfig(depth=5, probcut=probcut))
        assert cut.value == full.value


def test_fit_probcut_refuses_what_it_cannot_fit():
    game = ExplicitGame.parse([[[1, -1], [1, 1]], [[1, 1], [-1, 1]]])
    with pytest.raises(ValueError, match="nothing to fit"):
        fit_probcut(game, depth=2, shallow=1, positions=5, plies=(0, 0), seed=0)
    with pytest.raises(ValueError, match="0 of 5 positions were undecided"):
        fit_probcut(game, depth=3, shallow=1, positions=5, plies=(0, 0), seed=0)
    with pytest.raises(ValueError, match="fewer plies"):
        fit_probcut(game, depth=2, shallow=1, positions=5, plies=(9, 9), seed=0)
    with pytest.raises(ValueError, match="positions=2"):
        fit_probcut(game, depth=2, shallow=1, positions=2, seed=0)
