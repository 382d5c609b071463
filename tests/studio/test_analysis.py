"""The analysis of a position: equal to ``dicezero search``, bounded, and never the game's undoing."""

from __future__ import annotations

import json
import threading

import numpy as np
import pytest

from dicezero.agents import make_agent
from dicezero.cli import main
from dicezero.rules import load_game
from dicezero.search.tree import TreeNode
from dicezero.studio import analysis
from dicezero.studio.analysis import Analysis, analyse
from dicezero.studio.beliefs import beliefs_of
from dicezero.studio.branches import branch, line_paths, node_at, outline, trimmed
from dicezero.studio.pool import Pool

NANNON = "nannon(points=4,checkers=2,sides=4)"


def position(name, *moves):
    """The game, and the position after these moves by their strings."""
    game = load_game(name)
    state = game.new_initial_state()
    for move in moves:
        names = {state.action_to_string(state.current_player(), a): a for a in state.legal_actions()}
        state.apply_action(names[move])
    return game, state


def specs(untrained):
    """(spec, game, moves) of every family."""
    ndmz, rules = untrained("gumbel-ndmz", NANNON), untrained("gumbel-alphazero", NANNON)
    return [
        ("uct(simulations=100)", NANNON, ["roll 2"]),
        ("nmcts(simulations=40)", NANNON, ["roll 2"]),
        ("flat_mc(simulations=40)", "tic_tac_toe", []),
        ("expectiminimax(depth=3)", NANNON, ["roll 2"]),
        ("alphabeta(depth=4)", "tic_tac_toe", ["x(1,1)"]),
        ("alphabeta(max_nodes=500)", "tic_tac_toe", ["x(1,1)"]),
        ("greedy", NANNON, ["roll 2"]),
        (f"run(path={ndmz})", NANNON, ["roll 2"]),
        (f"run(path={untrained('ndmz', NANNON)},simulations=33)", NANNON, ["roll 2"]),
        (f"run(path={rules},simulations=20)", NANNON, ["roll 2"]),
        (f"run(path={untrained('td-lambda', NANNON)})", NANNON, ["roll 2"]),
        (f"run(path={untrained('gumbel-muzero', 'tic_tac_toe')})", "tic_tac_toe", ["x(1,1)"]),
    ]


