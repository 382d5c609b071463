"""The door of the server: foreign hosts and origins, long bodies and frames, and errors stop here."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_LIMIT = 64 * 1024  # bytes, of a request's body and of a WebSocket's message
BODY_SECONDS = 10.0  # a body that takes longer to arrive is refused
TOO_LONG = 1009  # WebSocket: message too big
POLICY = 1008  # WebSocket: policy violation
FAILED = 1011  # WebSocket: internal error

# The page's framework compiles templates in the browser, hence 'unsafe-eval'; nothing comes from elsewhere.
CONTENT_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; "
    "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    b"content-security-policy": CONTENT_POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
}

_DOOR = (__name__, "dicezero.studio.page.crowd")  # what every connection goes through

log = logging.getLogger(__name__)


def is_foreign(error: BaseException) -> bool:
    """Whether an error was raised without any code of ours but the door's: by a frame that is none."""
    frames = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)]
    return not any(name.startswith("dicezero.") and name not in _DOOR for name in frames)


def brief(error: BaseException) -> str:
    """An error in one line."""
    return f"{type(error).__name__}: {str(error)[:200]!r}"


class BriefErrors(logging.Filter):
    """Takes the traceback from a record whose error is the client's: anybody could fill the log with them."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Lets every record through."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and is_foreign(error):
            record.msg, record.args = f"{record.getMessage()}: {brief(error)}", ()
            record.exc_info = record.exc_text = None
        return True


class Guard:
    """An ASGI application around another: lets in what comes from this machine's own page or program.

    A request must name this very server as its Host, so a foreign name that points to 127.0.0.1 (DNS
    rebinding) is refused; a browser's Origin must be that of the Host, so another page's requests and
    WebSockets are. Bodies and messages over 64 KiB are refused. What goes wrong inside is answered without
    its stack trace, which goes to the log.
    """

    def __init__(self, app: ASGIApp, *, port: int) -> None:
        """``port`` is the one that is served."""
        self.app = app
        names = ("127.0.0.1", "localhost", "[::1]")
        self.hosts = {f"{name}:{port}" for name in names} | (set(names) if port == 80 else set())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Checks a connection and passes it on."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def refusal(self, scope: Scope) -> str | None:
        """Why a connection is not let in; None where it is."""
        hosts = _all(scope, b"host")
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            return "the Host is not this server's; open the address that dicezero studio printed"
        origins = _all(scope, b"origin")
        if any(origin.lower() != f"http://{hosts[0].lower()}" for origin in origins):
            return "requests of other origins are refused"
        return None

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = _Answer(send)
        refusal = self.refusal(scope)
        if refusal is not None:
            return await answer.error(403, refusal)
        length = "".join(_all(scope, b"content-length"))
        if length.isdecimal() and (len(length) > 9 or int(length) > BODY_LIMIT):
            return await answer.error(413, f"the body has more than {BODY_LIMIT} bytes")
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _read_body(receive)
        except ConnectionError:
            return None  # nobody is there to be answered
        except TimeoutError:
            return await answer.error(408, f"the body did not arrive within {BODY_SECONDS:g} seconds")
        if body is None:
            return await answer.error(413, f"the body has more than {BODY_LIMIT} bytes")
        try:
            await self.app(scope, _replay(body, receive), answer.send)
        except Exception:
            log.exception("%s %s", scope["method"], scope["path"])
            if not answer.started:
                await answer.error(500, "an error inside the studio; its terminal says more")
        return None

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.refusal(scope) is not None:
            await receive()  # the handshake; a close before it is accepted is a 403
            return await send({"type": "websocket.close", "code": POLICY})
        closed = False

        async def limited() -> Message:
            nonlocal closed
            message = await receive()
            if message["type"] == "websocket.receive" and _size(message) > BODY_LIMIT:
                closed = True
                await send({"type": "websocket.close", "code": TOO_LONG})
                return {"type": "websocket.disconnect", "code": TOO_LONG}
            return message

        async def passed(message: Message) -> None:
            nonlocal closed
            if closed:
                return  # the application may still close
            closed = message["type"] == "websocket.close"
            await send(message)

        try:
            await self.app(scope, limited, passed)
        except Exception as error:
            if is_foreign(error):
                log.warning("websocket %s: not a message of the page's: %s", scope["path"], brief(error))
            else:
                log.exception("websocket %s", scope["path"])
            if not closed:
                await send({"type": "websocket.close", "code": FAILED})
        return None


class _Answer:
    """The way back: adds the security headers, and knows whether an answer has begun."""

    def __init__(self, send: Send) -> None:
        self.started = False
        self._send = send

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            there = {name.lower() for name, _ in message.get("headers", ())}
            more = [(name, value) for name, value in HEADERS.items() if name not in there]
            message = {**message, "headers": [*message.get("headers", ()), *more]}
        await self._send(message)

    async def error(self, status: int, text: str) -> None:
        body = json.dumps({"error": text}).encode()
        headers: list[tuple[bytes, bytes]] = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),  # the rest of a refused body is not waited for
        ]
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


def _all(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


def _size(message: Message) -> int:
    text: str | None = message.get("text")
    return len(text.encode("utf-8", "replace")) if text is not None else len(message.get("bytes") or b"")


async def _read_body(receive: Receive) -> bytes | None:
    """The whole body; None where it is too long. It is short, so it is read before anything else happens."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ConnectionError("the client went away")
        body += message.get("body", b"")
        if len(body) > BODY_LIMIT:
            return None
        if not message.get("more_body", False):
            return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Gives the body that has been read, then what comes."""
    waiting: list[dict[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed
