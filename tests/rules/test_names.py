"""Names are parsed, never pasted: any text is a value, and is read back as it was written."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dicezero.rules import GameError
from dicezero.rules.names import Name, parse_name

WORDS = st.from_regex(r"[A-Za-z0-9_]+", fullmatch=True)
GRAMMAR = st.text(st.sampled_from('"\\(),= ab\n\t\x1c'), max_size=12)
ANYTHING = st.text(st.characters(exclude_categories=()), max_size=30)  # lone surrogates too, as in file names
VALUES = GRAMMAR | ANYTHING


@settings(max_examples=500, deadline=None)
@given(WORDS, st.dictionaries(WORDS, VALUES, max_size=4))
@example("run", {"path": "a,b (c)", "x": '"', "y": "\\", "z": '\\"', "e": "", "s": " "})
@example("run", {"path": 'k(a="b,)")', "q": 'a="b', "r": "a)(b"})
def test_every_text_is_a_value(word, parameters):
    name = parse_name(str(Name(word, parameters)))
    assert (name.word, name.parameters) == (word, parameters)
    assert str(name) == str(Name(word, parameters))


@settings(max_examples=300, deadline=None)
@given(WORDS, st.dictionaries(WORDS, VALUES, max_size=3))
def test_a_name_is_a_value_of_a_name(word, parameters):
    inner = str(Name(word, parameters))
    outer = parse_name(str(Name("outer", {"game": inner, "x": "1"})))
    assert outer.parameters == {"game": inner, "x": "1"}
    assert parse_name(outer.parameters["game"]).parameters == parameters


@settings(max_examples=500, deadline=None)
@given(st.text(st.sampled_from('ab"\\(),= '), max_size=20) | ANYTHING)
def test_any_text_is_a_name_or_refused(text):
    try:
        name = parse_name(text)
    except GameError:
        return
    assert parse_name(str(name)) == name


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('run(path="a,b (c)")', "a,b (c)"),
        ('run( path = "a" )', "a"),
        (r'run(path="say \"hi\"")', 'say "hi"'),
        (r'run(path="C:\\runs\\a")', r"C:\runs\a"),
        (r'run(path="C:\runs\a")', r"C:\runs\a"),
        ('run(path=5" disk)', '5" disk'),
        ('run(path="")', ""),
        ("run(path=a(b,c)d)", "a(b,c)d"),
        ('run(path=x="y)', 'x="y'),
    ],
)
def test_quotes_and_escapes(text, value):
    assert parse_name(text).parameters == {"path": value}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "run(path=a,b)",
            "'b' in .* is not a parameter; .*a value with a comma in quotes",
        ),
        ("run(path=a)b)", "goes on after its closing bracket"),
        ('run(path="a', "no closing bracket"),
        ('run(path="a)', "no closing bracket"),
        ('run(path="a"b)', "does not end with its quotes"),
        ('run(path="a",path=b)', "given twice"),
        ("run(path=)", "has no value"),
    ],
)
def test_what_leaves_the_grammar_is_refused(text, message):
    with pytest.raises(GameError, match=message):
        parse_name(text)
