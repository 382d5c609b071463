"""Connections without a request: closed in time, while those with one are served."""

from __future__ import annotations

import socket
import time

import pytest
from served import served

from dicezero.studio import patience


async def app(scope, receive, send):  # noqa: ARG001
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nA: " + b"a" * 100])
def test_a_connection_that_never_ends_its_headers_is_closed(said, monkeypatch):
    monkeypatch.setattr(patience, "HEADER_SECONDS", 1.0)
    with served(app) as client:
        host, port = client.base_url.host, client.base_url.port
        with socket.create_connection((host, port), timeout=20) as silent:
            begin = time.monotonic()
            silent.sendall(said)
            assert client.get("/").text == "ok"
            assert silent.recv(100) == b""
            assert time.monotonic() - begin < 15
        assert client.get("/").text == "ok"


def test_a_second_request_has_a_clock_of_its_own(monkeypatch):
    monkeypatch.setattr(patience, "HEADER_SECONDS", 1.0)
    with served(app) as client:
        host, port = client.base_url.host, client.base_url.port
        with socket.create_connection((host, port), timeout=20) as line:
            request = f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
            line.sendall(request)
            assert line.recv(1000).startswith(b"HTTP/1.1 200")
            line.sendall(request[:10])
            left = b""
            while chunk := line.recv(1000):  # the rest of the first answer, then the end
                left += chunk
            assert b"HTTP" not in left
