"""Go: the plain twin, OpenSpiel, GNU Go's count, superko, planes, symmetries."""

from __future__ import annotations

import importlib.util
import random
import shutil
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero import _native
from dicezero.rules import load_game

sys.path.insert(0, str(Path(__file__).parent))
from plain_go import PlainGo

GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")


def play(state, *vertices: str):
    for vertex in vertices:
        state.apply_action(state.string_to_action(vertex))
    return state


@settings(max_examples=25, deadline=None)
@given(
    size=st.sampled_from([2, 3, 4, 5, 7]),
    komi=st.sampled_from([0.0, 0.5, 3.0, 7.5]),
    seed=st.integers(0, 2**32),
)
def test_random_games_equal_the_plain_twin(size: int, komi: float, seed: int) -> None:
    rng = random.Random(seed)
    state, plain = load_game(f"go(board_size={size},komi={komi})").new_initial_state(), PlainGo(size, komi)
    while not state.is_terminal():
        assert not plain.is_over()
        legal = state.legal_actions()
        assert legal == plain.legal()
        # Passes would end small games before anything repeats.
        action = rng.choice(legal if rng.random() < 0.1 or len(legal) == 1 else legal[:-1])
        state.apply_action(action)
        plain.play(action)
    assert plain.is_over()
    assert state.score() == plain.lead()
    assert state.returns()[0] == np.sign(plain.lead())


def test_random_games_equal_openspiel() -> None:
    pytest.importorskip("pyspiel")
    path = Path(__file__).parents[2] / "tools" / "compare_go.py"
    spec = importlib.util.spec_from_file_location("compare_go", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rng = random.Random(1)
    seen: Counter[str] = Counter()
    for size, games in ((5, 60), (9, 10), (19, 1)):
        for _ in range(games):
            seen += module.random_game(size, rng)
    assert seen["repetitions refused"] > 0


@pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed")
def test_finished_games_have_gnugos_score() -> None:
    """Games played to the end with no eye filled: nothing is left to disagree about but the count."""
    from dicezero.agents.gtp import GtpConnection

    gnugo = GtpConnection(
        [str(GNUGO), "--mode", "gtp", "--chinese-rules", "--level", "1"], timeout_seconds=60
    )
    rng = random.Random(2)
    for size in (5, 5, 7, 9):
        game = load_game(f"go(board_size={size},komi=0.5,max_moves=1000)")
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = [a for a in state.legal_actions()[:-1] if not is_eye(state, a, size)]
            state.apply_action(rng.choice(legal) if legal else size * size)
        for command in (f"boardsize {size}", "clear_board", "komi 0.5"):
            gnugo.ask(command)
        for y, row in enumerate(str(state).split("\n")[:size]):
            for x, mark in enumerate(row[3::2]):
                if mark in "XO":
                    gnugo.ask(f"play {'b' if mark == 'X' else 'w'} {'ABCDEFGHJ'[x]}{size - y}")
        lead = state.score()
        assert gnugo.ask("final_score") == f"{'B' if lead > 0 else 'W'}+{abs(lead):.1f}"
    gnugo.process.close()


def is_eye(state, point: int, size: int) -> bool:
    """Whether the mover has a one-point eye there."""
    rows = [row[3::2] for row in str(state).split("\n")[:size]][::-1]
    mine = "XO"[state.current_player()]
    row, column = divmod(point, size)

    def at(r: int, c: int) -> str:
        return rows[r][c] if 0 <= r < size and 0 <= c < size else ""

    sides = [at(row - 1, column), at(row + 1, column), at(row, column - 1), at(row, column + 1)]
    corners = [at(row + dr, column + dc) for dr in (-1, 1) for dc in (-1, 1)]
    false = sum(corner not in ("", mine, ".") for corner in corners) + ("" in corners)
    return all(side in ("", mine) for side in sides) and false < 2


def test_play_outs_are_uniformly_random_games() -> None:
    """The fast board of the play-outs and plain random moves give games of one length and one mean result."""
    game = load_game("go(board_size=5,komi=2.5)")
    rng = random.Random(3)
    lengths, results = [], []
    for _ in range(600):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        lengths.append(state.move_number())
        results.append(state.returns()[0])
    count = 20_000
    fast = _native.random_playouts(game, count, seed=4)
    moves, returns = fast[0] / count, fast[1] / count
    assert abs(moves - np.mean(lengths)) < 4 * np.std(lengths) / np.sqrt(600)
    assert abs(returns - np.mean(results)) < 4 * np.std(results) / np.sqrt(600)


def test_a_ko_may_not_be_taken_back_at_once() -> None:
    state = load_game("go(board_size=5)").new_initial_state()
    play(state, "B3", "C3", "C2", "D2", "C4", "D4", "A1", "E3")
    play(state, "D3")  # takes C3
    assert "X" in str(state).split("\n")[2]
    assert state.string_to_action("pass") == 25
    with pytest.raises(ValueError, match="unknown here"):
        state.string_to_action("C3")
    play(state, "A5", "E5", "C3")  # after a move elsewhere the position is another


def test_suicide_is_illegal_and_capturing_is_not() -> None:
    game = load_game("go(board_size=3)")
    assert "A1" not in names(game.new_initial_state("3/X2/1X1 w"))
    assert "A1" in names(game.new_initial_state("3/X2/1X1 b"))
    state = game.new_initial_state("O2/XO1/1X1 w")  # A1 is the last liberty of A2
    play(state, "A1")
    assert state.position().split()[0] == "O2/1O1/OX1"


def names(state) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


def test_two_passes_end_and_komi_decides() -> None:
    state = play(load_game("go(board_size=9,komi=7.5)").new_initial_state(), "pass", "pass")
    assert state.is_terminal()
    assert state.returns() == [-1.0, 1.0]
    assert state.score() == -7.5
    even = play(load_game("go(board_size=9,komi=0)").new_initial_state(), "pass", "pass")
    assert even.returns() == [0.0, 0.0]


def test_position_round_trip() -> None:
    game = load_game("go(board_size=13)")
    rng = random.Random(6)
    state = game.new_initial_state()
    for _ in range(120):
        state.apply_action(rng.choice(state.legal_actions()[:-1]))
    again = game.new_initial_state(state.position())
    assert str(again) == str(state)
    assert again.position() == state.position()
    assert again.current_player() == state.current_player()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("3/3/3", "give the rows"),
        ("3/3/4 b", "3 rows of 3"),
        ("3/3 b", "3 rows of 3"),
        ("3/3/3 x", "side to move 'x'"),
        ("3/3/Z2 b", "'Z' is no stone"),
        ("XO1/O2/3 b", "the stones at A3 have no liberty"),
        ("3/3/3 b 9 0", "passes '9'"),
    ],
)
def test_what_is_no_position_is_refused_in_one_line(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match="position") as caught:
        load_game("go(board_size=3)").new_initial_state(text)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    "name", ["go(board_size=1)", "go(board_size=20)", "go(komi=999)", "go(max_moves=-1)"]
)
def test_sizes_out_of_range_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is out of range; give"):
        load_game(name)


