"""Random lines and requests by the thousand: nothing fails inside, nothing hangs, memory stays bounded.

``python tests/studio/test_fuzz.py COUNT SEED`` does any number of each.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from pathlib import Path

import fuzzing
from asgi import call

from dicezero.studio.api import make_api
from dicezero.studio.catalog import Catalog
from dicezero.studio.engine import Engine
from dicezero.studio.guard import Guard
from dicezero.studio.hall import Hall
from dicezero.studio.service import Service

LINES, REQUESTS = 4000, 2600
PORT = 8765
MOST_GROWTH = 150e6  # bytes, after a first tenth has loaded what there is to load


def resident():
    """Bytes of memory in use, where the system tells."""
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * 4096 if status.exists() else 0


def fuzz_engine(count, seed):
    """Answers ``count`` random lines; returns how often each status came."""
    lots, ids, statuses = random.Random(seed), [], {}
    hall = Hall(Catalog(), limit=20)
    engine = Engine(Service(hall))
    early = 0
    for number in range(count):
        answer = engine.answer(fuzzing.line(lots, ids))
        text = json.dumps(answer, allow_nan=False)
        assert "Traceback" not in text
        status = answer.get("status", 200)
        assert status != 500, answer
        statuses[status] = statuses.get(status, 0) + 1
        ids = list(hall._sessions) or ["x"]
        if len(ids) > 15:
            hall.close(lots.choice(ids))
        if number == count // 10:
            early = resident()
    assert resident() - early < MOST_GROWTH
    hall.shutdown()
    return statuses


def fuzz_requests(count, seed):
    """The same over HTTP, through the guard."""
    lots, statuses = random.Random(seed), {}
    hall = Hall(Catalog(), limit=20)
    app = Guard(make_api(Service(hall)), port=PORT)

    async def run():
        early = 0
        for number in range(count):
            method, path, headers, body = fuzzing.request(lots, list(hall._sessions))
            status, sent, text = await call(app, method, path, headers, body, port=PORT)
            assert status < 500 or status == 503, (method, path, body, text)
            assert b"Traceback" not in text
            assert "content-security-policy" in sent
            if len(body) > 65536:
                assert status in (403, 413)
            if headers.get("origin") or "host" in headers:
                assert status == 403
            statuses[status] = statuses.get(status, 0) + 1
            if len(hall) > 15:
                hall.close(lots.choice(list(hall._sessions)))
            if number == count // 10:
                early = resident()
        assert resident() - early < MOST_GROWTH

    asyncio.run(run())
    hall.shutdown()
    return statuses


def test_random_lines():
    statuses = fuzz_engine(LINES, 1)
    assert sum(statuses.values()) == LINES
    assert statuses[200] > LINES / 10, statuses
    assert {200, 400, 404, 409, 422} <= statuses.keys(), statuses


def test_random_requests():
    statuses = fuzz_requests(REQUESTS, 2)
    assert sum(statuses.values()) == REQUESTS
    assert statuses[200] > REQUESTS / 10, statuses
    assert {200, 201, 403, 404, 405, 409, 413, 422} <= statuses.keys(), statuses


if __name__ == "__main__":
    amount, first = int(sys.argv[1]), int(sys.argv[2])
    print("lines", fuzz_engine(amount, first))
    print("requests", fuzz_requests(amount, first))
