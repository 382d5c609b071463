"""Holds backgammon's turns to OpenSpiel's and GNU Backgammon's (python tools/backgammon_rules.py).

Positions come from random games; each is tried with all 21 rolls, and the sets of positions after the turn
must be equal. GNU Backgammon's moves are those of the package gnubg-nn (pip install --pre gnubg-nn),
OpenSpiel's those of pyspiel; what is not installed is left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dicezero.rules import load_game

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "rules"))
from plain_backgammon import position_id  # type: ignore[import-not-found]

ROLLS = [(large, small) for large in range(1, 7) for small in range(1, large + 1)]
GAME: Any = load_game("backgammon")
Side = tuple[int, ...]
Sides = tuple[Side, Side]  # [24 points and the bar] each, in its own counting


def our_turns(own: Side, other: Side, dice: tuple[int, int]) -> set[Sides]:
    """Our positions after a turn, the mover first; what is borne off is left out."""
    state = GAME.new_initial_state(position_id(own, other))
    rolled = state.child(state.string_to_action(f"roll {dice[0]}{dice[1]}"))
    boards = [(tuple(mine[1:]), tuple(theirs[1:])) for mine, theirs in rolled.boards_after_turn()]
    found = set(boards)
    if len(found) != len(boards):
        raise AssertionError(f"a position is reached twice from {position_id(own, other)} with {dice}")
    return found


def positions(seed: int) -> Iterator[tuple[Side, Side]]:
    """(own, other) of the side to roll, from random games without end."""
    rng = random.Random(seed)
    while True:
        state = GAME.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node() and state.history():
                yield tuple(state.checkers(state.turn)), tuple(state.checkers(1 - state.turn))
            state.apply_action(rng.choice(state.legal_actions()))


def gnubg_difference(own: Side, other: Side) -> str:
    """What differs from GNU Backgammon's turns; empty where nothing does."""
    import gnubg_nn  # type: ignore[import-not-found]

    board = [list(other[1:]), list(own[1:])]  # the mover second, points 1..24 and the bar
    for dice in ROLLS:
        theirs = set()
        for key in gnubg_nn.moves(board, *dice):
            waiting, moved = gnubg_nn.board_from_position_key(key)
            theirs.add((tuple(moved), tuple(waiting)))
        if our_turns(own, other, dice) != (theirs or {(own[1:], other[1:])}):
            return f"gnubg differs at {position_id(own, other)} with {dice}"
    return ""


def openspiel_positions(seed: int) -> Iterator[Any]:
    """OpenSpiel's states before a roll, from its random games."""
    import pyspiel

    rng = random.Random(seed)
    while True:
        state = pyspiel.load_game("backgammon").new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node() and state.move_number() > 0:
                yield state
            state.apply_action(rng.choice(state.legal_actions()))


def openspiel_sides(state: Any) -> list[Side]:
    """Both players' checkers, each in its own counting: 24 points and the bar."""
    board = state.board
    first = (*(board(0, 24 - point) for point in range(1, 25)), board(0, 100))
    second = (*(board(1, point - 1) for point in range(1, 25)), board(1, 100))
    return [first, second]


def openspiel_turns(state: Any, mover: int, seen: set[Sides]) -> set[Sides]:
    """OpenSpiel's positions after a turn, the mover first."""
    found: set[Sides] = set()
    for action in state.legal_actions():
        after = state.child(action)
        sides = openspiel_sides(after)
        position = (sides[mover], sides[1 - mover])
        if after.is_terminal() or after.current_player() != mover:
            found.add(position)
        elif position not in seen:  # the first half of a double, reached in another order
            seen.add(position)
            found |= openspiel_turns(after, mover, seen)
    return found


def openspiel_difference(state: Any) -> str:
    """What differs from OpenSpiel's turns; empty where nothing does."""
    for outcome, _ in state.chance_outcomes():
        rolled = state.child(outcome)
        mover, sides = rolled.current_player(), openspiel_sides(rolled)
        match = re.search(r"Dice: (\d)(\d)", str(rolled))
        if match is None:
            raise ValueError(f"no dice in {rolled}")
        small, large = sorted(map(int, match.groups()))
        theirs = openspiel_turns(rolled, mover, set())
        own, other = (0, *sides[mover]), (0, *sides[1 - mover])
        if our_turns(own, other, (large, small)) != theirs:
            return f"OpenSpiel differs at {position_id(own, other)} with {large}{small}"
    return ""


def compare(
    name: str, count: int, drawn: Iterator[Any], difference: Callable[..., str], *, stride: int
) -> int:
    """Compares ``count`` of the drawn positions, every ``stride``-th; returns how many differ."""
    began, wrong = time.perf_counter(), 0
    for index, position in enumerate(drawn):
        if index % stride:
            continue
        if index >= count * stride:
            break
        text = difference(*position) if isinstance(position, tuple) else difference(position)
        if text:
            wrong += 1
            print(text)
    print(f"{name}: {count} positions, all rolls, {wrong} differ, {time.perf_counter() - began:.0f} s")
    return wrong


def main() -> int:
    """Compares with whatever is installed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wrong = compared = 0
    if importlib.util.find_spec("gnubg_nn"):
        wrong += compare("gnubg", options.positions, positions(options.seed), gnubg_difference, stride=3)
        compared += 1
    if importlib.util.find_spec("pyspiel"):
        drawn = openspiel_positions(options.seed)
        wrong += compare("OpenSpiel", options.positions, drawn, openspiel_difference, stride=3)
        compared += 1
    if not compared:
        print("neither gnubg-nn nor pyspiel is installed; nothing was compared")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
