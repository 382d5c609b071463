"""Fuzzes the parsers in Python: ``python tools/fuzz --seconds 60 --only sgf,pgn``.

Guided by coverage where atheris is installed (the extra ``fuzz``), else seeded changes of the corpus in
tests/corpus. Each target runs in a process of its own; what it finds is written to build/fuzz.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
os.environ.setdefault("JAX_PLATFORMS", "cpu")

from mutate import CORPUS, changed, corpus

FOUND = Path(__file__).parents[2] / "build" / "fuzz"


def main() -> int:
    """Runs the targets one after the other and prints a table; exit code 1 where something was found."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="for each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="targets, with commas between")
    parser.add_argument("--target", help=argparse.SUPPRESS)
    parser.add_argument("--replay", type=Path, help="a file that was found, with --only its target")
    chosen = parser.parse_args()
    guided = importlib.util.find_spec("atheris") is not None
    if chosen.target:
        return (_guided if guided else _seeded)(chosen.target, chosen.seconds, chosen.seed)
    names = [name for name in chosen.only.split(",") if name] or sorted(
        path.name for path in CORPUS.iterdir() if path.name != "positions_native"
    )
    if chosen.replay:
        _target(names[0])(chosen.replay.read_bytes())
        return 0
    print(f"{'guided by coverage (atheris)' if guided else 'seeded changes; atheris is not installed'}")
    return max([_row(name, chosen.seconds, chosen.seed) for name in names], default=0)


def _row(name: str, seconds: float, seed: int) -> int:
    words = [sys.executable, __file__, "--target", name, "--seconds", str(seconds), "--seed", str(seed)]
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
    told = done.stdout + done.stderr
    count = re.search(r"Done (\d+) runs|(\d+) inputs", told)
    inputs = next((int(n) for n in count.groups() if n), 0) if count else 0
    print(f"{name:15} {inputs:9,} inputs   {'held' if not done.returncode else 'FOUND'}", flush=True)
    if done.returncode:
        print(told[-3000:], flush=True)
    return 1 if done.returncode else 0


def _target(name: str):  # type: ignore[no-untyped-def]
    from targets import TARGETS

    return TARGETS[name]


def _guided(name: str, seconds: float, seed: int) -> int:
    import atheris

    with atheris.instrument_imports(include=["dicezero", "targets", "json", "re", "zipfile"]):
        target = _target(name)
    kept = FOUND / name
    kept.mkdir(parents=True, exist_ok=True)
    words = [sys.argv[0], f"-max_total_time={max(1, round(seconds))}", f"-seed={seed}", "-max_len=4000"]
    words += [f"-artifact_prefix={FOUND}/{name}-", "-rss_limit_mb=4096", "-timeout=60"]
    atheris.Setup([*words, str(kept), str(CORPUS / name)], target)
    atheris.Fuzz()
    return 0


def _seeded(name: str, seconds: float, seed: int) -> int:
    target, begin, inputs = _target(name), time.monotonic(), 0
    for data in changed(corpus(name), seed):
        try:
            target(data)
        except BaseException:
            FOUND.mkdir(parents=True, exist_ok=True)
            (FOUND / f"{name}-found").write_bytes(data)
            print(f"{name} on {data[:200]!r}", file=sys.stderr)
            raise
        inputs += 1
        if time.monotonic() - begin > seconds:
            break
    print(f"{inputs} inputs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
