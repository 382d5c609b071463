"""The catalog, and many tables at once."""

from __future__ import annotations

import os
import shutil
import threading
import time

import pytest
from made_run import NAME, make_run

from dicezero.agents.errors import AgentError
from dicezero.rules import GameError, load_game
from dicezero.runs.errors import RunError
from dicezero.runs.manifest import Manifest
from dicezero.studio.catalog import Catalog
from dicezero.studio.hall import FullError, Hall, NoTableError
from dicezero.studio.pool import BusyError, Pool


@pytest.fixture
def hall():
    made = Hall(Catalog())
    yield made
    made.shutdown()


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shown")
    make_run(folder / "inside" / "small", rounds=2)
    make_run(folder / "outside", rounds=1)
    (folder / "inside" / "link").symlink_to(folder / "outside")
    return folder


def test_the_catalog_offers_games_and_levels():
    catalog = Catalog()
    offers = {offer.name: offer for offer in catalog.games()}
    assert offers["nannon"].board == "nannon"
    assert offers["nannon"].chance
    assert not offers["connect_four"].chance
    levels = {opponent.id: opponent.spec for opponent in catalog.opponents("nannon")}
    assert list(levels) == ["beginner", "casual", "club", "strong", "perfect", "adaptive"]
    assert levels["perfect"] == "optimal"
    assert "perfect" not in [o.id for o in catalog.opponents("connect_four")]
    assert "perfect" in [o.id for o in catalog.opponents("tic_tac_toe")]
    for name in ("nannon", "nannon(points=12,checkers=5)", "tic_tac_toe", "connect_four"):
        game = catalog.game(name)
        state = game.new_initial_state()
        if state.is_chance_node():
            state.apply_action(0)
        for opponent in catalog.opponents(name):
            agent = catalog.agent(opponent.spec, game)
            assert agent.search(state, seed=1).action in state.legal_actions()


@pytest.mark.parametrize(
    "spec",
    [
        "run(path=/tmp)",
        "td(path=/tmp)",
        "optimal(path=/etc/passwd)",
        "uct(simulations=20001)",
        "uct(simulations=0)",
        "uct(seconds=100)",
        "uct(playouts=100000)",
        "alphabeta(depth=11)",
        "alphabeta(max_seconds=1000)",
        "minimax(depth=7)",
        "alphabeta(table_entries=4000000000)",
        "nonsense",
        "run-0123456789abcdef",
        "run-../../etc",
        "",
        "(" * 300,
    ],
)
def test_agents_that_clients_may_not_have(spec):
    with pytest.raises(ValueError, match=r".+"):
        Catalog().spec(spec, load_game("connect_four"))


@pytest.mark.parametrize(
    "name",
    ["examples/pig.py:Pig", "os:system", "efg_game(filename=/etc/passwd)", "go(board_size=1)", "x" * 999],
)
def test_games_that_clients_may_not_have(name):
    with pytest.raises(GameError):
        Catalog().game(name)


def test_specs_have_their_budgets_written_out():
    catalog, game = Catalog(), load_game("connect_four")
    assert catalog.spec("uct", game) == "uct(simulations=1000)"
    assert catalog.spec("uct(c=2.0,simulations=50)", game) == "uct(c=2.0,simulations=50)"
    assert catalog.spec("alphabeta", game) == "alphabeta(depth=6)"
    assert catalog.spec("strong", game) == "alphabeta(depth=8)"


def test_runs_are_those_under_the_folders_and_no_others(runs):
    catalog = Catalog([runs / "inside"])
    (offer,) = catalog.runs()
    assert offer.name == "small"
    assert offer.rounds == (1, 2)
    game = catalog.game(NAME)
    ids = [opponent.id for opponent in catalog.opponents(NAME)]
    assert ids[-2:] == [f"{offer.id}@2", f"{offer.id}@1"]
    last = Manifest.read(runs / "inside" / "small").sums["weights-00002.safetensors"]
    assert catalog.spec(offer.id, game) == f"run(path={offer.path},round=2,weights={last[:12]})"
    spec = catalog.spec(f"{offer.id}@1", game, simulations=3)
    assert "round=1,simulations=3,weights=" in spec
    state = game.new_initial_state()
    state.apply_action(0)
    assert catalog.agent(spec, game).search(state, seed=1).action in state.legal_actions()
    for wrong in (f"{offer.id}@9", f"{offer.id}@0"):
        with pytest.raises(AgentError, match="no weights"):
            catalog.spec(wrong, game)
    with pytest.raises(AgentError, match="has learned"):
        catalog.spec(offer.id, load_game("nannon"))
    with pytest.raises(AgentError, match="simulations=2001"):
        catalog.spec(offer.id, game, simulations=2001)
    lines = catalog.metrics(offer.id)
    assert [line["round"] for line in lines] == [1, 2]
    assert catalog.metrics(offer.id, 1) == lines[1:]
    assert catalog.metrics(offer.id, 99) == []
    with pytest.raises(RunError, match="no run"):
        catalog.metrics("run-0000000000000000")
    with pytest.raises(RunError, match="no folder"):
        Catalog([runs / "nowhere"])


