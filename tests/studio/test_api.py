"""The JSON API: whole games over HTTP, its errors, and its own description."""

from __future__ import annotations

import json
import time

import pytest
from made_run import NAME, make_run
from served import served

from dicezero.cli import main
from dicezero.studio.api import make_api
from dicezero.studio.catalog import Catalog
from dicezero.studio.guard import BODY_LIMIT
from dicezero.studio.hall import Hall
from dicezero.studio.service import Service


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    make_run(folder / "one", rounds=3)
    hall = Hall(Catalog([folder]))
    with served(make_api(Service(hall))) as made:
        yield made
    hall.shutdown()


def post(client, path, body, status=200):
    answer = client.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def refused(answer, status):
    assert answer.status_code == status, answer.text
    assert list(answer.json()) == ["error"]
    assert "Traceback" not in answer.text
    assert 'File "' not in answer.text
    return answer.json()["error"]


@pytest.mark.parametrize("game", ["nannon", "tic_tac_toe", "connect_four", "pig"])
def test_a_whole_game(client, game):
    if game == "pig":
        pytest.importorskip("pyspiel")
    view = post(client, "/games", {"game": game, "opponent": "casual", "seat": 1, "seed": 4}, 201)
    count = 0
    while not view["over"]:
        assert view["player"] == 1
        assert client.get(f"/games/{view['id']}/moves").json()["legal"] == view["legal"]
        move = view["legal"][0]["action"] if count % 2 else view["legal"][-1]["text"]
        before = view["actions"]
        view = post(client, f"/games/{view['id']}/moves", {"move": move})
        assert view["actions"][: len(before)] == before
        assert [event["action"] for event in view["events"]] == view["actions"][len(before) :]
        count += 1
    assert sum(view["returns"]) == 0
    assert view["legal"] == []
    later = client.get(f"/games/{view['id']}").json()
    assert later | {"grades": {}} == view | {"grades": {}, "events": []}
    assert "over" in refused(client.post(f"/games/{view['id']}/moves", json={"move": 0}), 409)
    if game != "pig":  # a long game of a foreign package
        story = client.get(f"/games/{view['id']}/story").json()
        assert len(story["points"]) == len(view["actions"]) + 1
        assert story["points"][-1]["win"] == (1 + view["returns"][0]) / 2
    assert client.delete(f"/games/{view['id']}").status_code == 204
    refused(client.get(f"/games/{view['id']}"), 404)


def test_grades_come_and_undo_takes_them_back(client):
    view = post(client, "/games", {"game": "tic_tac_toe", "opponent": "perfect"}, 201)
    refused(client.post(f"/games/{view['id']}/undo"), 409)
    post(client, f"/games/{view['id']}/moves", {"move": "x(0,0)"})
    deadline = time.monotonic() + 20
    while not (view := client.get(f"/games/{view['id']}").json())["grades"] and time.monotonic() < deadline:
        time.sleep(0.01)
    assert view["grades"]["0"] == {"lost": 0.0, "best": 0, "win": 0.5, "mark": "", "truth": "solved"}
    undone = client.post(f"/games/{view['id']}/undo").json()
    assert undone["actions"] == []
    assert undone["grades"] == {}


@pytest.mark.parametrize("agent", ["uct(simulations=100)", "expectiminimax(depth=2)", "greedy"])
def test_an_analysis_is_what_the_command_line_prints(client, capsys, agent):
    view = post(client, "/games", {"game": "nannon", "seed": 2}, 201)
    found = post(client, f"/games/{view['id']}/analyse", {"agent": agent, "seed": 9})
    moves = ",".join(map(str, view["actions"]))
    assert main(["search", agent, "--game", "nannon", "--moves", moves, "--seed", "9", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert found | {"seconds": 0} == printed | {"seconds": 0}
    first = {"agent": agent, "ply": 0}
    assert "nobody has to move" in refused(client.post(f"/games/{view['id']}/analyse", json=first), 409)
    assert "ply=99" in refused(client.post(f"/games/{view['id']}/analyse", json={"ply": 99}), 409)


def test_a_run_is_an_opponent_and_its_metrics_are_read_on(client):
    (run,) = client.get("/runs").json()["runs"]
    assert run["rounds"] == [1, 2, 3]
    opponents = client.get("/catalog", params={"game": NAME}).json()["opponents"]
    assert f"{run['id']}@2" in [opponent["id"] for opponent in opponents]
    body = {"game": NAME, "opponent": f"{run['id']}@2", "simulations": 3, "seat": 1}
    view = post(client, "/games", body, 201)
    assert "round=2,simulations=3" in view["agent"]
    first = client.get(f"/runs/{run['id']}/metrics").json()
    assert [line["round"] for line in first["lines"]] == [1, 2, 3]
    rest = client.get(f"/runs/{run['id']}/metrics", params={"from": first["next"] - 1}).json()
    assert rest == {"lines": first["lines"][2:], "next": 3}
    refused(client.get("/runs/run-0000000000000000/metrics"), 404)
    refused(client.get("/runs/..%2F..%2Fetc/metrics"), 404)
    refused(client.post("/games", json={"opponent": "run-0000000000000000"}), 404)


def test_past_the_cap_a_clear_503():
    hall = Hall(Catalog(), limit=5)
    with served(make_api(Service(hall))) as client:
        for _ in range(5):
            view = post(client, "/games", {"game": "tic_tac_toe"}, 201)
        answer = client.post("/games", json={"game": "tic_tac_toe"})
        assert "all 5 tables are taken" in refused(answer, 503)
        assert answer.headers["retry-after"] == "5"
        client.delete(f"/games/{view['id']}")
        post(client, "/games", {"game": "tic_tac_toe"}, 201)
    hall.shutdown()


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ({"game": "nowhere"}, "not offered"),
        ({"opponent": "run(path=/etc)"}, "unknown agent"),
        ({"opponent": "uct(simulations=999999)"}, "must be in 1..20000"),
        ({"seat": 2}, "seat"),
        ({"seat": True}, "seat"),
        ({"seed": -1}, "seed"),
        ({"seed": "1"}, "seed"),
        ({"more": 1}, "more"),
        ({"game": "\ud800"}, "unicode"),
        ({"game": "x" * 201}, "game"),
        ([], ""),
        (None, ""),
    ],
)
def test_what_cannot_be_had_is_refused_in_one_line(client, body, part):
    text = json.dumps(body).encode()
    answer = client.post("/games", content=text, headers={"content-type": "application/json"})
    message = refused(answer, 422)
    assert part in message
    assert len(message) < 700
    assert "\n" not in message


