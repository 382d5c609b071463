"""Random requests, lines and frames from a seed: nonsense, near misses and right ones, mixed."""

from __future__ import annotations

import json
import random
import string

OPS = [
    *("new", "show", "moves", "move", "cube", "undo", "analyse", "story", "close"),
    *("catalog", "runs", "metrics"),
]
FIELDS = [
    "game",
    "opponent",
    "seat",
    "seed",
    "simulations",
    "move",
    "cube",
    "answer",
    "agent",
    "ply",
    "run",
    "start",
    "id",
    "op",
]
WORDS = [
    *("nannon", "tic_tac_toe", "connect_four", "nannon(points=8,checkers=4)", "nannon(points=20,checkers=5)"),
    *("beginner", "club", "perfect", "random", "greedy", "uct(simulations=10)", "alphabeta(depth=2)"),
    *("expectiminimax(depth=2)", "run(path=/etc)", "optimal(path=/etc/passwd)", "examples/pig.py:Pig"),
    *("../../etc/passwd", "run-0123456789abcdef", "roll 3", "home/3", "x(0,0)", "pass", "\x00", "é", "😀"),
    *("nan", "uct(c=nan)", "uct(c=1e999)", "a" * 300, "(((", "%s%n", "'; --", "<script>", "\u202e", ""),
]
NUMBERS = [0, 1, 2, 3, 6, -1, 100, 2**31 - 1, 2**31, 2**63, -(2**63), 10**30, 0.5, -0.0, 1e308]


def value(lots: random.Random, ids: list[str], depth: int = 0):
    """Some JSON value."""
    kind = lots.randrange(9 if depth < 3 else 6)
    if kind < 2:
        return lots.choice(WORDS)
    if kind == 2:
        return lots.choice(NUMBERS)
    if kind == 3:
        return lots.randrange(9)
    if kind == 4:
        return lots.choice(ids) if ids else ""
    if kind == 5:
        return lots.choice([None, True, False])
    if kind == 6:
        return [value(lots, ids, depth + 1) for _ in range(lots.randrange(4))]
    names = [lots.choice(FIELDS), "".join(lots.choices(string.printable, k=5))]
    return {lots.choice(names): value(lots, ids, depth + 1) for _ in range(lots.randrange(4))}


def question(lots: random.Random, ids: list[str], fields: dict[str, list]) -> dict:
    """A question with most of its fields right, or something else altogether."""
    if lots.random() < 0.1:
        return {lots.choice(FIELDS): value(lots, ids) for _ in range(lots.randrange(5))}
    asked = {name: lots.choice(right) for name, right in fields.items() if lots.random() < 0.8}
    if lots.random() < 0.4:
        asked[lots.choice(FIELDS)] = value(lots, ids)
    return asked


def fields(op: str, ids: list[str]) -> dict[str, list]:
    """Right values of the fields of an operation."""
    games = ["nannon", "tic_tac_toe", "connect_four", "nannon(points=4,checkers=2,sides=4)"]
    agents = ["beginner", "casual", "club", "uct(simulations=20)", "greedy"]
    known = {
        "new": {"game": games, "opponent": agents, "seat": [0, 1], "seed": [0, 1, 2**31 - 1]},
        "move": {"game": ids or [""], "move": list(range(9))},
        "cube": {"game": ids or [""], "answer": ["roll", "double", "take", "drop"]},
        "analyse": {"game": ids or [""], "agent": agents, "seed": [0, 5], "ply": [0, 1, 2]},
        "catalog": {"game": games},
        "metrics": {"run": ["run-0123456789abcdef"], "start": [0, 1]},
    }
    return known.get(op, {"game": ids or [""]})


def spoiled(lots: random.Random, data: bytes) -> bytes:
    """The bytes with a few of them changed, dropped or doubled."""
    changed = bytearray(data)
    for _ in range(lots.randrange(1, 5)):
        if changed:
            at = lots.randrange(len(changed))
            how = lots.randrange(3)
            if how == 0:
                changed[at] = lots.randrange(256)
            elif how == 1:
                del changed[at]
            else:
                changed[at:at] = changed[at : at + 5]
    return bytes(changed)


def text_of(lots: random.Random, data: object) -> bytes:
    """JSON, now and then spoiled, or bytes that never were any."""
    kind = lots.random()
    if kind < 0.05:
        return lots.randbytes(lots.choice([0, 1, 10, 1000]))
    if kind < 0.08:
        return lots.choice([b"[", b'{"a":']) * lots.choice([10, 5000])
    encoded = json.dumps(data, ensure_ascii=lots.random() < 0.8).encode("utf-8", "surrogatepass")
    return spoiled(lots, encoded) if kind < 0.25 else encoded


def line(lots: random.Random, ids: list[str]) -> bytes:
    """A line for the engine."""
    op = lots.choice(OPS)
    asked = {"op": op, "id": lots.randrange(100), **question(lots, ids, fields(op, ids))}
    return text_of(lots, asked).replace(b"\n", b" ") + b"\n"


def request(lots: random.Random, ids: list[str]) -> tuple[str, str, dict[str, str], bytes]:
    """(method, path, headers, body) for the API."""
    game = lots.choice(ids) if ids and lots.random() < 0.8 else lots.choice(["x", "%00", "..%2f", "a" * 100])
    op, method, path = lots.choice(
        [
            ("new", "POST", "/games"),
            ("show", "GET", f"/games/{game}"),
            ("moves", "GET", f"/games/{game}/moves"),
            ("move", "POST", f"/games/{game}/moves"),
            ("cube", "POST", f"/games/{game}/cube"),
            ("undo", "POST", f"/games/{game}/undo"),
            ("analyse", "POST", f"/games/{game}/analyse"),
            ("story", "GET", f"/games/{game}/story"),
            ("close", "DELETE", f"/games/{game}"),
            ("catalog", "GET", f"/catalog?game={lots.choice(['nannon', 'x', '%ff', 'tic_tac_toe'])}"),
            ("runs", "GET", "/runs"),
            ("metrics", "GET", f"/runs/run-0123456789abcdef/metrics?from={lots.choice(['0', '-1', 'x'])}"),
        ]
    )
    if lots.random() < 0.1:
        method = lots.choice(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"])
    if lots.random() < 0.1:
        path = "/" + "".join(lots.choices("abc/.%20?&=games-_", k=lots.randrange(40)))
    headers = {"content-type": lots.choice(["application/json"] * 8 + ["text/plain", "", "a/b; c=\x01"])}
    if lots.random() < 0.1:
        headers["origin"] = lots.choice(["null", "http://evil.example", "file://", "http://[", ""])
    if lots.random() < 0.05:
        headers["host"] = lots.choice(["evil.example", "127.0.0.1", "localhost:1", "[", ""])
    asked = question(lots, ids, {k: v for k, v in fields(op, ids).items() if op == "new" or k != "game"})
    body = text_of(lots, asked) if method not in ("GET", "HEAD") or lots.random() < 0.1 else b""
    if lots.random() < 0.01:
        body = b" " * 70_000
    return method, path, headers, body
