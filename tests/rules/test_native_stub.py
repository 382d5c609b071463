"""The typed stub of the native module is the one the built module gives."""

import runpy
from pathlib import Path

import pytest

pytest.importorskip("nanobind")


def test_the_stub_is_up_to_date():
    tool = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "stubs.py"))
    text = tool["STUB"].read_text(encoding="utf-8")
    assert text == tool["generate"](), "out of date; run: python tools/stubs.py"
