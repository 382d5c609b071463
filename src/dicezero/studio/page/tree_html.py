"""A searched tree on the page: an outline to open row by row, or the same rows as a picture."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from html import escape

from dicezero.search.draw import Role, Shown
from dicezero.search.draw_html import tree_to_html
from dicezero.search.draw_svg import (
    COLOURS,
    MARGIN,
    NAMES,
    RADIUS,
    edge_mark,
    node_mark,
    place,
    shape,
    slot_width,
)
from dicezero.search.draw_svg import text_for_markup as clean
from dicezero.search.tree import TreeNode
from dicezero.studio.branches import NodeView, Path
from dicezero.studio.scale import Scale

_ROOT = "root"
_FRAME_NODES = 60  # of a replay that is not scrolled far
_WINS = Scale()
_HEADS = {"n": "N", "q": "Q", "prior": "prior", "value": "value"}
_MEANINGS = {
    "n": "visits: simulations through this node",
    "q": "mean of what came back through it",
    "prior": "probability of the move by the network, or of the roll",
    "value": "its own evaluation, or its minimax value",
}


def path_text(path: Path) -> str:
    """A path as an attribute: ``root``, ``3.0.5``."""
    return ".".join(map(str, path)) or _ROOT


def read_path(text: object) -> Path:
    """The path of such a text; the root for anything else, for it comes from a browser."""
    if not isinstance(text, str) or len(text) > 2000:
        return ()
    parts = text.split(".")
    return tuple(map(int, parts)) if all(part.isascii() and part.isdigit() for part in parts) else ()


def outline_html(
    rows: Sequence[NodeView],
    *,
    line: Collection[Path],
    focus: Path = (),
    names: tuple[str, str] = ("player 0", "player 1"),
    scale: Scale = _WINS,
) -> str:
    """The rows as a tree of ARIA's; one of them can be reached by Tab, the others by arrows.

    Args:
        rows: what is open.
        line: paths to point out.
        focus: the row that Tab reaches.
        names: of the players, where a model predicts who moves.
        scale: the unit of values.
    """
    words = {f"player {player} moves": f"{name} to move" for player, name in enumerate(names)}
    reached = focus if any(row.path == focus for row in rows) else ()
    body = "".join(
        _row(
            row,
            label=words.get(row.node.label, row.node.label),
            on_line=row.path in line,
            reached=row.path == reached,
            scale=scale,
        )
        for row in rows
    )
    heads = "".join(
        f'<span class="{css}" title="{_MEANINGS[css]}">{head}</span>' for css, head in _HEADS.items()
    )
    columns = [css for css in _HEADS if any(_cell(row.node, css) for row in rows)]
    return (
        f'<div class="tree-outline {" ".join(f"has-{css}" for css in columns)}" style="--k:{len(columns)}">'
        f'<div class="tree-head" aria-hidden="true"><span>move</span>{heads}</div>'
        f'<div class="tree-rows" role="tree" aria-label="The searched tree">{body}</div></div>'
    )


def _cell(node: TreeNode, css: str) -> bool:
    """Whether a node has a figure for a column."""
    return {
        "n": node.visits is not None,
        "q": node.q is not None,
        "prior": bool(node.prior),
        "value": node.value is not None,
    }[css]


def _row(view: NodeView, *, label: str, on_line: bool, reached: bool, scale: Scale) -> str:
    node = view.node
    classes = " ".join(
        name
        for name, on in (
            ("tree-row", True),
            (view.role, True),
            ("pruned", node.pruned),
            ("on-line", on_line),
        )
        if on
    )
    state = f' aria-expanded="{str(view.opened).lower()}"' if view.children else ""
    twig = ("▾" if view.opened else "▸") if view.children else ""
    mark = f'<svg class="mark" viewBox="-13 -13 26 26" aria-hidden="true">{shape(view.role, 0, 0, 10)}</svg>'
    notes = ["pruned"] if node.pruned else []
    if node.bounds is not None and node.bounds[0] < node.bounds[1] and not node.pruned:
        notes.append(range_text(node.bounds, scale))
    if node.note:
        notes.append(node.note)
    if view.left_out:
        notes.append(f"{view.left_out} rarer ones left out")
    note = f'<span class="note">{clean(", ".join(notes))}</span>' if notes else ""
    share = "" if view.share is None else f' style="--share:{100 * view.share:.1f}%"'
    cells = (
        f'<span class="n"{share}>{"" if node.visits is None else node.visits}</span>'
        f'<span class="q">{_worth(node.q, scale)}</span>'
        f'<span class="prior">{"" if not node.prior else f"{100 * node.prior:.0f} %"}</span>'
        f'<span class="value">{_sign(node, scale)}{_worth(node.value, scale)}</span>'
    )
    return (
        f'<div class="{classes}" role="treeitem" data-path="{path_text(view.path)}" '
        f'aria-level="{view.depth + 1}"{state} tabindex="{0 if reached else -1}" '
        f'style="--depth:{view.depth}" title="{NAMES[view.role]}">'
        f'<span class="name"><i class="twig">{twig}</i>{mark}<b>{clean(label or "now")}</b>{note}</span>'
        f"{cells}</div>"
    )


def _sign(node: TreeNode, scale: Scale) -> str:
    """That a value is a bound, where no note has room to say so."""
    if node.value is None or node.bounds is None or node.bounds[0] >= node.bounds[1]:
        return ""
    low, high = node.bounds
    sign = "\u2264" if low <= scale.low else "\u2265" if high >= scale.high else "\u2248"
    return f'<i class="sign">{sign} </i>'


def range_text(bounds: tuple[float, float], scale: Scale) -> str:
    """What alpha-beta knows of a value: ``at most 42.5 %``."""
    low, high = bounds
    if low <= scale.low:
        return f"at most {scale.of_value(high)}"
    return (
        f"at least {scale.of_value(low)}"
        if high >= scale.high
        else (f"{scale.of_value(low)} to {scale.of_value(high)}")
    )


def _worth(value: float | None, scale: Scale) -> str:
    return "" if value is None else scale.of_value(value)


def picture_html(
    rows: Sequence[NodeView],
    *,
    line: Collection[Path],
    focus: Path = (),
    names: tuple[str, str] = ("player 0", "player 1"),
) -> str:
    """The same rows as a drawing, root on top."""
    shown: dict[Path, Shown] = {}
    movers = {f"player {player} moves": name for player, name in enumerate(names)}
    for row in rows:
        hidden = row.left_out if row.opened else row.children
        node = replace(row.node, label=movers.get(row.node.label, row.node.label))
        made = Shown(node, row.role, row.depth, hidden=hidden, best=row.path in line, percent=True)
        shown[row.path] = made
        if row.path:
            shown[row.path[:-1]].children.append(made)
    for made in shown.values():
        made.children.sort(key=lambda child: -1 if child.node.action is None else child.node.action)
    views = {id(shown[row.path]): row for row in rows}
    placed = place(shown[()])
    width = max(spot.x for spot in placed) + slot_width(placed) / 2 + MARGIN
    height = max(spot.y for spot in placed) + RADIUS + 46
    reached = focus if focus in shown else ()
    nodes = []
    for spot in placed:
        view = views[id(spot.shown)]
        state = f' aria-expanded="{str(view.opened).lower()}"' if view.children else ""
        on_line = " on-line" if view.path in line else ""
        attributes = (
            f' class="node{on_line}" role="treeitem" data-path="{path_text(view.path)}"{state} '
            f'aria-level="{view.depth + 1}" tabindex="{0 if view.path == reached else -1}"'
        )
        nodes.append(node_mark(spot, attributes))
    return (
        f'<svg class="tree-picture" role="tree" aria-label="The searched tree" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">'
        f"{''.join(map(edge_mark, placed))}{''.join(nodes)}</svg>"
    )


def replay_html(tree: TreeNode) -> str:
    """The page that replays a search of the minimax family, in a frame that can do nothing else."""
    page = clean(tree_to_html(tree, title="Step by step", open_depth=_open_depth(tree), from_the_start=True))
    look = "width:100%;height:min(70vh,640px);border:1px solid #8888;border-radius:8px"
    return (
        f'<iframe class="tree-replay" title="The search step by step" sandbox="allow-scripts" '
        f'style="{look}" srcdoc="{page}"></iframe>'
    )


def _open_depth(tree: TreeNode) -> int:
    """How deep the tree is open at first: as many levels as have room."""
    level, depth, count = [tree], 0, 1
    while level and count <= _FRAME_NODES:
        level = [child for node in level for child in node.children]
        count, depth = count + len(level), depth + 1
    return max(1, depth - 1)


def legend_html(roles: Collection[Role], mover: str, other: str, unit: str = "") -> str:
    """What the shapes mean, and what the numbers count."""
    names: dict[Role, str] = {**NAMES, "max": _to_move(mover), "min": _to_move(other)}
    items = "".join(
        f'<span><svg class="mark" viewBox="-13 -13 26 26">{shape(role, 0, 0, 10)}</svg>{escape(name)}</span>'
        for role, name in names.items()
        if role in roles
    )
    more = f"<span>{escape(unit)}</span>" if unit else ""
    return f'<div class="tree-legend">{items}{more}</div>'


def _to_move(name: str) -> str:
    return "your move" if name == "You" else f"{name} to move"


def tree_colours() -> str:
    """The colours of ``search.draw_svg`` as variables of the page, light and dark."""
    light = "".join(f"--{name}:{pair[0]};" for name, pair in COLOURS.items() if name not in ("ink", "bg"))
    dark = "".join(f"--{name}:{pair[1]};" for name, pair in COLOURS.items() if name not in ("ink", "bg"))
    second = [  # where the second player is to move the two change places
        "".join(f"--{one}{line}:{COLOURS[other + line][theme]};" for one, other in _SIDES for line in _PARTS)
        for theme in (0, 1)
    ]
    return (
        f"body{{{light}--bg:var(--card);}}body.body--dark{{{dark}}}"
        f".search.second{{{second[0]}}}body.body--dark .search.second{{{second[1]}}}"
    )


_SIDES, _PARTS = (("max", "min"), ("min", "max")), ("", "-line")
