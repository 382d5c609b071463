"""SGF and PGN: out, in again, other programs' files, and junk."""

from __future__ import annotations

import io
import random
from dataclasses import replace
from pathlib import Path

import pytest

from dicezero.rules import load_game
from dicezero.rules.notation import (
    GameText,
    NotationError,
    file_text,
    parse_pgn,
    parse_sgf,
    pgn_text,
    read_games,
    replay,
    sgf_text,
)


def random_record(name: str, seed: int, *, start: str | None = None, most: int = 400) -> GameText:
    rng = random.Random(seed)
    state = load_game(name).new_initial_state(*([start] if start else []))
    actions = []
    while not state.is_terminal() and len(actions) < most:
        actions.append(rng.choice(state.legal_actions()))
        state.apply_action(actions[-1])
    return GameText(name, tuple(actions), ('a "b" \\c]', "d"), start=start)


@pytest.mark.parametrize("seed", range(3))
def test_sgf_round_trip(seed: int) -> None:
    record = random_record("go(board_size=9,komi=6.5)", seed)
    text = sgf_text(record)
    (again,) = parse_sgf(text)
    assert again.actions == record.actions
    assert again.players == record.players
    assert (again.game, again.start) == (record.game, None)
    lead = replay(record).score()
    assert again.result == f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"


def test_sgf_of_a_start_position() -> None:
    record = random_record("go(board_size=5,komi=0.5)", 1, start="2X2/5/1O3/5/5 w", most=6)
    (again,) = parse_sgf(sgf_text(record))
    assert again.actions == record.actions
    assert str(replay(again)) == str(replay(record))


def test_sgf_of_other_programs() -> None:
    """Variations after the main line, lower-case letters of FF[3], rectangles, comments with brackets."""
    text = (
        "(;GM[1]FF[3]SiZe[9]KM[5.5]PlayerBlack[x]AB[aa:ba]PL[W]C[a \\] b (;]"
        ";W[ee](;B[dd]C[main];W[])(;B[cc](;W[aa])(;W[bb])))\n(;SZ[5];B[cc];W[tt])"
    )
    first, second = parse_sgf(text.replace("SiZe", "SZ").replace("PlayerBlack", "PB"))
    state = load_game(first.game).new_initial_state(first.start)
    assert [state.action_to_string(0, state.legal_actions()[-1])] == ["pass"]
    assert len(first.actions) == 3
    assert str(replay(first)).count("X") == 3
    assert second.actions == (12, 25)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is no SGF"),
        ("hello", "where '(' must stand"),
        ("(", "a ')' is missing"),
        ("()", "without a node"),
        ("(;", "a ')' is missing"),
        ("(;SZ[9", "no closing bracket"),
        ("(;SZ)", "has no value"),
        ("(;SZ[99])", "no board of 2 to 19 lines"),
        ("(;KM[x])", "is no komi"),
        ("(;GM[2])", "is not Go"),
        ("(;SZ[9];B[zz])", "is no point"),
        ("(;SZ[9];B[aa];W[aa])", "move 2: W[aa] is illegal"),
        ("(;SZ[9];AB[aa])", "not supported"),
        ("(;SZ[9]AB[aa]AW[ab][ba])", "no liberty"),
        ("(" * 100_000, "a ')' is missing"),
    ],
)
def test_sgf_junk_is_one_line(text: str, complaint: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_sgf(text)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("game", "seed"), [("chess", 1), ("chess", 2), ("gardner_chess", 3)])
def test_pgn_round_trip(game: str, seed: int) -> None:
    record = random_record(game, seed)
    text = pgn_text(record)
    (again,) = parse_pgn(text)
    assert again.actions == record.actions
    assert again.players == record.players
    assert again.result in ("1-0", "0-1", "1/2-1/2", "*")
    assert max(map(len, text.split("\n\n")[1].split("\n"))) <= 80


def test_python_chess_reads_our_pgn_and_we_read_its() -> None:
    pgn = pytest.importorskip("chess.pgn")
    start = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 7"
    records = [random_record("chess", 4), random_record("chess", 5, start=start, most=30)]
    records = [replace(record, players=("one", "two")) for record in records]  # it leaves escapes as they are
    stream = io.StringIO(file_text(records))
    theirs = [pgn.read_game(stream), pgn.read_game(stream)]
    for record, game in zip(records, theirs, strict=True):
        assert not game.errors
        board = game.end().board()
        assert board.fen() == replay(record).position()
        assert game.headers["White"] == record.players[0]
        (again,) = parse_pgn(str(game))
        assert again.actions == record.actions


def test_pgn_of_other_programs() -> None:
    text = """\ufeff[Event "?"]
[White "A"]
; a comment
1. e4 {best (really)} e5 $1 2.Nf3 (2. f4 exf4 (2... d5)) 2... Nc6 3. Bb5 a6 4. 0-0 *

1. d2-d4 d7d5 2. Nb1c3"""
    first, second = parse_pgn(text)
    state = replay(first)
    assert state.position() == "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4"
    assert len(second.actions) == 3


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is no PGN"),
        ("1. e5", "game 1, move 1: 'e5' is no legal move"),
        ("1. e4 {", "closing '}'"),
        ("1. e4 (1. d4", "a ')' is missing"),
        ("1. e4 )", "did not open"),
        ("[White", "where a tag"),
        ('[FEN "junk"]\n1. e4', "six fields"),
        ('[Variant "Crazyhouse"]\n1. e4', "is not known"),
        ("\x00\x01\x02", "no legal move"),
    ],
)
def test_pgn_junk_is_one_line(text: str, complaint: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_pgn(text)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files(tmp_path: Path) -> None:
    record = random_record("go(board_size=5,komi=0.5)", 1)
    path = tmp_path / "games.sgf"
    path.write_text(file_text([record, record]))
    assert [game.actions for game in read_games(path)] == [record.actions] * 2
    with pytest.raises(NotationError, match=r"known: \.sgf, \.pgn, \.mat"):
        read_games(tmp_path / "games.txt")
    with pytest.raises(NotationError, match="nannon has no file notation"):
        file_text([GameText("nannon", ())])
