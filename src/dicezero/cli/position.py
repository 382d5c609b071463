"""From ``--moves`` to a position; every complaint names the move, its place and what could stand there."""

from __future__ import annotations

from dicezero.rules.names import quote
from dicezero.rules.protocol import Game, State
from dicezero.rules.reading import find_action, options


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


def reach(game: Game, moves: str) -> State:
    """The position after ``moves`` from the start of the game."""
    state = game.new_initial_state()
    for place, move in enumerate(split_moves(moves), 1):
        if state.is_terminal():
            raise ValueError(
                f"--moves: move {place} {quote(move)} comes after the end of the game; leave it out"
            )
        action = find_action(state, move)
        if action is None:
            what = "roll" if state.is_chance_node() else "move"
            raise ValueError(
                f"--moves: move {place} {quote(move)} is no legal {what} there; legal: {options(state)}"
            )
        state.apply_action(action)
    return state


def reach_choice(game: Game, moves: str) -> State:
    """The position after ``moves``, where a player has to choose."""
    state = reach(game, moves)
    if state.is_terminal():
        raise ValueError(
            "--moves: the game is over there, nothing is left to search; leave out the last moves"
        )
    if state.is_chance_node():
        raise ValueError(f"--moves: chance acts there; append one of its outcomes: {options(state)}")
    return state
