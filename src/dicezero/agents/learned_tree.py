"""The tree and the line of a search in a learned model, with the rules' names of actions."""

from __future__ import annotations

import dataclasses

import numpy as np

from dicezero.rules.protocol import Game, State, is_chance, outcomes_of
from dicezero.rules.spec import spec_of
from dicezero.search.tree import TreeNode
from dicezero.search.trees import Trees
from dicezero.selfplay.episode import ActionSet

UNREAL = "not in the rules"


def principal_line(trees: Trees, state: State, first: int, *, branches: bool = True) -> tuple[int, ...]:
    """The most visited moves from ``state`` on, ``first`` the one played there; they end where chance acts.

    A model's line ends also where it leaves the rules. In an environment, whose rules nobody can look ahead
    in, it is what the model expects of actions that are legal now.
    """
    line: list[int] = []
    reached = state.clone() if branches else state
    index, action = 0, first
    while action in reached.legal_actions():
        line.append(action)
        if branches:
            reached.apply_action(action)
            if reached.is_terminal() or is_chance(reached):
                break
        index = _child(trees, index, action)
        if index >= 0 and trees.forest.node(0, index)[0] == "identity":
            index = _child(trees, index, _favourite(trees, index))
        if index < 0 or trees.forest.node(0, index)[0] != "choice":
            break
        action = _favourite(trees, index)
    return tuple(line)


def learned_tree(trees: Trees, state: State, game: Game, *, max_nodes: int) -> TreeNode:
    """The tree of a search in a model, its edges named as the rules name them there.

    The true position is followed beside the model's. Where the model goes on in a way the rules do not (an
    illegal move, the wrong one to act) the node has a note, and what lies below has plain names. So has all
    of a tree over an environment, which cannot be followed.
    """
    mover = state.current_player()
    named = dataclasses.replace(trees, player=np.array([mover], np.int32))
    root = named.export(0, max_nodes=max_nodes)
    spec = spec_of(game)
    actions = ActionSet.of(spec)
    truth = state.clone() if spec.simulator == "states" else None
    waiting: list[tuple[TreeNode, State | None]] = [(root, truth)]
    while waiting:
        node, truth = waiting.pop()
        for child in node.children:
            edge = -1 if child.action is None else child.action
            waiting.append((child, _name(node, child, edge, truth, actions, mover)))
    return root


def in_units(root: TreeNode, scale: float) -> TreeNode:
    """The same tree with every value times ``scale``."""
    if scale == 1.0:
        return root
    waiting = [root]
    while waiting:
        node = waiting.pop()
        node.q = None if node.q is None else node.q * scale
        node.value = None if node.value is None else node.value * scale
        waiting += node.children
    return root


def _name(
    parent: TreeNode, child: TreeNode, edge: int, truth: State | None, actions: ActionSet, mover: int
) -> State | None:
    """Names an edge; gives the true position behind it, None where there is none."""
    if parent.kind == "identity":
        child.label = _IDENTITIES[child.label].format(mover=mover, other=1 - mover)
        if truth is None or _same_actor(child, truth):
            return truth
        child.note = UNREAL
        return None
    child.label = _plain(edge, actions)
    if truth is None:
        return None
    outcome = edge - actions.choices
    if parent.kind == "chance" and is_chance(truth) and outcome in dict(outcomes_of(truth)):
        action = outcome
    elif parent.kind == "choice" and truth.current_player() >= 0 and edge in truth.legal_actions():
        action = edge
    else:
        child.note = UNREAL
        return None
    child.label = truth.action_to_string(truth.current_player(), action)
    after = truth.clone()
    after.apply_action(action)
    return after


_IDENTITIES = {
    "mover": "player {mover} moves",
    "other": "player {other} moves",
    "chance": "dice",
    "end": "over",
}


def _same_actor(node: TreeNode, truth: State) -> bool:
    if node.kind == "terminal":
        return truth.is_terminal()
    if node.kind == "chance":
        return is_chance(truth)
    return truth.current_player() == node.player


def _plain(edge: int, actions: ActionSet) -> str:
    if edge < actions.choices:
        return f"move {edge}"
    if edge < actions.no_op:
        return f"outcome {edge - actions.choices}"
    return "nothing" if edge == actions.no_op else "end"


def _child(trees: Trees, index: int, action: int) -> int:
    """The node behind an edge, -1 where the search never went."""
    edges = trees.forest.node(0, index)[5]
    return next((child for edge, child, *_ in edges if edge == action), -1)


def _favourite(trees: Trees, index: int) -> int:
    """The most visited edge, the one of the greater Q, then of the lower id; -1 where none was taken."""
    edges = trees.forest.node(0, index)[5]
    taken = [(visits, -1e9 if q is None else q, -edge) for edge, _, _, visits, q, _ in edges if visits]
    return -max(taken)[2] if taken else -1
