"""A studio's server in a thread of the test's own process, on a free port."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager

import httpx
import uvicorn

from dicezero.studio.guard import BODY_LIMIT, Guard
from dicezero.studio.patience import PromptProtocol


@contextmanager
def served(app):
    """Serves ``app`` behind the guard and gives a client of it; on leaving no thread is left."""
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    config = uvicorn.Config(
        Guard(app, port=port),
        http=PromptProtocol,
        log_level="error",
        lifespan="off",
        ws_max_size=BODY_LIMIT + 1024,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()
    assert not thread.is_alive()
