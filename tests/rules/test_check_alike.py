"""Positions that print alike are one to the solvers: check_game tells, solve refuses."""

import re
from pathlib import Path

import checked_race
import pytest
from checked_race import RaceState, broken

from dicezero import check_game
from dicezero.cli import main
from dicezero.rules import GameError
from dicezero.solve import solve


def some_text(self):
    """Neither whose turn it is nor the roll."""
    return f"{self.at}"


def no_turn_at_the_end(self):
    """At the end it does not say who has won."""
    return "over" if self.is_terminal() else RaceState.__str__(self)


LITTLE = {
    "no turn, no roll": (some_text, r"same as after .*, but action \d leads to another position"),
    "no result": (no_turn_at_the_end, r"but returns\(\) is \["),
}


@pytest.mark.parametrize("kind", LITTLE)
def test_a_text_that_shows_too_little_is_caught_and_not_solved(kind):
    text, happened = LITTLE[kind]
    game = broken(__str__=text)
    (failure,) = check_game(game, games=20).failures
    assert failure.rule == "text"
    assert re.search(happened, failure.happened), failure.happened
    assert "or offer key()" in failure.remedy
    state = game.new_initial_state()
    for action in failure.history:
        state.apply_action(action)
    assert str(state) == failure.state
    with pytest.raises(GameError, match=happened):
        solve(game)


def test_what_needs_a_solution_says_why_there_is_none(tmp_path, capsys):
    file = tmp_path / "dull.py"
    rules = Path(checked_race.__file__).read_text(encoding="utf-8")
    dull = "class Dull(RaceState):\n    def __str__(self):\n        return str(self.at)\n"
    file.write_text(f"{rules}\n\n{dull}\n\nclass Game(Race):\n    state = Dull\n", encoding="utf-8")
    game, out = f"{file}:Game", tmp_path / "run"
    for words in (
        ["train", "td-lambda", "--game", game, "--out", str(out), "--measure", "exact"],
        ["match", "optimal", "random", "--game", game],
        ["solve", game],
    ):
        assert main(words) == 2
        (line,) = capsys.readouterr().err.strip().splitlines()
        assert "str(state) is the same as" in line
    assert not out.exists()


def test_the_same_game_with_all_of_it_printed_is_solved():
    assert solve(broken()).states > 50


def test_states_that_offer_a_key_may_print_anything():
    assert check_game(broken(__str__=some_text, key=RaceState.__str__), games=20).passed


def test_what_was_paid_before_is_no_part_of_a_position_and_what_is_paid_now_is():
    def game(reward, returns):
        wide = {"min_utility": lambda _: -999.0, "max_utility": lambda _: 999.0}
        return broken(
            wide,
            rewards=lambda s: [reward(s), -reward(s)] if s.moves else [0.0, 0.0],
            returns=lambda s: [returns(s), -returns(s)],
        )

    purse = game(lambda s: float(s.moves[-1]), lambda s: float(sum(s.moves)))
    assert check_game(purse, games=30).passed
    by_count = game(lambda s: float(len(s.moves)), lambda s: len(s.moves) * (len(s.moves) + 1) / 2)
    (failure,) = check_game(by_count, games=30).failures
    assert failure.rule == "text"
    assert "leads to another position" in failure.happened
