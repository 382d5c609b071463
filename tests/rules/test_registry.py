"""Names and objects: what load_game takes, what it refuses, and how it says so."""

import builtins
import contextlib
import random
import string
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero import _native, load_game
from dicezero.rules import GameError, list_games, load_object, openspiel
from dicezero.rules.names import parse_name


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("nannon", "nannon(points=6,checkers=3,sides=6)"),
        ("nannon()", "nannon(points=6,checkers=3,sides=6)"),
        (" nannon ( sides = 4 , points = 12 ) ", "nannon(points=12,checkers=3,sides=4)"),
        ("nannon(points=12,checkers=5,sides=6)", "nannon(points=12,checkers=5,sides=6)"),
        ("tic_tac_toe", "tic_tac_toe"),
        ("tic_tac_toe()", "tic_tac_toe"),
        ("connect_four(columns=4)", "connect_four(rows=6,columns=4)"),
    ],
)
def test_a_name_and_its_defaults(name, full):
    assert str(load_game(name)) == full


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nannon(points=0)", r"points=0 is out of range; give 2\.\.20"),
        ("nannon(sides=9)", r"sides=9 is out of range; give 2\.\.points=6"),
        ("nannon(checkers=6,sides=6)", r"checkers=6 is out of range; give 1\.\.sides-1=5"),
        ("nannon(checkers=0)", "checkers=0 is out of range"),
        ("nannon(points=-3)", "points=-3 is out of range"),
        ("nannon(points=abc)", "points='abc' is not a whole number"),
        ("nannon(points=6.0)", "points='6.0' is not a whole number"),
        ("nannon(points=٦)", "is not a whole number"),
        ("nannon(points=4294967302)", "points=4294967302 does not fit 32 bits"),
        (f"nannon(points={'9' * 6000})", "does not fit 32 bits"),
        ("nannon(pionts=6)", "unknown parameter 'pionts'; did you mean points"),
        ("tic_tac_toe(size=4)", "unknown parameter 'size'; it takes none"),
        ("nannon(points=6,points=6)", "points is given twice"),
        ("nannon(points)", "'points' in .* is not a parameter; write key=value"),
        ("nannon(points=)", "points in .* has no value"),
        ("nannon(,)", "is not a parameter"),
        ("nannon(points=6", "has no closing bracket"),
        ("nannon(points=6))", "goes on after its closing bracket"),
        ("nannon points", "is not a name"),
        ("", "'' is not a name; write name or"),
        ("()", "is not a name"),
        ("examples/pig.py:Pig(target=20)", "load_object.* runs that code and gives its game"),
        ("figure.json", "ExplicitGame.read.* reads a tree"),
        ("connect_four(rows=16)", r"rows=16 is out of range; give 1\.\.15"),
        ("connect_four(rows=15,columns=5)", r"\(rows \+ 1\) \* columns must be at most 64"),
        ("nanon", "unknown game 'nanon'; did you mean nannon"),
        ("conect_four", "did you mean connect_four"),
    ],
)
def test_a_bad_name_is_refused_with_the_remedy(name, message):
    with pytest.raises(GameError, match=message) as refusal:
        load_game(name)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 300


def test_without_openspiel_an_unknown_name_says_how_to_add_it(monkeypatch):
    monkeypatch.setattr(openspiel, "installed", lambda: False)
    with pytest.raises(GameError, match=r"unknown game 'breakthrough'.*pip install .dicezero\[openspiel\]"):
        load_game("breakthrough")
    names = [record.name for record in list_games()]
    assert names == [name for name, _, _ in _native.registered_games()]


def test_importing_dicezero_does_not_import_pyspiel():
    code = "import sys, dicezero; dicezero.load_game('nannon'); sys.exit('pyspiel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def refuses_or_loads(name):
    with contextlib.suppress(GameError):
        load_game(name)


ALPHABETS = (
    string.printable,
    "nanopig(),=123 _",
    "".join(map(chr, [*range(256), 0x2028, 0xD800, 0x1F3B2])),
)


def test_ten_thousand_random_strings_are_refused_quietly(capfd):
    rng = random.Random(2)
    words = [
        "nannon",
        "points",
        "checkers",
        "pig",
        "winscore",
        "misere",
        "game",
        "chess",
        "go",
        "komi",
        "=",
        "(",
        ")",
        ",",
    ]
    for i in range(10_000):
        if i % 2:
            refuses_or_loads("".join(rng.choices(ALPHABETS[i % 3], k=rng.randrange(40))))
        else:
            pieces = rng.choices([*words, "7", "-1", "99999999999", "tru", "\0"], k=rng.randrange(1, 9))
            refuses_or_loads("".join(pieces))
    out, err = capfd.readouterr()
    assert "Traceback" not in err + out


@settings(max_examples=500, deadline=None)
@given(st.text())
def test_any_text_is_loaded_or_refused(name):
    refuses_or_loads(name)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(["nannon", "connect_four", "tic_tac_toe"]),
    st.dictionaries(st.sampled_from(["points", "checkers", "sides", "rows", "columns"]), st.integers()),
)
def test_any_parameters_are_loaded_or_refused(word, parameters):
    name = f"{word}({','.join(f'{key}={value}' for key, value in parameters.items())})"
    try:
        game = load_game(name)
    except GameError:
        return
    assert {**game.get_parameters(), **parameters} == game.get_parameters()


