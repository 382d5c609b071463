"""Backgammon with one checker a side, solved, against GNU Backgammon's own solution."""

import base64
import shutil
import subprocess

import pytest

from dicezero import load_game
from dicezero.solve import solve

RECORD = (
    28  # bytes a position: win, gammon, backgammon, gammon lost, backgammon lost, then four with the cube
)


def position_id(own, other):
    """GNU Backgammon's ID of one checker a side, the first side to roll; 25 is the bar."""
    bits = [0] * 80
    bits[other - 1] = bits[25 + 1 + own - 1] = 1  # a point without checkers is a zero, so is the end of one
    return base64.b64encode(bytes(sum(bits[8 * i + k] << k for k in range(8)) for i in range(10))).decode()[
        :14
    ]


def test_every_position_is_worth_what_makehyper_says(tmp_path):
    path = shutil.which("makehyper") or shutil.which("makehyper", path="/usr/games")
    if path is None:
        pytest.skip("makehyper is not installed")
    # It has no room for a long path, so it writes where it is.
    subprocess.run([path, "-c", "1", "-f", "h.bd"], check=True, capture_output=True, timeout=60, cwd=tmp_path)
    data = (tmp_path / "h.bd").read_bytes()[40:]

    def equity(own, other):
        record = data[RECORD * (26 * own + other) :]
        win, gammon, backgammon, lost, lost_twice = (
            int.from_bytes(record[3 * k : 3 * k + 3], "little") / 0xFFFFFF for k in range(5)
        )
        return 2 * win - 1 + gammon + backgammon - lost - lost_twice

    game = load_game("backgammon(start=hyper1)")
    solution, compared = solve(game), 0
    for own in range(1, 26):
        for other in range(1, 26):
            if own + other == 25:
                continue  # one point for two
            try:
                value = solution.first_player_value(game.new_initial_state(position_id(own, other)))
            except ValueError:
                continue  # play never comes there
            compared += 1
            # makehyper stops when a sweep changes less than 1e-5.
            assert value == pytest.approx(equity(own, other), abs=1e-5)
    assert compared > 400
    assert solution.initial_value == pytest.approx(0.314256339457, abs=1e-9)
