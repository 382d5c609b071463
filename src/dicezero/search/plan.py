"""The planner: B tree searches in lock step, over a learned model or over the true rules.

What every rule means, to the last tie, is in docs/explanation/algorithms/planner.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dicezero import _native
from dicezero.rules.door import checked_player
from dicezero.rules.memory import require_rows
from dicezero.rules.protocol import CHANCE_PLAYER, Game, State
from dicezero.search.config import SearchConfig
from dicezero.search.simulator import Floats, Root, Simulator, checked_floats, checked_root, checked_step
from dicezero.search.trees import Trees

Seeds = int | npt.NDArray[np.uint64] | Sequence[int]

# (observations [M, ...], legal [M, A] bool) -> (policy_logits [M, A], value [M] for the player to move)
Evaluate = Callable[[Floats, npt.NDArray[np.bool_]], tuple[Any, Any]]


@dataclass(frozen=True)
class PlanResult:
    """What B searches found. Values are for the player to move at the root."""

    action: npt.NDArray[np.int32]  # [B], the move to play
    visits: npt.NDArray[np.int32]  # [B, A]
    q: Floats  # [B, A], NaN where not visited
    policy: Floats  # [B, A], the policy to learn from
    value: Floats  # [B]
    evaluations: npt.NDArray[np.int32]  # [B], network evaluations spent
    network_seconds: float  # spent inside the network, summed over threads
    tree: Trees


@dataclass(frozen=True)
class Reuse:
    """Trees to go on from.

    Attributes:
        trees: of an earlier ``plan`` with as many rows.
        paths: for each row what has happened since its root, as (actor, action) pairs in order: the player's
            number or -1 for chance. None, or a line the old search never looked at, starts that row afresh.
    """

    trees: Trees
    paths: Sequence[Sequence[tuple[int, int]] | None]


def plan(
    simulator: Simulator,
    root: Root,
    config: SearchConfig,
    *,
    seed: Seeds,
    gumbel: npt.ArrayLike | None = None,
    reuse: Reuse | None = None,
) -> PlanResult:
    """Searches from ``root`` with a learned model.

    Args:
        simulator: any object with ``step(hidden [M,H], action [M]) -> Step``; a native one is called without
            Python. Its ``num_identities`` (default 4) is the length of the identity head; with an attribute
            ``batch_rows`` every call has exactly that many rows, the last one repeated, so that a jitted
            function compiles once.
        root: the positions.
        config: how to search.
        seed: one number, or one a row; a row's result depends on nothing but its own seed and input.
        gumbel: [B, A], the Gumbel vectors to use instead of drawing them.
        reuse: the trees of the last moves and what has happened since; what they know is kept.
    """
    _check_config(config)
    if config.prove:
        raise ValueError("prove=True needs the true rules, whose ends are certain; a model's are not")
    root = checked_root(root)
    rows, actions = root.policy_logits.shape
    require_rows(rows, actions)
    learned = config.players == "learned"
    identities = int(getattr(simulator, "num_identities", 4)) if learned else 0
    if learned and identities not in (3, 4):
        raise ValueError(
            f"num_identities={identities} must be 3 (one player) or 4: players, chance, terminal"
        )
    native = _native_part(simulator, _native.Simulator)
    if native is None and not callable(getattr(simulator, "step", None)):
        raise ValueError(
            f"simulator={simulator!r} has no method step(hidden, action); see dicezero.search.simulator"
        )
    if native is not None:
        _check_native_sizes(native, root, identities)
    model = native or _CheckedModel(simulator, root.hidden.shape[1], actions, identities)
    arrays = _native.plan_model(
        model,
        root.hidden,
        root.policy_logits,
        root.value,
        root.legal.view(np.uint8),
        row_seeds(seed, rows),
        config,
        _checked_gumbel(gumbel, rows, actions),
        identities,
        *_previous(reuse, root.player),
    )
    return _result(arrays, root.player, learned=learned)


def plan_states(
    evaluator: Evaluate | Any,
    states: Sequence[State],
    config: SearchConfig,
    *,
    game: Game,
    seed: Seeds,
    gumbel: npt.ArrayLike | None = None,
    reuse: Reuse | None = None,
) -> PlanResult:
    """The same search over the true rules: native, OpenSpiel or plain Python states (AlphaZero).

    Args:
        evaluator: ``(observations [M, ...], legal [M, A]) -> (policy_logits [M, A], value [M])``, each
            position seen and valued by its player to move.
        states: choice nodes of one game.
        config: how to search; ``players`` is not used, the rules know.
        game: that the states are of.
        seed: as in ``plan``.
        gumbel: as in ``plan``.
        reuse: as in ``plan``.
    """
    _check_config(config)
    states = list(states)
    if not states:
        raise ValueError("states is empty; give at least one position")
    player = np.array([checked_player(state, game.num_players()) for state in states], np.int32)
    for row in np.flatnonzero(player < 0):
        what = "a chance node" if player[row] == CHANCE_PLAYER else "over"
        raise ValueError(f"states[{row}] is {what}; give positions where a player is to move")
    actions = game.num_distinct_actions()
    require_rows(len(states), actions)
    native = _native_part(evaluator, _native.Evaluator)
    if native is None and not callable(evaluator):
        raise ValueError(
            f"evaluator={evaluator!r} is not callable; give (observations, legal) -> (logits, value)"
        )
    shape = tuple(game.observation_tensor_shape())  # type: ignore[attr-defined]
    network = native or _CheckedEvaluator(evaluator, shape, actions)
    arrays = _native.plan_states(
        game,
        network,
        states,
        row_seeds(seed, len(states)),
        config,
        _checked_gumbel(gumbel, len(states), actions),
        *_previous(reuse, player),
    )
    return _result(arrays, player, learned=False)


def row_seeds(seed: Seeds, rows: int) -> npt.NDArray[np.uint64]:
    """One seed a row: those given, or derived from a single one."""
    if isinstance(seed, int | np.integer):
        if not 0 <= int(seed) < 2**64:
            raise ValueError(f"seed={seed} is out of range; give 0..2**64-1")
        base = _native.mix64(int(seed))
        factor = 0xD1342543DE82EF95
        return np.array([_native.mix64(base ^ (row * factor % 2**64)) for row in range(rows)], np.uint64)
    seeds = np.asarray(seed)
    if seeds.shape != (rows,) or seeds.dtype.kind not in "iu":
        raise ValueError(f"seed is {seeds.dtype} {seeds.shape}; give one integer, or one a row: ({rows},)")
    return np.ascontiguousarray(seeds, np.uint64)


class _CheckedModel:
    """Calls a Python model and checks what it returns before the native side reads it."""

    def __init__(self, simulator: Simulator, hidden: int, actions: int, identities: int) -> None:
        self._simulator = simulator
        self._sizes = {"hidden": hidden, "actions": actions, "identities": identities}
        self._batch_rows = getattr(simulator, "batch_rows", None)

    def __call__(self, hidden: Floats, action: npt.NDArray[np.int32]) -> tuple[Floats | None, ...]:
        size = self._batch_rows or len(action)
        parts = []
        for start in range(0, len(action), size):
            part = slice(start, start + size)
            step = self._simulator.step(_padded(hidden[part], size), _padded(action[part], size))
            checked = checked_step(step, size=size, **self._sizes)
            rows = min(size, len(action) - start)
            fields = (checked.hidden, checked.reward, checked.policy_logits, checked.value)
            optional = (checked.identity_logits, checked.chance_logits)
            parts.append([None if x is None else x[:rows] for x in (*fields, *optional)])
        return _joined(parts)


class _CheckedEvaluator:
    """The same for an evaluator of true positions."""

    def __init__(self, evaluator: Evaluate, shape: tuple[int, ...], actions: int) -> None:
        self._evaluator = evaluator
        self._shape = shape
        self._actions = actions
        self._batch_rows = getattr(evaluator, "batch_rows", None)

    def __call__(self, observations: Floats, legal: npt.NDArray[np.uint8]) -> tuple[Floats | None, ...]:
        size = self._batch_rows or len(legal)
        parts = []
        for start in range(0, len(legal), size):
            part = slice(start, start + size)
            seen = _padded(observations[part], size).reshape(size, *self._shape)
            logits, value = self._evaluator(seen, _padded(legal[part], size).view(np.bool_))
            rows = min(size, len(legal) - start)
            logits = checked_floats("evaluator's policy_logits", logits, (size, self._actions))
            parts.append([logits[:rows], checked_floats("evaluator's value", value, (size,))[:rows]])
        return _joined(parts)


def _padded(array: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    missing = size - len(array)
    return np.concatenate([array, np.repeat(array[-1:], missing, axis=0)]) if missing else array


def _joined(parts: list[list[Any]]) -> tuple[Any, ...]:
    if len(parts) == 1:
        return tuple(None if x is None else np.ascontiguousarray(x) for x in parts[0])
    return tuple(None if column[0] is None else np.concatenate(column) for column in zip(*parts, strict=True))


def _check_config(config: object) -> None:
    if not isinstance(config, SearchConfig):
        raise ValueError(f"config={config!r} must be a SearchConfig")
    if config.proof_nodes:
        raise ValueError(f"proof_nodes={config.proof_nodes} is of agents; call prove_states beforehand")


def _native_part(network: object, kind: type) -> Any:
    part = getattr(network, "native", network)
    return part if isinstance(part, kind) else None


def _check_native_sizes(native: Any, root: Root, identities: int) -> None:
    sizes = {
        "hidden": (native.hidden_size, root.hidden.shape[1]),
        "policy_logits": (native.num_actions, root.policy_logits.shape[1]),
    }
    for name, (want, got) in sizes.items():
        if want != got:
            raise ValueError(
                f"root.{name} has {got} columns where the model has {want}; use the model's own root()"
            )
    if identities and native.num_identities != identities:
        raise ValueError(f"the model has {native.num_identities} identities; players='learned' needs 3 or 4")


def _checked_gumbel(gumbel: npt.ArrayLike | None, rows: int, actions: int) -> npt.NDArray[np.float64] | None:
    if gumbel is None:
        return None
    array = np.ascontiguousarray(gumbel, np.float64)
    if array.shape != (rows, actions):
        raise ValueError(f"gumbel has shape {array.shape}; give ({rows}, {actions})")
    if not np.isfinite(array).all():
        row = int(np.argwhere(~np.isfinite(array))[0][0])
        raise ValueError(f"gumbel has a value that is not finite in row {row}; draw it with numpy's gumbel()")
    return array


def _previous(
    reuse: Reuse | None, player: npt.NDArray[np.int32]
) -> tuple[_native.Forest | None, list[list[tuple[int, int]]]]:
    """The native form: actors as 0 (the old root's mover), 1 (the other), -1; who moves now comes last."""
    if reuse is None:
        return None, []
    if len(reuse.paths) != len(player) or len(reuse.trees) != len(player):
        raise ValueError(
            f"reuse has {len(reuse.trees)} trees and {len(reuse.paths)} paths for {len(player)} rows; "
            "give one of each a row"
        )
    paths = []
    for row, path in enumerate(reuse.paths):
        mover = int(reuse.trees.player[row])

        def relative(actor: int, mover: int = mover) -> int:
            return -1 if actor < 0 else int(actor != mover)

        steps = [(relative(actor), int(action)) for actor, action in path or ()]
        paths.append([*steps, (relative(int(player[row])), -1)] if steps else [])
    return reuse.trees.forest, paths


def _result(arrays: dict[str, Any], player: npt.NDArray[np.int32], *, learned: bool) -> PlanResult:
    forest = arrays.pop("tree")
    return PlanResult(**arrays, tree=Trees(forest, player, learned))