def test_files_that_are_links_out_of_the_folders_are_not_read(runs, tmp_path):
    shutil.copytree(runs / "outside", tmp_path / "run")
    metrics = tmp_path / "run" / "metrics.jsonl"
    metrics.unlink()
    metrics.symlink_to(runs / "outside" / "metrics.jsonl")
    assert Catalog([tmp_path]).runs() == ()
    assert len(Catalog([tmp_path, runs / "outside"]).runs()) == 2


def test_a_run_whose_game_is_somebodys_file_is_listed_but_the_file_is_not_run(runs, tmp_path):
    shutil.copytree(runs / "outside", tmp_path / "run")
    evil = tmp_path / "evil.py"
    evil.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    config = tmp_path / "run" / "config.json"
    config.write_text(config.read_text().replace(NAME, f"{evil}:Game"))
    catalog = Catalog([tmp_path])
    for offer in catalog.runs():
        with pytest.raises(AgentError):
            catalog.spec(offer.id, load_game("nannon"))
    assert not (tmp_path / "ran").exists()


def test_a_session_plays_grades_and_tells(hall):
    session = hall.open("nannon", "casual", seat=1, seed=5)
    assert len(session.id) >= 24
    assert hall.get(session.id) is session
    graded = []
    session.settle()
    while not session.table.over:
        graded.append(len(session.table.actions))
        session.play(max(session.table.legal()))
        session.settle()
    deadline = time.monotonic() + 20
    while len(session.grades()) < len(graded) and time.monotonic() < deadline:
        time.sleep(0.01)
    story = session.story().result(20)
    assert list(session.grades()) == graded
    for ply, grade in session.grades().items():
        assert story.points[ply + 1].grade == grade
    session.undo()
    assert list(session.grades()) == graded[:-1]
    session.retry()
    assert session.grades() == {}
    hall.close(session.id)
    with pytest.raises(NoTableError):
        hall.get(session.id)


def test_tables_are_limited_and_idle_ones_make_room():
    hall = Hall(Catalog(), limit=2, idle_seconds=0.2)
    first = hall.open("tic_tac_toe", "beginner")
    hall.open("tic_tac_toe", "beginner")
    with pytest.raises(FullError, match="all 2 tables are taken"):
        hall.open("tic_tac_toe", "beginner")
    time.sleep(0.25)
    hall.open("tic_tac_toe", "beginner")
    assert len(hall) == 1
    with pytest.raises(NoTableError):
        hall.get(first.id)
    hall.shutdown()


def test_sessions_do_not_mix(hall):
    games = [hall.open("nannon", "club", seat=i % 2, seed=i) for i in range(12)]
    assert len({session.id for session in games}) == 12

    def play(session):
        session.settle()
        while not session.table.over:
            session.play(min(session.table.legal()))
            session.settle()

    threads = [threading.Thread(target=play, args=(session,)) for session in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i, session in enumerate(games):
        alone = hall.open("nannon", "club", seat=i % 2, seed=i)
        play(alone)
        assert alone.table.actions == session.table.actions


def test_an_opponent_that_cannot_be_had_leaves_no_table(hall):
    for game, opponent in (("nannon", "nonsense"), ("nowhere", "club"), ("connect_four", "optimal")):
        with pytest.raises(ValueError, match=r".+"):
            hall.open(game, opponent)
    with pytest.raises(ValueError, match="seat"):
        hall.open("nannon", "club", seat=2)
    assert len(hall) == 0


def test_a_pool_refuses_more_than_may_wait():
    pool, gate = Pool("test", workers=1, waiting=2), threading.Event()
    futures = [pool.submit(gate.wait, 10), pool.submit(gate.wait, 10)]
    with pytest.raises(BusyError, match="2 are waiting"):
        pool.submit(gate.wait, 10)
    gate.set()
    assert all(future.result(5) for future in futures)
    assert pool.submit(os.getpid).result(5) == os.getpid()
    pool.close()
    with pytest.raises(BusyError, match="closing"):
        pool.submit(os.getpid)
