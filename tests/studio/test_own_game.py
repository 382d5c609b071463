"""A game of somebody's own, from its file to the browser and on to another folder."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from contextlib import contextmanager

import chromium
import pytest
from chromium import begin, choose
from own_games import DICE, GRID, PUZZLE

from dicezero.cli import main
from dicezero.rules import GameError, load_game, load_object
from dicezero.studio import messages as m
from dicezero.studio.catalog import Catalog
from dicezero.studio.hall import Hall
from dicezero.studio.own_games import rules_of, split_name
from dicezero.studio.service import Service

TINY = ["--rounds", "1", "--set", "games=4", "--set", "hidden=8", "--set", "widths=8,8"]
TINY += ["--set", "play.simulations=4"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with three games and a run of each, made by the commands a user would type."""
    folder = tmp_path_factory.mktemp("hobby")
    for file, code, preset in (
        ("race.py", DICE, "gumbel-ndmz"),
        ("blocks.py", GRID, "gumbel-alphazero"),
        ("coins.py", PUZZLE, "gumbel-alphazero"),
    ):
        (folder / file).write_text(code, encoding="utf-8")
        game = f"{folder / file}:{file[:-3].capitalize()}"
        assert main(["check", game, "--games", "20"]) == 0
        assert main(["train", preset, "--game", game, "--out", str(folder / "runs" / file[:-3]), *TINY]) == 0
    return folder


@contextmanager
def command(*words):
    """``dicezero studio`` as its own process; gives the address it prints."""
    code = "import sys; from dicezero.cli import main; raise SystemExit(main(sys.argv[1:]))"
    line = [sys.executable, "-c", code, "studio", *words, "--port", "0", "--no-open"]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().split()[2]
    finally:
        process.terminate()
        process.communicate(timeout=20)


@contextmanager
def other_tab(window, address):
    """The page at another address; the tests' own page stays as it is."""
    before = window.driver.current_window_handle
    window.driver.switch_to.new_window("tab")
    try:
        window.size(1280)
        window.driver.get(address)
        window.wait(".tile")
        yield window
    finally:
        window.driver.close()
        window.driver.switch_to.window(before)


def play_on(browser):
    """Clicks the first move until the game is over."""
    clicks = 0
    while not browser.all(".grade.end"):
        clicks += browser.clicked(".board .move")
        assert clicks < 60
    return clicks


def test_in_the_terminal_it_is_solved_played_measured_and_opened_elsewhere(
    made, tmp_path, capsys, monkeypatch
):
    """The hobbyist's chain without a browser, for the dice game and for the puzzle with rewards."""
    race, coins = f"{made}/race.py:Race", f"{made}/coins.py:Coins"
    capsys.readouterr()
    assert main(["solve", race, "--json"]) == 0
    assert 0.5 < json.loads(capsys.readouterr().out)["first_player_win"] < 1.0
    assert main(["solve", coins, "--json"]) == 0
    capsys.readouterr()
    best = 3 + 1 + 4 + 2 + 0 + 0  # every coin, one step at a time
    words = ["evaluate", str(made / "runs" / "coins"), "--game", coins, "--games", "3", "--json"]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["mean_return"] <= best
    monkeypatch.setattr("sys.stdin", io.StringIO("step\n" * 6))
    assert main(["play", f"run(path={made}/runs/coins)", "--game", coins]) == 0
    assert f"You got {best}." in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("keep\n" * 8))
    assert main(["play", f"run(path={made}/runs/race)", "--game", race, "--seed", "1"]) == 0
    assert "keep" in capsys.readouterr().out
    elsewhere = tmp_path / "a friend's"
    shutil.copytree(made / "runs" / "coins", elsewhere)
    assert main(["evaluate", str(elsewhere), "--games", "2", "--json"]) == 2
    refused = capsys.readouterr().err.strip()
    assert len(refused.splitlines()) == 1
    assert "--trust" in refused
    assert "--game" in refused
    assert main(["evaluate", str(elsewhere), "--games", "2", "--trust", "--json"]) == 0
    assert main(["evaluate", str(elsewhere), "--games", "2", "--game", coins, "--json"]) == 0


