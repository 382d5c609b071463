"""2048 against OpenSpiel's, and against the rule written out plainly."""

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicezero import _native, load_game
from dicezero.rules import GameError
from dicezero.solve import solve

MOVES = ("Up", "Right", "Down", "Left")


def position(rows, suffix=""):
    return "/".join(".".join(map(str, row)) for row in rows) + suffix


def slide_left(row):
    """The row and what it pays: equal neighbours merge from the left, each tile once."""
    tiles = [tile for tile in row if tile]
    done, paid = [], 0
    while tiles:
        if len(tiles) > 1 and tiles[0] == tiles[1]:
            done.append(2 * tiles[0])
            paid += 2 * tiles[0]
            tiles = tiles[2:]
        else:
            done.append(tiles.pop(0))
    return done + [0] * (len(row) - len(done)), paid


def slid(rows, move):
    """The board after a move and what it pays."""
    if move in ("Up", "Down"):
        columns, paid = slid(
            [list(column) for column in zip(*rows, strict=True)], {"Up": "Left"}.get(move, "Right")
        )
        return [list(row) for row in zip(*columns, strict=True)], paid
    step = 1 if move == "Left" else -1
    lines = [slide_left(row[::step]) for row in rows]
    return [line[::step] for line, _ in lines], sum(paid for _, paid in lines)


@pytest.mark.parametrize("cap", [64, 2048])
def test_every_state_of_random_games_is_openspiels(cap):
    pyspiel = pytest.importorskip("pyspiel")
    rng = random.Random(cap)
    theirs_game, ours_game = pyspiel.load_game(f"2048(max_tile={cap})"), load_game(f"2048(max_tile={cap})")
    ends = set()
    for _ in range(25):
        ours, theirs = ours_game.new_initial_state(), theirs_game.new_initial_state()
        while True:
            assert ours.is_terminal() == theirs.is_terminal()
            assert [tile for row in ours.tiles() for tile in row] == [
                int(word) for word in str(theirs).split()
            ]
            assert ours.returns() == theirs.returns()
            if ours.is_terminal():
                break
            assert ours.current_player() == theirs.current_player()
            if ours.is_chance_node():
                mine, other = ours.chance_outcomes(), theirs.chance_outcomes()
                assert [outcome for outcome, _ in mine] == [outcome for outcome, _ in other]
                assert [p for _, p in mine] == pytest.approx([p for _, p in other])
                action = rng.choices([outcome for outcome, _ in mine], [p for _, p in mine])[0]
                paid = 0.0
            else:
                legal = ours.legal_actions()
                # OpenSpiel forgets that a tile made by the last move may merge again in the next one.
                assert set(theirs.legal_actions()) <= set(legal)
                action = rng.choice(theirs.legal_actions() or legal)
                paid = sum(ours.child(action).returns()) - sum(ours.returns())
            ours.apply_action(action)
            theirs.apply_action(action)
            assert ours.rewards() == [paid]
        ends.add(max(max(row) for row in ours.tiles()) >= cap)
    assert cap > 64 or ends == {True, False}


tiles = st.sampled_from([0, 0, 2, 2, 4, 4, 8, 16, 32768, 65536])


@settings(max_examples=300, deadline=None)
@given(st.integers(2, 4), st.integers(2, 4), st.data())
def test_sliding_is_the_plain_rule_on_every_board(rows, columns, data):
    game = load_game(f"2048(rows={rows},columns={columns})")
    small = tiles if rows * columns == 16 else st.sampled_from([0, 0, 2, 2, 4, 4, 8])
    board = [[data.draw(small) for _ in range(columns)] for _ in range(rows)]
    state = game.new_initial_state(position(board))
    assert state.tiles() == board
    assert state.position() == position(board)
    legal = {MOVES[action] for action in state.legal_actions()}
    assert legal == {move for move in MOVES if slid(board, move)[0] != board}
    assert state.is_terminal() == (not legal)
    for move in legal:
        after = state.child(state.string_to_action(move))
        expected, paid = slid(board, move)
        assert (after.tiles(), after.rewards(), after.returns()) == (expected, [paid], [paid])
        assert after.position() == position(expected, " spawn")


