"""Games of backgammon as MAT files, held against GNU Backgammon, and of any game as JSON."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero.rules import load_game
from dicezero.rules.notation import (
    Double,
    GameText,
    NotationError,
    first_state,
    json_text,
    mat_text,
    parse_json,
    parse_mat,
    read_games,
    record_text,
    replay,
    suffixes_of,
)

GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
STARTS = ("standard", "nackgammon", "hyper", "hyper2", "hyper1")


def random_game(name: str, seed: int, most: int = 2000) -> GameText:
    rng = random.Random(seed)
    state = load_game(name).new_initial_state()
    actions = []
    while not state.is_terminal() and len(actions) < most:
        legal = [o for o, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        actions.append(rng.choice(legal))
        state.apply_action(actions[-1])
    return GameText(name, tuple(actions), ("Ann: A", "Bob"))


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("seed", range(3))
def test_mat_round_trip(start, seed):
    name = "backgammon" if start == "standard" else f"backgammon(start={start})"
    record = random_game(name, seed)
    (again,) = parse_mat(mat_text(record))
    assert again.game == name
    assert again.players == ("Ann A", "Bob")
    assert str(replay(again)) == str(replay(record))
    assert replay(again).returns() == replay(record).returns()


def test_mat_of_several_games_and_of_one_that_the_second_column_begins():
    one, two = random_game("backgammon", 1, 20), random_game("backgammon", 2, 30)
    both = parse_mat(mat_text(one) + mat_text(two, game_number=2))
    assert [len(str(replay(game))) for game in both] == [len(str(replay(one))), len(str(replay(two)))]
    text = (
        " Game 1\n a : 0                          b : 0\n  1)" + " " * 30 + "31: 8/5 6/5\n  2) 42: 8/4 6/4\n"
    )
    (game,) = parse_mat(text)
    assert game.players == ("b", "a")
    state = replay(game)
    assert [state.checkers(0)[p] for p in (5, 6, 8)] == [2, 4, 2]
    assert [state.checkers(1)[p] for p in (4, 6, 8)] == [2, 4, 2]


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ("", "no .mat file"),
        (" Game 1\n a : 0   b : 0\n  1) 11: 8/7(2)", "line 3: 11 cannot be the roll"),
        (" Game 1\n a : 0   b : 0\n  1) 31: 8/4 6/5", "line 3: '8/4 6/5' is no legal move"),
        (" Game 1\n a : 0   b : 0\n  1) 31: 8/x 6/5", "line 3: '8/x'"),
        (
            " Game 1\n a : 0   b : 0\n  1) Doubles => 2",
            "line 3: Doubles => 2: nobody doubles before",
        ),
        (" Game 1\n a : 0   b : 0\n  1) 31: 8/5 6/5   Doubles => 4", "line 3: Doubles => 4: the cube was 1"),
        (" Game 1\n a : 0   b : 0\n  1) 31: 8/5 6/5   Takes", "line 3: an answer, and nobody has doubled"),
        (
            " Game 1\n a : 0   b : 0\n  1) 31: 8/5 6/5   Doubles => 2\n  2) 31: 8/5 6/5",
            "line 3: a double without an answer",
        ),
        (
            " Game 1\n a : 0   b : 0\n  1) 31: 8/5 6/5   Doubles => 2\n  2) Drops   31: 8/5 6/5",
            "line 4: the double was passed",
        ),
        (
            " Game 1\n a : 0   b : 0\n  1) 31: 8/5 6/5   Doubles => 2\n  2) Takes   31: 8/5 6/5\n"
            "  3) 42: 8/4 6/4   Doubles => 4",
            "line 5: Doubles => 4: the cube is the other player's",
        ),
        (" Game 1\n a : 0   b : 0\n  1) 31: 8/5 6/5   Beavers => 4", "line 3: 'Beavers' is not played here"),
        (" Game 1\n a : 0   b : 0\nhello", "line 3: 'hello' is no row"),
        ('; [Variation "Chess"]\n Game 1\n', "line 1: variation 'Chess'"),
    ],
)
def test_mat_names_the_line_of_a_mistake(rows, complaint):
    with pytest.raises(NotationError, match=re.escape(complaint)):
        parse_mat(rows)


def doubled_game():
    """Doubled by the second player, taken, doubled again and passed."""
    record = random_game("backgammon", 3, most=61)
    state, rolls = first_state(record), []
    for place, action in enumerate(record.actions):
        if state.is_chance_node():
            rolls.append((place, state.turn))
        state.apply_action(action)
    first = next(place for place, turn in rolls[5:] if turn == 1)
    last = next(place for place, turn in rolls if turn == 0 and place > first)
    doubles = (Double(first, True), Double(last, False))
    return replace(record, actions=record.actions[:last], doubles=doubles)


@pytest.mark.parametrize(("write", "parse"), [(mat_text, parse_mat), (json_text, parse_json)])
def test_doubles_are_written_and_read(write, parse):
    record = doubled_game()
    (again,) = parse(write(record))
    assert (again.actions, again.doubles) == (record.actions, record.doubles)


def test_what_a_passed_double_won_is_written_below_who_doubled():
    lines = [line for line in mat_text(doubled_game()).splitlines() if line.strip()]
    assert sum("Doubles => 2" in line for line in lines) == 1
    assert "Doubles => 4" in lines[-2]
    assert "Drops" in lines[-2]
    assert lines[-1].strip() == "Wins 2 points"
    assert lines[-1].index("W") < 20  # the first player's column


def test_doubles_of_a_file_that_cannot_be_are_refused():
    text = json_text(doubled_game())
    for wrong in ("[[0, true]]", "[[3, false], [5, true]]", '[["a", true]]', "[[9999, false]]", "3"):
        changed = re.sub(r'"doubles": \[\[.*\]\]', f'"doubles": {wrong}', text)
        with pytest.raises(NotationError, match="doubles is missing or of the wrong kind"):
            parse_json(changed)


@pytest.mark.skipif(GNUBG is None, reason="needs GNU Backgammon")
def test_gnubg_reads_our_doubles_and_we_read_its(tmp_path):
    record = doubled_game()
    ours, theirs = tmp_path / "ours.mat", tmp_path / "theirs.mat"
    ours.write_text(mat_text(record))
    commands = f"import mat {ours}\nexport match mat {theirs}\nquit\ny\n"
    subprocess.run([GNUBG, "-t", "-q", "-r"], input=commands, capture_output=True, text=True, timeout=60)
    (again,) = parse_mat(theirs.read_text())
    assert (again.actions, again.doubles) == (record.actions, record.doubles)


@pytest.mark.skipif(GNUBG is None, reason="needs GNU Backgammon")
@pytest.mark.parametrize(("start", "seed"), [("standard", 3), ("nackgammon", 4), ("hyper", 5)])
def test_gnubg_reads_what_we_write_and_we_read_what_it_writes(tmp_path, start, seed):
    name = "backgammon" if start == "standard" else f"backgammon(start={start})"
    record = random_game(name, seed, most=61)
    ours, theirs = tmp_path / "ours.mat", tmp_path / "theirs.mat"
    ours.write_text(mat_text(record))
    commands = f"import mat {ours}\nshow fen\nshow board\nexport match mat {theirs}\nquit\ny\n"
    told = subprocess.run(
        [GNUBG, "-t", "-q", "-r"], input=commands, capture_output=True, text=True, timeout=60
    )
    assert "Invalid move" not in told.stdout + told.stderr
    assert "WARNING" not in told.stdout + told.stderr
    text = theirs.read_text()
    if start != "standard" and "Variation" not in text:
        text = mat_text(record).split("\n", 1)[0] + "\n" + text
    (again,) = parse_mat(text)
    moves = min(len(again.actions), len(record.actions))
    assert moves >= min(len(record.actions), 61) - 1
    shorter = GameText(name, again.actions[:moves])
    assert str(replay(shorter)) == str(replay(GameText(name, record.actions[:moves])))


@pytest.mark.parametrize(
    "name",
    ["nannon", "connect_four", "2048", "backgammon(start=hyper1)", "go(board_size=5)", "chess"],
)
def test_json_of_any_game(name, tmp_path):
    record = random_game(name, 7, most=60)
    text = json_text(record)
    (again,) = parse_json(text)
    assert again == record
    assert json.loads(text)["format"] == "dicezero-game"
    file = tmp_path / "games.jsonl"
    file.write_text(record_text(record, ".jsonl") * 2)
    assert read_games(file) == (record, record)
    assert suffixes_of(name)[-1] == ".json"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda text: text.replace('"x3"', '"x9"', 1), "line 10: move 1"),
        (lambda text: text.replace('"players"', "players"), "line 5: this is no JSON"),
        (lambda text: text.replace("dicezero-game", "x"), "line 1"),
        (lambda text: text.replace('"version": 1', '"version": 2'), "line 3"),
        (lambda text: text.replace('"game": "connect_four"', '"game": 3'), "line 4"),
        (lambda text: text.replace('"x3"', "[3]", 1), "line 9: moves"),
        (lambda text: text.replace("connect_four", "no_such_game"), "no_such_game"),
        (lambda text: text.replace("connect_four", "evil.py:Game"), "evil.py"),
    ],
)
def test_json_names_the_line_of_a_mistake(change, complaint):
    text = json_text(GameText("connect_four", (3, 3, 2)))
    with pytest.raises(NotationError, match=complaint):
        parse_json(change(text))


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=300), at=st.integers(0, 400))
def test_whatever_a_file_holds_it_is_read_or_refused(text, at):
    record = random_game("backgammon", 1, 20)
    for parse, good in ((parse_mat, mat_text(record)), (parse_json, json_text(record))):
        for damaged in (text, good[:at] + text + good[at:]):
            try:
                games = parse(damaged)
            except NotationError:
                continue
            for game in games:
                replay(game)
