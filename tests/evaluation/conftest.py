from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dicezero.solve import Solution, solve

sys.path.append(str(Path(__file__).parents[1] / "search"))  # the planner's perfect model is tested here too
sys.path.append(str(Path(__file__).parent))  # toys


@pytest.fixture(scope="session")
def solution() -> Solution:
    return solve("nannon")
