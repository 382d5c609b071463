"""The tree on the page: opened branch by branch, by mouse or by keys."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files

from nicegui import events, ui

from dicezero.search.replay import replay_search
from dicezero.search.tree import TreeNode
from dicezero.studio.branches import Path, first_open, line_paths, node_at, outline, rescaled
from dicezero.studio.page.tree_html import (
    legend_html,
    outline_html,
    picture_html,
    read_path,
    replay_html,
)
from dicezero.studio.scale import Scale

_CLICKED = "(e) => { const n = e.target.closest('[data-path]'); if (n) emit([n.dataset.path, 'toggle']); }"
_KEYS = files("dicezero.studio.page") / "assets" / "tree_keys.js"
_ROOT_IN_SIGHT = """setTimeout(() => { const h = document.querySelector(".tree-holder"),
    r = h?.querySelector(".tree-picture [data-path=root]"); if (!r) return;
    const left = (one) => one.getBoundingClientRect().left;
    h.scrollLeft += left(r) - left(h) - h.clientWidth / 2; }, 30)"""
_MOST_OPEN = 2000  # branches; a browser that asks for more closes the others


class TreePanel:
    """Keeps which branches are open; the same ones stay open as the tree grows."""

    def __init__(self, looked_at: Callable[[Path], None]) -> None:
        """``looked_at`` is called with the node that was clicked."""
        self._looked_at = looked_at
        self._touched = False  # whether branches were opened or closed by hand
        self._node: TreeNode | None = None
        self._names, self._mover = ("", ""), 0
        self._opened: set[Path] = {()}
        self._focus: Path = ()
        self._scale = Scale()
        with ui.element("div").classes("heading"):
            ui.html("The tree", tag="h2", sanitize=False)
            self._form = ui.toggle(["outline", "picture"], value="outline", on_change=self._draw)
            self._form.props('no-caps dense unelevated aria-label="Form of the tree"')
        self._legend = ui.html("", sanitize=False)
        self._holder = ui.html("", sanitize=False).classes("tree-holder")
        self._holder.on("click", self._toggled, js_handler=_CLICKED)
        self._holder.on("keydown", self._toggled, js_handler=_KEYS.read_text("utf-8"))

    def reset(self) -> None:
        """Another position: the best line is open."""
        self._opened, self._focus, self._touched = {()}, (), False

    def show(self, tree: TreeNode | None, *, names: tuple[str, str], mover: int, scale: Scale) -> None:
        """Draws the tree of a search for player ``mover``; None is an agent without one."""
        self._node, self._names, self._mover, self._scale = tree, names, mover, scale
        if tree is not None and not self._touched:
            self._opened = first_open(tree)
        forms = [
            "outline",
            "picture",
            *(["step by step"] if tree is not None and replay_search(tree) else []),
        ]
        if self._form.options != forms:
            chosen = self._form.value if self._form.value in forms else "outline"
            self._form.set_options(forms, value=chosen)
        self._draw()

    def _draw(self) -> None:
        if self._node is None:
            self._legend.content = ""
            self._holder.content = '<p class="none">It looks one move ahead: no tree, only the moves.</p>'
            return
        if self._form.value == "step by step":
            self._legend.content, self._holder.content = "", replay_html(rescaled(self._node, self._scale))
            return
        rows = outline(self._node, self._opened)
        line = {(), *line_paths(self._node)}
        if self._form.value == "outline":
            self._holder.content = outline_html(
                rows, line=line, focus=self._focus, names=self._names, scale=self._scale
            )
        else:
            shown = outline(rescaled(self._node, self._scale), self._opened)
            self._holder.content = picture_html(shown, line=line, focus=self._focus, names=self._names)
            ui.run_javascript(_ROOT_IN_SIGHT)
        mover, other = self._names[self._mover], self._names[1 - self._mover]
        unit = "" if self._scale.points else "numbers in per cent of a win"
        self._legend.content = legend_html({row.role for row in rows}, mover, other, unit)

    def _toggled(self, event: events.GenericEventArguments) -> None:
        """A branch is opened or closed."""
        if self._node is None or not isinstance(event.args, list) or len(event.args) != 2:
            return
        path, what = read_path(event.args[0]), event.args[1]
        try:
            node_at(self._node, path)
        except ValueError:  # the tree has changed since the page was drawn
            return
        if path not in self._opened if what == "toggle" else what == "open":
            if len(self._opened) >= _MOST_OPEN:
                self._opened = {()}
            self._opened.add(path)
        else:
            self._opened = {one for one in self._opened if one[: len(path)] != path}  # and all below it
        self._focus, self._touched = path, True
        self._draw()
        self._looked_at(path)
