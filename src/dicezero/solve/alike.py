"""A game whose different positions print alike is not solved: they would be one to the solver."""

from __future__ import annotations

import random

from dicezero import _native
from dicezero.rules.check_alike import PrintedAlike, Twins
from dicezero.rules.check_rules import TEXT, Visit, fingerprint
from dicezero.rules.errors import GameError
from dicezero.rules.protocol import Game

_POSITIONS = 1_000  # looked at, in random games


def refuse_merged(game: Game) -> None:
    """Plays random games of one in Python for a moment; ``check_game`` plays more of them.

    Raises:
        GameError: two positions print the same text and are not the same.
    """
    if _native.is_native(game):
        return
    try:
        twins = _twins(game)
    except Exception:  # the solver says better what a game does wrong
        return
    if twins is not None:
        where = f"after {list(twins.history)}" if twins.history else "at the start"
        raise GameError(
            f"{game} cannot be solved: {where}, {twins.happened}; {TEXT.remedy}; dicezero check tries more"
        )


def _twins(game: Game) -> Twins | None:
    alike = PrintedAlike(
        game, pays=hasattr(game.new_initial_state(), "rewards") and not hasattr(game, "get_type")
    )
    rng, looked_at = random.Random(0), 0
    while looked_at < _POSITIONS:
        visit = Visit(game, game.new_initial_state(), ())
        while looked_at < _POSITIONS:
            looked_at += 1
            twins = alike.compare(visit, fingerprint(visit.state))
            if twins is not None:
                return twins
            if visit.state.is_terminal():
                break
            action = rng.choice(list(visit.state.legal_actions()))
            visit.state.apply_action(action)
            visit = Visit(game, visit.state, (*visit.history, action))
    return None