def test_the_largest_tile_of_the_board_is_made_and_the_game_goes_on():
    state = load_game("2048").new_initial_state("65536.65536.0.0/0.0.0.0/0.0.0.0/0.0.0.2")
    state.apply_action(state.string_to_action("Left"))
    assert state.tiles()[0] == [131072, 0, 0, 0]
    assert state.score == 131072
    assert len(state.chance_outcomes()) == 2 * 14
    assert "131072" in repr(state)


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (4, 4)])
def test_a_turned_board_is_played_alike(size):
    game = load_game(f"2048(rows={size[0]},columns={size[1]})")
    rng = random.Random(1)
    symmetries = game.symmetries()
    assert len(symmetries) == (8 if size[0] == size[1] else 4)
    for _ in range(50):
        cells = [rng.choice([0, 2, 4, 8]) for _ in range(size[0] * size[1])]

        def state_of(flat):
            return game.new_initial_state(
                position([flat[i : i + size[1]] for i in range(0, len(flat), size[1])])
            )

        state = state_of(cells)
        for places, actions in symmetries:
            turned = state_of([cells[place] for place in places])
            assert sorted(actions[action] for action in turned.legal_actions()) == state.legal_actions()
            for action in turned.legal_actions():
                flat = [tile for row in state.child(actions[action]).tiles() for tile in row]
                after = [tile for row in turned.child(action).tiles() for tile in row]
                assert after == [flat[place] for place in places]


def test_planes_show_each_tile_once_and_whether_a_tile_is_due():
    game = load_game("2048(rows=2,columns=3)")
    shape = game.observation_tensor_shape()
    assert shape == [9, 2, 3]  # empty, 2..128, and the tile that is due
    state = game.new_initial_state("0.2.4/128.0.0 spawn")
    planes = state.observation_tensor(0).reshape(shape)
    assert planes[:8].sum() == 6
    assert planes[0].tolist() == [[1, 0, 0], [0, 1, 1]]
    assert (planes[1, 0, 1], planes[2, 0, 2], planes[7, 1, 0]) == (1, 1, 1)
    assert planes[8].all()
    assert not game.new_initial_state("0.2.4/128.0.0").observation_tensor(0).reshape(shape)[8].any()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("2048(rows=5)", r"2048: rows=5 is out of range; give 2\.\.4"),
        ("2048(columns=1)", r"columns=1 is out of range; give 2\.\.4"),
        ("2048(max_tile=100)", "max_tile=100 is out of range; give 0 .* or a power of two"),
    ],
)
def test_wrong_parameters_are_named(name, message):
    with pytest.raises(GameError, match=message):
        load_game(name)


@pytest.mark.parametrize(
    "text", ["", "2.2", "2.2.2/2.2", "2.3/0.0", "2.2/2.2 now", "64.0/0.0", "2.4/4.2 spawn"]
)
def test_positions_that_are_none_are_refused(text):
    with pytest.raises(ValueError, match="2048: position"):
        load_game("2048(rows=2,columns=2)").new_initial_state(text)


def test_random_play_scores_what_is_known_of_it():
    _, total = _native.random_playouts(load_game("2048"), 2000, seed=1)
    assert 1070 < total / 2000 < 1130  # about 1,100 in everybody's experiments


def test_the_small_board_is_solved_as_by_plain_expectimax():
    @cache
    def before_move(board):
        rows = [list(board[:2]), list(board[2:])]
        options = [slid(rows, move) for move in MOVES]
        values = [paid + before_spawn((*after[0], *after[1])) for after, paid in options if after != rows]
        return max(values, default=0.0)

    @cache
    def before_spawn(board, spawns=1):
        if spawns == 0:
            return before_move(board)
        empty = [cell for cell in range(4) if board[cell] == 0]
        total = 0.0
        for cell in empty:
            for tile, probability in ((2, 0.9), (4, 0.1)):
                after = (*board[:cell], tile, *board[cell + 1 :])
                total += probability / len(empty) * before_spawn(after, spawns - 1)
        return total

    solution = solve("2048(rows=2,columns=2)")
    assert solution.initial_value == pytest.approx(before_spawn((0, 0, 0, 0), 2), abs=1e-9)
