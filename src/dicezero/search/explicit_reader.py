"""Reads a nested tree (its form is in explicit.py) into a flat list of nodes, and names where it is wrong."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dicezero.rules.protocol import CHANCE_PLAYER, TERMINAL_PLAYER

MAX_NODES = 100_000
MAX_DEPTH = 200


@dataclass(frozen=True)
class ExplicitNode:
    """A node; children are indices into the list it is in, always behind it."""

    player: int  # 0, 1, chance or terminal
    value: float = 0.0  # of a leaf, for player 0
    children: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    probabilities: tuple[float, ...] = ()
    estimate: float | None = None  # of a node that is no leaf, for player 0


_MOVERS = {"max": 0, "min": 1}


def read_tree(tree: object, *, players: int, first_player: int) -> list[ExplicitNode]:
    """The nodes of a tree, the root first."""
    reader = _Reader(players)
    reader.read(tree, first_player, "the root", 0)
    if reader.nodes[0].player == TERMINAL_PLAYER:
        raise ValueError(f"the tree is the single leaf {tree!r}; give a list of moves")
    return _with_default_names(reader.nodes)


class _Reader:
    """Checks a nested tree and lays it out flat, parents before children."""

    def __init__(self, players: int) -> None:
        self.nodes: list[ExplicitNode] = []
        self._players = players

    def read(self, tree: object, player: int, where: str, depth: int) -> int:
        """Adds a subtree whose choice, if nobody is named, is ``player``'s; returns its index."""
        index = len(self.nodes)
        if index >= MAX_NODES:
            raise ValueError(f"the tree has more than {MAX_NODES} nodes")
        if depth > MAX_DEPTH:
            raise ValueError(f"the tree is more than {MAX_DEPTH} levels deep")
        self.nodes.append(ExplicitNode(TERMINAL_PLAYER))  # keeps the place: children follow their parent
        if _is_number(tree):
            self.nodes[index] = ExplicitNode(TERMINAL_PLAYER, value=_finite(tree, f"{where} is", "a leaf"))
            return index
        estimate = None
        if isinstance(tree, Mapping) and "estimate" in tree and _KEYS & set(tree):
            estimate = _finite(tree["estimate"], f"{where} has estimate=", "an estimate")
            tree = {key: value for key, value in tree.items() if key != "estimate"}
        if isinstance(tree, Mapping) and "chance" in tree:
            self.nodes[index] = replace(self._chance(tree, player, where, depth), estimate=estimate)
            return index
        if isinstance(tree, Mapping) and _KEYS & set(tree):
            player, tree = self._mover(tree, where)
        names, branches = self._branches(tree, where)
        below = (player + 1) % self._players
        children = tuple(
            self.read(branch, below, f"{where}, move {name}", depth + 1)
            for name, branch in zip(names or range(len(branches)), branches, strict=True)
        )
        self.nodes[index] = ExplicitNode(player, children=children, names=names, estimate=estimate)
        return index

    def _mover(self, tree: Mapping[Any, Any], where: str) -> tuple[int, object]:
        """Who moves at a node that names the mover, and its branches."""
        keys = [word for word in _MOVERS if word in tree]
        if keys and len(tree) == 1:
            player, branches = _MOVERS[keys[0]], tree[keys[0]]
        elif not keys and set(tree) == {"player", "children"}:
            player, branches = tree["player"], tree["children"]
        else:
            raise ValueError(
                f"{where} has the keys {sorted(map(str, tree))}; give 'max' or 'min' alone, or 'player' and "
                "'children'; 'estimate' may stand beside them"
            )
        if isinstance(player, bool) or player not in range(self._players):
            raise ValueError(f"{where} has player={player!r}; give 0..{self._players - 1}")
        return player, branches

    def _branches(self, tree: object, where: str) -> tuple[tuple[str, ...], list[object]]:
        if isinstance(tree, Mapping):
            names = tuple(tree)
            if not all(isinstance(name, str) and name for name in names):
                raise ValueError(f"{where} has an action without a name: {names!r}")
            branches = list(tree.values())
        elif isinstance(tree, Sequence) and not isinstance(tree, str | bytes):
            names, branches = (), list(tree)
        else:
            raise ValueError(f"{where} is {tree!r}; give a number, a list or a dictionary")
        if not branches:
            raise ValueError(f"{where} has no moves; a leaf is a number")
        return names, branches

    def _chance(self, tree: Mapping[Any, Any], player: int, where: str, depth: int) -> ExplicitNode:
        outcomes = tree["chance"]
        if (
            set(tree) != {"chance"}
            or not isinstance(outcomes, Sequence)
            or isinstance(outcomes, str)
            or not outcomes
        ):
            raise ValueError(
                f"{where} is a chance node: give {{'chance': [[probability, subtree], ...]}} alone"
            )
        children, names, probabilities = [], [], []
        for i, outcome in enumerate(outcomes):
            if not isinstance(outcome, Sequence) or isinstance(outcome, str) or len(outcome) not in (2, 3):
                raise ValueError(
                    f"{where}, outcome {i} is {outcome!r}; give [probability, subtree] or with a name"
                )
            p = outcome[0]
            if isinstance(p, bool) or not isinstance(p, int | float) or not 0.0 < p <= 1.0:
                raise ValueError(f"{where}, outcome {i} has probability {p!r}; give a number in (0, 1]")
            probabilities.append(float(p))
            names.append(str(outcome[2]) if len(outcome) == 3 else f"{p:g}")
            children.append(self.read(outcome[1], player, f"{where}, outcome {i}", depth + 1))
        if abs(sum(probabilities) - 1.0) > 1e-9:
            raise ValueError(
                f"{where} has probabilities that sum to {sum(probabilities):g}; they must sum to 1"
            )
        if len(set(names)) < len(names):
            names = [f"{name} #{i + 1}" for i, name in enumerate(names)]
        return ExplicitNode(
            CHANCE_PLAYER, children=tuple(children), names=tuple(names), probabilities=tuple(probabilities)
        )


_KEYS = {"max", "min", "player", "chance"}  # of dictionaries that do not name moves


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _finite(value: Any, where: str, what: str) -> float:
    try:
        if _is_number(value) and math.isfinite(value):
            return float(value)
    except OverflowError:  # an int beyond every float
        pass
    raise ValueError(f"{where} {value!r}; {what} must be a finite number")


def _with_default_names(nodes: list[ExplicitNode]) -> list[ExplicitNode]:
    """Names moves as textbooks do: a1, a2, ... at the root, b1, ... in the first node below it, and so on."""
    order = [0]
    letters: dict[int, str] = {}
    for i in order:
        if nodes[i].player >= 0:
            letters[i] = chr(ord("a") + len(letters)) if len(letters) < 26 else f"n{len(letters)}_"
        order.extend(nodes[i].children)
    return [
        node
        if node.names or node.player < 0
        else replace(node, names=tuple(f"{letters[i]}{k + 1}" for k in range(len(node.children))))
        for i, node in enumerate(nodes)
    ]
