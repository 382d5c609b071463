"""Writes src/dicezero/_native.pyi from the built module: python tools/stubs.py (--check only compares)."""

from __future__ import annotations

import sys
from pathlib import Path

from nanobind.stubgen import StubGen

from dicezero import _native

STUB = Path(__file__).parent.parent / "src" / "dicezero" / "_native.pyi"


def generate() -> str:
    """The stub of the native module as it is built now."""
    stubs = StubGen(module=_native, quiet=True)
    stubs.put(_native)
    return "# Written by tools/stubs.py; do not edit.\n" + stubs.get()


def main() -> int:
    """Writes the stub, or with --check says whether it is up to date."""
    text = generate()
    if "--check" in sys.argv[1:]:
        fresh = STUB.exists() and STUB.read_text(encoding="utf-8") == text
        print("up to date" if fresh else f"{STUB} is out of date; run: python tools/stubs.py")
        return 0 if fresh else 1
    STUB.write_text(text, encoding="utf-8")
    print(f"wrote {STUB}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
