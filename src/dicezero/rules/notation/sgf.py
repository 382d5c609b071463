"""SGF, the Smart Game Format: games of Go for other programs. Main lines only; comments are not kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dicezero.rules.names import Name, quote
from dicezero.rules.notation.moves import GameText, NotationError, add_game, first_state, replay

_MOST_NODES = 100_000
_SAFE = {"\\": "\\\\", "]": "\\]"}
_COLOURS = ("B", "W")
_LINE = "line"  # no property of SGF's, which are capitals


def sgf_text(record: GameText) -> str:
    """The game as one SGF tree."""
    state = first_state(record)
    size = len(str(state).split("\n")) - 1
    parameters = dict(state.get_game().get_parameters())  # type: ignore[attr-defined]
    komi = parameters["komi"]
    root = (
        f"(;GM[1]FF[4]CA[UTF-8]AP[dicezero]RU[Chinese]SZ[{size}]KM[{komi:g}]"
        f"PB[{_escape(record.players[0])}]PW[{_escape(record.players[1])}]"
    )
    result = record.result or _result(replay(record))
    if result:
        root += f"RE[{_escape(result)}]"
    if record.start:
        root += _setup(state, size)
    moves = []
    for action in record.actions:
        vertex = "" if action == size * size else _letters(action, size)
        moves.append(f";{_COLOURS[state.current_player()]}[{vertex}]")
        state.apply_action(action)
    lines = ["".join(moves[i : i + 10]) for i in range(0, len(moves), 10)]
    return "\n".join([root, *lines]) + ")\n"


def parse_sgf(text: str) -> tuple[GameText, ...]:
    """The main line of every game in a collection; raises NotationError on junk and on illegal moves."""
    games: list[GameText] = []
    for number, nodes in enumerate(_main_lines(text), 1):
        add_game(games, _game(nodes, number))
    if not games:
        raise NotationError(f"{quote(text.strip())} is no SGF; a game begins with '(;'")
    return tuple(games)


def _escape(text: str) -> str:
    return "".join(_SAFE.get(char, char) for char in text)


def _letters(point: int, size: int) -> str:
    return chr(97 + point % size) + chr(97 + size - 1 - point // size)


def _point(value: str, size: int, where: str) -> int:
    """The point that two letters name; the pass is the number after the last point."""
    if value == "" or (value == "tt" and size <= 19):
        return size * size
    column, row = (ord(char) - 97 for char in value) if len(value) == 2 else (-1, -1)
    if not (0 <= column < size and 0 <= row < size):
        raise NotationError(f"{where}: {quote(value)} is no point of a board of {size} lines")
    return (size - 1 - row) * size + column


def _setup(state: object, size: int) -> str:
    rows = str(state).split("\n")[:size]
    stones: dict[str, list[str]] = {"X": [], "O": []}
    for y, row in enumerate(rows):
        for x, mark in enumerate(row[3::2]):
            if mark in stones:
                stones[mark].append(f"[{chr(97 + x)}{chr(97 + y)}]")
    turn = _COLOURS[state.current_player()]  # type: ignore[attr-defined]
    return "".join(
        key + "".join(stones[mark]) for key, mark in (("AB", "X"), ("AW", "O")) if stones[mark]
    ) + (f"PL[{turn}]")


def _result(state: object) -> str:
    if not state.is_terminal():  # type: ignore[attr-defined]
        return ""
    lead = state.score()  # type: ignore[attr-defined]
    return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"


@dataclass
class _Reader:
    """The text and how far it has been read."""

    text: str
    at: int = 0
    _line: int = 1
    _counted: int = 0

    def line(self) -> int:
        """The line that is being read, counted from 1."""
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line

    def skip_space(self) -> str:
        """The next character that is no white space; empty at the end."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at] if self.at < len(self.text) else ""


_Node = dict[str, list[str]]


def _main_lines(text: str) -> Iterator[list[_Node]]:
    """The nodes of the first line of play of every tree."""
    reader = _Reader(text)
    while (char := reader.skip_space()) != "":
        if char != "(":
            raise NotationError(f"the SGF has {quote(text[reader.at : reader.at + 20])} where '(' must stand")
        nodes = _tree(reader)
        if not nodes:
            raise NotationError("the SGF has a game without a node; a game begins with '(;'")
        yield nodes


def _tree(reader: _Reader) -> list[_Node]:
    """The first line of the tree at the reader; brackets are counted, so deep files cannot overflow."""
    nodes: list[_Node] = []
    depth, closed_at = 0, None  # once a bracket has closed, what opens later is a variation
    while True:
        char = reader.skip_space()
        if char == "":
            raise NotationError(f"line {reader.line()}: the SGF ends inside a game; a ')' is missing")
        reader.at += 1
        if char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            closed_at = depth if closed_at is None else closed_at
            if depth == 0:
                return nodes
        elif char == ";":
            node = _node(reader)
            node[_LINE] = [str(reader.line())]
            if closed_at is None:
                nodes.append(node)
            if len(nodes) > _MOST_NODES:
                raise NotationError(f"the SGF has a game of more than {_MOST_NODES} nodes")
        else:
            junk = quote(reader.text[reader.at - 1 : reader.at + 19])
            raise NotationError(f"line {reader.line()}: the SGF has {junk} between nodes")


