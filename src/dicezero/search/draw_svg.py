"""A tree as an SVG picture, root on top, as textbooks draw it; light or dark as the viewer prefers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from dicezero.search.draw import Role, Shown, number, select
from dicezero.search.tree import TreeNode

SLOT = 74.0  # width of a leaf
LEVEL = 112.0  # from one row of nodes to the next
MARGIN = 36.0
LABEL = 16.0  # height of a label, which stands between the end of its edge and its node
CHARACTER = 6.0  # width of one in a label
RADIUS = 21.0

COLOURS: dict[str, tuple[str, str]] = {  # light, dark
    "bg": ("#ffffff", "#14171c"),
    "ink": ("#1c2430", "#e7ebf0"),
    "muted": ("#68727f", "#98a3b0"),
    "edge": ("#aab4bf", "#4d5763"),
    "best": ("#1a7f4b", "#4fc98a"),
    "cut": ("#c8452d", "#f29a86"),
    "max": ("#ffe0d9", "#6a2a1f"),  # the first player's colours in the studio, and the second's
    "max-line": ("#c8452d", "#f29a86"),
    "min": ("#dbe8ff", "#1d3a6b"),
    "min-line": ("#2b62c9", "#7aa7f7"),
    "chance": ("#fff1c9", "#574313"),
    "chance-line": ("#b07d08", "#e8bd55"),
    "identity": ("#efe2fb", "#45275f"),
    "identity-line": ("#8247b5", "#c79bef"),
    "terminal": ("#e9ecef", "#333a43"),
    "terminal-line": ("#6b7580", "#a2adb9"),
}
NAMES: dict[Role, str] = {
    "max": "MAX",
    "min": "MIN",
    "chance": "chance",
    "identity": "who moves",
    "terminal": "end",
}
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


@dataclass
class Placed:
    """A node with its place in the picture."""

    shown: Shown
    x: float
    y: float
    parent: Placed | None


def text_for_markup(text: str) -> str:
    """Escaped, and without the characters that XML forbids even when escaped."""
    return escape(_CONTROL.sub("\ufffd", text))


def colour_variables() -> str:
    """CSS variables of the colours: light, and dark where the viewer prefers it or the page asks for it."""
    light = "".join(f"--{name}:{pair[0]};" for name, pair in COLOURS.items())
    dark = "".join(f"--{name}:{pair[1]};" for name, pair in COLOURS.items())
    return (
        f":root{{{light}}}\n@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n"
        f":root[data-theme=dark]{{{dark}}}\n"
    )


def tree_to_svg(
    root: TreeNode,
    *,
    title: str = "",
    max_depth: int = 3,
    max_nodes: int = 200,
    way: Sequence[int] | None = None,
) -> str:
    """The tree as SVG text; what does not fit is an ellipsis with the number of nodes left out.

    With ``way``, the actions from the root to a node, that is drawn thick in place of the best line.
    """
    top = select(root, max_depth=max_depth, max_nodes=max_nodes)
    if way is not None:
        _mark_way(top, way)
    placed = place(top)
    width = max((p.x for p in placed), default=0.0) + slot_width(placed) / 2 + MARGIN
    height = max((p.y for p in placed), default=0.0) + RADIUS + 52 + MARGIN
    roles = [role for role in NAMES if any(p.shown.role == role for p in placed)]
    width = max(width, MARGIN * 2 + 92 * (len(roles) + 1))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">',
        f"<title>{text_for_markup(title or 'game tree')}</title>",
        f"<style>{colour_variables()}{_STYLE}</style>",
        '<rect class="bg" width="100%" height="100%"/>',
    ]
    parts += [edge_mark(p) for p in placed if p.parent is not None]
    parts += [node_mark(p) for p in placed]
    parts += [_legend(role, MARGIN + 8 + 92 * i, height - 24) for i, role in enumerate(roles)]
    if any(p.shown.best and p.parent for p in placed):
        x, y = MARGIN + 92 * len(roles), height - 28
        legend = "best line" if way is None else "the way here"
        parts.append(f'<path class="e b" d="M{x:.1f} {y:.1f}h18"/>')
        parts.append(
            f'<text class="m" style="text-anchor:start" x="{x + 24:.1f}" y="{y + 4:.1f}">{legend}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


_STYLE = (
    "svg{font-family:ui-sans-serif,system-ui,sans-serif}.bg{fill:var(--bg)}"
    "text{fill:var(--ink);text-anchor:middle;font-size:11px}"
    ".e{stroke:var(--edge);stroke-width:1.4;fill:none}.p{stroke-dasharray:4 4;opacity:.75}"
    ".v{font-weight:650;font-variant-numeric:tabular-nums}"
    ".l{font-size:10.5px;paint-order:stroke;stroke:var(--bg);stroke-width:4px;stroke-linejoin:round}"
    ".m{fill:var(--muted);font-size:9.5px;paint-order:stroke;stroke:var(--bg);stroke-width:4px}"
    ".x{stroke:var(--cut);stroke-width:2}.b{stroke:var(--best);stroke-width:3.2}"
    ".here.here{stroke:var(--best);stroke-width:4}"
    + "".join(f".{r}{{fill:var(--{r});stroke:var(--{r}-line);stroke-width:1.6}}" for r in NAMES)
)


def _mark_way(top: Shown, way: Sequence[int]) -> None:
    """Marks the nodes along ``way`` as the line to draw, and its end; no others."""
    stack = [top]
    while stack:
        shown = stack.pop()
        shown.best = False
        stack.extend(shown.children)
    here: Shown | None = top
    for action in (*way, None):
        if here is None:
            return
        here.best, here.last = True, action is None
        here = next((child for child in here.children if child.node.action == action), None)


def place(top: Shown) -> list[Placed]:
    """Leaves side by side, a parent above the middle of its children; the root's row first in the list."""
    order: list[Placed] = []
    stack: list[tuple[Shown, Placed | None]] = [(top, None)]
    while stack:  # depth first, so that leaves come from left to right
        shown, parent = stack.pop()
        spot = Placed(shown, 0.0, MARGIN + RADIUS + shown.depth * LEVEL, parent)
        order.append(spot)
        stack.extend((child, spot) for child in reversed(shown.children))
    ends: dict[int, tuple[float, float]] = {}
    leaves = [spot for spot in order if not spot.shown.children]
    slot = slot_width(order)
    for index, spot in enumerate(leaves):
        spot.x = MARGIN + slot / 2 + index * slot
    for spot in reversed(order):  # children before their parent
        if spot.shown.children:
            low, high = ends[id(spot)]
            spot.x = (low + high) / 2
        if spot.parent is not None:
            low, high = ends.get(id(spot.parent), (spot.x, spot.x))
            ends[id(spot.parent)] = (min(low, spot.x), max(high, spot.x))
    return order


