"""Games whose sizes and lengths are no numbers: one line each, in ``load_game``, ``check_game`` and specs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from lying_games import Honest

from dicezero.rules import GameError, check_game, load_game, spec_of


def odd(**answers: Any) -> Honest:
    methods = {name: lambda self, answer=answer: answer for name, answer in answers.items()}  # noqa: ARG005
    return type("Odd", (Honest,), methods)()


@pytest.mark.parametrize("players", [None, "2", 0, 3, 10**30, 2**31 - 1, 0.5, math.nan, [1], True])
def test_check_names_a_number_of_players_that_is_none(players: Any) -> None:
    (failure,) = check_game(odd(num_players=players), games=2).failures
    assert "num_players() is" in failure.happened


@pytest.mark.parametrize("length", [math.inf, math.nan, -1, 10**400, "long"])
def test_a_length_that_is_none_is_one_line(length: Any) -> None:
    with pytest.raises(GameError, match=r"max_game_length\(\) is"):
        spec_of(odd(max_game_length=length))
    assert spec_of(odd(max_game_length=np.int64(50))).max_length == 50


def test_a_game_that_begins_with_nothing_is_refused() -> None:
    with pytest.raises(GameError, match="NoneType is no state: it has no method"):
        load_game(odd(new_initial_state=None))


def test_a_game_that_cannot_be_printed_is_checked_all_the_same() -> None:
    class Mute(Honest):
        def __str__(self) -> str:
            raise RuntimeError("no name")

    assert "raised RuntimeError: no name" in check_game(Mute(), games=2).game
