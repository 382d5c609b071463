"""The trees of learned agents: ``dicezero search "run(path=DIR)" --show --tree``."""

from __future__ import annotations

import json
import random

import pytest

from dicezero.agents import make_agent
from dicezero.agents.learned_tree import UNREAL
from dicezero.cli import main
from dicezero.rules import load_game
from dicezero.search.treefile import tree_from_json

NANNON = "nannon(points=4,checkers=2,sides=4)"
GAMES = {
    "alphazero": NANNON,
    "gumbel-alphazero": NANNON,
    "ndmz": NANNON,
    "gumbel-ndmz": NANNON,
    "muzero": "tic_tac_toe",
    "gumbel-muzero": "tic_tac_toe",
}


@pytest.fixture(scope="module")
def folders(untrained):
    """A run of each preset."""
    return {name: untrained(name, GAMES.get(name, NANNON)) for name in (*GAMES, "td-lambda")}


def position(game):
    """A position with a choice: after the roll that offers most, or the empty board."""
    state = load_game(game).new_initial_state()
    if not state.is_chance_node():
        return state
    reached = [state.clone() for _ in state.chance_outcomes()]
    for child, (outcome, _) in zip(reached, state.chance_outcomes(), strict=True):
        child.apply_action(outcome)
    return max(reached, key=lambda s: len(s.legal_actions()))


def some_position(wanted):
    """The first position of random games that is as wanted."""
    lots = random.Random(0)
    for _ in range(100):
        state = load_game(NANNON).new_initial_state()
        while not state.is_terminal():
            if wanted(state):
                return state
            state.apply_action(lots.choice(state.legal_actions()))
    raise AssertionError("no such position in a hundred games")


def walk(node, truth):
    """Every node of a tree with the true position there, None once the model has left the rules."""
    yield node, truth
    for child in node.children:
        reached = truth
        if truth is not None and node.kind != "identity":
            names = {truth.action_to_string(truth.current_player(), a): a for a in truth.legal_actions()}
            reached = truth.clone() if child.label in names else None
            if reached is not None:
                reached.apply_action(names[child.label])
        yield from walk(child, None if child.note == UNREAL else reached)


@pytest.mark.parametrize("preset", GAMES)
def test_the_tree_is_the_search_in_the_words_of_the_rules(folders, preset):
    game = load_game(GAMES[preset])
    state = position(GAMES[preset])
    agent = make_agent(f"run(path={folders[preset]},simulations=40)", game, keep_tree=True)
    found = agent.search(state, seed=5)
    names = {a: state.action_to_string(state.current_player(), a) for a in state.legal_actions()}
    shown = {child.label: child.visits for child in found.tree.children}
    assert shown == {names[a]: n for a, n in found.visits.items() if n}
    assert {c.label: c.q for c in found.tree.children} == {
        names[a]: pytest.approx(q, abs=1e-6) for a, q in found.action_values.items()
    }
    assert found.principal_variation[0] == found.action
    kinds = set()
    for node, truth in walk(found.tree, state):
        kinds.add(node.kind)
        if truth is None:
            assert "rules" not in preset
        elif node.kind == "choice" and node is not found.tree:
            assert truth.current_player() == node.player
        elif node.kind == "chance":
            assert truth.is_chance_node()
        elif node.kind == "terminal":
            assert truth.is_terminal()
    expected = {"choice", "chance"} if GAMES[preset] == NANNON else {"choice"}
    assert expected <= kinds
    assert ("identity" in kinds) == (preset in ("ndmz", "gumbel-ndmz"))


def test_one_tree_whoever_moves(folders):
    """The other player's tree names that player, and its values are for it."""
    game = load_game(NANNON)
    state = some_position(lambda s: s.current_player() == 1 and len(s.legal_actions()) > 1)
    agent = make_agent(f"run(path={folders['gumbel-ndmz']},simulations=30)", game, keep_tree=True)
    found = agent.search(state, seed=0)
    assert found.tree.player == 1
    assert found.tree.q == pytest.approx(found.value, abs=1e-6)
    who = {child.label for move in found.tree.children for child in move.children}
    assert who <= {"player 0 moves", "player 1 moves", "dice", "over"}


def test_keeping_the_tree_changes_nothing(folders):
    game = load_game(NANNON)
    state = position(NANNON)
    for preset in ("gumbel-alphazero", "ndmz"):
        spec = f"run(path={folders[preset]},simulations=20)"
        plain, kept = (make_agent(spec, game, keep_tree=keep).search(state, seed=2) for keep in (False, True))
        assert plain.tree is None
        assert (plain.action, plain.value, plain.visits) == (kept.action, kept.value, kept.visits)
        assert plain.principal_variation == kept.principal_variation
        assert plain.action == make_agent(spec, game).actions([state], [2])[0]


def test_a_forced_move_has_a_root_and_no_search(folders):
    game = load_game(NANNON)
    state = some_position(lambda s: not s.is_chance_node() and len(s.legal_actions()) == 1)
    agent = make_agent(f"run(path={folders['gumbel-ndmz']})", game, keep_tree=True)
    found = agent.search(state, seed=0)
    assert found.stopped == "forced"
    assert found.tree.children == []
    assert "one legal move" in found.tree.note


def test_gumbel_shows_what_it_considered(folders):
    state = load_game("tic_tac_toe").new_initial_state()
    spec = f"run(path={folders['gumbel-muzero']},simulations=48)"
    found = make_agent(spec, load_game("tic_tac_toe")).search(state, seed=0)
    sizes = [len(phase.candidates) for phase in found.halving]
    assert sizes == [9, 4, 2]
    for phase, following in zip(found.halving, found.halving[1:], strict=False):
        kept = {c.action for c in phase.candidates if c.kept}
        assert kept == {c.action for c in following.candidates}
    last = found.halving[-1].candidates
    assert [c.action for c in last if c.kept] == [found.action]
    for phase in found.halving:  # who is dropped is not visited again: its numbers are the final ones
        for c in phase.candidates:
            if not c.kept:
                assert found.visits[c.action] == c.visits
                assert found.action_values[c.action] == pytest.approx(c.q, abs=1e-6)


def test_other_searches_consider_nothing_in_phases(folders):
    game = load_game(NANNON)
    agent = make_agent(f"run(path={folders['ndmz']},simulations=12)", game)
    assert agent.search(position(NANNON), seed=0).halving == ()


def test_the_command_shows_and_saves_it(folders, tmp_path, capsys):
    file = tmp_path / "tree.json"
    words = ["search", f"run(path={folders['gumbel-ndmz']})", "--game", NANNON, "--moves", "roll 2"]
    assert main([*words, "--show", "--tree", str(file)]) == 0
    printed = capsys.readouterr().out
    assert "◆" in printed
    assert "dice" in printed
    tree, _ = tree_from_json(file.read_text(encoding="utf-8"))
    assert main([*words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {child.label: child.visits for child in tree.children} == {
        k: v for k, v in data["visits"].items() if v
    }
    assert data["halving"][0][0]["action"] in data["visits"]
    assert main([*words, "--tree", str(tmp_path / "tree.html")]) == 0
    assert "dice" in (tmp_path / "tree.html").read_text(encoding="utf-8")


def test_td_lambda_says_that_it_has_none(folders, capsys):
    for spec in (f"run(path={folders['td-lambda']})", f"td(path={folders['td-lambda']})"):
        assert main(["search", spec, "--game", NANNON, "--moves", "roll 2", "--show"]) == 2
        assert "looks one move ahead and keeps no tree; leave out --show" in capsys.readouterr().err
