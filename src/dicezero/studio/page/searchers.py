"""Whose search can be looked into, and with what budgets."""

from __future__ import annotations

from dicezero.studio.analysis import MAX_SIMULATIONS
from dicezero.studio.catalog import Catalog
from dicezero.studio.solutions import is_native

_MINIMAX = ("minimax", "alphabeta", "expectiminimax")
_BLIND = ("random", "greedy")  # they search nothing


def searchers(catalog: Catalog, name: str) -> dict[str, str]:
    """Ids for ``Catalog.spec`` with titles: the opponents that think, classical searches, perfect play."""
    game = catalog.game(name)
    opponents = [found for found in catalog.opponents(name) if found.spec not in _BLIND]
    offers = {found.id: f"{found.title}: {found.about.partition(',')[0]}" for found in opponents}
    many = 1000 if is_native(game) else 200
    offers[f"uct(simulations={many})"] = f"UCT, {many} simulations"
    if game.max_chance_outcomes():
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
