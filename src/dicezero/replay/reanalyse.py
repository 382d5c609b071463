"""Reanalyse: games of the ring searched again with the newest network, for fresh policies and values."""

from __future__ import annotations

import io
import zipfile

import numpy as np

from dicezero.replay.buffer import Fresh, KeptGame, Replay
from dicezero.rules.protocol import Game, State
from dicezero.search.config import SearchConfig
from dicezero.selfplay.planners import Planner, decide
from dicezero.selfplay.play import positions_of
from dicezero.selfplay.record import ActionSet, GameRecord
from dicezero.selfplay.seeds import address_seed, address_uniform

_REANALYSE = 1 << 43  # an address no game's number reaches
_ROWS = 4096  # positions searched at a time: their trees live in memory together
_KEYS = {"round": "i4", "number": "i4", "ends": "i8", "policy": "f4", "value": "f4"}


def chosen_games(replay: Replay, *, share: float, seed: int, round_index: int) -> list[KeptGame]:
    """The games to search again in a round: each older one by lot, with probability ``share``.

    The lot is named by (seed, round, the round that played the game, its number), whatever else is there.
    """
    return [
        game
        for game in replay.games
        if game.round <= round_index  # those of this round, counted from 1, are fresh
        and address_uniform(seed, round_index, _REANALYSE, game.round, game.number) < share
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
    """Searches every decision of the chosen games again, as self-play would; the ring stays as it is.

    Args:
        game: that the ring's games are of.
        replay: the ring.
        planner: the newest.
        config: of its search.
        share: of the older games, 0..1.
        seed: of the run.
        round_index: of the round, counted from 0.
        chosen_policy: the new policy is the move that the search chooses, for the simple policy loss.
    """
    kept = chosen_games(replay, share=share, seed=seed, round_index=round_index)
    states: list[State] = []
    seeds: list[int] = []
    ends = []
    for one in kept:
        record = one.record(replay.actions)
        states += decision_states(game, record, replay.actions)
        address = (seed, round_index, _REANALYSE, one.round, one.number)
        seeds += [address_seed(*address, int(step)) for step in np.flatnonzero(record.actor >= 0)]
        ends.append(len(states))
    policy = np.zeros((len(states), replay.actions.choices), np.float32)
    value = np.zeros(len(states), np.float32)
    for start in range(0, len(states), _ROWS):
        rows = slice(start, start + _ROWS)
        positions = positions_of(states[rows], replay.actions.choices)
        found = decide(planner, positions, config, np.array(seeds[rows], np.uint64), noise=True)
        value[rows] = found.value
        policy[rows] = np.eye(policy.shape[1])[found.action] if chosen_policy else found.policy
    return [
        Fresh(one.round, one.number, policy[a:b], value[a:b])
        for one, a, b in zip(kept, [0, *ends][:-1], ends, strict=True)
    ]


def decision_states(game: Game, record: GameRecord, actions: ActionSet) -> list[State]:
    """The state at each decision of a recorded game, played again by the rules."""
    state, found = game.new_initial_state(), []
    for actor, action in zip(record.actor.tolist()[:-1], record.action.tolist()[:-1], strict=True):
        if actor >= 0:
            found.append(state.clone())
        state.apply_action(action if actor >= 0 else action - actions.choices)
    return found


def pack_fresh(found: list[Fresh], actions: ActionSet) -> bytes:
    """What was found as the bytes of an NPZ file; the same findings give the same bytes."""
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        round=np.array([fresh.round for fresh in found], np.int32),
        number=np.array([fresh.number for fresh in found], np.int32),
        ends=np.cumsum([len(fresh.value) for fresh in found], dtype=np.int64),
        policy=np.concatenate([np.zeros((0, actions.choices), np.float32), *(f.policy for f in found)]),
        value=np.concatenate([np.zeros(0, np.float32), *(f.value for f in found)]),
    )
    return buffer.getvalue()


def unpack_fresh(data: bytes, actions: ActionSet, *, name: str) -> list[Fresh]:
    """What ``pack_fresh`` packed.

    Raises:
        ValueError: not such a file, damaged, or of another game; ``name`` says which file.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {key: file[key] for key in _KEYS}
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{name} is not a file of reanalysed games ({error}); train again") from error
    ends = arrays["ends"].tolist()
    rows = ends[-1] if ends else 0
    shapes: dict[str, tuple[int, ...]] = {key: (len(ends),) for key in ("round", "number", "ends")}
    shapes |= {"policy": (rows, actions.choices), "value": (rows,)}
    for key, array in arrays.items():
        if array.dtype != np.dtype(_KEYS[key]) or array.shape != shapes[key]:
            raise ValueError(f"{name}: {key} is {array.dtype} {array.shape}, which is no game of this kind")
    bounds = zip(arrays["round"].tolist(), arrays["number"].tolist(), [0, *ends][:-1], ends, strict=True)
    return [Fresh(r, n, arrays["policy"][a:b], arrays["value"][a:b]) for r, n, a, b in bounds]
