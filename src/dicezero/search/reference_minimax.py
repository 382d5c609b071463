"""Minimax as it is defined, slow and plain: what the fast search is tested against."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dicezero.rules.protocol import is_chance, outcomes_of


def reference_value(
    state: Any,
    *,
    maximiser: int,
    discount: float = 1.0,
    pays: bool = False,
    depth: float = math.inf,
    evaluate: Callable[[Any, int], float] | None = None,
    is_quiet: Callable[[Any], bool] | None = None,
    quiescence: int = 0,
) -> float:
    """What is still to come for player ``maximiser`` from ``state`` on; every branch is searched.

    At a chance node that is what the step of the move before it still pays, and the next decision's value
    ``discount`` times; the end of a game belongs to the step that leads there.

    Args:
        state: any state of the protocol; it is not changed.
        maximiser: MAX; the other player, if any, is MIN.
        discount: what the value of the next decision counts.
        pays: whether states have rewards(), and an end is worth nothing more.
        depth: choice plies before the evaluation takes over; chance nodes cost none.
        evaluate: ``f(state, player)`` at the horizon.
        is_quiet: ``f(state)``; states that are not quiet are searched up to ``quiescence`` plies further.
        quiescence: see ``is_quiet``.
    """
    if state.is_terminal():
        return 0.0 if pays else float(state.returns()[maximiser])
    if depth <= 0 and (-depth >= quiescence or is_quiet is None or is_quiet(state)):
        if evaluate is None:
            raise ValueError("depth cuts off a state that is not terminal; give evaluate")
        return evaluate(state, maximiser)

    def after(action: int, left: float) -> float:
        child = state.clone()
        child.apply_action(action)
        paid = float(child.rewards()[maximiser]) if pays else 0.0
        weight = 1.0 if child.is_terminal() or is_chance(child) else discount
        return paid + weight * reference_value(
            child,
            maximiser=maximiser,
            discount=discount,
            pays=pays,
            depth=left,
            evaluate=evaluate,
            is_quiet=is_quiet,
            quiescence=quiescence,
        )

    if is_chance(state):
        return math.fsum(p * after(outcome, depth) for outcome, p in outcomes_of(state))
    values = [after(action, depth - 1) for action in state.legal_actions()]
    return max(values) if state.current_player() == maximiser else min(values)
