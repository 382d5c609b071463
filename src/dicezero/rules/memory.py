"""What a call will take, compared with what this machine has before it is taken; the core does so by itself.

A system that hands out more than it has ends the process that uses it, without an error.
"""

from __future__ import annotations

from dicezero import _native

# Logits, visits, values, policy and what is legal, once each, and the noise of a root.
_BYTES_PER_ACTION = 32


def require_rows(rows: int, actions: int, observation: int = 0) -> None:
    """Refuses more positions at a time than this machine can hold the answers of.

    Raises:
        TooLargeError: a ValueError that has what it would take.
    """
    _native.require_memory(
        float(rows) * (_BYTES_PER_ACTION * actions + 8.0 * observation),
        f"{rows:,} positions at a time, with {actions:,} actions each,",
        "search fewer at a time, or take a game of fewer actions",
    )


def claim_weights(weights: int, remedy: str) -> None:
    """Reports what learning so many weights takes where it is much, and refuses what is not there.

    Raises:
        TooLargeError: a ValueError that has what it would take.
    """
    # Weights, two moments, gradients, and the weights that self-play uses; four bytes each.
    _native.claim_memory(20.0 * weights, f"learning {weights:,} weights", remedy)
