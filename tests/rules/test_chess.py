"""Chess: published perft counts, python-chess position by position, draws, notation, actions, planes."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from dicezero.rules import load_game
from dicezero.rules.counting import perft

chess = pytest.importorskip("chess")

# The six positions chess programmers test with, and how many lines of how many plies they have.
PERFT = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3_894_594),
]
# Counted by Fairy-Stockfish 14 ("setoption name UCI_Variant value gardner", "go perft 7").
GARDNER_PERFT = [1, 7, 53, 506, 4_775, 52_512, 572_874, 6_947_252]


def state_at(position: str, game: str = "chess"):
    return load_game(game).new_initial_state(position)


@pytest.fixture(scope="module")
def comparison() -> ModuleType:
    path = Path(__file__).parents[2] / "tools" / "compare_chess.py"
    spec = importlib.util.spec_from_file_location("compare_chess", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("fen", "depth", "lines"), PERFT)
def test_perft(fen: str, depth: int, lines: int) -> None:
    assert perft("chess", depth, state_at(fen))[-1] == lines


def test_perft_counts_every_depth() -> None:
    assert perft("chess", 4) == [1, 20, 400, 8_902, 197_281]


def test_perft_goes_on_where_a_game_would_be_drawn() -> None:
    """Published counts know no draw by material: a king may walk on after it took the last rook."""
    fen = "8/8/8/8/8/8/6k1/4K2R b K - 0 1"
    board = chess.Board(fen)

    def lines(depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for move in list(board.legal_moves):
            board.push(move)
            total += lines(depth - 1)
            board.pop()
        return total

    assert perft("chess", 4, state_at(fen))[-1] == lines(4)


def test_gardner_perft() -> None:
    assert perft("gardner_chess", 7) == GARDNER_PERFT


def test_random_games_equal_python_chess(comparison: ModuleType) -> None:
    rng, done = random.Random(16), 0
    while done < 3_000:
        done += comparison.random_game(rng, most=3_000 - done)[0]


def test_random_positions_set_up_by_hand_equal_python_chess(comparison: ModuleType) -> None:
    """Positions no game leads to: any pieces anywhere, every one that python-chess calls valid."""
    rng, done = random.Random(17), 0
    while done < 400:
        board = chess.Board(None)
        squares = rng.sample(range(64), rng.randint(2, 16))
        board.set_piece_at(squares[0], chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(squares[1], chess.Piece(chess.KING, chess.BLACK))
        for square in squares[2:]:
            board.set_piece_at(square, chess.Piece(rng.randint(1, 5), rng.random() < 0.5))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            comparison.compare_position(state_at(board.fen()), board)
            done += 1


@pytest.mark.parametrize(
    ("fen", "end"),
    [
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", "insufficient material"),
        ("8/8/4k3/8/8/3KN3/8/8 w - - 0 1", "insufficient material"),
        ("8/8/4kb2/8/8/3KB3/8/8 w - - 0 1", "insufficient material"),
        ("8/8/4kb2/8/8/3K1B2/8/8 w - - 0 1", ""),
        ("8/8/4kn2/8/8/3KN3/8/8 w - - 0 1", ""),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("R6k/8/6K1/8/8/8/8/8 b - - 0 1", "checkmate"),
        ("4k3/8/8/8/8/8/R7/4K3 w - - 99 80", ""),
        ("4k3/8/8/8/8/8/R7/4K3 w - - 100 80", "fifty moves"),
        ("R6k/8/6K1/8/8/8/8/8 b - - 100 80", "checkmate"),
    ],
)
def test_ends(fen: str, end: str) -> None:
    state = state_at(fen)
    assert state.end() == end
    assert state.is_terminal() == bool(end)


def test_third_occurrence_is_a_draw() -> None:
    state = load_game("chess").new_initial_state()
    for move in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        assert not state.is_terminal()
        state.apply_action(state.string_to_action(move))
    assert state.end() == "repetition"
    assert state.returns() == [0.0, 0.0]


def test_en_passant_square_is_written_only_where_it_can_be_used() -> None:
    state = load_game("chess").new_initial_state()
    state.apply_action(state.string_to_action("e4"))
    assert state.position().split()[3] == "-"
    pinned = "8/8/8/K2pP2q/8/8/8/7k w - d6 0 1"  # taking would open the rank to the queen
    assert state_at(pinned).position().split()[3] == "-"


@pytest.mark.parametrize(
    ("fen", "complaint"),
    [
        ("4k3/8/8/8/8/8/8/4KK2 w - - 0 1", "White has 2 kings"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 0 kings"),
        ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "the side that has just moved is in check"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling right 'K' without"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant 'e6'"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "8 ranks of 8 squares"),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "8 ranks of 8 squares"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move 'x'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "half-move clock 'x'"),
        ("4k3/8/8/8/8/8/8/4K3", "six fields"),
        ("4z3/8/8/8/8/8/8/4K3 w - - 0 1", "'z' is no piece"),
        ("", "six fields"),
    ],
)
def test_what_is_no_position_is_refused_in_one_line(fen: str, complaint: str) -> None:
    with pytest.raises(ValueError, match="position") as caught:
        state_at(fen)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["e4", "e2e4", "e2-e4", "e4!?", "e4+"])
def test_ways_to_name_a_move(text: str) -> None:
    state = load_game("chess").new_initial_state()
    assert state.uci(state.string_to_action(text)) == "e2e4"


@pytest.mark.parametrize("text", ["e5", "Nd2", "", "O-O", "e2e5", "x", "Ke1e2", "=", "-"])
def test_names_of_no_legal_move(text: str) -> None:
    with pytest.raises(ValueError, match="unknown here"):
        load_game("chess").new_initial_state().string_to_action(text)


def test_action_ids_are_alphazeros() -> None:
    """Square times 73 plus plane, from the mover's side: the mirrored position has the same ids."""
    game = load_game("chess")
    assert game.num_distinct_actions() == 4672
    white = game.new_initial_state()
    assert white.string_to_action("e4") == 12 * 73 + 1  # e2, two squares to the north
    assert white.string_to_action("Nf3") == 6 * 73 + 56 + 7  # g1, up two and left one
    ids = white.legal_actions()
    white.apply_action(white.string_to_action("e4"))
    assert white.legal_actions() == ids
    promotions = state_at("1n5k/P7/8/8/8/8/8/K7 w - - 0 1")
    square = 48 * 73
    names = {promotions.action_to_string(a): a - square for a in promotions.legal_actions()}
    assert {name: plane for name, plane in names.items() if name[0] in "ab"} == {
        "a8=Q": 0,
        "axb8=Q+": 7,
        "a8=N": 64 + 3,
        "a8=B": 64 + 4,
        "a8=R": 64 + 5,
        "axb8=N": 64 + 6,
        "axb8=B": 64 + 7,
        "axb8=R+": 64 + 8,
    }
    assert load_game("gardner_chess").num_distinct_actions() == 1225