def test_moves_that_are_none(client):
    view = post(client, "/games", {"game": "tic_tac_toe"}, 201)
    for move in (9, 2**31, "x(9,9)", "home/3", "\u0000"):
        assert "illegal; legal: x(0,0) (or 0)" in refused(
            client.post(
                f"/games/{view['id']}/moves",
                content=json.dumps({"move": move}),
                headers={"content-type": "application/json"},
            ),
            409,
        )
    for move in (-1, 1.5, None, True, "", "x" * 81, [1]):
        refused(client.post(f"/games/{view['id']}/moves", json={"move": move}), 422)
    refused(client.get("/games/nonsense"), 404)
    refused(client.get("/games/no%00nsense"), 422)
    refused(client.get("/nowhere"), 404)
    refused(client.put("/games"), 405)


def test_an_error_inside_is_told_without_its_inside(client, monkeypatch, caplog):
    def broken(_):
        raise TypeError("secret of the inside")

    monkeypatch.setattr("dicezero.studio.service.Service.runs", broken)
    answer = client.get("/runs")
    assert refused(answer, 500) == "an error inside the studio; its terminal says more"
    deadline = time.monotonic() + 10  # it is logged after it was answered
    while "secret of the inside" not in caplog.text and time.monotonic() < deadline:
        time.sleep(0.01)
    assert "secret of the inside" in caplog.text


def test_the_page_of_the_api_needs_no_other_host(client):
    page = client.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "http://" not in page.text
    assert "https://" not in page.text
    assert "<script" not in page.text
    schema = client.get("/openapi.json").json()
    for path in schema["paths"]:
        assert path in page.text
    for name in ("NewGame", "GameView", "StoryView"):
        assert f'id="{name}"' in page.text


def test_foreign_hosts_and_origins_are_refused(client):
    port = client.base_url.port
    other = port + 1
    for host in (
        "evil.example",
        f"evil.example:{port}",
        "127.0.0.1",
        f"127.0.0.1:{other}",
        f"127.0.0.1:{port}0",
    ):
        assert "Host" in refused(client.get("/runs", headers={"host": host}), 403)
    for host in (f"localhost:{port}", f"[::1]:{port}", f"LOCALHOST:{port}"):
        assert client.get("/runs", headers={"host": host}).status_code == 200
    own = f"127.0.0.1:{port}"
    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{other}", f"https://{own}", ""):
        refused(client.post("/games", json={}, headers={"origin": origin}), 403)
        refused(client.get("/runs", headers={"origin": origin}), 403)
    assert client.get("/runs", headers={"origin": f"http://{own}"}).status_code == 200


def test_long_bodies_are_refused_also_in_chunks(client):
    assert "65536 bytes" in refused(client.post("/games", content=b" " * (BODY_LIMIT + 1)), 413)

    def chunks():
        for _ in range(80):
            yield b" " * 1024

    refused(client.post("/games", content=chunks(), headers={"content-type": "application/json"}), 413)
    padded = b'{"game": "tic_tac_toe"}' + b" " * (BODY_LIMIT - 23)
    assert len(padded) == BODY_LIMIT
    answer = client.post("/games", content=padded, headers={"content-type": "application/json"})
    assert answer.status_code == 201


def test_every_answer_has_the_security_headers(client):
    for answer in (client.get("/docs"), client.get("/runs"), client.get("/nowhere")):
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
