"""Calls all that the native module offers with arguments nobody meant: tools/native_fuzz --calls N.

Only Python's own exceptions may come back. Run it on a build with AddressSanitizer (make sanitize), where a
read past an end is a crash; the seed and the call are printed before a crash can hide them (--verbose).
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
if "--module" in sys.argv:  # a build of its own, in the place of the package's
    _spec = importlib.util.spec_from_file_location(
        "dicezero._native", sys.argv[sys.argv.index("--module") + 1]
    )
    if _spec is None or _spec.loader is None:
        sys.exit("--module is no Python module; give the path of a built _native*.so")
    sys.modules["dicezero._native"] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules["dicezero._native"])

from calls import Fuzzer
from draw import limit_memory

from dicezero import _native


def main() -> int:
    """Calls, and says what came back; exit code 1 where it was no proper answer, or never one at all."""
    parser = argparse.ArgumentParser(prog="native_fuzz", description=__doc__)
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--module", default="", help="a build to load instead of the package's own")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if not options.module:  # a sanitizer's own tables take terabytes of addresses
        limit_memory()
    fuzzer = Fuzzer(_native, options.seed)
    for _ in range(options.calls):
        fuzzer.call((lambda text: print(text, flush=True)) if options.verbose else None)
    print(
        f"{options.calls} calls of {len(fuzzer.entries)} entries, seed {options.seed}: "
        f"{dict(fuzzer.seen.most_common())}"
    )
    for kind, (calls, returned) in fuzzer.by_class().items():
        print(f"{kind:20} {calls:7} calls {returned / max(1, calls):6.1%} returned")
    never = fuzzer.never()
    print(f"never returned: {', '.join(never) or 'none'}")
    for line in fuzzer.broken[:20]:
        print(f"no proper answer: {line}")
    return 1 if fuzzer.broken or never else 0


if __name__ == "__main__":
    sys.exit(main())
