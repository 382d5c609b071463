"""A tree as one HTML file to click through: nothing is fetched, nothing but this file is needed."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from typing import Any

from dicezero.search.draw import Role, Shown, facts, number, select
from dicezero.search.draw_svg import NAMES, colour_variables, text_for_markup
from dicezero.search.replay import replay_search
from dicezero.search.tree import TreeNode

PAGE_NODES = 20_000  # a browser lays these out at once without a pause


def tree_to_html(
    root: TreeNode,
    *,
    title: str = "",
    open_depth: int = 2,
    max_nodes: int = PAGE_NODES,
    from_the_start: bool = False,
) -> str:
    """The page; nodes deeper than ``open_depth`` are folded at first, those beyond ``max_nodes`` left out.

    A replay begins at its end, the whole tree in sight, or ``from_the_start``.
    """
    if open_depth < 0:
        raise ValueError(f"open_depth={open_depth} must be at least 0")
    top = select(root, max_depth=10_000, max_nodes=max_nodes)
    drawn = _in_order(top)
    page = files("dicezero.search").joinpath("tree_page.html").read_text(encoding="utf-8")
    parts = {
        "TITLE": text_for_markup(title or "game tree"),
        "COLOURS": colour_variables(),
        "OPEN_DEPTH": str(open_depth),
        "FROM_THE_START": json.dumps(from_the_start),
        "LEGEND": json.dumps(NAMES),
        "DATA": _packed([_row(shown, parent) for shown, parent in drawn]),
        "STEPS": _packed(_steps(root, {id(shown.node): i for i, (shown, _) in enumerate(drawn)})),
    }
    pieces = page.split(
        "@@"
    )  # text, name, text, name, ...: one pass, so that data is never searched for names
    return "".join(parts[piece] if i % 2 else piece for i, piece in enumerate(pieces))


def _packed(data: Any) -> str:
    """JSON that can stand in a page."""
    return json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def _in_order(top: Shown) -> list[tuple[Shown, int]]:
    """Depth-first, with the parent's index: flat, so that depth is no limit for any reader."""
    rows: list[tuple[Shown, int]] = []
    stack: list[tuple[Shown, int]] = [(top, -1)]
    while stack:
        shown, parent = stack.pop()
        stack.extend((child, len(rows)) for child in reversed(shown.children))
        rows.append((shown, parent))
    return rows


def _steps(root: TreeNode, places: dict[int, int]) -> list[dict[str, Any]]:
    """Alpha-beta step by step, nodes by their rows; nothing where there is nothing to replay."""
    return [
        {
            "n": places[step.node],
            "x": [places[node] for node in step.pruned],
            "w": {places[node]: [number(a), number(b)] for node, (a, b) in step.windows.items()},
            "r": {places[node]: [number(low), number(high)] for node, (low, high) in step.ranges.items()},
            "t": step.text,
        }
        for step in replay_search(root)
        if step.node in places
    ]


def _row(shown: Shown, parent: int) -> dict[str, Any]:
    node = shown.node
    role: Role = shown.role
    main = node.value if node.q is None else node.q
    row: dict[str, Any] = {"p": parent, "r": role, "l": node.label or ("root" if parent < 0 else "")}
    if main is not None:
        row["v"] = number(main)
    # A range that adds nothing to the value, or has no ends, is left out.
    bounded = node.bounds is not None and node.bounds[0] < node.bounds[1] and not node.pruned
    rest = facts(node if bounded else replace(node, bounds=None))
    if main is not None:  # the main number stands in the shape already
        lead = f"Q {number(main)}" if node.q is not None else f"V {number(main)}"
        rest.remove(lead)
    if node.prior:
        rest.insert(0, f"p {node.prior:.3f}")
    row["f"] = rest
    if node.visits is not None:
        row["n"] = node.visits
    if node.pruned:
        row["cut"] = True
    if shown.best:
        row["b"] = True
    if shown.hidden:
        row["h"] = shown.hidden
    return row
