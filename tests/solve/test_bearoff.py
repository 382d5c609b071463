"""Bear-off tables against GNU Backgammon's own, and by hand."""

import base64
import itertools
import math
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from dicezero.solve.bearoff import bearoff_number, one_sided_bearoff, two_sided_bearoff, two_sided_cube

PATH = "/usr/games"
ONE_SIDED = Path("/usr/share/gnubg/gnubg_os0.bd")


def program(name):
    path = shutil.which(name) or shutil.which(name, path=PATH)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def test_positions_are_numbered_without_gaps_and_fewer_checkers_come_first():
    table = two_sided_bearoff(4)
    assert len(table.counts) == math.comb(10, 6)
    assert [bearoff_number(counts) for counts in table.counts.tolist()] == list(range(len(table.counts)))
    totals = table.counts.sum(axis=1)
    assert (np.diff(totals.astype(int)) >= 0).all()


def test_small_races_by_hand():
    one, two = one_sided_bearoff(2), two_sided_bearoff(2)
    ace, six = bearoff_number([1, 0, 0, 0, 0, 0]), bearoff_number([0, 0, 0, 0, 0, 1])
    assert one.rolls[ace, 1] == pytest.approx(1.0)
    assert one.rolls[six, 1] == pytest.approx(27 / 36)  # all but 1-1, 2-1, 3-1, 4-1, 3-2
    assert one.mean_rolls[six] == pytest.approx(1.25)
    assert two.equity[six, ace] == pytest.approx(2 * 27 / 36 - 1)
    assert two.equity[six, six] == pytest.approx(2 * (27 / 36 + 9 / 36 * 9 / 36) - 1)


def test_a_cube_at_the_last_roll_by_hand():
    cubeless, cube = two_sided_bearoff(2), two_sided_cube(2)
    ace, six = bearoff_number([1, 0, 0, 0, 0, 0]), bearoff_number([0, 0, 0, 0, 0, 1])
    # The other side rolls its last checker off for sure: a cube can be of no use any more.
    for table in (cube.centre, cube.own, cube.others):
        assert table[six, ace] == pytest.approx(0.5)
    # Here it may come to a second roll, 9 of 36, before which the other side, 3 to 1 ahead, doubles; the take
    # is worth 2 * -0.5, as much as the pass: what follows the first miss is -1 unless the cube is ours.
    assert cube.others[six, six] == pytest.approx(27 / 36 - 9 / 36)
    assert cube.centre[six, six] == pytest.approx(27 / 36 - 9 / 36)
    # With the cube ours the other side rolls on: it wins 27 of 36 at once, else we do.
    later = 27 / 36 * -1.0 + 9 / 36 * 1.0
    assert cube.own[six, six] == pytest.approx(27 / 36 + 9 / 36 * later)
    assert cubeless.equity[six, six] == pytest.approx(cube.own[six, six])  # a cube that is never of use


def test_to_own_the_cube_is_worth_something_and_a_cube_in_the_centre_lies_between():
    cubeless, cube = two_sided_bearoff(4), two_sided_cube(4)
    going = np.s_[1:, 1:]
    best = np.maximum(cube.own, np.minimum(1.0, 2.0 * cube.others))[going]
    assert (best >= cubeless.equity[going] - 1e-12).all()
    assert (cube.others[going] <= cubeless.equity[going] + 1e-12).all()
    assert (cube.own[going] >= cube.centre[going] - 1e-12).all()
    assert (cube.own - cube.others)[going].max() > 0.1


def gnubg_number(counts, checkers):
    """GNU Backgammon's number of a position: the rank of a set of bits that stand for points and checkers."""
    bits, at = 0, sum(counts) + 5
    bits |= 1 << at
    for count in counts:
        at -= count + 1
        if at >= 0:
            bits |= 1 << at
    rank, left = 0, 6
    for bit in range(checkers + 5, -1, -1):
        if bits >> bit & 1:
            rank += math.comb(bit, left) if bit >= left else 0
            left -= 1
    return rank


def position_id(counts):
    """GNU Backgammon's ID of a side to roll, the other one having nothing left."""
    bits = [0] * 25 + [bit for count in counts for bit in [1] * count + [0]]
    bits += [0] * (80 - len(bits))
    return base64.b64encode(bytes(sum(bits[8 * i + k] << k for k in range(8)) for i in range(10))).decode()[
        :14
    ]


def test_equities_are_those_of_makebearoff(tmp_path):
    command = [program("makebearoff"), "-t", "6x3", "-C", "-f", "two.bd"]
    subprocess.run(command, check=True, capture_output=True, timeout=60, cwd=tmp_path)
    table = two_sided_bearoff(3)
    size = len(table.counts)
    stored = (
        np.frombuffer((tmp_path / "two.bd").read_bytes()[40:], dtype="<u2").reshape(size, size) / 32767.5 - 1
    )
    order = [gnubg_number(counts, 3) for counts in table.counts.tolist()]
    assert sorted(order) == list(range(size))
    theirs = stored[np.ix_(order, order)][1:, 1:]
    assert np.abs(theirs - table.equity[1:, 1:]).max() < 1e-4  # 16 bits, each from values of 16 bits


def test_rolls_are_those_of_gnubgs_table():
    dump = program("bearoffdump")
    if not ONE_SIDED.exists():
        pytest.skip("gnubg-data is not installed")
    table = one_sided_bearoff(6)
    for counts in itertools.islice(iter(table.counts.tolist()), 1, None, 230):
        text = subprocess.run(
            [dump, "-p", position_id(counts), str(ONE_SIDED)],
            check=True,
            capture_output=True,
            text=True,
            timeout=60,
        ).stdout
        theirs = [float(p) / 100 for _, p in re.findall(r"^\s+(\d+)\t\s*([\d.]+)\t", text, re.MULTILINE)]
        ours = table.rolls[bearoff_number(counts)]
        assert len(theirs) > 1
        assert np.abs(ours[: len(theirs)] - theirs).max() < 1e-4


@pytest.mark.parametrize("checkers", [0, 9])
def test_sizes_out_of_range_are_refused(checkers):
    with pytest.raises(ValueError, match=rf"checkers={checkers} is out of range; give 1\.\.8"):
        two_sided_bearoff(checkers)
