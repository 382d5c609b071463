"""Files of others' making: any value anywhere, sums right, names that would run code."""

from __future__ import annotations

import json
import random
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import made
from outcome import Budget, Outcome

from dicezero.runs.listing import summarise_run
from dicezero.runs.loading import load_run
from dicezero.runs.repair import repair_run
from dicezero.runs.sealed import sealed

RAW = (b"[" * 100_000, b'{"a":' * 50_000, b"\0" * 50, b"", b"\xff" * 20, b'{"version": 2}', b"1e999")


def batch(budget: Budget) -> Outcome:
    """Each case changes, takes or adds a value of a sealed file and seals it again, or replaces the file."""
    found, seed = Outcome(), budget.seed
    with tempfile.TemporaryDirectory() as place:
        sound = made.make_run(Path(place) / "sound", rounds=2)
        trace = Path(place) / "trace"
        (Path(place) / "bomb.py").write_text(
            f"open({str(trace)!r}, 'w')\nclass Pig:\n    new_initial_state = 1\n"
        )
        for number, lots in budget:
            folder = made.fresh_copy(sound, Path(place) / "spoiled")
            what = _spoil(lots, folder, trace)
            found.cases += 1
            try:
                summarise_run(folder)
                for call in (load_run, repair_run, summarise_run):
                    with suppress(ValueError):
                        call(folder)
                if trace.exists():
                    found.fail(f"seed {seed} case {number} {what}: code was run")
                    trace.unlink()
            except Exception as error:  # anything but a ValueError is a mistake of ours
                found.fail(f"seed {seed} case {number} {what}: {type(error).__name__}: {error}")
    return found


def _spoil(lots: random.Random, folder: Path, trace: Path) -> str:
    path = folder / lots.choice(("config.json", "manifest.json"))
    if lots.random() < 0.1:
        path.write_bytes(lots.choice(RAW))
        return path.name
    data = json.loads(path.read_bytes())
    del data["sum"], data["version"]
    place = lots.choice([p for p in _places(data) if p])
    inner = data
    for key in place[:-1]:
        inner = inner[key]
    value: Any = _value(lots, trace)
    change = lots.choice(("set", "set", "set", "lose", "add"))
    if change == "lose":
        del inner[place[-1]]
    elif change == "add" and isinstance(inner, dict):
        inner[lots.choice(("warp", "", "version", "sum", "\u202e", "x" * 9999))] = value
    else:
        inner[place[-1]] = value
    if lots.random() < 0.2:
        data["source"] = {"file": "bomb.py", "name": "Pig", "sha256": "0" * 64}
    try:
        path.write_bytes(sealed(data))
    except ValueError:  # NaN cannot be sealed
        path.write_text(json.dumps(data))
    return f"{path.name} {change} {place} = {str(value)[:80]!r}"


def _places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(p for key, value in items for p in _places(value, (*path, key)))]


def _value(lots: random.Random, trace: Path) -> Any:
    bomb = trace.parent / "bomb.py"
    names = (
        f"{bomb}:Pig",
        f"os:system(command=touch {trace})",
        "nannon(points=",
        "gymnasium(id=bomb:x/y-v0)",
    )
    odd = (
        None,
        True,
        -1,
        0,
        10**9,
        2**63,
        10**400,
        1e308,
        -0.5,
        float("nan"),
        "",
        "\ud800",
        "../../etc",
        "x" * 9999,
    )
    deep: Any = 0
    for _ in range(lots.choice((1, 3, 200))):
        deep = [deep]
    return lots.choice((*names, *odd, [], {}, deep, {"a": deep}, list(range(50))))
