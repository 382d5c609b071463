"""Any game as JSON: the moves by name, one a line, chance outcomes included."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

from dicezero.rules.names import quote
from dicezero.rules.notation.moves import Double, GameText, NotationError, first_state
from dicezero.rules.protocol import Game
from dicezero.rules.reading import action_strings, find_action

FORMAT = "dicezero-game"
VERSION = 1
_MOST_MOVES = 50_000
_MOST_TEXT = 200


def json_text(record: GameText, *, game: Game | None = None, indent: bool = True) -> str:
    """The game as one JSON object; ``game`` in place of the one that the record names."""
    state = first_state(record, game)
    moves: list[str | int] = []
    for action in record.actions:
        name = state.action_to_string(state.current_player(), action)
        moves.append(name if find_action(state, name) == action else action)
        state.apply_action(action)
    over = state.is_terminal()
    head: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "game": record.game,
        "players": list(record.players),
        "start": record.start,
        "result": record.result,
        "returns": [float(value) for value in state.returns()] if over else None,
    }
    if record.cube or record.doubles:
        head["doubles"] = [[double.place, double.taken] for double in record.doubles]
    if not indent:
        return json.dumps({**head, "moves": moves}) + "\n"
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    rows = ",\n".join(f"    {json.dumps(move)}" for move in moves)
    return "\n".join(["{", *lines, '  "moves": [', *([rows] if rows else []), "  ]", "}"]) + "\n"


def json_name(text: str) -> str:
    """The name of the game that a text of ours holds; raises NotationError where it is none."""
    return str(_read(text)["game"])


def parse_json(text: str, *, game: Game | None = None) -> tuple[GameText, ...]:
    """The game; ``game`` is what it is played on, by default the one of ours that it names.

    Raises:
        NotationError: with the line, at the first thing that is wrong.
    """
    data = _read(text)
    record = GameText(data["game"], (), tuple(data["players"]), data["result"], data["start"])
    state = first_state(record, game)
    actions: list[int] = []
    for number, move in enumerate(data["moves"], 1):
        action = find_action(state, move) if isinstance(move, str) else int(move)
        if action is None or action not in action_strings(state):
            what = "comes after the end of the game" if state.is_terminal() else "is illegal"
            where = f"line {_line_of_move(text, number)}: move {number}"
            raise NotationError(f"{where}, {quote(str(move))}, {what}")
        state.apply_action(action)
        actions.append(action)
    doubles = tuple(Double(place, taken) for place, taken in data["doubles"])
    return (replace(record, actions=tuple(actions), doubles=doubles, cube=data["cube"]),)


def _read(text: str) -> dict[str, Any]:
    """The object, every field of the right kind and size."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line, why = getattr(error, "lineno", 1), getattr(error, "msg", "it is too deep")
        raise NotationError(f"line {line}: this is no JSON; {why}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise NotationError(f'line 1: this is no game of ours; it must have "format": "{FORMAT}"')
    if data.get("version") != VERSION:
        version = quote(str(data.get("version")))
        raise NotationError(f"{_line(text, 'version')}: version {version} is not {VERSION}")
    game, moves = data.get("game"), data.get("moves")
    players, start, result = data.get("players", ["?", "?"]), data.get("start"), data.get("result", "")
    doubles = data.get("doubles", [])
    for key, right in (
        ("game", _is_text(game) and game != ""),
        ("players", isinstance(players, list) and 1 <= len(players) <= 2 and all(map(_is_text, players))),
        ("start", start is None or (isinstance(start, str) and len(start) <= 10 * _MOST_TEXT)),
        ("result", _is_text(result)),
        ("moves", isinstance(moves, list) and all(map(_is_move, moves))),
        ("doubles", _are_doubles(doubles, len(moves) if isinstance(moves, list) else 0)),
    ):
        if not right:
            raise NotationError(f"{_line(text, key)}: {key} is missing or of the wrong kind")
    if len(moves or ()) > _MOST_MOVES:
        raise NotationError(f"{_line(text, 'moves')}: there are more than {_MOST_MOVES} moves")
    return {
        "game": game,
        "players": [*players, "?"][:2],
        "start": start,
        "result": result,
        "moves": moves,
        "doubles": doubles,
        "cube": "doubles" in data,
    }


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _MOST_TEXT


def _is_move(value: object) -> bool:
    return _is_text(value) or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)


def _are_doubles(value: object, moves: int) -> bool:
    """[[place, taken], ...]: places that grow, within the game; none but the last is passed, at its end."""
    if not isinstance(value, list) or not all(isinstance(row, list) and len(row) == 2 for row in value):
        return False
    places, answers = [row[0] for row in value], [row[1] for row in value]
    if not all(type(place) is int for place in places) or not all(type(answer) is bool for answer in answers):
        return False
    grow = all(a < b for a, b in pairwise([0, *places]))
    return grow and all(answers[:-1]) and all(p < moves if a else p == moves for p, a in value)


def _line(text: str, key: str) -> str:
    """``line 7``, where the key stands; the first line where it does not."""
    at = text.find(f'"{key}"')
    return f"line {text.count(chr(10), 0, max(at, 0)) + 1}"


def _line_of_move(text: str, number: int) -> int:
    """The line of the n-th move, counted from 1."""
    match = re.search(r'"moves"\s*:\s*\[', text)
    at = 0 if match is None else match.end()
    for place in range(number if match else 0):
        at = re.compile(r"[\s,]*").match(text, at).end()  # type: ignore[union-attr]
        if place < number - 1:
            _, at = json.JSONDecoder().raw_decode(text, at)
    return text.count("\n", 0, at) + 1
