"""What lies behind an edge: a learned model's answer, or the true rules'."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dicezero.rules.protocol import State, is_chance, outcomes_of
from dicezero.search.config import SearchConfig
from dicezero.search.reference.node import (
    CHANCE,
    MOVER,
    OTHER,
    TERMINAL,
    Floats,
    Ints,
    Node,
    chance_node,
    choice_node,
    softmax,
    terminal_node,
)

# A logit of minus infinity: its softmax is 0, and differences of two stay defined.
NEVER = -1e30

Evaluator = Callable[[NDArray[np.float32], NDArray[np.bool_]], tuple[Any, Any]]


class World(Protocol):
    """How a tree grows; ``values_chance``: a chance node has a value of its own."""

    caps_chance: bool
    values_chance: bool
    expectation_mass: float

    def expand(self, node: Node, position: int, last: Node) -> tuple[Node, int]:
        """The node behind an edge and the network evaluations it cost; ``last``: nearest choice node."""
        ...

    def can_open(self, node: Node) -> bool:
        """Whether every outcome of a chance node has a value of its own."""
        ...


@dataclass
class ModelWorld:
    """A learned model: ``simulator.step``, and who moves by the configuration's ``players``."""

    simulator: Any
    config: SearchConfig
    num_actions: int
    caps_chance: bool = True
    values_chance: bool = True
    expectation_mass: float = 0.99

    def expand(self, node: Node, position: int, last: Node) -> tuple[Node, int]:
        """EXPAND of the NDMZ paper, lines 53-78."""
        if node.kind == "identity":
            return self._behind_identity(node, position, last), 0
        step = self.simulator.step(node.world[None], node.ids[position : position + 1])
        hidden = np.asarray(step.hidden)[0]
        logits = _row("policy_logits", step.policy_logits, (self.num_actions,))
        value = float(_row("value", step.value, ()))
        node.reward[position] = float(_row("reward", step.reward, ()))
        every = np.arange(self.num_actions)
        if self.config.players != "learned":
            same = self.config.players == "single"
            return choice_node(node.player if same else 1 - node.player, every, logits, value, hidden), 1
        # NDMZ lines 55-59: the child of a choice or chance node is an identity node.
        players = _identities(step.identity_logits)
        identity = softmax(_row("identity_logits", step.identity_logits, (len(players),)))
        chance = softmax(_row("chance_logits", step.chance_logits, (self.num_actions,)))
        world = (hidden, logits, chance)
        return Node("identity", -1, players, np.zeros(len(players)), identity, value, world), 1

    def _behind_identity(self, node: Node, position: int, last: Node) -> Node:
        hidden, logits, chance = node.world
        every = np.arange(self.num_actions)
        player = int(node.ids[position])
        if player == CHANCE:  # NDMZ lines 62-65
            return chance_node(every, chance, hidden, last.sign * node.own_value)
        if player == TERMINAL:  # NDMZ lines 66-68; worth the network's own, or by lines 23-28 the ancestor's
            worth = last.own_value if self.config.terminal == "ancestor" else node.own_value
            return terminal_node(last.sign * worth, hidden)
        return choice_node(player, every, logits, node.own_value, hidden)  # NDMZ lines 69-73

    def can_open(self, node: Node) -> bool:  # noqa: ARG002
        """A model has a value for every hidden state."""
        return True


@dataclass
class RulesWorld:
    """The true rules: ``State`` objects; the network is asked at choice nodes, at others if it may."""

    evaluator: Evaluator
    root_player: int
    num_actions: int
    caps_chance: bool = False
    values_chance: bool = False
    expectation_mass: float = 1.0
    pays: bool = False  # before the end: then rewards count on the edges, and an end is worth nothing more
    value_scale: float = 1.0

    def expand(self, node: Node, position: int, last: Node) -> tuple[Node, int]:
        """By the true rules; a node that the network evaluates costs one evaluation."""
        state = node.world.clone()
        state.apply_action(int(node.ids[position]))
        mover = self.root_player if last.player == MOVER else 1 - self.root_player
        if self.pays:
            node.reward[position] = _paid(node, state, mover) / self.value_scale
        if state.is_terminal():
            end = 0.0 if self.pays else state.returns()[self.root_player] / self.value_scale
            return terminal_node(float(end), state), 0
        if is_chance(state):
            outcomes = sorted(outcomes_of(state))
            ids = np.array([outcome for outcome, _ in outcomes], np.int64)
            probabilities = np.array([p for _, p in outcomes])
            if not self.values_chance:
                return chance_node(ids, probabilities, state), 0
            _, value = evaluate(self.evaluator, state, self.num_actions, mover)
            return chance_node(ids, probabilities, state, last.sign * value), 1
        return self.choice(state), 1

    def choice(self, state: State) -> Node:
        """The choice node of a state, evaluated."""
        ids = np.array(sorted(state.legal_actions()), np.int64)
        logits, value = evaluate(self.evaluator, state, self.num_actions, state.current_player())
        player = MOVER if state.current_player() == self.root_player else OTHER
        return choice_node(player, ids, logits[ids], value, state)

    def can_open(self, node: Node) -> bool:
        """The network has no value for a state where chance acts."""
        state = node.world
        for outcome in node.ids:
            child = state.clone()
            child.apply_action(int(outcome))
            if is_chance(child):
                return False
        return True


def evaluate(evaluator: Evaluator, state: Any, num_actions: int, player: int) -> tuple[Floats, float]:
    """The network's policy logits [A] and value in that player's view; where chance acts nothing is legal."""
    legal = np.zeros((1, num_actions), np.bool_)
    if not is_chance(state):
        legal[0, list(state.legal_actions())] = True
    view = np.asarray(state.observation_tensor(player), np.float32)
    policy_logits, value = evaluator(view[None], legal)
    return _row("policy_logits", policy_logits, (num_actions,)), float(_row("value", value, ()))


def _identities(identity_logits: Any) -> Ints:
    """Who an identity edge stands for: two players, or one, then chance and terminal."""
    alone = np.ndim(identity_logits) == 2 and np.shape(identity_logits)[1] == 3
    return np.array([MOVER, CHANCE, TERMINAL] if alone else [MOVER, OTHER, CHANCE, TERMINAL])


def _row(name: str, array: Any, shape: tuple[int, ...]) -> Floats:
    """The only row of what a network returned, checked."""
    if array is None:
        raise ValueError(f"{name} is missing; players='learned' needs it from simulator.step")
    rows = np.asarray(array, np.float64)
    if name.endswith("logits"):
        rows = np.where(np.isneginf(rows), NEVER, rows)
    if rows.shape != (1, *shape):
        raise ValueError(f"{name} has shape {rows.shape}; the network must return {(1, *shape)}")
    if not np.isfinite(rows).all():
        raise ValueError(f"{name} is not finite: {rows[0]}; check the network's output")
    return np.asarray(rows[0])


def _paid(node: Node, state: State, player: int) -> float:
    """What the way from ``node`` to ``state`` paid; after an outcome of chance by the returns."""
    if node.kind == "chance":  # OpenSpiel's 2048 repeats there the reward of the move before it
        return float(state.returns()[player]) - float(node.world.returns()[player])
    return float(state.rewards()[player])  # type: ignore[attr-defined]
