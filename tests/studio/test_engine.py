"""The engine over a pipe: whole games, wrong lines, and a process of its own."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pytest

from dicezero.studio.catalog import Catalog
from dicezero.studio.engine import LINE_LIMIT, Engine
from dicezero.studio.hall import Hall
from dicezero.studio.service import Service


@pytest.fixture
def engine():
    hall = Hall(Catalog(), limit=3)
    yield Engine(Service(hall))
    hall.shutdown()


def ask(engine, **fields):
    answer = engine.answer(json.dumps(fields).encode())
    assert "ok" in answer, answer
    return answer["ok"]


def refused(engine, line, status):
    answer = engine.answer(line if isinstance(line, bytes) else json.dumps(line).encode())
    assert answer["status"] == status, answer
    assert "\n" not in answer["error"]
    assert "Traceback" not in answer["error"]
    return answer["error"]


def test_a_whole_game_and_everything_that_can_be_asked_of_it(engine):
    view = ask(engine, op="new", game="nannon", opponent="perfect", seed=6)
    while not view["over"]:
        assert ask(engine, op="moves", game=view["id"])["legal"] == view["legal"]
        found = ask(engine, op="analyse", game=view["id"], agent="uct(simulations=50)", seed=1)
        view = ask(engine, op="move", game=view["id"], move=found["action_string"])
    story = ask(engine, op="story", game=view["id"])
    first, last = story["points"][0]["win"], story["points"][-1]["win"]
    assert first + story["luck"][0] - story["lost"][0] + story["lost"][1] == pytest.approx(last)
    assert story["lost"][1] == pytest.approx(0), "perfect play gives nothing away"
    undone = ask(engine, op="undo", game=view["id"])
    assert len(undone["actions"]) < len(view["actions"])
    assert ask(engine, op="show", game=view["id"])["actions"] == undone["actions"]
    assert ask(engine, op="close", game=view["id"]) == {}
    assert ask(engine, op="runs") == {"runs": []}
    assert [o["id"] for o in ask(engine, op="catalog", game="tic_tac_toe")["opponents"]][-2:] == [
        "perfect",
        "adaptive",
    ]


def test_the_ticket_comes_back(engine):
    for ticket in ("a", 7, None, 1.5):
        assert engine.answer(json.dumps({"op": "runs", "id": ticket}).encode())["id"] == ticket
    assert engine.answer(b'{"op": "runs", "id": [1]}')["id"] is None
    assert engine.answer(b'{"op": "runs", "id": NaN}')["id"] is None
    assert engine.answer(b'{"op": "runs", "id": 1e999}')["id"] is None


def test_wrong_lines_are_told_what_is_wrong(engine):
    refused(engine, b"no json", 400)
    refused(engine, b"[1]", 400)
    refused(engine, b"\xff\xfe", 400)
    refused(engine, b"[" * 60_000, 400)
    assert "did you mean move" in refused(engine, {"op": "mov"}, 422)
    refused(engine, {"op": None}, 422)
    refused(engine, {}, 422)
    assert "game" in refused(engine, {"op": "move", "move": 1}, 422)
    assert "more" in refused(engine, {"op": "runs", "more": 1}, 422)
    refused(engine, {"op": "show", "game": "nonsense"}, 404)
    refused(engine, {"op": "metrics", "run": "../../etc"}, 404)
    assert "path" in refused(engine, {"op": "new", "opponent": "optimal(path=/etc/passwd)"}, 422)
    view = ask(engine, op="new", game="tic_tac_toe")
    assert "illegal" in refused(engine, {"op": "move", "game": view["id"], "move": 99}, 409)
    for _ in range(2):
        ask(engine, op="new", game="tic_tac_toe")
    assert "all 3 tables" in refused(engine, {"op": "new"}, 503)


def test_long_lines_are_refused_and_the_next_is_answered(engine):
    exact = b'{"op": "runs"}' + b" " * (LINE_LIMIT - 15) + b"\n"
    assert len(exact) == LINE_LIMIT
    lines = b"".join(
        (
            exact,
            b" " + exact,
            b"x" * (5 * LINE_LIMIT) + b"\n",
            b"\n",
            b'{"op": "runs", "id": 1}\n',
            b'{"op": "runs"}',
        )
    )
    out = io.BytesIO()
    engine.run(io.BytesIO(lines), out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [answer.get("status", 200) for answer in answers] == [200, 413, 413, 200, 200]
    assert answers[3]["id"] == 1


def test_an_error_inside_does_not_end_it(engine, monkeypatch, caplog):
    def broken(_):
        raise TypeError("secret of the inside")

    monkeypatch.setattr("dicezero.studio.service.Service.runs", broken)
    assert "secret" not in refused(engine, {"op": "runs"}, 500)
    assert "secret of the inside" in caplog.text
    assert ask(engine, op="new", game="tic_tac_toe")["over"] is False


def test_as_a_process_it_answers_and_ends_with_its_input():
    lines = b'{"op": "new", "game": "tic_tac_toe", "id": 1}\n\xff\n{"op": "runs", "id": 2}\n'
    code = "import sys; from dicezero.cli import main; sys.exit(main(['engine']))"
    done = subprocess.run([sys.executable, "-c", code], input=lines, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [1, None, 2]


def test_without_the_extra_one_line_says_what_to_install(monkeypatch, capsys):
    from dicezero.cli import main

    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert main(["engine"]) == 2
    assert 'pip install "dicezero[studio]"' in capsys.readouterr().err
