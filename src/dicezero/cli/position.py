"""From ``--position`` and ``--moves`` to a state; complaints name the move, its place and what is legal."""

from __future__ import annotations

from dicezero.rules.names import quote
from dicezero.rules.positions import state_at
from dicezero.rules.protocol import Game, State, is_chance
from dicezero.rules.reading import find_action, options
from dicezero.rules.spec import spec_of


def split_moves(text: str) -> list[str]:
    """The moves between commas; a comma inside brackets belongs to its move, as in ``x(0,1)``."""
    moves, depth, current = [], 0, ""
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == "," and depth <= 0:
            moves.append(current.strip())
            current = ""
        else:
            current += char
    moves.append(current.strip())
    if moves == [""]:
        return []
    for place, move in enumerate(moves, 1):
        if not move:
            raise ValueError(f"--moves: move {place} is empty; write moves separated by single commas")
    return moves


def start(game: Game, position: str | None) -> State:
    """The position of ``--position``, by default the start of the game."""
    if position is None:
        return game.new_initial_state()
    if spec_of(game).simulator != "states":
        raise ValueError(f"--position: {game} has simulator=episodes and cannot be set up; leave it out")
    try:
        return state_at(game, position)
    except ValueError as error:
        raise ValueError(f"--position: {error}") from None


def reach(game: Game, moves: str, position: str | None = None) -> State:
    """The position after ``moves`` from ``position``, by default from the start of the game."""
    state = start(game, position)
    for place, move in enumerate(split_moves(moves), 1):
        if state.is_terminal():
            raise ValueError(
                f"--moves: move {place} {quote(move)} comes after the end of the game; leave it out"
            )
        action = find_action(state, move)
        if action is None:
            what = "roll" if is_chance(state) else "move"
            raise ValueError(
                f"--moves: move {place} {quote(move)} is no legal {what} there; legal: {options(state)}"
            )
        state.apply_action(action)
    return state


def reach_choice(game: Game, moves: str, position: str | None = None) -> State:
    """The position after ``moves``, where a player has to choose."""
    state = reach(game, moves, position)
    if state.is_terminal():
        raise ValueError(
            "--moves: the game is over there, nothing is left to search; leave out the last moves"
        )
    if is_chance(state):
        where = "there; append" if moves else "at the start; begin it with"
        raise ValueError(f"--moves: chance acts {where} one of its outcomes: {options(state)}")
    return state