def slot_width(spots: list[Placed]) -> float:
    """Room for a leaf: labels stand side by side."""
    longest = max((len(edge_label(spot.shown)) for spot in spots), default=0)
    return max(SLOT, CHARACTER * longest + 10)


def edge_label(shown: Shown) -> str:
    """The move or the outcome with its probability, shortened."""
    node = shown.node
    label = node.label if len(node.label) <= 14 else node.label[:13] + "…"
    if not node.prior:
        return label
    if shown.percent:
        return f"{label} {100 * node.prior:.0f} %"
    return label + f" {node.prior:.2f}".replace(" 0.", " .")


def shape(role: Role, x: float, y: float, radius: float, style: str = "") -> str:
    """The mark of a role, centred on (x, y)."""
    css = f'class="{role} {style}"'
    if role == "chance":
        return f'<circle {css} cx="{x:.1f}" cy="{y:.1f}" r="{radius * 0.86:.1f}"/>'
    if role == "terminal":
        side = radius * 1.56
        return (
            f'<rect {css} x="{x - side / 2:.1f}" y="{y - side / 2:.1f}" '
            f'width="{side:.1f}" height="{side:.1f}" rx="3"/>'
        )
    corners = {
        "max": [(0, -1.08), (1.22, 0.86), (-1.22, 0.86)],
        "min": [(0, 1.08), (1.22, -0.86), (-1.22, -0.86)],
        "identity": [(0, -1.08), (1.08, 0), (0, 1.08), (-1.08, 0)],
    }[role]
    points = " ".join(f"{x + dx * radius:.1f},{y + dy * radius:.1f}" for dx, dy in corners)
    return f'<polygon {css} points="{points}" stroke-linejoin="round"/>'


