"""The JSON API: the studio's operations over HTTP, described by their own OpenAPI schema."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException

from dicezero import __version__
from dicezero.studio import messages as m
from dicezero.studio.hall import FullError, NoTableError
from dicezero.studio.pool import BusyError
from dicezero.studio.reference import reference_page
from dicezero.studio.service import Service, message_of, status_of

PREFIX = "/api/v1"  # where the API is mounted
RETRY_SECONDS = 5

GameId = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
RunId = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^run-[0-9a-f]{16}$")]

_WORDS = {
    400: "the request cannot be read",
    404: "there is no such game or run, or no longer",
    409: "not in the position the game is in",
    413: "the body has more than 64 KiB",
    422: "a value is missing, unknown or out of range",
    503: "all tables are taken, or too much work is waiting; Retry-After says when to try again",
}


def _errors(*codes: int) -> dict[int | str, dict[str, Any]]:
    return {code: {"model": m.ErrorView, "description": _WORDS[code]} for code in codes}


def make_api(service: Service) -> FastAPI:
    """The API as an application of its own, to be mounted under ``/api/v1``; nothing in it names a host."""
    api = FastAPI(
        title="dicezero studio",
        version=__version__,
        summary="Play against agents and ask them what they think.",
        description=(
            "Open a game, play it move by move against any agent, and ask for grades, searches and the story "
            "of the game. Values are utilities in [-1, 1] for the player to move; win probabilities are in "
            '[0, 1]. Every error is `{"error": "one line"}`.'
        ),
        docs_url=None,  # FastAPI's own page loads its scripts from another host
        redoc_url=None,
    )
    _add_games(api, service)
    _add_catalog(api, service)
    _add_errors(api)
    page = HTMLResponse(reference_page(api.openapi(), PREFIX))

    @api.get("/docs", include_in_schema=False)
    def docs() -> HTMLResponse:
        return page

    return api


def _add_games(api: FastAPI, service: Service) -> None:
    @api.post("/games", status_code=201, responses=_errors(400, 404, 413, 422, 503), tags=["games"])
    def new_game(ask: m.NewGame) -> m.GameView:
        """Opens a game and plays on to your first decision."""
        return service.new(ask)

    @api.get("/games/{game_id}", responses=_errors(404, 422), tags=["games"])
    def show_game(game_id: GameId) -> m.GameView:
        """The game as it stands."""
        return service.show(game_id)

    @api.get("/games/{game_id}/moves", responses=_errors(404, 422), tags=["games"])
    def legal_moves(game_id: GameId) -> m.MovesView:
        """Your legal moves."""
        return service.moves(game_id)

    @api.post("/games/{game_id}/moves", responses=_errors(400, 404, 409, 413, 422), tags=["games"])
    def make_move(game_id: GameId, ask: m.Move) -> m.GameView:
        """Plays your move; dice and opponent act until you have to decide again or the game is over."""
        return service.move(game_id, ask)

    @api.post("/games/{game_id}/cube", responses=_errors(400, 404, 409, 413, 422), tags=["games"])
    def answer_cube(game_id: GameId, ask: m.CubeAnswer) -> m.GameView:
        """Rolls, doubles, takes or drops, where the doubling cube of a money game is asked about."""
        return service.cube(game_id, ask)

    @api.post("/games/{game_id}/undo", responses=_errors(404, 409, 413, 422), tags=["games"])
    def undo(game_id: GameId) -> m.GameView:
        """Takes back your last decision, of a move or on the cube, and all that followed."""
        return service.undo(game_id)

    @api.post("/games/{game_id}/analyse", responses=_errors(400, 404, 409, 413, 422, 503), tags=["games"])
    def analyse(game_id: GameId, ask: m.Analyse) -> m.AnalysisView:
        """Lets an agent search a position of the game: the answer of `dicezero search --json`."""
        return service.analyse(game_id, ask)

    @api.get("/games/{game_id}/story", responses=_errors(404, 422, 503), tags=["games"])
    def story(game_id: GameId) -> m.StoryView:
        """The game as a line of win probability, every choice graded, luck and skill separated."""
        return service.story(game_id)

    @api.delete("/games/{game_id}", status_code=204, responses=_errors(404, 422), tags=["games"])
    def close_game(game_id: GameId) -> Response:
        """Clears the table away."""
        service.close(game_id)
        return Response(status_code=204)


def _add_catalog(api: FastAPI, service: Service) -> None:
    @api.get("/catalog", responses=_errors(422), tags=["catalog"])
    def catalog(game: Annotated[str, Query(min_length=1, max_length=200)] = "nannon") -> m.CatalogView:
        """The games, and the opponents in one of them."""
        return service.offers(game)

    @api.get("/runs", tags=["catalog"])
    def runs() -> m.RunsView:
        """The runs under the folders the studio was given."""
        return service.runs()

    @api.get("/runs/{run_id}/metrics", responses=_errors(404, 422), tags=["catalog"])
    def metrics(
        run_id: RunId, start: Annotated[int, Query(alias="from", ge=0, lt=2**31)] = 0
    ) -> m.MetricsView:
        """A run's metrics from a line on, at most 1000 of them."""
        return service.metrics(run_id, start)


def _add_errors(api: FastAPI) -> None:
    @api.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        del request
        return error_response(422, "; ".join(_complaint(item) for item in error.errors()[:3]))

    @api.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> JSONResponse:
        del request
        response = error_response(error.status_code, str(error.detail))
        response.headers.update(error.headers or {})
        return response

    async def failed(request: Request, error: Exception) -> JSONResponse:
        del request
        return error_response(status_of(error), message_of(error))

    for kind in (ValueError, FullError, BusyError, NoTableError, TimeoutError):
        api.add_exception_handler(kind, failed)
    api.add_exception_handler(Exception, failed)  # the server logs these


def error_response(status: int, message: str) -> JSONResponse:
    """``{"error": message}``; 503 says when to try again."""
    headers = {"Retry-After": str(RETRY_SECONDS)} if status == 503 else None
    text = message.encode("utf-8", "backslashreplace").decode()
    return JSONResponse({"error": text}, status, headers)


def _complaint(item: Any) -> str:
    """Where the mistake is and what it is; never the input itself, which may be long."""
    place = ".".join(str(part) for part in item["loc"][1:])[:80]
    return f"{place}: {item['msg'][:200]}" if place else item["msg"][:200]
