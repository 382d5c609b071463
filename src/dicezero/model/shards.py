"""How a training batch is cut: by its size and the network's, never by the machine.

Each shard's gradient is computed by one thread from end to end, and they are added in one order: how many
cores there are changes when a step is done, not what it does.
"""

from __future__ import annotations

MOST_SHARDS = 64
_LEAST_ROWS = 64  # of a shard: fewer leave the kernels without enough to do
_LEAST_WORK = 30_000_000  # of a shard, weights x rows x passes: handing out less takes longer than doing it


def shards_of(weights: int, rows: int, passes: int) -> int:
    """Into how many shards a batch is cut that goes through a network of so many weights ``passes`` times."""
    return max(1, min(MOST_SHARDS, rows // _LEAST_ROWS, weights * rows * passes // _LEAST_WORK))