def test_the_grammar_keeps_a_name_inside_a_name():
    name = parse_name("misere(game=pig(winscore=20,players=2),x=1)")
    assert name.word == "misere"
    assert name.parameters == {"game": "pig(winscore=20,players=2)", "x": "1"}


def test_objects_are_returned_as_they_are_or_refused_by_method():
    game = load_game("nannon")
    assert load_game(game) is game
    for wrong in (5, None, object(), [], b"nannon"):
        with pytest.raises(GameError, match=r"is no game: it has no method new_initial_state\(\)"):
            load_game(wrong)
    with pytest.raises(GameError, match="Nannon is a class; give an instance"):
        load_game(type(game))


class Half:
    """A game whose state lacks a method."""

    def new_initial_state(self):
        return object()

    def num_distinct_actions(self):
        return 1

    max_chance_outcomes = num_players = num_distinct_actions


def test_a_state_without_a_method_is_refused_by_its_name():
    with pytest.raises(GameError, match=r"object is no state: it has no method current_player\(\)"):
        load_game(Half())
    broken = Half()
    broken.new_initial_state = lambda: 1 / 0
    with pytest.raises(GameError, match=r"new_initial_state\(\) raised ZeroDivisionError"):
        load_game(broken)


def test_games_are_listed_with_parameters_and_traits():
    records = {record.name: record for record in list_games()}
    nannon = records["nannon"].as_dict()
    assert [p["name"] for p in nannon["parameters"]] == ["points", "checkers", "sides"]
    assert nannon["traits"]["chance"] == "dice"
    assert nannon["traits"]["observation_shape"] == (34,)
    assert records["connect_four"].source == "dicezero"
    for record in records.values():
        if record.source == "dicezero":
            defaults = ",".join(f"{p.name}={p.default}" for p in record.parameters)
            assert load_game(f"{record.name}({defaults})") == load_game(record.name)


GAME_FILE = """
from dicezero import _native, load_game
GAME = load_game("tic_tac_toe")
NUMBER = 3
def make():
    raise AssertionError("functions are not called")
class Made:
    def __init__(self, rows=6, ok=True, scale=1.0, word="a"):
        self.given = (rows, ok, scale, word)
    def new_initial_state(self):
        return GAME.new_initial_state()
"""


def test_objects_from_a_file_or_a_module(tmp_path, monkeypatch):
    path = tmp_path / "random.py"  # named like a module of Python's own, which must stay what it is
    path.write_text(GAME_FILE)
    assert str(load_object(f"{path}:GAME")) == "tic_tac_toe"
    assert load_object(f"{path}:Made").given == (6, True, 1.0, "a")
    assert load_object(f"{path}:Made(rows=5,ok=false,scale=0.5,word=b)").given == (5, False, 0.5, "b")
    assert load_object(f'{path}:Made(rows="5",word="a:b,c")').given == ("5", True, 1.0, "a:b,c")
    assert sys.modules["random"] is random
    (tmp_path / "own_game.py").write_text(GAME_FILE)
    monkeypatch.chdir(tmp_path)
    assert str(load_object("own_game:GAME")) == "tic_tac_toe"
    assert str(load_object("dicezero._native:Nannon(points=8)")) == "nannon(points=8,checkers=3,sides=6)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nothing", "is not MODULE:NAME"),
        (":x", "is not MODULE:NAME"),
        ("x:", "is not MODULE:NAME"),
        ("no_such_module_here:Game", "cannot be imported: No module named"),
        ("nowhere/game.py:Game", "there is no file 'nowhere/game.py'"),
        ("{path}:Gane", "has no 'Gane'; did you mean GAME|has no 'Gane'"),
        ("{path}:NUMBER", "is a int without new_initial_state"),
        ("{path}:GAME(x=1)", "is an object and takes no parameters"),
        ("{path}:make", r"is a function without new_initial_state\(\) or reset\(\) and step\(\)"),
        ("{path}:load_game", "is a function without new_initial_state"),
        ("subprocess:Popen(args=ls)", "is the class Popen without new_initial_state"),
        ("os:system(command=ls)", "is a builtin_function_or_method without|is a function without"),
        ("{path}:Made(cows=1)", "unknown parameter 'cows'; .*it takes rows"),
        ("{path}:Made(", "has no closing bracket"),
        ("{broken}:x", "raised ZeroDivisionError"),
        ("{exits}:x", "raised SystemExit"),
        ("..x:y", "make it importable|cannot be imported"),
    ],
)
def test_an_object_that_cannot_be_had_is_refused(tmp_path, text, message):
    path, broken, exits = tmp_path / "game_file.py", tmp_path / "broken.py", tmp_path / "exits.py"
    path.write_text(GAME_FILE)
    broken.write_text("1 / 0")
    exits.write_text("raise SystemExit(3)")
    with pytest.raises(GameError, match=message):
        load_object(text.format(path=path, broken=broken, exits=exits))


@pytest.mark.parametrize("text", ["nim(pile_sizes=1000000000)", "nim(pile_sizes=1;99999)"])
def test_sizes_in_a_text_are_bounded(text):
    pytest.importorskip("pyspiel")
    with pytest.raises(GameError, match="number above 10000"):
        load_game(text)
    assert load_game("nim(pile_sizes=3;4)").num_distinct_actions() > 0


def test_game_error_is_a_value_error():
    assert issubclass(GameError, builtins.ValueError)
