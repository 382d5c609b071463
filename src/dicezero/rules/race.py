"""How far each side still has to go, in games that are races."""

from __future__ import annotations

from dicezero._native import Nannon, NannonState
from dicezero.rules.protocol import Game, State


def pips(game: Game, state: State, player: int) -> int | None:
    """The steps of all of ``player``'s checkers to their goal; None where the game is no race."""
    if not isinstance(game, Nannon) or not isinstance(state, NannonState):
        return None
    goal = game.points + 1
    return goal * state.home(player) + sum(goal - point for point in state.points(player))


def most_pips(game: Game) -> int:
    """No side is ever further away from its goal; 0 where the game is no race."""
    return game.checkers * (game.points + 1) if isinstance(game, Nannon) else 0