_KEY = re.compile(r"[A-Za-z]{1,30}")


def _node(reader: _Reader) -> _Node:
    node: _Node = {}
    while reader.skip_space().isalpha():
        match = _KEY.match(reader.text, reader.at)
        if match is None:
            break
        reader.at = match.end()
        key = "".join(char for char in match.group() if char.isupper())  # FF[3] writes Black for B
        if reader.skip_space() != "[":
            raise NotationError(f"the SGF's property {quote(match.group())} has no value in brackets")
        values = node.setdefault(key, [])
        while reader.skip_space() == "[":
            values.append(_value(reader))
    return node


def _value(reader: _Reader) -> str:
    start = reader.at
    reader.at += 1
    chars: list[str] = []
    while reader.at < len(reader.text):
        char = reader.text[reader.at]
        reader.at += 1
        if char == "]":
            return "".join(chars)
        if char == "\\" and reader.at < len(reader.text):
            char = reader.text[reader.at]
            reader.at += 1
        chars.append(char)
    raise NotationError(f"the SGF's value {quote(reader.text[start : start + 20])} has no closing bracket")


def _game(nodes: list[_Node], number: int) -> GameText:
    root = nodes[0]
    where = f"game {number}"

    def first(key: str, default: str) -> str:
        return (root.get(key) or [default])[0].strip()

    if first("GM", "1") != "1":
        raise NotationError(f"{where}: GM[{first('GM', '')}] is not Go, which is GM[1]")
    size_text, komi_text = first("SZ", "19"), first("KM", "0")
    if not re.fullmatch(r"[0-9]{1,3}", size_text) or not 2 <= int(size_text) <= 19:
        raise NotationError(f"{where}: SZ[{size_text[:20]}] is no board of 2 to 19 lines")
    if not re.fullmatch(r"[+-]?[0-9]{1,4}(\.[0-9]{1,4})?", komi_text):
        raise NotationError(f"{where}: KM[{komi_text[:20]}] is no komi")
    size, komi = int(size_text), float(komi_text)
    name = str(Name("go", {"board_size": str(size), "komi": f"{komi:g}"}))
    players = (first("PB", "?"), first("PW", "?"))
    return GameText(
        name,
        _actions(nodes, size, where, start := _start(nodes, size, where), name),
        players,
        first("RE", ""),
        start,
    )


def _start(nodes: list[_Node], size: int, where: str) -> str | None:
    """The position that the first node sets up, in our notation."""
    board = [["."] * size for _ in range(size)]
    for key, mark in (("AB", "X"), ("AW", "O")):
        for value in nodes[0].get(key, []):
            for point in _rectangle(value, size, where):
                board[point // size][point % size] = mark
    if not any(key in nodes[0] for key in ("AB", "AW", "PL")):
        return None
    turn = (nodes[0].get("PL") or ["W" if "HA" in nodes[0] else _first_mover(nodes)])[0].strip().lower()[:1]
    rows = ("".join(row) for row in reversed(board))
    packed = "/".join(re.sub(r"\.+", lambda m: str(len(m.group())), row) for row in rows)
    return f"{packed} {turn if turn in ('b', 'w') else 'b'}"


def _first_mover(nodes: list[_Node]) -> str:
    return next((key for node in nodes for key in _COLOURS if key in node), "B")


def _rectangle(value: str, size: int, where: str) -> list[int]:
    """One point, or all of a rectangle written as two corners."""
    corners = [_point(part, size, where) for part in value.split(":")[:2]]
    if size * size in corners:
        raise NotationError(f"{where}: {quote(value)} sets up no point")
    rows = sorted(point // size for point in (corners[0], corners[-1]))
    columns = sorted(point % size for point in (corners[0], corners[-1]))
    return [r * size + c for r in range(rows[0], rows[1] + 1) for c in range(columns[0], columns[1] + 1)]


def _actions(nodes: list[_Node], size: int, where: str, start: str | None, name: str) -> tuple[int, ...]:
    state = first_state(GameText(name, (), start=start))
    actions: list[int] = []
    line = where

    def play(action: int, what: str) -> None:
        try:
            state.apply_action(action)
        except ValueError:
            raise NotationError(f"{line}, move {len(actions) + 1}: {what} is illegal") from None
        actions.append(action)

    for node in nodes:
        line = f"line {node[_LINE][0]}: {where}"
        if node is not nodes[0] and ("AB" in node or "AW" in node or "AE" in node):
            raise NotationError(f"{line}: stones are set up after the first node, which is not supported")
        for colour, key in enumerate(_COLOURS):
            for value in node.get(key, [])[:1]:
                if state.is_terminal():  # some programs write a third pass
                    return tuple(actions)
                if state.current_player() != colour:
                    play(size * size, "a pass of the other side")  # two moves in a row: the other side passed
                play(_point(value.strip(), size, line), f"{key}[{value}]")
    return tuple(actions)
