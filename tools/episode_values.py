"""How far the values that self-play searched were from what its episodes then brought, a round at a time.

``python tools/episode_values.py RUN --round 12`` reads the episodes that the run's folder still has. What
followed is the discounted sum of what was paid, and of what was expected where an episode was cut off. A bias
below zero is pessimism: episodes bring more than the search thought. Last, from the least values to the
greatest, in how many decisions the search's policy was certain.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np

from dicezero.replay.shards import unpack_episodes
from dicezero.replay.values import ValueTarget, value_targets
from dicezero.rules import load_game, spec_of
from dicezero.runs.config import RunConfig
from dicezero.runs.manifest import shard_name

_CERTAIN = 0.95  # of the policy in one action
_SHARES = (0.0, 0.02, 0.05, 0.1, 0.25, 1.0)  # of the decisions, ordered by value


def main() -> None:
    """Prints a line an episode and one for all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--round", type=int, nargs="+", required=True)
    asked = parser.parse_args()
    game = load_game(RunConfig.read(asked.run).game)
    spec = spec_of(game)
    names = [shard_name(number) for number in asked.round]
    episodes = [
        e for name in names for e in unpack_episodes((asked.run / name).read_bytes(), spec, name=name)
    ]
    target = ValueTarget("outcome", discount=spec.discount)
    gaps, values, greatest = [], [], []
    for episode in episodes:
        at = episode.decisions
        gaps.append(episode.value[at] - value_targets(episode, target)[at])
        values.append(episode.value[at])
        greatest.append(
            np.maximum.reduceat(episode.policy, np.cumsum(episode.choices[at]) - episode.choices[at])
        )
        how = "cut off" if episode.truncated else "ended"
        print(
            f"{how} after {len(at)} decisions, paid {episode.reward.sum():.1f}, "
            f"bias {gaps[-1].mean():.2f}, error {np.sqrt((gaps[-1] ** 2).mean()):.2f}"
        )
    every = np.concatenate(gaps)
    print(f"all: {len(every)} decisions, bias {every.mean():.2f}, error {np.sqrt((every**2).mean()):.2f}")
    value, certain = np.concatenate(values), np.concatenate(greatest) > _CERTAIN
    order = np.argsort(value)
    for low, high in pairwise(_SHARES):
        part = order[int(low * len(order)) : int(high * len(order))]
        if len(part):
            print(
                f"decisions from {low:.0%} to {high:.0%} by value, "
                f"{value[part[0]]:.2f} to {value[part[-1]]:.2f}: "
                f"{certain[part].mean():.0%} have an action of more than {_CERTAIN}"
            )


if __name__ == "__main__":
    main()
