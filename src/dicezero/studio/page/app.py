"""The app: pages, API and guard under one roof, on 127.0.0.1."""

from __future__ import annotations

from fastapi import FastAPI
from nicegui import app as pages
from nicegui import ui

from dicezero.studio.catalog import Catalog
from dicezero.studio.hall import Hall
from dicezero.studio.page import shell


def build(catalog: Catalog, hall: Hall) -> FastAPI:
    """The app with the pages mounted at its root. One app a process: NiceGUI keeps its pages globally."""
    app = FastAPI(title="dicezero studio", docs_url=None, redoc_url=None)
    pages.remove_route("/")

    @ui.page("/", title="dicezero studio", response_timeout=20)
    async def root() -> None:
        await shell.page(catalog, hall)

    ui.run_with(
        app,
        title="dicezero studio",
        favicon=shell.ICON,
        dark=None,
        tailwind=False,
        show_welcome_message=False,
        reconnect_timeout=10,
    )
    return app
