"""What is wrong with a run."""

from __future__ import annotations


class RunError(ValueError):
    """A folder that is no run, or a run whose files are not what it wrote."""
