"""Reanalyse: episodes of the ring searched again with the newest network, for fresh policies and values."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
_ROWS = 4096  # positions searched at a time at the most: their trees live in memory together
_OBSERVED_BYTES = 256 << 20  # of what networks are shown at a time
_SLACK = 1e-3  # of numbers that went through float32
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
    chosen = chosen_episodes(replay, share=share, seed=seed, round_index=round_index)
    policies: list[list[npt.NDArray[np.float32]]] = [[] for _ in chosen]
    values: list[list[npt.NDArray[np.float32]]] = [[] for _ in chosen]
    for pieces in _batches(chosen, _rows_at_once(replay)):
        seeds = [
            address_seed(seed, round_index, _REANALYSE, p.kept.round, p.kept.number, int(step))
            for p in pieces
            for step in p.steps
        ]
        positions = _positions(game, replay, pieces, states=isinstance(planner, RulesPlanner))
        decisions = decide(planner, positions, config, np.array(seeds, np.uint64), noise=True)
        policy = np.eye(replay.spec.actions)[decisions.action] if chosen_policy else decisions.policy
        value = decisions.value * np.float32(config.value_scale)
        ends = np.cumsum([len(p.steps) for p in pieces])[:-1]
        parts = (np.split(array, ends) for array in (policy, value, positions.legal))
        for piece, p, v, legal in zip(pieces, *parts, strict=True):
            policies[piece.place].append(p[legal].astype(np.float32))
            values[piece.place].append(v.astype(np.float32))
    return [
        Fresh(kept.round, kept.number, np.concatenate(p), np.concatenate(v))
        for kept, p, v in zip(chosen, policies, values, strict=True)
    ]


@dataclass(frozen=True, eq=False)
class _Piece:
    """Some decisions of an episode, in order."""

    place: int  # of the episode among the chosen ones
    kept: KeptEpisode
    part: slice  # of its decisions

    @property
    def steps(self) -> npt.NDArray[np.intp]:
        """Where they were made."""
        return self.kept.episode.decisions[self.part]


def _rows_at_once(replay: Replay) -> int:
    """Positions whose trees and observations live in memory together."""
    seen = replay.spec.observation
    return max(1, min(_ROWS, _OBSERVED_BYTES // (4 * seen.size))) if seen else _ROWS


def _batches(chosen: Sequence[KeptEpisode], rows: int) -> Iterator[list[_Piece]]:
    """All decisions of the episodes in their order, up to ``rows`` at a time."""
    batch: list[_Piece] = []
    room = rows
    for place, kept in enumerate(chosen):
        start, count = 0, len(kept.episode.decisions)
        while start < count:
            end = min(count, start + room)
            batch.append(_Piece(place, kept, slice(start, end)))
            room -= end - start
            start = end
            if room == 0:
                yield batch
                batch, room = [], rows
    if batch:
        yield batch


def _positions(game: Game, replay: Replay, pieces: Sequence[_Piece], *, states: bool) -> Positions:
    """The decisions of some episodes; their states only for a planner that needs the rules."""
    spec = replay.spec
    assert spec.observation is not None  # noqa: S101 - a preset without observations is refused earlier
    frames, legal = [], []
    for piece in pieces:
        episode, seen = piece.kept.episode, spec.observation
        rows = episode.frames[piece.steps][:, None] - np.arange(seen.stack - 1, -1, -1)
        frames.append(episode.observation[np.maximum(rows, 0)])
        counts = episode.choices[episode.decisions]
        ends = np.concatenate([[0], np.cumsum(counts)])
        ids = episode.legal[ends[piece.part.start] : ends[piece.part.stop]]
        legal.append(dense_rows(ids, np.ones(len(ids), np.bool_), counts[piece.part], spec.actions))
    stacked = np.concatenate(frames)
    actions = ActionSet.of(spec)
    game_states = (
        [s for p in pieces for s in decision_states(game, p.kept.episode, actions)[p.part]] if states else []
    )
    return Positions(
        game, game_states, stacked[:, -1], network_input(spec.observation, stacked), np.concatenate(legal)
    )


def decision_states(game: Game, episode: Episode, actions: ActionSet) -> list[State]:
    """The state at each decision of a recorded episode, played again by the rules."""
    state, decided = game.new_initial_state(), []
    for actor, action in zip(episode.actor.tolist()[:-1], episode.action.tolist()[:-1], strict=True):
        if actor >= 0:
            decided.append(state.clone())
        state.apply_action(action if actor >= 0 else action - actions.choices)
    return decided


def pack_fresh(searched: Sequence[Fresh]) -> bytes:
    """The results of new searches as the bytes of an NPZ file; the same results give the same bytes."""
    buffer = io.BytesIO()
    nothing = np.zeros(0, np.float32)
    np.savez_compressed(
        buffer,
        round=np.array([fresh.round for fresh in searched], np.int32),
        number=np.array([fresh.number for fresh in searched], np.int32),
        decisions=np.array([len(fresh.value) for fresh in searched], np.int64),
        choices=np.array([len(fresh.policy) for fresh in searched], np.int64),
        policy=np.concatenate([nothing, *(fresh.policy for fresh in searched)]),
        value=np.concatenate([nothing, *(fresh.value for fresh in searched)]),
    )
    return buffer.getvalue()


def unpack_fresh(data: bytes, *, name: str) -> list[Fresh]:
    """What ``pack_fresh`` packed.

    Raises:
        ValueError: not such a file, or damaged; ``name`` is the file's.
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
    for key, of in (("choices", "policy"), ("decisions", "value")):
        if count and not 0 <= arrays[key].min() <= arrays[key].max() <= len(arrays[of]):
            raise ValueError(f"{name}: {key} are no numbers of {of} entries; train again")
    policy = arrays["policy"]
    if len(policy) and not 0.0 <= policy.min() <= policy.max() <= 1.0 + _SLACK:
        raise ValueError(f"{name}: policy has a probability that is none; train again")
    policies = np.split(arrays["policy"], np.cumsum(arrays["choices"])[:-1]) if count else []
    values = np.split(arrays["value"], np.cumsum(arrays["decisions"])[:-1]) if count else []
    names = zip(arrays["round"].tolist(), arrays["number"].tolist(), policies, values, strict=True)
    return [Fresh(r, n, policy, value) for r, n, policy, value in names]
