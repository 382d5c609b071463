"""PGN, Portable Game Notation: games of chess for other programs. Main lines only; comments are not kept."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dicezero.rules.names import quote
from dicezero.rules.notation.moves import GameText, NotationError, add_game, first_state, replay

_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_GARDNER = "Gardner"
_TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*"((?:[^"\\]|\\.)*)"\s*\]')
_MOVE_NUMBER = re.compile(r"^\d+\.+(?=.)")
_WIDTH = 80
_MOST_MOVES = 20_000
_Word = tuple[str, int]  # and the line it stands in


def pgn_text(record: GameText, *, round_number: int | None = None) -> str:
    """The game as PGN: seven tags, then the moves in SAN."""
    state = first_state(record)
    result = record.result or _result(replay(record))
    tags = {
        "Event": "dicezero",
        "Site": "?",
        "Date": "????.??.??",
        "Round": str(round_number) if round_number is not None else "?",
        "White": record.players[0],
        "Black": record.players[1],
        "Result": result,
    }
    if record.game.startswith("gardner_chess"):
        tags["Variant"] = _GARDNER
        tags["SetUp"], tags["FEN"] = "1", state.position()  # type: ignore[attr-defined]
    elif record.start:
        tags["SetUp"], tags["FEN"] = "1", state.position()  # type: ignore[attr-defined]
    tokens: list[str] = []
    number = int(state.position().split()[5])  # type: ignore[attr-defined]
    for i, action in enumerate(record.actions):
        player = state.current_player()
        if player == 0 or i == 0:
            tokens.append(f"{number}." if player == 0 else f"{number}...")
        tokens.append(state.action_to_string(player, action))
        state.apply_action(action)
        number += player
    header = "\n".join(f'[{key} "{_escape(value)}"]' for key, value in tags.items())
    return f"{header}\n\n{_wrapped([*tokens, result])}\n\n"


def parse_pgn(text: str) -> tuple[GameText, ...]:
    """Every game of the file; raises NotationError on junk and on illegal moves."""
    games: list[GameText] = []
    tags: dict[str, str] = {}
    moves: list[_Word] = []

    def finish() -> None:
        if tags or moves:
            add_game(games, _game(dict(tags), list(moves), len(games) + 1))
        tags.clear()
        moves.clear()

    for kind, value, line in _tokens(text):
        if kind == "tag":
            if moves:  # the result that ends a game was left out
                finish()
            key, _, content = value.partition("\0")
            tags[key] = content
        elif value in _RESULTS:
            tags.setdefault("Result", value)
            moves.append((value, line))
            finish()
        else:
            moves.append((value, line))
    finish()
    if not games:
        raise NotationError(f'{quote(text.strip())} is no PGN; give tags such as [White "..."] and moves')
    return tuple(games)


def _escape(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')


def _wrapped(words: list[str]) -> str:
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) + 1 > _WIDTH:
            lines.append(word)
        else:
            lines[-1] += (" " if lines[-1] else "") + word
    return "\n".join(lines)


def _result(state: object) -> str:
    if not state.is_terminal():  # type: ignore[attr-defined]
        return "*"
    first = state.returns()[0]  # type: ignore[attr-defined]
    return "1-0" if first > 0 else "0-1" if first < 0 else "1/2-1/2"


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Tags as ("tag", key NUL value, line), everything else that counts as ("word", text, line)."""
    at, depth = 0, 0
    line, counted = 1, 0  # the line of ``counted``
    text = text.lstrip("\ufeff")
    while at < len(text):
        char = text[at]
        line, counted = line + text.count("\n", counted, at), at
        if char.isspace():
            at += 1
        elif char == "{":
            end = text.find("}", at)
            if end < 0:
                raise NotationError(f"line {line}: the PGN has a comment without its closing '}}'")
            at = end + 1
        elif char == ";" or (char == "%" and (at == 0 or text[at - 1] == "\n")):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif char in "()":
            depth += 1 if char == "(" else -1
            if depth < 0:
                raise NotationError(f"line {line}: the PGN closes a variation that it did not open")
            at += 1
        elif char == "[" and depth == 0:
            match = _TAG.match(text, at)
            if match is None:
                raise NotationError(
                    f'line {line}: the PGN has {quote(text[at : at + 30])} where a tag [Key "value"] must '
                    "stand"
                )
            value = re.sub(r"\\(.)", r"\1", match.group(2))
            yield "tag", f"{match.group(1)}\0{value}", line
            at = match.end()
        else:
            end = at
            while end < len(text) and not text[end].isspace() and text[end] not in "{}()[];":
                end += 1
            word = text[at : max(end, at + 1)]
            at = max(end, at + 1)
            if depth == 0 and not word.startswith("$"):
                yield "word", word, line
    if depth > 0:
        raise NotationError("the PGN ends inside a variation; a ')' is missing")


def _game(tags: dict[str, str], words: list[_Word], number: int) -> GameText:
    variant = tags.get("Variant", "standard").lower()
    if variant not in ("standard", "chess", "normal", _GARDNER.lower()):
        raise NotationError(
            f"game {number}: the variant {quote(tags['Variant'])} is not known; known: {_GARDNER}"
        )
    name = "gardner_chess" if variant == _GARDNER.lower() else "chess"
    start = tags.get("FEN")
    result = tags.get("Result", "")
    state = first_state(GameText(name, (), start=start))
    actions: list[int] = []
    for word, line in words:
        move = word if word in _RESULTS else _MOVE_NUMBER.sub("", word)
        if word in _RESULTS or re.fullmatch(r"\d+\.*|\.+|[!?]+|e\.p\.", word) or not move:
            continue
        if len(actions) >= _MOST_MOVES:
            raise NotationError(f"game {number} has more than {_MOST_MOVES} moves")
        try:
            action = state.string_to_action(move)  # type: ignore[attr-defined]
        except ValueError:
            raise NotationError(
                f"line {line}: game {number}, move {len(actions) + 1}: {quote(word)} is no legal move"
            ) from None
        state.apply_action(action)
        actions.append(action)
    players = (tags.get("White", "?"), tags.get("Black", "?"))
    return GameText(name, tuple(actions), players, result if result in _RESULTS else "", start)
