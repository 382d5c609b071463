"""Plans for every row of a batch, one tree after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dicezero.rules.protocol import Game
from dicezero.rules.spec import discount_of, pays_on_the_way
from dicezero.search.config import SearchConfig
from dicezero.search.random import Rng, mix64, row_seed
from dicezero.search.reference.node import MOVER, Floats, Ints, Node, choice_node, export
from dicezero.search.reference.search import TreeSearch
from dicezero.search.reference.world import NEVER, Evaluator, ModelWorld, RulesWorld, World
from dicezero.search.tree import TreeNode

Seed = int | Sequence[int] | NDArray[np.integer[Any]]


@dataclass(frozen=True)
class ReferenceResult:
    """What the searches found. Values are for the player to move at each root.

    Attributes:
        action: [B] the move to play.
        visits: [B, A] N of the root's edges.
        q: [B, A] mean of what came back through them, NaN where unvisited.
        policy: [B, A] the training target: visit shares (PUCT) or the improved policy.
        value: [B] V(root).
        evaluations: [B] network evaluations spent, the root's own not counted.
        tree: a searched tree for each row.
    """

    action: Ints
    visits: Ints
    q: Floats
    policy: Floats
    value: Floats
    evaluations: Ints
    tree: tuple[TreeNode, ...]


def reference_plan(
    simulator: Any,
    root: Any,
    config: SearchConfig,
    *,
    seed: Seed,
    gumbel: ArrayLike | None = None,
    dirichlet: ArrayLike | None = None,
) -> ReferenceResult:
    """Searches a learned model from each row of ``root``.

    Args:
        simulator: ``step(hidden [M, H], action [M])`` returns an object with hidden, reward, policy_logits,
            value and, for ``players="learned"``, identity_logits [M, 4] and chance_logits [M, A].
        root: has hidden [B, H], policy_logits [B, A], value [B], legal [B, A] and player [B].
        config: the search.
        seed: one number, or one a row.
        gumbel: [B, A] Gumbel values to use instead of drawn ones.
        dirichlet: [B, A] noise to mix into the root's priors instead of a drawn one.
    """
    logits = _finite("root.policy_logits", root.policy_logits, 2)
    value = _finite("root.value", root.value, 1)
    legal = np.asarray(root.legal, np.bool_)
    if legal.shape != logits.shape or len(value) != len(logits):
        raise ValueError(f"root.legal has shape {legal.shape}; give root.policy_logits' {logits.shape}")
    num_actions = logits.shape[1]
    world = ModelWorld(simulator, config, num_actions)
    searches = []
    for row in range(len(logits)):
        ids = np.flatnonzero(legal[row])
        if len(ids) == 0:
            raise ValueError(f"root.legal row {row} has no legal action; do not search a finished game")
        hidden = np.asarray(root.hidden)[row]
        node = choice_node(MOVER, ids, logits[row, ids], float(value[row]), hidden)
        searches.append((world, node, int(np.asarray(root.player)[row])))
    return _run(searches, config, num_actions, seed, gumbel, dirichlet)


def reference_plan_states(
    evaluator: Evaluator,
    states: Sequence[Any],
    config: SearchConfig,
    *,
    game: Game,
    seed: Seed,
    gumbel: ArrayLike | None = None,
    dirichlet: ArrayLike | None = None,
) -> ReferenceResult:
    """Searches over the true rules from each of ``states``, where a player must be to move.

    ``evaluator(observations [M, ...], legal [M, A])`` returns policy logits [M, A] and value [M], for the
    player to move. The roots are evaluated too, outside the budget.
    """
    searches = []
    config = replace(config, discount=discount_of(game))
    num_actions = game.num_distinct_actions()
    for row, state in enumerate(states):
        if state.current_player() < 0:
            raise ValueError(f"states[{row}] has nobody to move: {state}; give a position with a choice")
        world = RulesWorld(
            evaluator,
            state.current_player(),
            num_actions,
            pays=pays_on_the_way(game, state),
            value_scale=config.value_scale,
            values_chance=config.chance_value == "afterstate",
        )
        searches.append((world, world.choice(state), state.current_player()))
    return _run(searches, config, num_actions, seed, gumbel, dirichlet)


def _run(
    searches: Sequence[tuple[World, Node, int]],
    config: SearchConfig,
    num_actions: int,
    seed: Seed,
    gumbel: ArrayLike | None,
    dirichlet: ArrayLike | None,
) -> ReferenceResult:
    batch = len(searches)
    noise = [
        None if array is None else _finite(name, array, 2)
        for name, array in (("gumbel", gumbel), ("dirichlet", dirichlet))
    ]
    result = ReferenceResult(
        action=np.zeros(batch, np.int64),
        visits=np.zeros((batch, num_actions), np.int64),
        q=np.full((batch, num_actions), np.nan),
        policy=np.zeros((batch, num_actions)),
        value=np.zeros(batch),
        evaluations=np.zeros(batch, np.int64),
        tree=tuple(TreeNode("choice", player) for _, _, player in searches),
    )
    trees = []
    for row, (world, node, player) in enumerate(searches):
        own_seed = _seed_of_row(seed, row)
        rng = Rng(own_seed)
        own_noise = [None if array is None else array[row] for array in noise]
        search = TreeSearch(
            world,
            node,
            config,
            rng,
            num_actions,
            own_noise[0],
            own_noise[1],
            turn=(mix64(own_seed) >> 11) * 2.0**-53,
        )
        search.run()
        result.visits[row, node.ids] = node.visits
        result.q[row, node.ids] = node.q()
        result.policy[row, node.ids] = search.root_rule.policy()
        result.value[row] = node.value
        result.evaluations[row] = search.evaluations
        result.action[row] = node.ids[search.final()]
        trees.append(export(node, player))
    return ReferenceResult(**{**result.__dict__, "tree": tuple(trees)})


def _seed_of_row(seed: Seed, row: int) -> int:
    return row_seed(seed, row) if isinstance(seed, int) else int(seed[row])


def _finite(name: str, array: ArrayLike, dimensions: int) -> Floats:
    numbers = np.asarray(array, np.float64)
    if name.endswith("logits"):
        numbers = np.where(np.isneginf(numbers), NEVER, numbers)
    if numbers.ndim != dimensions:
        raise ValueError(f"{name} has shape {numbers.shape}; give {dimensions} dimensions")
    if not np.isfinite(numbers).all():
        row = int(np.argwhere(~np.isfinite(numbers))[0][0])
        raise ValueError(f"{name} row {row} is not finite: {numbers[row]}; check the network's output")
    return numbers