def test_every_snapshot_is_what_the_command_prints(untrained, capsys):
    for spec, name, moves in specs(untrained):
        game, state = position(name, *moves)
        shots = list(analyse(game, state, spec, seed=9))
        assert shots[-1].full
        assert shots[-1].spec == spec
        for shot in {id(s): s for s in (shots[0], shots[len(shots) // 2], shots[-1])}.values():
            words = ["search", shot.spec, "--game", name, "--moves", ",".join(moves), "--seed", "9", "--json"]
            assert main(words) == 0
            printed = json.loads(capsys.readouterr().out)
            names = {a: state.action_to_string(state.current_player(), a) for a in state.legal_actions()}
            assert printed["action"] == shot.result.action
            assert printed["value"] == shot.result.value
            assert printed["visits"] == {names[a]: n for a, n in shot.result.visits.items()}
            assert printed["action_values"] == {names[a]: v for a, v in shot.result.action_values.items()}
            assert printed["nodes"] == shot.result.nodes


def test_budgets_double_up_to_the_full_one():
    game, state = position(NANNON, "roll 2")
    shots = list(analyse(game, state, "uct(simulations=100)", seed=0))
    assert [s.budget for s in shots] == [1, 2, 4, 8, 16, 32, 64, 100]
    assert [s.full for s in shots] == [False] * 7 + [True]
    assert all(sum(s.result.visits.values()) == s.budget for s in shots)
    plies = list(analyse(game, state, "expectiminimax(depth=3)", seed=0))
    assert [(s.budget, s.unit) for s in plies] == [(1, "plies"), (2, "plies"), (3, "plies")]
    fewer = list(analyse(game, state, "uct(simulations=100)", seed=0, simulations=5))
    assert [s.budget for s in fewer] == [1, 2, 4, 5]
    assert fewer[-1].spec == "uct(simulations=5)"


def test_what_is_refused():
    game, state = position(NANNON, "roll 2")
    with pytest.raises(ValueError, match="simulations=20000 is more than the studio searches"):
        next(analyse(game, state, "uct(simulations=20000)", seed=0))
    with pytest.raises(ValueError, match="thinks for a time"):
        next(analyse(game, state, "uct(seconds=1)", seed=0))
    with pytest.raises(ValueError, match="the dice are to be rolled"):
        next(analyse(game, game.new_initial_state(), "uct", seed=0))


def test_it_stops_when_told_and_before_it_takes_too_long():
    game, state = position(NANNON, "roll 2")
    stop = threading.Event()
    shots = analyse(game, state, "uct(simulations=64)", seed=0, stop=stop)
    next(shots)
    stop.set()
    assert list(shots) == []
    hurried = list(analyse(game, state, "uct(simulations=64)", seed=0, max_seconds=0.0))
    assert [s.full for s in hurried] == [False]


def test_trees_are_bounded(monkeypatch):
    monkeypatch.setattr(analysis, "LAST_TREE", 50)
    monkeypatch.setattr(analysis, "EARLIER_TREE", 10)
    game, state = position("connect_four")
    shots = list(analyse(game, state, "uct(simulations=300)", seed=0))
    sizes = [sum(1 for _ in every(s.result.tree)) for s in shots]
    assert sizes[-1] == 50
    assert max(sizes[:-1]) == 10
    full = make_agent("uct(simulations=300)", game, keep_tree=True).search(state, seed=0).tree
    known = dict(every(full))
    for path, node in every(shots[-1].result.tree):
        assert (known[path].visits, known[path].q) == (node.visits, node.q)


def every(tree, path=()):
    yield path, tree
    for child in tree.children:
        yield from every(child, (*path, child.action))


def test_a_branch_is_opened_by_its_path():
    game, state = position("tic_tac_toe", "x(1,1)")
    tree = list(analyse(game, state, "alphabeta(depth=3)", seed=0))[-1].result.tree
    rows = outline(tree, {()})
    assert [row.path for row in rows[1:]] == sorted((child.action,) for child in tree.children)
    assert rows[0].opened
    first = rows[1].path
    second = branch(tree, first)[0].path
    deep = outline(tree, {(), first, second})
    assert max(row.depth for row in deep) == 3
    assert any(node.pruned for _, node in every(tree))
    with pytest.raises(ValueError, match=r"path \[99\]: edge 99 at depth 0 was not searched"):
        node_at(tree, [99])
    assert len(outline(tree, {path for path, _ in every(tree)}, max_rows=12)) == 12
    wide = branch(tree, (), limit=3)
    assert len(wide) == 3
    assert outline(tree, {()}, limit=3)[0].left_out == len(tree.children) - 3


def test_the_line_follows_visits_and_minimax_values():
    game, state = position("tic_tac_toe", "x(0,0)")
    for spec in ("uct(simulations=2000)", "minimax(depth=3)"):
        shot = list(analyse(game, state, spec, seed=1))[-1]
        assert line_paths(shot.result.tree)[0] == (shot.result.action,)


def test_trimming_keeps_the_most_visited_in_their_order():
    leaves = [TreeNode("choice", 1, action=i, visits=n) for i, n in enumerate((3, 9, 5))]
    tree = TreeNode("choice", 0, visits=17, children=leaves)
    small = trimmed(tree, 3)
    assert [child.action for child in small.children] == [1, 2]
    assert small.note == "more below"
    assert len(tree.children) == 3


def test_beliefs_stand_beside_the_truth(untrained):
    game, state = position(NANNON, "roll 2")
    agent = make_agent(f"run(path={untrained('gumbel-ndmz', NANNON)})", game)
    beliefs = beliefs_of(agent, state)
    assert [belief.action for belief in beliefs] == list(state.legal_actions())
    for belief in beliefs:
        assert sum(odds.learned for odds in belief.turn) == pytest.approx(1.0)
        assert [odds.label for odds in belief.turn if odds.true] == ["dice"]
        assert [odds.true for odds in belief.dice] == pytest.approx([0.25] * 4)
        assert [odds.label for odds in belief.dice] == [f"roll {n}" for n in (1, 2, 3, 4)]
        assert 0.0 < belief.dice_error < 1.0
        assert len(belief.replies) == 4
    # The model's own numbers, asked for one move alone.
    model = agent.run.planner.model
    hidden, _, _ = model.root(np.asarray(state.observation_tensor(), np.float32)[None])
    step = model.step(hidden, np.array([beliefs[0].action], np.int32))
    odds = np.exp(step.chance_logits[0] - step.chance_logits[0].max())
    odds /= odds.sum()
    choices = game.num_distinct_actions()
    assert [o.learned for o in beliefs[0].dice] == pytest.approx(odds[choices : choices + 4], abs=1e-6)


def test_agents_without_a_model_of_dice_believe_nothing(untrained):
    game, state = position(NANNON, "roll 2")
    for spec in ("greedy", f"run(path={untrained('gumbel-alphazero', NANNON)})"):
        assert beliefs_of(make_agent(spec, game), state) == ()


class TestAnalysis:
    def test_snapshots_come_while_it_runs(self):
        game, state = position(NANNON, "roll 2")
        pool = Pool("test", workers=1, waiting=2)
        running = Analysis(game, state, "uct(simulations=64)", seed=3).start(pool)
        assert running.wait(20)
        assert not running.running
        assert running.error is None
        assert [s.budget for s in running.snapshots] == [1, 2, 4, 8, 16, 32, 64]
        pool.close()

    def test_a_crash_is_a_message(self, monkeypatch):
        def crash(*_, **__):
            raise RuntimeError("a secret path")

        monkeypatch.setattr(analysis, "beliefs_of", crash)
        game, state = position(NANNON, "roll 2")
        running = Analysis(game, state, "uct(simulations=64)", seed=3).start()
        assert running.wait(20)
        assert running.error == "the analysis failed (RuntimeError); the game goes on"
        assert running.snapshots == ()

    def test_a_mistake_is_explained(self):
        game, state = position(NANNON, "roll 2")
        running = Analysis(game, state, "alphabeta", seed=3).start()
        assert running.wait(20)
        assert "use expectiminimax" in running.error

    def test_cancelled_it_ends_early(self, monkeypatch):
        begun, go_on = threading.Event(), threading.Event()

        def slowly(*_, **__):
            begun.set()
            go_on.wait(20)
            return ()

        monkeypatch.setattr(analysis, "beliefs_of", slowly)
        game, state = position(NANNON, "roll 2")
        running = Analysis(game, state, "uct(simulations=10000)", seed=3).start()
        assert begun.wait(20)
        running.cancel()
        go_on.set()
        assert running.wait(20)
        assert running.snapshots == ()

    def test_a_full_pool_says_so(self):
        game, state = position(NANNON, "roll 2")
        pool = Pool("test", workers=1, waiting=1)
        release = threading.Event()
        pool.submit(release.wait, 20)
        running = Analysis(game, state, "uct", seed=3).start(pool)
        release.set()
        assert not running.running
        assert "waiting already" in running.error
        pool.close()
