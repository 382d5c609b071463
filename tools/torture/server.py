"""A studio as a process: requests and frames of every kind. No 500, no traceback, and it lives on."""

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
from pathlib import Path
from typing import Any

import made
from outcome import Budget, Outcome

_CLIENTS = 6  # at once
_CLI = (sys.executable, "-c", "import sys; from dicezero.cli import main; sys.exit(main())")
_PATHS = (
    "/games",
    "/games/x",
    "/games/x/moves",
    "/games/x/undo",
    "/games/x/analyse",
    "/games/x/story",
    "/catalog",
    "/runs",
    "/runs/run-0123456789abcdef/metrics",
    "/docs",
    "/openapi.json",
    "/%00",
    "/../../etc/passwd",
)
_VALUES = (
    "nannon",
    "tic_tac_toe",
    "club",
    "random",
    "uct(simulations=10)",
    "run(path=/etc)",
    "os:system",
    "",
    "x" * 300,
    "\u202e",
    0,
    1,
    -1,
    2**63,
    1e308,
    None,
    True,
    [],
    {},
    [[[]]],
    {"a": {}},
    'gtp(command="touch x")',
)
_FIELDS = ("game", "opponent", "seat", "seed", "simulations", "move", "agent", "ply", "run", "start")
_PACKETS = (
    "0",
    "1",
    "2",
    "3",
    "40",
    "41",
    "42",
    "43",
    "451-",
    "4" * 50,
    "40/x,",
    '42["event"]',
    '42["handshake",{}]',
    '42["event",{"id":[]}]',
    "42[",
    '420["x"]',
    "b" + "A" * 30,
    "\x00",
    "6",
)


def batch(budget: Budget) -> Outcome:
    """Half of the cases are requests, half WebSocket frames, from several clients at once."""
    with tempfile.TemporaryDirectory() as place:
        made.make_run(Path(place) / "runs" / "run", rounds=2)
        log = Path(place) / "log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [*_CLI, "studio", str(Path(place) / "runs"), "--port", "0", "--no-open"],
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=place,
            )
        try:
            port = _port(log, process)
            clients = _Clients(budget, port, process)
            found = clients.run()
            if process.poll() is not None:
                found.fail(f"seed {budget.seed}: the server has ended")
            elif not _alive(port):
                found.fail("the server does not answer any more")
            found.saw_memory(_megabytes(process.pid), "the server")
        finally:
            process.terminate()
            process.wait(20)
        told = log.read_text(errors="replace")
        if "Traceback" in told:
            found.fail(f"its log: {told[told.index('Traceback') :][:400]}")
    return found


class _Clients:
    """Several threads that take one case after the other from a budget."""

    def __init__(self, budget: Budget, port: int, process: subprocess.Popen[bytes]) -> None:
        self.budget, self.port, self.process = budget, port, process
        self.found, self.cases, self.lock = Outcome(), iter(budget), threading.Lock()

    def run(self) -> Outcome:
        threads = [threading.Thread(target=self._client) for _ in range(_CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self.found

    def _client(self) -> None:
        while self.process.poll() is None:
            with self.lock:
                case = next(self.cases, None)
                if case is None or self.found.cases >= self.budget.cases:
                    return
            number, lots = case
            problem, sent = None, 0
            try:
                if number % 2:
                    problem, sent = _frames(lots, self.port)
                else:
                    problem, sent = _request(lots, self.port), 1
            except OSError as error:  # refused connections are an answer, a dead server is not
                problem = None if self.process.poll() is None else f"the server is gone: {error}"
            with self.lock:
                self.found.cases += sent
                if problem:
                    self.found.fail(f"seed {self.budget.seed} case {number}: {problem}")


def _port(log: Path, process: subprocess.Popen[bytes]) -> int:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        told = log.read_text(errors="replace")
        if "http://127.0.0.1:" in told:
            return int(told.split("http://127.0.0.1:")[1].split("/")[0])
        time.sleep(0.2)
    raise RuntimeError(f"no studio: {log.read_text(errors='replace')[-300:]}")


def _megabytes(pid: int) -> int:
    """The most that the process has held at once."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM")), 0)


def _alive(port: int) -> bool:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    link.request("GET", "/api/v1/runs")
    return link.getresponse().status == 200


def _request(lots: random.Random, port: int) -> str | None:
    path = "/api/v1" + lots.choice(_PATHS)
    method = lots.choice(("GET", "POST", "POST", "DELETE", "PUT", "HEAD"))
    asked: Any = {lots.choice(_FIELDS): lots.choice(_VALUES) for _ in range(lots.randrange(5))}
    body = json.dumps(asked).encode() if lots.random() < 0.8 else lots.randbytes(lots.choice((0, 5, 500)))
    if lots.random() < 0.05:
        body = lots.choice((b"[", b'{"a":')) * 8000
    headers = {
        "Host": lots.choice((f"127.0.0.1:{port}",) * 9 + ("evil.example",)),
        "Content-Length": str(len(body)),
    }
    if lots.random() < 0.1:
        headers["Origin"] = lots.choice(("null", "http://evil.example", f"http://127.0.0.1:{port}"))
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        link.putrequest(method, path.replace("\x00", "%00"), skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            link.putheader(name, value)
        link.putheader("Content-Type", lots.choice(("application/json", "text/plain", "")))
        link.endheaders(body)
        status = link.getresponse().status
    finally:
        link.close()
    return f"{method} {path} {body[:80]!r}: {status}" if status >= 500 and status != 503 else None


def _frames(lots: random.Random, port: int) -> tuple[str | None, int]:
    """A socket of the page's, and some frames on it, right, wrong and broken; also how many were sent."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as link:
        link.sendall(
            f"GET /_nicegui_ws/socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        if not link.recv(2000).startswith(b"HTTP/1.1 101"):
            return "no WebSocket", 0
        count = lots.randrange(1, 6)
        for _ in range(count):
            link.sendall(_frame(lots))
    return None, count


def _frame(lots: random.Random) -> bytes:
    """A masked frame, whole or not, of any opcode."""
    data = (
        lots.choice(_PACKETS).encode()
        if lots.random() < 0.7
        else lots.randbytes(lots.choice((0, 1, 50, 200)))
    )
    opcode = lots.choice((1, 1, 1, 2, 0, 8, 9, 10, 3, 15)) | lots.choice((0x80, 0x80, 0x80, 0, 0xF0))
    length = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + len(data).to_bytes(2, "big")
    if lots.random() < 0.05:
        length = b"\xff" + (2**63 - 1).to_bytes(8, "big")
    frame = bytes([opcode]) + length + b"\0\0\0\0" + data
    return frame[: lots.randrange(1, len(frame) + 1)] if lots.random() < 0.1 else frame
