"""From ``--moves`` to a position; every complaint names the move, its place and what could stand there."""

from __future__ import annotations

from dicezero.rules.names import quote
from dicezero.rules.protocol import Game, State


def board(state: State) -> str:
    """The position for a reader: our games draw a board as their ``repr``, others have their text."""
    return repr(state) if type(state).__module__.startswith("dicezero.") else str(state)


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


def action_strings(state: State) -> dict[int, str]:
    """Each legal action, or chance outcome, with its name."""
    player = state.current_player()
    if state.is_chance_node():
        return {a: state.action_to_string(player, a) for a, _ in state.chance_outcomes()}
    return {a: state.action_to_string(player, a) for a in state.legal_actions()}


def options(state: State, limit: int = 12) -> str:
    """The legal actions for a message: names with ids, the first few of many."""
    names = action_strings(state)
    listed = ", ".join(f"{name} (or {action})" for action, name in list(names.items())[:limit])
    return listed + (f", … {len(names) - limit} more" if len(names) > limit else "")


def find_action(state: State, text: str) -> int | None:
    """The action that ``text`` names, by its string or else by its id; None where there is none."""
    names = action_strings(state)
    for action, name in names.items():
        if name == text:
            return action
    if text.isascii() and text.isdigit() and len(text) < 10 and int(text) in names:
        return int(text)
    return None


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