def test_from_a_file_to_the_browser_and_on_to_another_folder(made, window, tmp_path, capsys):
    for name in ("race", "blocks"):
        game = f"{made / name}.py:{name.capitalize()}"
        words = [str(made / "runs" / name), "--game", game, "--games", "4", "--opponent", "random", "--json"]
        assert main(["evaluate", *words]) == 0
        assert "mean_return" in json.loads(capsys.readouterr().out.splitlines()[-1])
    chromium.require_chromium()
    (made / "tree.json").write_text("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", encoding="utf-8")
    names = [
        f"{made}/race.py:Race",
        f"{made}/blocks.py:Blocks",
        f"{made}/coins.py:Coins",
        f"{made}/tree.json",
    ]
    with command(str(made / "runs"), "--game", *names) as address, other_tab(window, address) as page:
        begin(page, "Race (race.py)", "race, round 1", seed=5)  # named first, so it is there from the start
        assert "Whoever is past the goal first wins." in "".join(page.all(".rules"))
        drawn = "const i = document.querySelector('.board img.own'); return i.complete && i.naturalWidth"
        page.until("what to_svg() draws", lambda: page.run(drawn) == 400)
        assert play_on(page) >= 2
        begin(page, "Blocks (blocks.py)", "blocks, round 1")
        assert "whoever cannot has lost" in "".join(page.all(".rules"))
        assert page.run("return document.querySelectorAll('.board.grid .move.single').length") == 9
        assert play_on(page) >= 2
        begin(page, "tree.json", "Club")
        page.press("h")
        page.until(
            "a hint", lambda: "a1: +3.00 expected points, says perfect play" in "".join(page.all(".status"))
        )
        begin(page, "Coins (coins.py)", "coins, round 1")
        assert "keep the coin you step on" in "".join(page.all(".rules"))
        page.press("h")
        page.until("advice", lambda: "coins, round 1 would play" in "".join(page.all(".status")))
        assert play_on(page) >= 3
        assert "You got" in "".join(page.all(".end h2"))
        assert "Your score" in "".join(page.all(".line h2"))
        assert page.complaints() == []
    moved = tmp_path / "elsewhere"
    shutil.move(made / "runs", moved)
    for file in made.glob("*.py"):
        file.unlink()
    with command(str(moved), "--trust") as address, other_tab(window, address) as page:
        begin(page, "Race (race.py)", "race, round 1", seed=5)
        assert play_on(page) >= 2
        begin(page, "Blocks (blocks.py)", "blocks, round 1")
        assert play_on(page) >= 2
        page.click(".q-tab", "Learn")
        page.click("[data-play]", "play")
        page.until("the run's own game", lambda: "round 1" in "".join(page.all(".players")))
        choose(page, "Opponent", "Beginner")
        assert page.complaints() == []


def test_parameters_are_fields_and_a_run_is_found_by_what_it_has_learned(made_catalog):
    catalog, place = made_catalog
    offer = next(offer for offer in catalog.games() if offer.name.startswith(place))
    assert [(one.name, one.default) for one in offer.parameters] == [("goal", 6), ("sides", 3)]
    short = catalog.game(f"{place}(goal=4,sides=2)")
    assert (short.goal, short.sides) == (4, 2)
    same = catalog.game(f"{place}(goal=6,sides=3)")  # every field written out is the game itself
    assert same is catalog.game(place)
    for wrong, words in (
        ("(gaol=4)", "did you mean goal"),
        ("(goal=99999)", "at most"),
        ("(goal=x)", "whole"),
    ):
        with pytest.raises(GameError, match=words):
            catalog.game(place + wrong)
    file, kind, *_ = rules_of(same)  # the file has the idea, the class the details
    assert file == "Kept or given: a race with one die."
    assert kind.startswith("Run to the goal.")
    service = Service(Hall(catalog))
    view = service.new(m.NewGame(game=f"{place}(goal=4)", opponent="random"))
    assert view.legal


def test_code_beside_a_run_is_not_run_and_the_page_says_what_to_do(tmp_path):
    (tmp_path / "race.py").write_text(DICE, encoding="utf-8")
    words = ["train", "gumbel-ndmz", "--game", f"{tmp_path}/race.py:Race", "--out", f"{tmp_path}/run"]
    assert main([*words, *TINY]) == 0
    service = Service(Hall(Catalog([tmp_path])))
    (run,) = service.runs().runs
    assert run.rounds == []
    assert "--trust" in run.locked
    for ask in (
        lambda: service.new(m.NewGame(game=run.game, opponent="random")),
        lambda: service.new(m.NewGame(game="nannon", opponent=run.id)),
    ):
        with pytest.raises(ValueError, match="--trust"):
            ask()


def test_a_named_file_opens_the_runs_of_the_same_code_with_other_parameters(tmp_path):
    (tmp_path / "race.py").write_text(DICE, encoding="utf-8")
    game = f"{tmp_path}/race.py:Race(goal=4)"
    assert main(["train", "gumbel-ndmz", "--game", game, "--out", f"{tmp_path}/run", *TINY]) == 0
    place = f"{tmp_path}/race.py:Race"
    catalog = Catalog([tmp_path / "run"], games={place: load_game(load_object(place))})
    (run,) = catalog.runs()
    assert run.rounds == (1,)
    assert f"{run.id}@1" in [one.id for one in catalog.opponents(f"{place}(goal=4,sides=3)")]
    assert f"{run.id}@1" not in [one.id for one in catalog.opponents(place)]


@pytest.fixture
def made_catalog(tmp_path):
    (tmp_path / "race.py").write_text(DICE, encoding="utf-8")
    place = f"{tmp_path}/race.py:Race"
    return Catalog(games={place: load_game(load_object(place))}), place


@pytest.mark.parametrize(
    ("name", "place", "word", "parameters"),
    [
        ("a/b.py:C(d=1)", "a/b.py:", "C", {"d": "1"}),
        ('x(path="a:b")', "", "x", {"path": "a:b"}),
        ("nannon(points=4)", "", "nannon", {"points": "4"}),
        ("tree.json", "tree.json", "", {}),
    ],
)
def test_names_are_split_before_their_own_word(name, place, word, parameters):
    found, own = split_name(name)
    assert (found, own.word, own.parameters) == (place, word, parameters)
