"""The studio under load: one person's move, and fifty games at once by script, over HTTP on this machine."""

from __future__ import annotations

import http.client
import json
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dicezero.bench.row import Row

GAMES = 50  # at once
AGENT = "uct(simulations=100)"
GAME = "nannon"


@dataclass
class Measured:
    """What the scripts saw; seconds of each move from request to answer."""

    alone: list[float] = field(default_factory=list)
    together: list[float] = field(default_factory=list)
    errors: int = 0
    mixed: int = 0  # games that did not go as the same game goes alone
    wall: float = 0.0


def rows(against: frozenset[str]) -> Iterator[Row]:
    """Percentiles of a move's time against UCT of 100 simulations, moves a second, errors, mixed games.

    None without the extra.
    """
    del against
    if find_spec("nicegui") is None:
        return
    with server() as (port, _):
        yield from as_rows(measure(port))


def as_rows(measured: Measured) -> Iterator[Row]:
    """The figures as rows of the table; times are in milliseconds: less is better."""
    for name, seconds in (("one game", measured.alone), (f"{GAMES} games", measured.together)):
        for share in (50, 95):
            yield Row(f"studio move, {name}, p{share}", "ms", percentile(seconds, share) * 1e3)
    yield Row(f"studio, {GAMES} games", "moves/s", len(measured.together) / measured.wall)
    yield Row(f"studio, {GAMES} games", "errors", measured.errors)
    yield Row(f"studio, {GAMES} games", "mixed games", measured.mixed)


def percentile(seconds: list[float], share: float) -> float:
    """The smallest time that ``share`` percent of the moves do not exceed."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share / 100))]


def measure(port: int, *, games: int = GAMES, game: str = GAME) -> Measured:
    """Plays every game alone first and then all at once; the same seeds must give the same games."""
    measured = Measured()
    alone = [_play(port, game, seed, measured.alone, measured) for seed in range(games)]
    together: dict[int, tuple[int, ...] | None] = {}

    def script(seed: int) -> None:
        together[seed] = _play(port, game, seed, measured.together, measured)

    threads = [threading.Thread(target=script, args=(seed,)) for seed in range(games)]
    begin = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    measured.wall = time.perf_counter() - begin
    measured.mixed = sum(alone[seed] != together.get(seed) for seed in range(games))
    return measured


def _play(
    port: int, game: str, seed: int, seconds: list[float], measured: Measured
) -> tuple[int, ...] | None:
    """One game of random moves; its actions, or None where something went wrong."""
    rng = random.Random(seed)
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        opened = {"game": game, "opponent": AGENT, "seat": seed % 2, "seed": seed}
        view = _post(client, "/api/v1/games", opened)
        while not view["over"]:
            move = rng.choice(view["legal"])["action"]
            begin = time.perf_counter()
            view = _post(client, f"/api/v1/games/{view['id']}/moves", {"move": move})
            seconds.append(time.perf_counter() - begin)
        client.request("DELETE", f"/api/v1/games/{view['id']}")
        client.getresponse().read()
        return tuple(view["actions"])
    except (OSError, RuntimeError, http.client.HTTPException):
        measured.errors += 1
        return None
    finally:
        client.close()


def _post(client: http.client.HTTPConnection, path: str, body: dict[str, Any]) -> dict[str, Any]:
    client.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    answer = client.getresponse()
    data: dict[str, Any] = json.loads(answer.read())
    if answer.status not in (200, 201):
        raise RuntimeError(f"{answer.status}: {data}")
    return data


@contextmanager
def server(*folders: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """``dicezero studio`` as a process of its own: its port, and the process, which ends with the block."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    code = "import sys; from dicezero.cli import main; sys.exit(main())"
    arguments = ["studio", *folders, "--port", str(port), "--no-open"]
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "log").open("w+b") as log:
        process = subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=log, stderr=log)  # noqa: S603
        try:
            _wait(process, port, log)
            yield port, process
        finally:
            process.terminate()
            try:
                process.wait(30)
            finally:
                process.kill()


def _wait(process: subprocess.Popen[bytes], port: int, log: Any) -> None:
    """Waits until the server answers; RuntimeError with its own words where it does not."""
    begin = time.monotonic()
    while time.monotonic() - begin < 120:
        if process.poll() is not None:
            break
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    log.seek(0)
    raise RuntimeError(f"the studio did not start: {log.read().decode(errors='replace')[-500:]}")