def edge_mark(spot: Placed) -> str:
    """The line from the parent, crossed where the branch was pruned."""
    parent, node = spot.parent, spot.shown.node
    if parent is None:
        return ""
    top, bottom = parent.y + RADIUS, spot.y - RADIUS - (LABEL if edge_label(spot.shown) else 0.0)
    cut = " p" if node.pruned else " b" if spot.shown.best else ""
    line = f'<path class="e{cut}" d="M{parent.x:.1f} {top:.1f}L{spot.x:.1f} {bottom:.1f}"/>'
    if node.pruned:
        x, y = parent.x + (spot.x - parent.x) * 0.45, top + (bottom - top) * 0.45
        line += f'<path class="x" d="M{x - 6:.1f} {y - 4:.1f}l12 8m0 -8l-12 8"/>'
    return line


def node_mark(spot: Placed, attributes: str = "") -> str:
    """The shape and its numbers, as one group with these attributes."""
    node, x, y = spot.shown.node, spot.x, spot.y
    style = "p" if node.pruned else "here" if spot.shown.last else ""
    parts = [shape(spot.shown.role, x, y, RADIUS, style)]
    main = node.value if node.value is not None and node.q is None else node.q
    if main is not None:
        text = number(main)
        lift = {"max": 10.0, "min": -4.0}.get(spot.shown.role, 4.0)
        size = 11.0 if len(text) < 5 else 9.5 if len(text) < 6 else 8.0  # inside its shape, whatever it is
        style = f' style="font-size:{size}px"' if size < 11.0 else ""
        parts.append(f'<text class="v"{style} x="{x:.1f}" y="{y + lift:.1f}">{text}</text>')
    if label := edge_label(spot.shown):
        text = text_for_markup(label)
        parts.append(f'<text class="l" x="{x:.1f}" y="{y - RADIUS - 5:.1f}">{text}</text>')
    below = []
    if node.visits is not None:
        below.append(f"N {node.visits}")
    if node.bounds is not None and node.bounds[0] < node.bounds[1] and not node.pruned:
        below.append(f"[{number(node.bounds[0])}, {number(node.bounds[1])}]")
    if node.pruned:
        below.append("pruned")
    if spot.shown.hidden:
        below.append(f"… {spot.shown.hidden} more")
    # Beneath a leaf; beside an inner node, whose edges leave from beneath; beside a single edge.
    edges = len(spot.shown.children)
    left, first = (x, y + RADIUS + 11) if edges == 0 else (x + RADIUS * 1.3, y - 2)
    if edges == 1:
        left, first = x + 6, y + RADIUS + 11
    side = ' style="text-anchor:start"' if edges else ""
    for line, text in enumerate(below):
        parts.append(f'<text class="m"{side} x="{left:.1f}" y="{first + 11 * line:.1f}">{text}</text>')
    return f"<g{attributes}>" + "".join(parts) + f"<title>{_tooltip(node)}</title></g>"


def _tooltip(node: TreeNode) -> str:
    from dicezero.search.draw import facts

    return text_for_markup("  ".join([node.label or "root", *facts(node)]))


def _legend(role: Role, x: float, y: float) -> str:
    mark = shape(role, x, y - 4, 8)
    return (
        f'{mark}<text class="m" style="text-anchor:start" x="{x + 14:.1f}" y="{y:.1f}">{NAMES[role]}</text>'
    )
