"""Games given as explicit trees: nested lists or JSON, for teaching and for tests.

A number is a leaf: the utility of player 0 (MAX). A list is a choice, and the players take turns from one
choice to the next below it. A dictionary names the actions: ``{"left": [3, 5], "right": 4}``. Two forms have
keys of their own: ``{"player": 1, "children": [...] or {...}}`` says who moves, ``{"chance": [[0.5, subtree],
...]}`` is a chance node (a third entry, ``[0.5, subtree, "heads"]``, names the outcome).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dicezero.rules.protocol import CHANCE_PLAYER, TERMINAL_PLAYER

MAX_NODES = 100_000
MAX_DEPTH = 200


@dataclass(frozen=True)
class _Node:
    player: int  # 0, 1, chance or terminal
    value: float = 0.0  # of a leaf, for player 0
    children: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    probabilities: tuple[float, ...] = ()


class ExplicitGame:
    """A finite game tree. Actions are numbered 0, 1, ... from left to right in every node."""

    def __init__(self, nodes: Sequence[_Node], *, players: int) -> None:
        self.nodes = tuple(nodes)
        self._players = players
        leaves = [node.value for node in self.nodes if node.player == TERMINAL_PLAYER]
        least, most = min(leaves), max(leaves)
        # Utilities are said for every player: what is best for one is worst for the other.
        self._bounds = (least, most) if players == 1 else (min(least, -most), max(most, -least))
        self._widths = {
            chance: max(
                (len(n.children) for n in self.nodes if (n.player == CHANCE_PLAYER) is chance), default=0
            )
            for chance in (False, True)
        }

    @classmethod
    def parse(cls, tree: object, *, players: int = 2, first_player: int = 0) -> ExplicitGame:
        """The game of a nested tree (see the module's description).

        Args:
            tree: lists, dictionaries and numbers, or JSON text of the same.
            players: 1 makes every choice player 0's; 2 lets them take turns where nobody is named.
            first_player: who moves at the root where nobody is named.
        """
        if players not in (1, 2):
            raise ValueError(f"players={players!r} is out of range; give 1 or 2")
        if first_player not in range(players):
            raise ValueError(f"first_player={first_player!r} is out of range; give 0..{players - 1}")
        if isinstance(tree, str | bytes):
            try:
                tree = json.loads(tree)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"the tree is not valid JSON: {error}") from None
        reader = _Reader(players)
        reader.read(tree, first_player, "the root", 0)
        if reader.nodes[0].player == TERMINAL_PLAYER:
            raise ValueError(f"the tree is the single leaf {tree!r}; give a list of moves")
        return cls(_with_default_names(reader.nodes), players=players)

    def new_initial_state(self) -> ExplicitState:
        """The root."""
        return ExplicitState(self)

    def num_distinct_actions(self) -> int:
        """Most moves of any choice node."""
        return self._widths[False]

    def max_chance_outcomes(self) -> int:
        """Most outcomes of any chance node; 0 without chance."""
        return self._widths[True]

    def num_players(self) -> int:
        """1 or 2."""
        return self._players

    def min_utility(self) -> float:
        """The least any player can get."""
        return self._bounds[0]

    def max_utility(self) -> float:
        """The most any player can get."""
        return self._bounds[1]

    def max_game_length(self) -> int:
        """Most moves, chance outcomes included, of any line."""
        depth = [0] * len(self.nodes)
        for i, node in enumerate(self.nodes):  # parents come before their children
            for child in node.children:
                depth[child] = depth[i] + 1
        return max(depth)

    def __str__(self) -> str:
        return f"explicit_tree(nodes={len(self.nodes)})"

    __repr__ = __str__


class ExplicitState:
    """A node of the tree, and the way to it."""

    def __init__(self, game: ExplicitGame, path: tuple[int, ...] = (), at: int = 0) -> None:
        self._game = game
        self._path = path
        self._at = at

    @property
    def _node(self) -> _Node:
        return self._game.nodes[self._at]

    def get_game(self) -> ExplicitGame:
        """The game it belongs to."""
        return self._game

    def current_player(self) -> int:
        """0, 1, CHANCE_PLAYER or TERMINAL_PLAYER."""
        return self._node.player

    def is_terminal(self) -> bool:
        """A leaf."""
        return self._node.player == TERMINAL_PLAYER

    def is_chance_node(self) -> bool:
        """Chance acts."""
        return self._node.player == CHANCE_PLAYER

    def legal_actions(self) -> list[int]:
        """0, 1, ... from left to right."""
        return list(range(len(self._node.children)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) pairs; empty unless chance acts."""
        return list(enumerate(self._node.probabilities))

    def apply_action(self, action: int) -> None:
        """Goes down one branch."""
        if not 0 <= action < len(self._node.children):
            raise ValueError(f"action {action} is illegal; legal: {self.legal_actions()}")
        self._at, self._path = self._node.children[action], (*self._path, action)

    def child(self, action: int) -> ExplicitState:
        """The state after an action."""
        copy = self.clone()
        copy.apply_action(action)
        return copy

    def clone(self) -> ExplicitState:
        """An independent copy."""
        return ExplicitState(self._game, self._path, self._at)

    def returns(self) -> list[float]:
        """One number a player, zeros until the end."""
        value = self._node.value
        return [value] if self._game.num_players() == 1 else [value, -value]

    def player_return(self, player: int) -> float:
        """That player's number of ``returns``."""
        return self.returns()[player]

    def history(self) -> list[int]:
        """The actions that led here."""
        return list(self._path)

    def action_to_string(self, *player_and_action: int) -> str:
        """The name of an action: ``action_to_string(action)`` or ``action_to_string(player, action)``."""
        return self._node.names[player_and_action[-1]]

    def string_to_action(self, *player_and_name: Any) -> int:
        """The action of a name: ``string_to_action(name)`` or ``string_to_action(player, name)``."""
        name = player_and_name[-1]
        if name not in self._node.names:
            raise ValueError(
                f"action {name!r} is unknown here; legal: {', '.join(self._node.names) or 'none'}"
            )
        return self._node.names.index(name)

    def key(self) -> int:
        """Every node is a position of its own."""
        return self._at

    def __str__(self) -> str:
        state = ExplicitState(self._game)
        names = []
        for action in self._path:
            names.append(state.action_to_string(action))
            state.apply_action(action)
        return ", ".join(names) or "the root"


class _Reader:
    """Checks a nested tree and lays it out flat, parents before children."""

    def __init__(self, players: int) -> None:
        self.nodes: list[_Node] = []
        self._players = players

    def read(self, tree: object, player: int, where: str, depth: int) -> int:
        """Adds a subtree whose choice, if nobody is named, is ``player``'s; returns its index."""
        index = len(self.nodes)
        if index >= MAX_NODES:
            raise ValueError(f"the tree has more than {MAX_NODES} nodes")
        if depth > MAX_DEPTH:
            raise ValueError(f"the tree is more than {MAX_DEPTH} levels deep")
        self.nodes.append(_Node(TERMINAL_PLAYER))  # keeps the place: children follow their parent
        if isinstance(tree, int | float) and not isinstance(tree, bool):
            if not math.isfinite(tree):
                raise ValueError(f"{where} is {tree!r}; a leaf must be a finite number")
            self.nodes[index] = _Node(TERMINAL_PLAYER, value=float(tree))
            return index
        if isinstance(tree, Mapping) and "chance" in tree:
            self.nodes[index] = self._chance(tree, player, where, depth)
            return index
        if isinstance(tree, Mapping) and "player" in tree:
            if set(tree) != {"player", "children"}:
                raise ValueError(
                    f"{where} has the keys {sorted(map(str, tree))}; give 'player' and 'children'"
                )
            player, tree = tree["player"], tree["children"]
            if isinstance(player, bool) or player not in range(self._players):
                raise ValueError(f"{where} has player={player!r}; give 0..{self._players - 1}")
        names, branches = self._branches(tree, where)
        below = (player + 1) % self._players
        children = tuple(
            self.read(branch, below, f"{where}, move {name}", depth + 1)
            for name, branch in zip(names or range(len(branches)), branches, strict=True)
        )
        self.nodes[index] = _Node(player, children=children, names=names)
        return index

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

    def _chance(self, tree: Mapping[Any, Any], player: int, where: str, depth: int) -> _Node:
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
        return _Node(
            CHANCE_PLAYER, children=tuple(children), names=tuple(names), probabilities=tuple(probabilities)
        )


def _with_default_names(nodes: list[_Node]) -> list[_Node]:
    """Names moves as textbooks do: a1, a2, ... at the root, b1, ... in the first node below, level by level."""
    order, letters = [0], {}
    for i in order:
        if nodes[i].player >= 0:
            letters[i] = chr(ord("a") + len(letters)) if len(letters) < 26 else f"n{len(letters)}_"
        order.extend(nodes[i].children)
    return [
        node
        if node.names or node.player < 0
        else _Node(
            node.player,
            children=node.children,
            names=tuple(f"{letters[i]}{k + 1}" for k in range(len(node.children))),
        )
        for i, node in enumerate(nodes)
    ]
