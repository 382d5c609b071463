"""One request to an ASGI application, without a network."""

from __future__ import annotations

import asyncio


async def call(app, method, path, headers, body, *, port):
    """(status, headers, body) of the answer."""
    route, _, query = path.partition("?")
    sent = {"host": f"127.0.0.1:{port}", **headers}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": route,
        "raw_path": route.encode("latin-1", "replace"),
        "query_string": query.encode("latin-1", "replace"),
        "root_path": "",
        "headers": [(k.encode(), v.encode("latin-1", "replace")) for k, v in sent.items()],
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", port),
        "extensions": {},
        "state": {},
    }
    pieces = [body[i : i + 20_000] for i in range(0, len(body), 20_000)] or [b""]
    answer = {"status": 0, "headers": {}, "body": b""}

    async def receive():
        if pieces:
            piece = pieces.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(pieces)}
        await asyncio.sleep(3600)
        return {"type": "http.disconnect"}

    async def send(message):
        if message["type"] == "http.response.start":
            answer["status"] = message["status"]
            answer["headers"] = {k.decode(): v.decode("latin-1") for k, v in message["headers"]}
        elif message["type"] == "http.response.body":
            answer["body"] += message.get("body", b"")

    await asyncio.wait_for(app(scope, receive, send), 60)
    return answer["status"], answer["headers"], answer["body"]