def test_planes() -> None:
    game = load_game("go(board_size=5,komi=5)")
    assert game.observation_tensor_shape() == [15, 5, 5]
    state = play(game.new_initial_state(), "A1", "C3", "B1", "B2", "E5", "A2")
    # Black A1 B1 E5, White C3 B2 A2; Black to move. A1-B1 has one liberty, C1.
    planes = np.asarray(state.observation_tensor()).reshape(15, 5, 5)

    def vertices(plane: int) -> set[str]:
        return {f"{'ABCDE'[x]}{y + 1}" for y, x in zip(*np.nonzero(planes[plane]), strict=True)}

    assert vertices(0) == {"A1", "B1", "E5"}
    assert vertices(1) == {"C3", "B2", "A2"}
    assert [vertices(2 + i) for i in range(5)] == [{"A2"}, {"E5"}, {"B2"}, {"B1"}, {"C3"}]
    assert vertices(7) == set()
    assert vertices(8) == {"A1", "B1"}
    assert vertices(9) == {"E5"}
    assert vertices(10) == {"C3", "B2", "A2"}
    assert planes[11].all()
    assert planes[12].all()
    assert (planes[13] == -1).all()
    assert not planes[14].any()
    other = np.asarray(state.observation_tensor(1)).reshape(15, 5, 5)
    np.testing.assert_array_equal(other[0], planes[1])
    assert not other[12].any()
    assert (other[13] == 1).all()


def test_the_plane_of_forbidden_points_is_what_is_illegal() -> None:
    game = load_game("go(board_size=5)")
    rng = random.Random(9)
    state = game.new_initial_state()
    forbidden = 0
    while not state.is_terminal():
        plane = np.asarray(state.observation_tensor()).reshape(15, 25)
        empty = {i for i in range(25) if not plane[0, i] and not plane[1, i]}
        assert set(np.nonzero(plane[7])[0]) == empty - set(state.legal_actions())
        forbidden += int(plane[7].sum())
        legal = state.legal_actions()
        state.apply_action(rng.choice(legal[:-1] or legal))
    assert forbidden > 0


def test_eight_symmetries() -> None:
    """Turned games have the turned actions legal, the turned planes and one result."""
    game = load_game("go(board_size=5,komi=0.5)")
    symmetries = [(np.array(cells), np.array(actions)) for cells, actions in game.symmetries()]
    assert len({tuple(cells) for cells, _ in symmetries}) == 8
    rng = random.Random(8)
    for cells, actions in symmetries:
        # Element i of what is turned is element cells[i] of what was: where an old point comes to.
        place = np.argsort(actions)
        state, turned = game.new_initial_state(), game.new_initial_state()
        while not state.is_terminal():
            mask, expected = np.zeros(26, bool), np.zeros(26, bool)
            mask[state.legal_actions()] = True
            expected[turned.legal_actions()] = True
            np.testing.assert_array_equal(mask[actions], expected)
            planes = np.asarray(state.observation_tensor()).reshape(15, 25)
            np.testing.assert_array_equal(
                planes[:, cells], np.asarray(turned.observation_tensor()).reshape(15, 25)
            )
            action = rng.choice(state.legal_actions())
            state.apply_action(action)
            turned.apply_action(int(place[action]))
        assert state.returns() == turned.returns()
