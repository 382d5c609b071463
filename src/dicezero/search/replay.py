"""Alpha-beta step by step, from the searched tree alone: leaves, alpha, beta, and why branches were pruned.

The children of a node stand in the order they were searched, so the tree is the whole record. A step is a
leaf that was evaluated or a set of siblings that was pruned; ranges are those of figure 6.5 in Russell and
Norvig.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from dicezero.search.draw import number
from dicezero.search.tree import TreeNode

Range = tuple[float, float]

MOST_NODES, DEEPEST = 3_000, 300
_OPEN: Range = (-math.inf, math.inf)


@dataclass(frozen=True)
class ReplayStep:
    """One step. Numbers are for the root's player, MAX; nodes are given by their ``id()``.

    Attributes:
        node: the leaf that was evaluated, or the node whose remaining branches were pruned.
        pruned: those branches, for a step that prunes.
        windows: (alpha, beta) of every node under way, from the root down, after the step.
        ranges: (low, high) of what is known of the nodes that the step has changed.
        text: the step in a sentence or two.
    """

    node: int
    pruned: tuple[int, ...]
    windows: dict[int, Range]
    ranges: dict[int, Range]
    text: str


@dataclass
class _Frame:
    node: TreeNode
    alpha: float
    beta: float
    best: float | None = None


def replay_search(root: TreeNode) -> list[ReplayStep]:
    """The steps of a minimax search; none for other searches, or where the tree is too large or not whole."""
    return _Replay(root).steps if _fits(root) else []


def _fits(root: TreeNode) -> bool:
    """Whether the tree is one of the minimax family, whole, and small enough to step through."""
    stack, count = [(root, 0)], 0
    if root.visits is not None or root.pruned or not root.children:
        return False
    while stack:
        node, depth = stack.pop()
        count += 1
        searched = [child for child in node.children if not child.pruned]
        whole = node.note != "more below" and (node.pruned or node.value is not None)
        if count > MOST_NODES or depth > DEEPEST or not whole or node.kind == "identity":
            return False
        if node.children and not node.pruned and not searched and node.kind != "chance":
            return False
        stack.extend((child, depth + 1) for child in searched)
    return True


@dataclass
class _Replay:
    root: TreeNode
    steps: list[ReplayStep] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._max = self.root.player if self.root.kind == "choice" else 0
        self._ranges: dict[int, Range] = {}
        self._frames: list[_Frame] = []
        self._pending: tuple[TreeNode, dict[int, Range], str] | None = None
        self._visit(self.root, -math.inf, math.inf)
        self._flush()

    def _visit(self, node: TreeNode, alpha: float, beta: float) -> float:
        searched = [child for child in node.children if not child.pruned]
        if not searched:
            value = self._leaf(node)
            if (
                node.children
            ):  # Star2: one move of every outcome has shown that the mean is outside the window
                self._flush()
                self._prune(_Frame(node, alpha, beta))
            return value
        frame = _Frame(node, alpha, beta)
        self._frames.append(frame)
        mean = 0.0
        for child in searched:
            self._flush()
            if node.kind == "chance":  # windows of outcomes depend on bounds that are not in the tree
                value = self._visit(child, -math.inf, math.inf)
                mean += (child.prior or 0.0) * value
                continue
            value = self._visit(child, frame.alpha, frame.beta)
            if node.player == self._max:
                frame.best = value if frame.best is None else max(frame.best, value)
                frame.alpha = max(frame.alpha, frame.best)
            else:
                frame.best = value if frame.best is None else min(frame.best, value)
                frame.beta = min(frame.beta, frame.best)
        if len(searched) < len(node.children):
            self._flush()
            self._prune(frame)
        self._frames.pop()
        if node.kind == "chance":
            return mean if len(searched) == len(node.children) else float(node.value or 0.0)
        assert frame.best is not None  # noqa: S101 - some child was searched
        return frame.best

    def _leaf(self, node: TreeNode) -> float:
        value = float(node.value or 0.0)
        interval = node.bounds if node.children and node.bounds else (value, value)
        self._ranges[id(node)] = interval
        changed = {id(node): interval}
        sentences = [f"{_name(node)} is {_worth(interval)}{_how(node)}"]
        for frame in reversed(self._frames):
            interval = self._range(frame.node)
            if interval == self._ranges.get(id(frame.node), _OPEN):
                continue
            self._ranges[id(frame.node)] = changed[id(frame.node)] = interval
            sentences.append(f"{_name(frame.node)} ({self._role(frame.node)}) is {_in_words(interval)}")
        self._pending = (node, changed, "; ".join(sentences) + ".")
        return value

    def _flush(self) -> None:
        """Writes the last leaf down, with the windows as everything that followed from it has left them."""
        if self._pending is not None:
            node, changed, text = self._pending
            self._pending = None
            self.steps.append(ReplayStep(id(node), (), self._windows(), changed, text))

    def _prune(self, frame: _Frame) -> None:
        node = frame.node
        pruned = [child for child in node.children if child.pruned]
        more = f" and {len(pruned) - 6} more" if len(pruned) > 6 else ""
        names = ", ".join(map(_name, pruned[:6])) + more
        subject = "it" if len(pruned) == 1 else "they"
        name, best = _name(node), frame.best
        if node.kind == "chance" or best is None:
            why = f"the mean at {name} is outside the window whatever they are worth"
        elif node.player == self._max:
            why = f"{name} (MAX) is at least {number(best)}, "
            why += (
                f"and MIN already has {number(frame.beta)} elsewhere (beta)"
                if best >= frame.beta
                else "and more cannot be had"
            )
        else:
            why = f"{name} (MIN) is at most {number(best)}, "
            why += (
                f"and MAX already has {number(frame.alpha)} elsewhere (alpha)"
                if best <= frame.alpha
                else "and less cannot be had"
            )
        text = f"Pruned: {names}; {why}, so {subject} need not be searched."
        self.steps.append(ReplayStep(id(node), tuple(map(id, pruned)), self._windows(), {}, text))

    def _windows(self) -> dict[int, Range]:
        return {id(frame.node): (frame.alpha, frame.beta) for frame in self._frames}

    def _range(self, node: TreeNode) -> Range:
        """The parent's range by those of its children."""
        ranges = [self._ranges.get(id(child), _OPEN) for child in node.children]
        if node.kind == "chance":
            priors = [child.prior or 0.0 for child in node.children]
            low, high = (sum(p * r[i] for p, r in zip(priors, ranges, strict=True) if p) for i in (0, 1))
            return low, high
        pick = max if node.player == self._max else min
        return pick(low for low, _ in ranges), pick(high for _, high in ranges)

    def _role(self, node: TreeNode) -> str:
        return "chance" if node.kind == "chance" else "MAX" if node.player == self._max else "MIN"


def _name(node: TreeNode) -> str:
    return node.label or "the root"


def _how(node: TreeNode) -> str:
    """How a value came about that no search below the node has found."""
    notes = {
        "horizon": " by the evaluation function (horizon)",
        "transposition": " (seen before: transposition table)",
        "cut by probing": " (Star2: one move of each outcome was tried)",
    }
    return notes.get(node.note, f" ({node.note})" if node.note else "")


def _worth(interval: Range) -> str:
    return f"worth {number(interval[0])}" if interval[0] == interval[1] else _in_words(interval)


def _in_words(interval: Range) -> str:
    low, high = interval
    if low == high:
        return f"exactly {number(low)}"
    if math.isinf(low):
        return f"at most {number(high)}"
    return f"at least {number(low)}" if math.isinf(high) else f"from {number(low)} to {number(high)}"
