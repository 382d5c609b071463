"""Games given as explicit trees: nested lists or JSON, for teaching and for tests.

A number is a leaf: the utility of player 0 (MAX). A list is a choice, and the players take turns from one
choice to the next below it. A dictionary names the actions: ``{"left": [3, 5], "right": 4}``. Dictionaries
with keys of their own:

- ``{"max": [...] or {...}}``, ``{"min": ...}``: who moves is explicit, not taken from the turn; the same as
  ``{"player": 0, "children": ...}`` and ``{"player": 1, "children": ...}``.
- ``{"chance": [[0.5, subtree], [0.5, subtree, "tails"]]}``: a chance node; the third entry names an outcome.
- ``"estimate": 4`` beside one of these keys: an evaluation function's value of the node, for player 0; a
  search that has its horizon there takes it for the value.
- ``{"tree": ..., "name": "figure 6.2", "players": 1, "first_player": 0}`` around the whole: all but the tree
  may be left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dicezero.rules.ordinary import read_ordinary
from dicezero.rules.protocol import CHANCE_PLAYER, TERMINAL_PLAYER
from dicezero.search.explicit_reader import ExplicitNode, read_tree
from dicezero.search.tree import NodeKind, TreeNode

MAX_BYTES = 20_000_000
_AROUND = {"tree", "name", "players", "first_player"}


class ExplicitGame:
    """A finite game tree. Actions are numbered 0, 1, ... from left to right in every node."""

    tree_is_explicit = True  # a search to the end is always within reach

    def __init__(self, nodes: Sequence[ExplicitNode], *, players: int, name: str = "") -> None:
        self.nodes = tuple(nodes)
        self.name = name
        self._players = players
        leaves = [node.value for node in self.nodes if node.player == TERMINAL_PLAYER]
        least, most = min(leaves), max(leaves)
        # Utilities are given for every player: what is best for one is worst for the other.
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
        if isinstance(tree, str | bytes):
            try:
                tree = json.loads(tree, object_pairs_hook=_without_repeats)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"the tree is not valid JSON: {error}") from None
        name = ""
        if isinstance(tree, Mapping) and "tree" in tree:
            unknown = sorted(map(str, set(tree) - _AROUND))
            if unknown:
                raise ValueError(
                    f"unknown key {unknown[0]!r} beside 'tree'; give {', '.join(sorted(_AROUND))}"
                )
            name = str(tree.get("name", ""))[:80]
            players, first_player = tree.get("players", players), tree.get("first_player", first_player)
            tree = tree["tree"]
        if isinstance(players, bool) or players not in (1, 2):
            raise ValueError(f"players={players!r} is out of range; give 1 or 2")
        if isinstance(first_player, bool) or first_player not in range(players):
            raise ValueError(f"first_player={first_player!r} is out of range; give 0..{players - 1}")
        return cls(read_tree(tree, players=players, first_player=first_player), players=players, name=name)

    @classmethod
    def read(cls, path: str | Path) -> ExplicitGame:
        """The game of a JSON file; ValueError names the file and the place in it that is wrong."""
        try:
            return cls.parse(read_ordinary(path, most_bytes=MAX_BYTES).decode("utf-8"))
        except FileNotFoundError:
            raise ValueError(
                f"there is no file {str(path)!r}; give the path to a game tree in JSON"
            ) from None
        except OSError as error:
            raise ValueError(f"{path} is no game tree: {error.strerror}") from None
        except ValueError as error:
            raise ValueError(f"{path} is no game tree: {error}") from None

    def new_initial_state(self) -> ExplicitState:
        """The root."""
        estimated = any(node.estimate is not None for node in self.nodes)
        return EstimatedState(self) if estimated else ExplicitState(self)

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

    def _repr_svg_(self) -> str:
        return explicit_tree(self)._repr_svg_()

    def __str__(self) -> str:
        return self.name or f"explicit_tree(nodes={len(self.nodes)})"

    __repr__ = __str__


def explicit_tree(game: ExplicitGame) -> TreeNode:
    """The whole tree as it was written, for drawing: leaves have values, other nodes none."""
    kinds: dict[int, NodeKind] = {CHANCE_PLAYER: "chance", TERMINAL_PLAYER: "terminal"}
    made = [TreeNode(kinds.get(node.player, "choice"), node.player) for node in game.nodes]
    sign = -1.0 if game.nodes[0].player == 1 else 1.0  # numbers of a picture are for the root's player
    for node, drawn in zip(game.nodes, made, strict=True):
        drawn.value = sign * node.value if node.player == TERMINAL_PLAYER else None
        for place, child in enumerate(node.children):
            made[child].action, made[child].label = place, node.names[place]
            made[child].prior = node.probabilities[place] if node.probabilities else None
            drawn.children.append(made[child])
    return made[0]


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; one that has a key twice would lose a move in silence."""
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} stands twice in one object; give each move a name of its own")
    return members


class ExplicitState:
    """A node of the tree, and the way to it."""

    def __init__(self, game: ExplicitGame, path: tuple[int, ...] = (), at: int = 0) -> None:
        self._game = game
        self._path = path
        self._at = at

    @property
    def _node(self) -> ExplicitNode:
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
        return type(self)(self._game, self._path, self._at)

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

    def to_svg(self) -> str:
        """The tree as a picture, the way to this node drawn thick."""
        from dicezero.search.draw_svg import tree_to_svg  # which is only needed to draw

        return tree_to_svg(explicit_tree(self._game), title=str(self), max_depth=8, way=self._path)

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


class EstimatedState(ExplicitState):
    """The same in a tree whose nodes have the evaluation function's values."""

    def evaluate(self, player: int) -> float:
        """What is estimated of the node, for ``player``.

        A chance node without one has the mean of its outcomes'; any other the middle of the utilities.
        """
        value = self._estimate(self._at)
        return value if player == 0 else -value

    def _estimate(self, at: int) -> float:
        node = self._game.nodes[at]
        if node.player == TERMINAL_PLAYER:
            return node.value
        if node.estimate is not None:
            return node.estimate
        if node.player == CHANCE_PLAYER:
            below = zip(node.probabilities, node.children, strict=True)
            return sum(p * self._estimate(child) for p, child in below)
        return 0.5 * (self._game.min_utility() + self._game.max_utility())
