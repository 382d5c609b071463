"""A tree as JSON: written, and read back with every field checked.

The format (version 1), one object::

    {"format": "dicezero-tree", "version": 1, "game": "tic_tac_toe", "nodes": [{...}, ...]}

``nodes`` are in depth-first order; ``parent`` is the index of an earlier node, null for the root, which comes
first. The other fields are those of :class:`~dicezero.search.tree.TreeNode`; one that has its default is left
out. An unbounded end of ``bounds`` is null.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, get_args

from dicezero.rules.jsonable import is_finite
from dicezero.rules.ordinary import read_ordinary
from dicezero.search.tree import NodeKind, TreeNode

FORMAT = "dicezero-tree"
VERSION = 1
MAX_BYTES = 256 * 1024 * 1024
MAX_NODES = 1_000_000


class TreeError(ValueError):
    """A file that is not a tree, or a tree too large to be written or read."""


def tree_to_json(root: TreeNode, *, game: str = "") -> str:
    """The tree as JSON text, one node a line."""
    lines: list[str] = []
    stack: list[tuple[TreeNode, int | None]] = [(root, None)]
    while stack:
        node, parent = stack.pop()
        if len(lines) >= MAX_NODES:
            raise TreeError(
                f"the tree has more than {MAX_NODES} nodes; search with a smaller budget to save it"
            )
        stack.extend((child, len(lines)) for child in reversed(node.children))
        lines.append(json.dumps(_node_record(node, parent), allow_nan=False))
    head = f'{{"format": "{FORMAT}", "version": {VERSION}, "game": {json.dumps(game)}, "nodes": [\n'
    return head + ",\n".join(lines) + "\n]}\n"


def tree_from_json(text: str) -> tuple[TreeNode, str]:
    """The tree and the name of its game; raises TreeError that names the node that does not fit."""
    if len(text) > MAX_BYTES:
        raise TreeError(f"the text has {len(text)} characters; at most {MAX_BYTES} are read")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TreeError(f"not a tree file: it is not JSON ({str(error)[:80]})") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise TreeError(f'not a tree file: "format" must be "{FORMAT}"')
    if document.get("version") != VERSION:
        raise TreeError(
            f"version {str(document.get('version'))[:20]} is unknown; this package reads version {VERSION}"
        )
    records, game = document.get("nodes"), document.get("game", "")
    if not isinstance(records, list) or not 1 <= len(records) <= MAX_NODES:
        raise TreeError(f'"nodes" must be a list of 1..{MAX_NODES} nodes')
    if not isinstance(game, str):
        raise TreeError('"game" must be text')
    nodes: list[TreeNode] = []
    for index, record in enumerate(records):
        if not isinstance(record, dict):
            raise TreeError(f"node {index} must be an object")
        parent = record.pop("parent", None)
        expected = parent is None if index == 0 else _is_int(parent) and 0 <= parent < index
        if not expected:
            raise TreeError(
                f"node {index}: parent={str(parent)[:20]} must be an earlier node, null for the first alone"
            )
        node = _read_node(index, record)
        nodes.append(node)
        if parent is not None:
            nodes[parent].children.append(node)
    return nodes[0], game


def load_tree(path: str | Path) -> TreeNode:
    """The tree that ``save_tree(root, "file.json")`` wrote."""
    file = Path(path)
    try:
        return tree_from_json(read_ordinary(file, most_bytes=MAX_BYTES).decode("utf-8"))[0]
    except UnicodeDecodeError:
        raise TreeError(f"{file} is not a tree file: it is not UTF-8 text") from None
    except TreeError as error:
        raise TreeError(f"{file}: {error}") from None


def _node_record(node: TreeNode, parent: int | None) -> dict[str, Any]:
    record: dict[str, Any] = {"parent": parent, "kind": node.kind, "player": node.player}
    for name in ("action", "visits", "q", "value", "prior"):
        number = getattr(node, name)
        if number is not None:
            record[name] = number if is_finite(number) else None
    if node.label:
        record["label"] = node.label
    if node.bounds is not None:
        record["bounds"] = [end if is_finite(end) else None for end in node.bounds]
    if node.pruned:
        record["pruned"] = True
    if node.note:
        record["note"] = node.note
    return record


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and is_finite(value)


def _read_node(index: int, record: dict[str, Any]) -> TreeNode:
    def fail(name: str, what: str) -> TreeError:
        return TreeError(f"node {index}: {name}={str(record.get(name))[:40]} must be {what}")

    kinds = get_args(NodeKind)
    if record.get("kind") not in kinds:
        raise fail("kind", f"one of {', '.join(kinds)}")
    if not _is_int(record.get("player")):
        raise fail("player", "a player's number")
    for name in ("action", "visits"):
        if record.get(name) is not None and not _is_int(record[name]):
            raise fail(name, "an integer")
    for name in ("q", "value", "prior"):
        if record.get(name) is not None and not _is_number(record[name]):
            raise fail(name, "a finite number")
    for name in ("label", "note"):
        if not isinstance(record.get(name, ""), str):
            raise fail(name, "text")
    if not isinstance(record.get("pruned", False), bool):
        raise fail("pruned", "true or false")
    allowed = {
        "kind",
        "player",
        "action",
        "visits",
        "q",
        "value",
        "prior",
        "label",
        "note",
        "pruned",
        "bounds",
    }
    unknown = sorted(set(record) - allowed)
    if unknown:
        raise TreeError(
            f"node {index}: unknown field {unknown[0][:40]!r}; known: {', '.join(sorted(allowed))}"
        )
    bounds = record.pop("bounds", None)
    if bounds is not None:
        if (
            not isinstance(bounds, list)
            or len(bounds) != 2
            or not all(b is None or _is_number(b) for b in bounds)
        ):
            raise TreeError(f"node {index}: bounds must be [low, high], null where unbounded")
        low, high = bounds
        record["bounds"] = (-math.inf if low is None else low, math.inf if high is None else high)
    return TreeNode(**record)
