"""Algorithm 1 (Monte Carlo tree search with UCB1), slow and plain: what the fast search is tested against.

Random play-outs only. Without a discount values are those of whole games, with one they are what is still to
come. It draws the same numbers in the same order as the fast search, so that one seed gives
the same visits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from dicezero.rules.protocol import is_chance, outcomes_of
from dicezero.search.random import Rng


@dataclass
class UctNode:
    """A position: N, and W of its own player; at a chance node W is player 0's."""

    state: Any
    visits: int = 0
    wins: float = 0.0
    actions: list[int] = field(default_factory=list)  # in the order they are tried
    children: dict[int, UctNode] = field(default_factory=dict)


class ReferenceUct:
    """One search of ``state``; utilities are in [low, high], or scaled by what was seen."""

    def __init__(
        self,
        state: Any,
        *,
        seed: int,
        c: float = 1.4,
        random_order: bool = True,
        low: float = -1.0,
        high: float = 1.0,
        discount: float = 1.0,
    ) -> None:
        self.root = UctNode(state.clone())
        self._rng, self._order = Rng(seed), Rng(seed, 1)
        self._c, self._random_order = c, random_order
        self._low, self._high = low, high
        self._discount = discount
        self._seen = (math.inf, -math.inf)  # the least and greatest W / N of any action so far

    def run(self, simulations: int) -> dict[int, int]:
        """Makes that many simulations; the visits of each root action."""
        for _ in range(simulations):
            path = self._tree_policy()
            if self._discount == 1.0:
                worth = [self._default_policy(path[-1].state.clone())] * len(path)
            else:
                worth = self._discounted(path)
            self._back_up(path, worth)
        return {action: child.visits for action, child in sorted(self.root.children.items())}

    def _tree_policy(self) -> list[UctNode]:
        """The nodes from the root to a new choice node or an end. Chance is drawn on the way."""
        path = [self.root]
        while not path[-1].state.is_terminal():
            node = path[-1]
            if is_chance(node.state):
                outcomes = outcomes_of(node.state)
                drawn = self._rng.roulette([float(np.float32(p)) for _, p in outcomes])
                action = outcomes[drawn][0]
                new = action not in node.children
            else:
                action, new = self._choose(node)
            if new:
                child = node.state.clone()
                child.apply_action(action)
                node.children[action] = UctNode(child)
            path.append(node.children[action])
            if new and not is_chance(path[-1].state):
                break
        return path

    def _choose(self, node: UctNode) -> tuple[int, bool]:
        if not node.actions:
            node.actions = list(node.state.legal_actions())
            if self._random_order:
                for i in range(len(node.actions) - 1, 0, -1):
                    j = below(self._order, i + 1)
                    node.actions[i], node.actions[j] = node.actions[j], node.actions[i]
        for action in node.actions:
            if action not in node.children:
                return action, True
        return max(node.actions, key=lambda action: self._ucb1(node, node.children[action])), False

    def _ucb1(self, node: UctNode, child: UctNode) -> float:
        """W / N + c sqrt(ln N(parent) / N), with c for wins in [0, 1] turned into one for these utilities."""
        mover = node.state.current_player()
        root = 1.0 / math.sqrt(child.visits)
        wins = child.wins if _owner(child.state) == mover else -child.wins
        return root * (wins * root + self._c * self._span() * math.sqrt(math.log(node.visits)))

    def _span(self) -> float:
        if math.isfinite(self._high - self._low):
            return self._high - self._low
        low, high = self._seen
        return high - low if high > low else 1.0

    def _default_policy(self, state: Any) -> float:
        """Random moves to the end; player 0's return."""
        if state.get_game().short_name() == "tic_tac_toe" and not state.is_terminal():
            return self._fill_board(state)
        while not state.is_terminal():
            if is_chance(state):
                state.apply_action(self._draw_outcome(state))
            else:
                state.apply_action(self._draw_action(state))
        return float(state.returns()[0])

    def _discounted(self, path: list[UctNode]) -> list[float]:
        """What player 0 still gets from each node of the path on, as a play-out goes on from its end.

        W of a node is what coming there brings: what led there pays, and what is to come, which a decision
        defers by one step. The root's is its value.
        """
        state = path[-1].state.clone()
        steps: list[tuple[bool, float]] = []  # (decides there, what the way out of there pays)
        pays = callable(getattr(state, "rewards", None))
        while not state.is_terminal():
            decides = not is_chance(state)
            state.apply_action(self._draw_action(state) if decides else self._draw_outcome(state))
            end = state.returns()[0] if state.is_terminal() and not pays else 0.0
            steps.append((decides, float(state.rewards()[0] if pays else end)))
        to_come = 0.0
        for place, (decides, paid) in reversed(list(enumerate(steps))):
            to_come = (self._discount if decides and place else 1.0) * (paid + to_come)
        if path[-1].state.is_terminal() and not pays:
            to_come = float(path[-1].state.returns()[0])
        worth = []
        for node, before in zip(reversed(path), [*reversed(path[:-1]), None], strict=True):
            if before is not None:
                later = not node.state.is_terminal() and not is_chance(node.state)
                to_come *= self._discount if later else 1.0
                to_come += node.state.rewards()[0] if pays else 0.0
            worth.append(to_come)
        return worth[::-1]

    def _fill_board(self, state: Any) -> float:
        """Tic-tac-toe draws once for all moves: each takes the whole part of (squares left) * fraction."""
        fraction = self._rng.next() >> 4
        while not state.is_terminal():
            actions = state.legal_actions()
            fraction *= len(actions)
            state.apply_action(actions[fraction >> 60])
            fraction &= 2**60 - 1
        return float(state.returns()[0])

    def _draw_action(self, state: Any) -> int:
        """Uniform; a forfeit, Nannon's last action, is not drawn for."""
        actions = state.legal_actions()
        game = state.get_game()
        if game.short_name() == "nannon" and actions[0] == game.num_distinct_actions() - 1:
            return int(actions[0])
        return int(actions[below(self._rng, len(actions))])

    def _draw_outcome(self, state: Any) -> int:
        """A die of equal faces is drawn as an integer, as the native games do."""
        outcomes = outcomes_of(state)
        if all(p == outcomes[0][1] for _, p in outcomes):
            return int(outcomes[below(self._rng, len(outcomes))][0])
        return int(outcomes[self._rng.roulette([p for _, p in outcomes])][0])

    def _back_up(self, path: list[UctNode], worth: list[float]) -> None:
        for node, first in zip(path, worth, strict=True):
            node.visits += 1
            node.wins += first if _owner(node.state) == 0 else -first
        for parent, child in pairwise(path):
            if not is_chance(parent.state):
                same = _owner(child.state) == parent.state.current_player()
                q = (child.wins if same else -child.wins) / child.visits
                self._seen = (min(self._seen[0], q), max(self._seen[1], q))


def below(rng: Rng, n: int) -> int:
    """Uniform in 0..n-1 by multiply-shift, as the native generator does it."""
    return ((rng.next() >> 32) * n) >> 32


def _owner(state: Any) -> int:
    """In whose view a node counts wins: its mover's; player 0's at chance nodes and ends."""
    return max(0, int(state.current_player()))