def test_planes_show_the_last_positions_from_the_movers_side() -> None:
    game = load_game("chess")
    assert game.observation_tensor_shape() == [119, 8, 8]
    assert load_game("chess(history=1)").observation_tensor_shape() == [21, 8, 8]
    assert load_game("gardner_chess").observation_tensor_shape() == [115, 5, 5]
    state, board = game.new_initial_state(), chess.Board()
    boards = [board.copy()]
    rng = random.Random(3)
    for _ in range(11):
        action = rng.choice(state.legal_actions())
        board.push_uci(state.uci(action))
        state.apply_action(action)
        boards.append(board.copy())
    planes = np.asarray(state.observation_tensor()).reshape(119, 8, 8)
    for back in range(8):
        past = boards[-1 - back]
        for k, colour in enumerate((board.turn, not board.turn)):
            for piece in range(1, 7):
                expected = np.zeros((8, 8), np.float32)
                for square in past.pieces(piece, colour):
                    rank = chess.square_rank(square)
                    expected[rank if board.turn else 7 - rank, chess.square_file(square)] = 1
                np.testing.assert_array_equal(planes[14 * back + 6 * k + piece - 1], expected)
    assert (planes[112] == (0 if board.turn else 1)).all()
    assert planes[113, 0, 0] == pytest.approx(board.fullmove_number / 100)
    rights = [board.has_kingside_castling_rights, board.has_queenside_castling_rights]
    expected_rights = [right(colour) for colour in (board.turn, not board.turn) for right in rights]
    assert [bool(planes[114 + i, 0, 0]) for i in range(4)] == expected_rights
    assert planes[118, 0, 0] == pytest.approx(board.halfmove_clock / 100)


def test_repetition_planes() -> None:
    state = load_game("chess").new_initial_state()
    for move in ("Nf3", "Nf6", "Ng1", "Ng8"):
        state.apply_action(state.string_to_action(move))
    planes = np.asarray(state.observation_tensor()).reshape(119, 64)
    assert planes[12].all()
    assert not planes[13].any()
    assert not planes[14 + 12].any()


def test_gardner_chess_has_a_mirror() -> None:
    """The mirrored game of any game has the mirrored actions legal, and the mirrored planes."""
    game = load_game("gardner_chess")
    identity, mirror = game.symmetries()
    assert list(identity[0]) == list(range(25))
    cells, actions = (np.array(part) for part in mirror)
    rng = random.Random(5)
    for _ in range(20):
        state = game.new_initial_state()
        for _ in range(rng.randint(0, 40)):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        if state.is_terminal():
            continue
        placement, rest = state.position().split(" ", 1)
        ranks = ["".join("." * int(c) if c.isdigit() else c for c in rank) for rank in placement.split("/")]
        turned = "/".join(rank[::-1].replace(".", "1") for rank in ranks)
        other = game.new_initial_state(f"{turned} {rest}")
        mask = np.zeros(1225, bool)
        mask[state.legal_actions()] = True
        expected = np.zeros(1225, bool)
        expected[other.legal_actions()] = True
        np.testing.assert_array_equal(mask[actions], expected)
        planes = np.asarray(state.observation_tensor()).reshape(115, 25)
        theirs = np.asarray(other.observation_tensor()).reshape(115, 25)
        np.testing.assert_array_equal(planes[:12, cells], theirs[:12])


def test_a_chess_board_has_no_symmetry() -> None:
    """Castling tells the wings apart."""
    assert len(load_game("chess").symmetries()) == 1


def test_key_tells_positions_with_another_past_apart() -> None:
    game = load_game("chess")
    state = game.new_initial_state()
    for move in ("Nf3", "Nf6", "Ng1", "Ng8"):
        state.apply_action(state.string_to_action(move))
    fresh = game.new_initial_state()
    assert state.position().split()[:4] == fresh.position().split()[:4]
    assert state.key() != fresh.key()  # it may come a third time here, and there not
    again = game.new_initial_state()
    for move in ("Nf3", "Nf6", "Ng1", "Ng8"):
        again.apply_action(again.string_to_action(move))
    assert state.key() == again.key()


def test_history_is_checked() -> None:
    with pytest.raises(ValueError, match=r"history=9 is out of range; give 1\.\.8"):
        load_game("chess(history=9)")
