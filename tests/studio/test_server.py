"""``dicezero studio`` as a process: it answers, refuses foreign WebSockets, bears any frame, ends clean."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import fuzzing
import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake, WebSocketException
from websockets.sync.client import connect

from dicezero.bench.studio import measure, server

FRAMES = 3200
EVENTS = ["handshake", "event", "log", "log_message", "javascript_response", "too_long_message", "ack", "x"]
KEYS = ["client_id", "id", "listener_id", "args", "tab_id", "request_id", "result", "level"]
PACKETS = ["0", "1", "2", "3", "5", "6", "40", "41", "42", "43", "44", "451-", "4" * 50, "40/x,", "46-"]


@pytest.fixture(scope="module")
def studio():
    with server() as (port, process):
        yield port, process.pid


def address(port, *, transport="websocket"):
    return f"ws://127.0.0.1:{port}/_nicegui_ws/socket.io/?EIO=4&transport={transport}"


def alive(port):
    answer = httpx.get(f"http://127.0.0.1:{port}/api/v1/runs", timeout=30)
    return answer.status_code == 200 and "runs" in answer.json()


def open_socket(port, **options):
    return connect(address(port), max_size=None, open_timeout=30, close_timeout=5, proxy=None, **options)


def test_the_page_the_api_and_its_description_are_served(studio):
    base = f"http://127.0.0.1:{studio[0]}"
    assert "dicezero" in httpx.get(base, timeout=60).text
    assert "Operations" in httpx.get(f"{base}/api/v1/docs", timeout=60).text
    assert alive(studio[0])
    schema = httpx.get(f"{base}/api/v1/openapi.json", timeout=60).json()
    assert "/games/{game_id}/moves" in schema["paths"]


def test_foreign_websockets_are_refused(studio):
    port, _ = studio
    with open_socket(port, origin=f"http://127.0.0.1:{port}") as own:
        assert own.recv(timeout=30).startswith("0{")
    for origin in (
        "http://evil.example",
        "null",
        f"http://127.0.0.1:{port + 1}",
        f"https://127.0.0.1:{port}",
    ):
        with pytest.raises(InvalidHandshake, match="403"):
            open_socket(port, origin=origin)
    for path in ("/_nicegui_ws/socket.io/?EIO=4&transport=websocket", "/anything"):
        handshake = (
            f"GET {path} HTTP/1.1\r\nHost: evil.example:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", port), timeout=30) as raw:
            raw.sendall(handshake.encode())
            assert raw.recv(100).startswith(b"HTTP/1.1 403")
    polling = address(port, transport="polling").replace("ws://", "http://")
    assert httpx.get(polling, headers={"origin": "http://evil.example"}, timeout=30).status_code == 403
    assert httpx.get(polling, headers={"host": "evil.example"}, timeout=30).status_code == 403


def test_long_frames_end_the_connection(studio):
    port, _ = studio
    with open_socket(port) as client:
        client.recv(timeout=30)
        client.send("4" + "x" * 70_000)
        with pytest.raises(ConnectionClosed):
            client.recv(timeout=30)
        assert client.close_code == 1009
    assert alive(port)


def frame(lots, client_id):
    """A frame of the page's protocol, more or less."""
    kind = lots.random()
    if kind < 0.15:
        return lots.randbytes(lots.choice([0, 1, 20, 2000]))
    if kind < 0.3:
        return "".join(chr(lots.randrange(32, 0x2FF)) for _ in range(lots.randrange(40)))
    if kind < 0.4:
        return lots.choice(PACKETS)
    payload = {
        lots.choice(KEYS): lots.choice([client_id, fuzzing.value(lots, [client_id])])
        for _ in range(lots.randrange(5))
    }
    data = [lots.choice(EVENTS), lots.choice([payload, fuzzing.value(lots, [client_id])])]
    text = json.dumps(data)
    return "42" + (text if lots.random() < 0.8 else fuzzing.spoiled(lots, text.encode()).decode("latin-1"))


def fuzz_frames(port, count, seed):
    """Sends random frames over many connections; returns how many were sent."""
    lots, sent = random.Random(seed), 0
    page = httpx.get(f"http://127.0.0.1:{port}/", timeout=60).text
    client_id = re.findall(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", page)[0]
    while sent < count:
        try:
            with open_socket(port) as client:
                client.recv(timeout=30)
                client.send("40")
                for _ in range(lots.randrange(1, 60)):
                    sent += 1
                    client.send(frame(lots, client_id))
        except (ConnectionClosed, WebSocketException):
            pass  # the server may hang up on nonsense
        if sent % 10 == 0:
            sent += _raw(lots, port)
            assert alive(port)
    return sent


def _raw(lots, port):
    """Bytes that are no WebSocket's, after a right handshake or none; counted as one frame."""
    handshake = (
        f"GET /_nicegui_ws/socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()
    with socket.create_connection(("127.0.0.1", port), timeout=30) as raw:
        raw.sendall(handshake if lots.random() < 0.7 else fuzzing.spoiled(lots, handshake))
        raw.sendall(lots.randbytes(lots.randrange(200)))
    return 1


def test_random_frames(studio):
    port, pid = studio
    fuzz_frames(port, FRAMES // 10, 3)
    early = resident(pid)
    assert fuzz_frames(port, FRAMES, 4) >= FRAMES
    assert alive(port)
    assert "dicezero" in httpx.get(f"http://127.0.0.1:{port}/", timeout=60).text
    assert resident(pid) - early < 150e6


def resident(pid):
    status = Path(f"/proc/{pid}/statm")
    return int(status.read_text().split()[1]) * 4096 if status.exists() else 0


def test_games_at_once_do_not_mix_and_none_fails(studio):
    found = measure(studio[0], games=12)
    assert (found.errors, found.mixed) == (0, 0)
    assert len(found.alone) == len(found.together) > 0


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_ends_it_and_leaves_no_process():
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from dicezero.cli import main; sys.exit(main())"
    )
    words = ["studio", "--port", "0", "--no-open"]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())[1])
        with open_socket(port):  # a page is open
            process.send_signal(signal.SIGINT)
            assert process.wait(60) in (0, 130)
    finally:
        process.kill()
        process.communicate()
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=5)


def test_mistakes_are_one_line(capsys, monkeypatch):
    from dicezero.cli import main

    assert main(["studio", "--port", "70000"]) == 2
    assert "--port 70000 must be in 0..65535" in capsys.readouterr().err
    assert main(["studio", "nowhere", "--no-open"]) == 2
    assert "nowhere is no folder" in capsys.readouterr().err
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert main(["studio"]) == 2
    assert 'pip install "dicezero[studio]"' in capsys.readouterr().err
