"""Alpha-beta on chess: mates, quiescence, and an evaluation that sees both colours alike."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from dicezero.rules import load_game
from dicezero.search.minimax import MinimaxConfig, minimax_search

MATES = json.loads((Path(__file__).parent / "mates.json").read_text(encoding="utf-8"))


def search(fen: str, game: str = "chess", **settings: object):
    loaded = load_game(game)
    state = loaded.new_initial_state(fen)
    return state, minimax_search(loaded, state, MinimaxConfig(**settings))


@pytest.mark.parametrize(
    ("fen", "moves"), [(fen, 2) for fen in MATES["in_two"]] + [(fen, 3) for fen in MATES["in_three"]]
)
def test_mates_are_found_and_proved(fen: str, moves: int) -> None:
    """Not a ply earlier than it can be, and python-chess agrees that it is one."""
    chess = pytest.importorskip("chess")
    assert search(fen, depth=2 * moves - 2)[1].value < 1.0
    state, result = search(fen, depth=2 * moves - 1)
    assert result.value == 1.0  # no evaluation is: only a mate
    board = chess.Board(fen)
    for action in result.principal_variation:
        board.push_uci(state.uci(action))
        state.apply_action(action)
    assert board.is_checkmate()
    assert len(result.principal_variation) == 2 * moves - 1


def test_quiescence_sees_the_recapture() -> None:
    """One ply deep the queen takes a protected pawn; looking at captures it does not."""
    fen = "6k1/5ppp/4p3/3p4/8/3Q4/5PPP/6K1 w - - 0 1"
    state, blind = search(fen, depth=1)
    assert state.action_to_string(blind.action) == "Qxd5"
    state, seeing = search(fen, depth=1, quiescence=6)
    assert state.action_to_string(seeing.action) != "Qxd5"


def flipped(fen: str) -> str:
    """The same position with the colours exchanged."""
    placement, turn, castling, passed, *clocks = fen.split()
    ranks = "/".join(reversed(placement.split("/"))).swapcase()
    rights = "".join(sorted(castling.swapcase()))
    square = passed if passed == "-" else passed[0] + str(9 - int(passed[1]))
    return " ".join([ranks, "b" if turn == "w" else "w", rights, square, *clocks])


@pytest.mark.parametrize("game", ["chess", "gardner_chess"])
def test_both_colours_are_valued_alike(game: str) -> None:
    rng = random.Random(1)
    loaded = load_game(game)
    done = 0
    while done < 20:
        state = loaded.new_initial_state()
        for _ in range(rng.randrange(40)):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        if state.is_terminal():
            continue
        _, here = search(state.position(), game, depth=2, quiescence=4)
        _, there = search(flipped(state.position()), game, depth=2, quiescence=4)
        assert here.value == pytest.approx(there.value, abs=1e-12)
        done += 1


def test_pruning_and_table_change_no_value() -> None:
    """Plain minimax, alpha-beta, and alpha-beta with a table give one value."""
    fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
    _, plain = search(fen, algorithm="minimax", depth=3)
    _, pruned = search(fen, depth=3, table_entries=0)
    _, tabled = search(fen, depth=3)
    assert plain.value == pruned.value == tabled.value
    assert pruned.nodes < plain.nodes / 4


def test_gardner_chess_is_searched_too() -> None:
    state, result = search("4k/5/3QK/5/5 w - - 0 1", "gardner_chess", depth=4)
    assert result.value == 1.0
    assert state.action_to_string(result.action).endswith("#")
