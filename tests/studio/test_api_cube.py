"""The doubling cube of the JSON API: offered, taken, dropped, told in the story, and asked for wrongly."""

from __future__ import annotations

import json

import pytest
from served import served
from test_api import post, refused
from test_cube_table import GAME, Sure

from dicezero.studio.api import make_api
from dicezero.studio.catalog import Catalog
from dicezero.studio.cube import CubeJudge
from dicezero.studio.doubling import Doubling
from dicezero.studio.engine import Engine
from dicezero.studio.hall import Hall
from dicezero.studio.service import Service


@pytest.fixture
def hall(monkeypatch):
    """Whose opponents expect 74 % for whoever rolls: they double, and they take."""
    made, sure = Hall(Catalog()), Sure(0.74)
    monkeypatch.setattr(made, "_doubling", lambda table: Doubling(table, sure, CubeJudge(sure)))
    yield made
    made.shutdown()


@pytest.fixture
def client(hall):
    with served(make_api(Service(hall))) as made:
        yield made


def opened(client, *, seat=0):
    ask = {"game": GAME, "opponent": "random", "cube": True, "seat": seat, "seed": 5}
    return post(client, "/games", ask, 201)


def answer(client, view, word):
    return post(client, f"/games/{view['id']}/cube", {"answer": word})


def play(client, view):
    return post(client, f"/games/{view['id']}/moves", {"move": view["legal"][0]["action"]})


def before_a_double(client, *, mine):
    """The first question: the person's own double, or the opponent's; player 0 opens without one."""
    view = opened(client, seat=1 if mine else 0)
    while not view["cube"]["asked"]:
        view = play(client, view)
    assert view["cube"]["asked"] == (["roll", "double"] if mine else ["take", "drop"])
    return view


def test_a_double_is_offered_and_the_other_side_owns_the_cube(client):
    view = before_a_double(client, mine=True)
    assert (view["player"], view["legal"], view["over"], view["returns"]) == (-1, [], False, None)
    assert view["cube"] == {
        "value": 1,
        "owner": None,
        "asked": ["roll", "double"],
        "doubles": [],
        "dropped": None,
    }
    place, path = len(view["actions"]), f"/games/{view['id']}"
    view = answer(client, view, "double")
    assert (view["cube"]["value"], view["cube"]["owner"]) == (2, 0)
    assert view["cube"]["doubles"] == [{"place": place, "player": 1, "taken": True}]
    assert len(view["actions"]) > place  # the roll has come
    while view["cube"]["doubles"]:  # a move first, then the double
        view = client.post(f"{path}/undo").json()
    assert len(view["actions"]) == place
    assert (view["cube"]["value"], view["cube"]["asked"]) == (1, ["roll", "double"])


def test_a_double_is_taken_or_dropped(client):
    taken = answer(client, before_a_double(client, mine=False), "take")
    assert (taken["cube"]["value"], taken["cube"]["owner"], taken["over"]) == (2, 0, False)
    dropped = answer(client, before_a_double(client, mine=False), "drop")
    assert (dropped["over"], dropped["returns"], dropped["cube"]["dropped"]) == (True, [-1.0, 1.0], 0)
    assert dropped["cube"]["doubles"][-1] | {"place": 0} == {"place": 0, "player": 1, "taken": False}
    path = f"/games/{dropped['id']}"
    assert "over" in refused(client.post(f"{path}/moves", json={"move": 0}), 409)
    assert "nothing is asked" in refused(client.post(f"{path}/cube", json={"answer": "take"}), 409)
    story = client.get(f"{path}/story").json()
    turn = story["cube"][-1]
    assert (turn["player"], turn["played"], turn["best"]) == (0, "pass", "take")
    assert turn["loss"] > 0
    assert story["cube_lost"][0] > 0
    assert story["cube_judge"] == "sure"
    assert {point["stake"] for point in story["points"]} == {1}


def test_a_game_ends_with_as_many_points_as_the_cube_shows(client):
    view = opened(client)
    while not view["over"]:
        asked = view["cube"]["asked"]
        word = "take" if "take" in asked else "double"
        view = answer(client, view, word) if asked else play(client, view)
    value = view["cube"]["value"]
    assert value == 2 ** len(view["cube"]["doubles"]) > 1
    assert abs(view["returns"][0]) in (value, 2 * value, 3 * value)
    assert view["returns"][0] == -view["returns"][1]


def test_what_does_not_fit_is_one_line(client):
    view = before_a_double(client, mine=True)
    path = f"/games/{view['id']}"
    error = refused(client.post(f"{path}/cube", json={"answer": "take"}), 409)
    assert error == "answer='take' is none to the cube: answer roll or double"
    assert "cube is asked about first" in refused(client.post(f"{path}/moves", json={"move": 0}), 409)
    for wrong in ({"answer": "beaver"}, {"answer": 1}, {"answer": None}, {}):
        assert "answer" in refused(client.post(f"{path}/cube", json=wrong), 422)
    assert "more" in refused(client.post(f"{path}/cube", json={"answer": "roll", "more": 1}), 422)
    refused(client.post(f"{path}/cube", content=b"{"), 422)
    refused(client.post("/games/none/cube", json={"answer": "roll"}), 404)
    assert client.get(path).json() | {"grades": {}} == view | {"events": [], "grades": {}}
    view = answer(client, view, "roll")
    if view["legal"]:
        assert "nothing is asked" in refused(client.post(f"{path}/cube", json={"answer": "roll"}), 409)


def test_a_game_without_a_cube_says_so(client, hall):
    offers = {one["name"]: one["cube"] for one in client.get("/catalog").json()["games"]}
    assert offers["backgammon"]
    assert not offers["nannon"]
    before = len(hall)
    error = refused(client.post("/games", json={"game": "nannon", "cube": True}), 422)
    assert "is not played with one" in error
    assert "backgammon" in error
    refused(client.post("/games", json={"game": GAME, "cube": "yes"}), 422)
    assert len(hall) == before
    plain = post(client, "/games", {"game": GAME, "opponent": "random"}, 201)
    assert plain["cube"] is None
    said = refused(client.post(f"/games/{plain['id']}/cube", json={"answer": "roll"}), 409)
    assert said == "the game is played without a cube; open one with cube=true"


def test_the_engine_has_the_same_operation(hall):
    engine = Engine(Service(hall))

    def ask(**fields):
        return engine.answer(json.dumps(fields).encode())

    view = ask(op="new", game=GAME, opponent="random", cube=True, seed=5)["ok"]
    while not view["cube"]["asked"]:
        view = ask(op="move", game=view["id"], move=view["legal"][0]["action"])["ok"]
    assert ask(op="cube", game=view["id"], answer="pass")["status"] == 422
    word = view["cube"]["asked"][0]
    view = ask(op="cube", game=view["id"], answer=word)["ok"]
    assert view["cube"]["value"] == (2 if word == "take" else 1)
