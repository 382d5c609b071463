"""The API against its own OpenAPI schema: schemathesis makes the requests and checks the answers."""

from __future__ import annotations

import itertools
from contextlib import suppress

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from made_run import make_run
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from served import served
from test_cube_table import GAME as DOUBLED
from test_cube_table import Sure

from dicezero.studio.api import make_api
from dicezero.studio.catalog import Catalog
from dicezero.studio.cube import CubeJudge
from dicezero.studio.doubling import Doubling
from dicezero.studio.hall import Hall
from dicezero.studio.service import Service

EXAMPLES = 16  # an operation, right and wrong ones each
GAMES = ("tic_tac_toe", "nannon", "nannon(points=4,checkers=2,sides=4)")


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    make_run(folder / "one", rounds=2)
    hall = Hall(Catalog([folder]), limit=100)
    sure = Sure(0.74)
    hall._doubling = lambda table: Doubling(table, sure, CubeJudge(sure))
    with served(make_api(Service(hall))) as client:
        yield client, hall
    hall.shutdown()


def test_every_operation_answers_as_its_schema_says(studio):
    client, hall = studio
    schema = schemathesis.openapi.from_url(f"{client.base_url}/openapi.json")
    done = {}
    for found in schema.get_all_operations():
        operation = found.ok()
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            statuses = done.setdefault(operation.label, [])
            with suppress(Unsatisfiable):  # nothing can be wrong about a request without parameters
                _fuzz(operation.as_strategy(generation_mode=mode), hall, statuses)
    assert len(done) == 12
    for label, statuses in done.items():
        least = 1 if label == "GET /runs" else EXAMPLES  # which has nothing to vary
        assert len(statuses) >= least, f"{label}: {len(statuses)} requests"
        assert any(status < 300 for status in statuses), f"{label}: {sorted(set(statuses))}"


def _begun(hall, game, *, cube):
    """A game after the person's first move; one for money where the cube is asked about."""
    if cube:
        session = hall.open(DOUBLED, "random", seat=1, cube=True)
        session.settle()
        while session.doubling.asked is None:
            session.play(min(session.table.legal()))
            session.settle()
        return session
    session = hall.open(game, "casual")
    session.settle()
    session.play(min(session.table.legal()))
    session.settle()
    return session


def _fuzz(strategy, hall, statuses):
    turn = itertools.count()

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def run(case):
        which = next(turn) % 4
        known = case.path_parameters or {}
        if which and "game_id" in known:  # games that exist lead further in
            session = _begun(hall, GAMES[which - 1], cube=case.path.endswith("/cube"))
            case.path_parameters["game_id"] = session.id
            if which == 1 and case.path.endswith("/cube"):
                case.body = {"answer": "roll"}
            if which == 1 and case.path.endswith("/moves") and case.method == "POST":
                case.body = {"move": max(session.table.legal())}
        if which and "run_id" in known:
            case.path_parameters["run_id"] = hall.catalog.runs()[0].id
        response = case.call()
        statuses.append(response.status_code)
        if which and "game_id" in known and case.method != "DELETE":
            hall.close(session.id)
        case.validate_response(
            response,
            checks=(
                not_a_server_error,
                status_code_conformance,
                content_type_conformance,
                response_schema_conformance,
            ),
        )
        for view in [response.json()] if case.method == "POST" and response.status_code == 201 else []:
            hall.close(view["id"])

    run()
