"""A cap on open pages: each one costs memory until its browser has gone for good."""

from __future__ import annotations

from nicegui import Client
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LIMIT = 300  # pages: those in use, and those fetched in the last minute by something that is no browser
RETRY_SECONDS = 30


class Crowd:
    """An ASGI application around another that answers 503 when a page too many is asked for."""

    def __init__(self, app: ASGIApp, *, limit: int = LIMIT) -> None:
        self.app = app
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes on everything but a page too many."""
        if scope["type"] == "http" and scope["path"] == "/" and len(Client.instances) >= self.limit:
            words = f"{self.limit} pages are open; close some or try again later"
            answer = JSONResponse({"error": words}, 503, {"Retry-After": str(RETRY_SECONDS)})
            return await answer(scope, receive, send)
        return await self.app(scope, receive, send)
