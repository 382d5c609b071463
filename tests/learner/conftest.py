"""A finished tiny run for the tests that look at one."""

from __future__ import annotations

import pytest
from tiny import run


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "whole"
    run(folder)
    return folder
