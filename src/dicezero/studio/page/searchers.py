"""Whose search can be looked into, and with what budgets."""

from __future__ import annotations

from dicezero.rules.protocol import State, max_outcomes
from dicezero.search.result import SearchResult
from dicezero.studio.analysis import MAX_SIMULATIONS
from dicezero.studio.catalog import Catalog
from dicezero.studio.page.boards import Arrow, arrows_of
from dicezero.studio.scale import Scale
from dicezero.studio.solutions import is_native

_MINIMAX = ("minimax", "alphabeta", "expectiminimax")
_FAVOURITES = 4  # moves that arrows point out
_BLIND = ("random", "greedy")  # they search nothing


def searchers(catalog: Catalog, name: str) -> dict[str, str]:
    """Ids for ``Catalog.spec`` with titles: the opponents that search, classical searches, perfect play."""
    game = catalog.game(name)
    opponents = [opponent for opponent in catalog.opponents(name) if opponent.spec not in _BLIND]
    offers = {opponent.id: f"{opponent.title}: {opponent.about.partition(',')[0]}" for opponent in opponents}
    many = 1000 if is_native(game) else 200
    if getattr(game, "tree_is_explicit", False) and not max_outcomes(game):
        book = "alphabeta(depth=6,ordering=none,utility_bounds=false)"  # as a textbook goes through it
        offers = {book: "Alpha-beta, branches from left to right", **offers}
    offers[f"uct(simulations={many})"] = f"UCT, {many} simulations"
    if max_outcomes(game):
        offers["expectiminimax(depth=2)"] = "Expectiminimax with pruning, 2 plies"
        offers[f"nmcts(simulations={many})"] = f"NMCTS, {many} simulations"
    else:
        offers["alphabeta(depth=4)"] = "Alpha-beta, 4 plies"
        offers["minimax(depth=2)"] = "Minimax without pruning, 2 plies"
    offers[f"flat_mc(simulations={many})"] = f"Play-outs alone, {many}"
    return offers


def budgets(spec: str) -> dict[int, str]:
    """What can be asked of an agent; 0 is its own budget."""
    if spec.partition("(")[0] in _MINIMAX:
        return {0: "its own", **{n: f"{n} {'ply' if n == 1 else 'plies'}" for n in range(1, 7)}}
    if spec.partition("(")[0] in ("optimal", "td", *_BLIND):
        return {0: "its own"}
    counts = (1, 4, 16, 64, 256, 1024, 4096, MAX_SIMULATIONS)
    return {0: "its own", **{n: f"{n:,} simulations" for n in counts}}


def favourites(state: State, result: SearchResult, scale: Scale) -> tuple[Arrow, ...]:
    """Arrows for the most visited moves, of minimax for the chosen one, with what each is worth."""
    total = sum(result.visits.values())
    ranked = sorted(result.visits, key=lambda action: -result.visits[action])[:_FAVOURITES]
    several = total and result.tree is not None and result.tree.visits is not None
    weights = {action: result.visits[action] / total for action in ranked} if several else {}
    weights = {action: weight for action, weight in weights.items() if weight >= 0.02}
    weights.setdefault(result.action, 0.5)
    digits = 2 if scale.points else 0
    words = {
        action: scale.of_value(result.action_values[action], digits=digits)
        for action in weights
        if action in result.action_values
    }
    return arrows_of(state, weights, words, best=result.action)
