"""Connections that send nothing: closed when their request has not arrived in time."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEADER_SECONDS = 10.0  # from a connection's or a request's first sign to the end of its headers


class PromptProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """The server's own HTTP protocol with a deadline for headers: it would wait for them for ever."""

    def connection_made(self, transport: Any) -> None:
        """Starts the clock of the first request."""
        super().connection_made(transport)
        self._deadline: asyncio.TimerHandle | None = None
        self._before: Any = None  # the request that was there when the clock started
        self._start_clock()

    def data_received(self, data: bytes) -> None:
        """Starts the clock of a later request on the same connection."""
        if self._deadline is None and (self.cycle is None or self.cycle.response_complete):
            self._start_clock()
        super().data_received(data)
        if self._deadline is not None and self.cycle is not self._before:  # its headers are complete
            self._deadline.cancel()
            self._deadline = None

    def _start_clock(self) -> None:
        self._before = self.cycle
        self._deadline = self.loop.call_later(HEADER_SECONDS, self._give_up)

    def _give_up(self) -> None:
        """Closes the connection, unless it has become a WebSocket, which has a protocol of its own."""
        if self.transport.get_protocol() is self:
            self.transport.close()
