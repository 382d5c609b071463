"""The app: pages, API and guard under one roof, on 127.0.0.1."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI
from nicegui import app as pages
from nicegui import ui

from dicezero.studio.api import PREFIX, make_api
from dicezero.studio.catalog import Catalog
from dicezero.studio.checkpoints import DynamicsTests
from dicezero.studio.guard import BODY_LIMIT, BriefErrors, Guard
from dicezero.studio.hall import Hall
from dicezero.studio.page import shell
from dicezero.studio.page.crowd import Crowd
from dicezero.studio.patience import PromptProtocol
from dicezero.studio.service import Service

HOST = "127.0.0.1"
_BRIEF = BriefErrors()


def build(catalog: Catalog, hall: Hall, *, port: int) -> Guard:
    """Pages at the root and the API under its prefix, behind the guard of ``port``.

    One a process: NiceGUI keeps its pages globally.
    """
    app = FastAPI(title="dicezero studio", docs_url=None, redoc_url=None, openapi_url=None)
    app.mount(PREFIX, make_api(Service(hall)))
    tests = DynamicsTests(lambda run: catalog.own_game(run.game))
    pages.remove_route("/")

    @ui.page("/", title="dicezero studio", response_timeout=20)
    async def root(table: str = "") -> None:
        await shell.page(catalog, hall, tests, table)

    ui.run_with(
        app,
        favicon=shell.ICON,
        dark=None,
        tailwind=False,
        show_welcome_message=False,
        reconnect_timeout=10,
    )
    return Guard(Crowd(app), port=port)


def serve(catalog: Catalog, hall: Hall, port: int, *, ready: Callable[[str], None] = print) -> None:
    """Serves until Ctrl-C; port 0 takes a free one. ``ready`` is called with the address once it answers.

    Raises:
        ValueError: the port cannot be had.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(
            128
        )  # a client that comes between the start and the first answer waits instead of failing
    except OSError as error:
        listener.close()
        raise ValueError(f"--port {port} cannot be had ({error.strerror}); choose another, or 0") from None
    port = listener.getsockname()[1]
    app = build(catalog, hall, port=port)
    pages.on_startup(lambda: ready(f"http://{HOST}:{port}/"))
    config = uvicorn.Config(
        app, http=PromptProtocol, log_level="warning", timeout_graceful_shutdown=2, ws_max_size=BODY_LIMIT
    )
    for name in ("asyncio", "engineio.server", "socketio.server", "uvicorn.error"):
        logging.getLogger(name).addFilter(_BRIEF)
    try:
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        hall.shutdown()
        listener.close()
