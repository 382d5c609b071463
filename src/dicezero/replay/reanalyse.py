"""Reanalyse: episodes of the ring searched again with the newest network, for fresh policies and values."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dicezero.replay.buffer import Fresh, KeptEpisode, Replay
from dicezero.replay.npz import read_arrays
from dicezero.rules.protocol import Game, State
from dicezero.search.config import SearchConfig
from dicezero.selfplay.episode import ActionSet, Episode, dense_rows
from dicezero.selfplay.planners import Planner, RulesPlanner, decide
from dicezero.selfplay.seeds import address_seed, address_uniform
from dicezero.selfplay.states import Positions, network_input

_REANALYSE = 1 << 43  # an address no game's number reaches
_ROWS = 4096  # positions searched at a time: their trees live in memory together
_KEYS = {"round": "i4", "number": "i4", "decisions": "i8", "choices": "i8", "policy": "f4", "value": "f4"}


def chosen_episodes(replay: Replay, *, share: float, seed: int, round_index: int) -> list[KeptEpisode]:
    """The episodes to search again in a round: each older one with probability ``share``.

    The draw is named by (seed, round, the round that played it, its number), whatever else is there.
    """
    return [
        kept
        for kept in replay.kept
        if kept.round <= round_index  # those of this round, counted from 1, are fresh
        and address_uniform(seed, round_index, _REANALYSE, kept.round, kept.number) < share
    ]


def reanalyse(
    game: Game,
    replay: Replay,
    planner: Planner,
    config: SearchConfig,
    *,
    share: float,
    seed: int,
    round_index: int,
    chosen_policy: bool = False,
) -> list[Fresh]:
    """Searches every decision of the chosen episodes again, as self-play would; the ring stays as it is.

    Args:
        game: that the ring's episodes are of.
        replay: the ring.
        planner: the newest.
        config: of its search.
        share: of the older episodes, 0..1.
        seed: of the run.
        round_index: of the round, counted from 0.
        chosen_policy: the new policy is the move that the search chooses, for the simple policy loss.
    """
    found: list[Fresh] = []
    waiting: list[KeptEpisode] = []
    chosen = chosen_episodes(replay, share=share, seed=seed, round_index=round_index)
    for i, kept in enumerate(chosen):
        waiting.append(kept)
        if i + 1 == len(chosen) or sum(len(k.episode.decisions) for k in waiting) >= _ROWS:
            seeds = [
                address_seed(seed, round_index, _REANALYSE, k.round, k.number, int(step))
                for k in waiting
                for step in k.episode.decisions
            ]
            positions = _positions(game, replay, waiting, states=isinstance(planner, RulesPlanner))
            said = decide(planner, positions, config, np.array(seeds, np.uint64), noise=True)
            policy = np.eye(replay.spec.actions)[said.action] if chosen_policy else said.policy
            value = said.value * np.float32(config.value_scale)
            found += _shared_out(waiting, policy[positions.legal].astype(np.float32), value)
            waiting = []
    return found


def _positions(game: Game, replay: Replay, waiting: Sequence[KeptEpisode], *, states: bool) -> Positions:
    """The decisions of some episodes; their states only for a planner that needs the rules."""
    spec = replay.spec
    assert spec.observation is not None  # noqa: S101 - a preset without observations is refused earlier
    frames, legal = [], []
    for kept in waiting:
        episode, seen = kept.episode, spec.observation
        rows = episode.frames[episode.decisions][:, None] - np.arange(seen.stack - 1, -1, -1)
        frames.append(episode.observation[np.maximum(rows, 0)])
        counts = episode.choices[episode.decisions]
        legal.append(dense_rows(episode.legal, np.ones(len(episode.legal), np.bool_), counts, spec.actions))
    stacked = np.concatenate(frames)
    actions = ActionSet.of(spec)
    known = [s for k in waiting for s in decision_states(game, k.episode, actions)] if states else []
    return Positions(
        game, known, stacked[:, -1], network_input(spec.observation, stacked), np.concatenate(legal)
    )


def _shared_out(
    waiting: Sequence[KeptEpisode], policy: npt.NDArray[np.float32], value: npt.NDArray[np.float32]
) -> list[Fresh]:
    """Each episode's part of what was said, in their order."""
    choice_ends = np.cumsum([len(k.episode.legal) for k in waiting])[:-1]
    value_ends = np.cumsum([len(k.episode.decisions) for k in waiting])[:-1]
    parts = zip(waiting, np.split(policy, choice_ends), np.split(value, value_ends), strict=True)
    return [Fresh(k.round, k.number, p, v.astype(np.float32)) for k, p, v in parts]


def decision_states(game: Game, episode: Episode, actions: ActionSet) -> list[State]:
    """The state at each decision of a recorded episode, played again by the rules."""
    state, found = game.new_initial_state(), []
    for actor, action in zip(episode.actor.tolist()[:-1], episode.action.tolist()[:-1], strict=True):
        if actor >= 0:
            found.append(state.clone())
        state.apply_action(action if actor >= 0 else action - actions.choices)
    return found


def pack_fresh(found: Sequence[Fresh]) -> bytes:
    """What was found as the bytes of an NPZ file; the same findings give the same bytes."""
    buffer = io.BytesIO()
    nothing = np.zeros(0, np.float32)
    np.savez_compressed(
        buffer,
        round=np.array([fresh.round for fresh in found], np.int32),
        number=np.array([fresh.number for fresh in found], np.int32),
        decisions=np.array([len(fresh.value) for fresh in found], np.int64),
        choices=np.array([len(fresh.policy) for fresh in found], np.int64),
        policy=np.concatenate([nothing, *(fresh.policy for fresh in found)]),
        value=np.concatenate([nothing, *(fresh.value for fresh in found)]),
    )
    return buffer.getvalue()


def unpack_fresh(data: bytes, *, name: str) -> list[Fresh]:
    """What ``pack_fresh`` packed.

    Raises:
        ValueError: not such a file, or damaged; ``name`` says which file.
    """
    try:
        arrays = read_arrays(data, _KEYS, alike=[("round", "number", "decisions", "choices")])
    except ValueError as error:
        raise ValueError(f"{name} is not a file of reanalysed episodes ({error}); train again") from error
    count = len(arrays["round"])
    sizes = dict.fromkeys(("round", "number", "decisions", "choices"), count)
    sizes |= {"policy": int(arrays["choices"].sum()), "value": int(arrays["decisions"].sum())}
    for key, array in arrays.items():
        if array.dtype != np.dtype(_KEYS[key]) or array.shape != (sizes[key],):
            raise ValueError(
                f"{name}: {key} is {array.dtype} {array.shape}, not {_KEYS[key]} ({sizes[key]},)"
            )
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"{name}: {key} has a value that is not finite; train again")
    policies = np.split(arrays["policy"], np.cumsum(arrays["choices"])[:-1]) if count else []
    values = np.split(arrays["value"], np.cumsum(arrays["decisions"])[:-1]) if count else []
    names = zip(arrays["round"].tolist(), arrays["number"].tolist(), policies, values, strict=True)
    return [Fresh(r, n, policy, value) for r, n, policy, value in names]
