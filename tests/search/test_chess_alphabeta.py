"""Alpha-beta on chess: mates, quiescence, and an evaluation that sees both colours alike."""

from __future__ import annotations

import random

import pytest

from dicezero.rules import load_game
from dicezero.search.minimax import MinimaxConfig, minimax_search

MATES_IN_TWO = [
    "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1",
    "1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 1",
    "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 1",
    "r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 1",
    "5rkr/pp2Rp2/1b1p1Pb1/3P2Q1/2n3P1/2p5/P4P2/4R1K1 w - - 1 1",
    "1r1kr3/Nbppn1pp/1b6/8/6Q1/3B1P2/Pq3P1P/3RR1K1 w - - 1 1",
    "5rk1/1p1q2bp/p2pN1p1/2pP2Bn/2P3P1/1P6/P4QKP/5R2 w - - 1 1",
    "r1nk3r/2b2ppp/p3b3/3NN3/Q2P3q/B2B4/P4PPP/4R1K1 w - - 1 1",
    "6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "r4rk1/1R1R2p1/7p/8/8/3Q1Ppq/P7/6K1 w - - 0 1",
]
MATES_IN_THREE = [
    "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
    "1r3r1k/5Bpp/8/8/P2qQ3/5R2/1b4PP/5K2 w - - 0 1",
    "3r1r1k/1p3p1p/p2p4/4n1NN/6bQ/1BPq4/P3p1PP/1R5K w - - 0 1",
    "r3k2r/ppp2Npp/1b5n/4p2b/2B1P2q/BQP2P2/P5PP/RN5K w kq - 1 1",
    "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1",
    "1k5r/pP3ppp/3p2b1/1BN1n3/1Q2P3/P1B5/KP3P1P/7q w - - 1 1",
    "3r4/pR2N3/2pkb3/5p2/8/2B5/qP3PPP/4R1K1 w - - 1 1",
    "R6R/1r3pp1/4p1kp/3pP3/1r2qPP1/7P/1P1Q3K/8 w - - 1 1",
    "4r1k1/5bpp/2p5/3pr3/8/1B3pPq/PPR2P2/2R2QK1 b - - 0 1",
]


def search(fen: str, game: str = "chess", **settings: object):
    loaded = load_game(game)
    state = loaded.new_initial_state(fen)
    return state, minimax_search(loaded, state, MinimaxConfig(**settings))


@pytest.mark.parametrize(
    ("fen", "moves"), [(fen, 2) for fen in MATES_IN_TWO] + [(fen, 3) for fen in MATES_IN_THREE]
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
