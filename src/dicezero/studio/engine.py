"""The studio for programs over a pipe: a line of JSON in, a line of JSON out."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any, BinaryIO

from pydantic import BaseModel, ValidationError

from dicezero.rules.jsonable import finite
from dicezero.rules.names import nearest, quote
from dicezero.studio import messages as m
from dicezero.studio.service import Service, message_of, status_of

LINE_LIMIT = 64 * 1024  # bytes of a line, its end included

log = logging.getLogger(__name__)


class _ById(m.Question):
    game: m.Text


class _Move(m.Move):
    game: m.Text


class _Cube(m.CubeAnswer):
    game: m.Text


class _Analyse(m.Analyse):
    game: m.Text


class _Offers(m.Question):
    game: m.Text = "nannon"


class _Metrics(m.Question):
    run: m.Text
    start: m.Seed = 0


class _Nothing(m.Question):
    pass


def _without_game(ask: BaseModel, kind: type[m.Question]) -> Any:
    return kind.model_validate(ask.model_dump(exclude={"game"}))


def _operations(s: Service) -> dict[str, tuple[type[m.Question], Callable[[Any], BaseModel | None]]]:
    """Name of the operation: (what it asks for, what does it)."""
    return {
        "new": (m.NewGame, s.new),
        "show": (_ById, lambda ask: s.show(ask.game)),
        "moves": (_ById, lambda ask: s.moves(ask.game)),
        "move": (_Move, lambda ask: s.move(ask.game, _without_game(ask, m.Move))),
        "cube": (_Cube, lambda ask: s.cube(ask.game, _without_game(ask, m.CubeAnswer))),
        "undo": (_ById, lambda ask: s.undo(ask.game)),
        "analyse": (_Analyse, lambda ask: s.analyse(ask.game, _without_game(ask, m.Analyse))),
        "story": (_ById, lambda ask: s.story(ask.game)),
        "close": (_ById, lambda ask: s.close(ask.game)),
        "catalog": (_Offers, lambda ask: s.offers(ask.game)),
        "runs": (_Nothing, lambda _: s.runs()),
        "metrics": (_Metrics, lambda ask: s.metrics(ask.run, ask.start)),
    }


class Engine:
    """Answers lines: ``{"op": "new", "id": 1, ...}`` with ``{"id": 1, "ok": {...}}`` or an error.

    ``op`` is the operation, ``id`` (any text or number) comes back with the answer, the rest are the
    operation's fields. An error is ``{"id": ..., "error": "one line", "status": 409}`` with the status HTTP
    would have. Whatever a line holds, the engine goes on with the next one.
    """

    def __init__(self, service: Service) -> None:
        self._operations = _operations(service)

    def run(self, lines: BinaryIO, answers: BinaryIO) -> None:
        """Answers every line in its order, until there are no more."""
        while line := lines.readline(LINE_LIMIT + 1):
            if len(line) > LINE_LIMIT and not line.endswith(b"\n"):
                _skip_line(lines)
            if line.strip() or len(line) > LINE_LIMIT:
                answers.write(json.dumps(self.answer(line), allow_nan=False).encode() + b"\n")
                answers.flush()

    def answer(self, line: bytes) -> dict[str, Any]:
        """What is answered to a line."""
        if len(line) > LINE_LIMIT:
            return _error(None, 413, f"the line has more than {LINE_LIMIT} bytes")
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            return _error(None, 400, "the line is no JSON; write one object a line")
        if not isinstance(data, dict):
            return _error(None, 400, 'the line is no JSON object; write {"op": "new"}')
        raw_id = finite(data.pop("id", None))
        ticket = raw_id if isinstance(raw_id, str | int | float | None) else None
        name = data.pop("op", None)
        if not isinstance(name, str) or name not in self._operations:
            names = ", ".join(self._operations)
            hint = nearest(name, self._operations) if isinstance(name, str) else ""
            return _error(ticket, 422, f"unknown op {quote(str(name))}; {hint}known: {names}")
        ask, do = self._operations[name]
        try:
            result = do(ask.model_validate(data))
        except ValidationError as error:
            return _error(ticket, 422, "; ".join(_complaint(item) for item in error.errors()[:3]))
        except Exception as error:
            if status_of(error) == 500:
                log.exception("op %s", name)
            return _error(ticket, status_of(error), message_of(error))
        return {"id": ticket, "ok": result.model_dump(mode="json") if result else {}}


def _skip_line(lines: BinaryIO) -> None:
    """Reads on to the end of a line that is too long, a piece at a time."""
    while (piece := lines.readline(LINE_LIMIT)) and not piece.endswith(b"\n"):
        pass


def _error(ticket: Any, status: int, message: str) -> dict[str, Any]:
    return {"id": ticket, "error": message, "status": status}


def _complaint(item: Any) -> str:
    place = ".".join(str(part) for part in item["loc"])[:80]
    return f"{place}: {item['msg'][:200]}" if place else str(item["msg"])[:200]
