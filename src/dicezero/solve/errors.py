"""What solving may raise; all are ValueErrors."""

from __future__ import annotations

from dicezero import _native

TooLargeError = _native.TooLargeError
"""The game has more states than ``max_states``; with their number and the memory they would take."""

NoConvergenceError = _native.NoConvergenceError
"""Values still change after ``max_iterations`` sweeps."""


class SolutionFileError(ValueError):
    """A file that is not a solution, or not of this game, or damaged."""
