"""Memory of a replay buffer of images: python -m dicezero.bench.frames --frames 1000000.

Episodes of a thousand made frames of 84x84 are taken in, eight a round, as training takes in Atari's; what
the process holds in the end beyond what it held before, and the most it held on the way, are read from the
system. A million frames need 8 GB.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from dicezero.replay.buffer import Replay
from dicezero.rules.spec import GameSpec, ObservationSpec
from dicezero.selfplay.episode import TERMINAL, Episode

_SIDE, _STACK, _ACTIONS = 84, 4, 18
_LENGTH, _TOGETHER = 1000, 8  # frames of an episode, episodes of a round
_END = _ACTIONS + 1  # the unified id of the last step, after the actions and no-op


def episode(number: int) -> Episode:
    """``_LENGTH`` decisions with every action legal; frames differ, so that no page of memory is shared."""
    actor = np.array([0] * _LENGTH + [TERMINAL], np.int8)
    pixels = np.random.default_rng(number).integers(0, 256, (_LENGTH, 1, _SIDE, _SIDE), np.uint8)
    return Episode(
        observation=pixels,
        observed=actor == 0,
        actor=actor,
        action=np.array([0] * _LENGTH + [_END], np.int32),
        reward=np.zeros(_LENGTH + 1, np.float32),
        choices=np.array([_ACTIONS] * _LENGTH + [0], np.int32),
        value=np.zeros(_LENGTH + 1, np.float32),
        legal=np.tile(np.arange(_ACTIONS, dtype=np.int32), _LENGTH),
        policy=np.full(_ACTIONS * _LENGTH, 1.0 / _ACTIONS, np.float32),
    )


def resident_bytes(what: str = "VmRSS") -> int:
    """What this process holds (``VmRSS``), or the most it has held (``VmHWM``); only Linux reports it."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(what))


def measure(frames: int) -> dict[str, float]:
    """Fills a buffer with that many frames, a table of samples made after every round, as training does."""
    seen = ObservationSpec((1, _SIDE, _SIDE), "uint8", "image", _STACK)
    spec = GameSpec(
        "made frames", 1, _ACTIONS, 0, rewards="each step", observation=seen, simulator="episodes"
    )
    episodes = -(-frames // _LENGTH)
    replay = Replay(spec, capacity=episodes)
    before = resident_bytes()
    for first in range(0, episodes, _TOGETHER):
        replay.add(
            [episode(n) for n in range(first, min(first + _TOGETHER, episodes))], round_number=first + 1
        )
        replay.batch(np.arange(32), unroll=5)
    held, most = resident_bytes() - before, resident_bytes("VmHWM") - before
    return {
        "frames": episodes * _LENGTH,
        "bytes_a_step": replay.step_bytes,
        "resident_gb": held / 1e9,
        "peak_gb": most / 1e9,
        "resident_bytes_a_frame": held / (episodes * _LENGTH),
    }


def main() -> int:
    """Prints one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m dicezero.bench.frames", description=__doc__)
    parser.add_argument("--frames", type=int, default=100_000)
    chosen = parser.parse_args()
    if chosen.frames < _LENGTH:
        parser.error(f"--frames {chosen.frames} is too few; give {_LENGTH} or more")
    if not Path("/proc/self/status").exists():
        parser.error("the memory of a process is read from /proc, which is there on Linux alone")
    print(json.dumps(measure(chosen.frames)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
