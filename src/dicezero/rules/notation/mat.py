"""MAT, the match format of backgammon programs, as GNU Backgammon writes it: money games."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dicezero.rules.names import Name, quote
from dicezero.rules.notation.moves import Double, GameText, NotationError, add_game, first_state, replay
from dicezero.rules.protocol import outcomes_of

if TYPE_CHECKING:  # a package may be built without the game
    from dicezero._native import BackgammonState

_VARIATIONS = {
    "standard": "Backgammon",
    "nackgammon": "NackGammon",
    "hyper": "HyperGammon (3)",
    "hyper2": "HyperGammon (2)",
    "hyper1": "HyperGammon (1)",
}
_BAR, _OFF = 25, 0
_MOST_TURNS = 20_000
_COLUMN = 34  # where the second player's moves begin
_VARIATION = re.compile(r';\s*\[\s*Variation\s*"([^"]*)"\s*\]', re.IGNORECASE)
_ROW = re.compile(r"\s*\d{1,6}\)(.*)")
_EVENT = re.compile(
    r"(?P<one>[1-6])(?P<other>[1-6]):|(?:re)?doubles\s*=>\s*(?P<value>\d{1,9})|(?P<answer>takes|drops)"
    r"|(?P<beaver>beavers|raccoons)",
    re.IGNORECASE,
)
_SCORE = re.compile(r":\s*\d+\s")
_LEG = re.compile(r"(bar|\d{1,2})((?:/(?:off|\d{1,2})\*?)+)(?:\((\d)\))?", re.IGNORECASE)
_NO_MOVE = re.compile(r"cannot move|\?+|illegal play.*", re.IGNORECASE)
Legs = list[tuple[int, int]]


def mat_text(record: GameText, *, game_number: int = 1) -> str:
    """The game: one row for a turn of each side, rolls and moves, doubles and their answers."""
    turns, paid = _turns(record)
    replay(record)  # refuses what is illegal
    start = dict(first_state(record).get_game().get_parameters())["start"]  # type: ignore[attr-defined]
    lines = [] if start == "standard" else [f'; [Variation "{_VARIATIONS[start]}"]', ""]
    if game_number == 1:
        lines += [" 0 point match", ""]
    left, right = (" ".join(name.replace(":", " ").split())[:24] or "?" for name in record.players)
    lines += [f" Game {game_number}", f" {left} : 0".ljust(_COLUMN) + f"{right} : 0"]
    for row in range(0, len(turns), 2):
        pair = [*turns[row : row + 2], ""]
        lines.append(f"{row // 2 + 1:3d}) {pair[0]}".ljust(_COLUMN) + pair[1])
    if paid is not None:
        ending = f"Wins {abs(paid):g} point{'s' if abs(paid) != 1 else ''}"
        lines.append("      " + ending if paid > 0 else " " * _COLUMN + ending)
    return "\n".join(line.rstrip() for line in lines) + "\n\n"


def parse_mat(text: str) -> tuple[GameText, ...]:
    """Every game of a file; raises NotationError, with the line, on junk and illegal moves or doubles."""
    games: list[GameText] = []
    reader: _Reader | None = None
    start, named = "standard", False
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        variation = _VARIATION.match(line.strip())
        if variation is not None:
            start = _start(variation[1], number)
        elif re.fullmatch(r"\s*Game\s+\d+\s*", line):
            if reader is not None:
                add_game(games, reader.record())
            reader, named = _Reader(start), False
        elif reader is None or not line.strip() or line.lstrip().startswith(";"):
            continue
        elif not named and (names := _names(line)) is not None:
            reader.players, named = names, True
        else:
            reader.read(line, number)
    if reader is None:
        raise NotationError(f"{quote(text.strip())} is no .mat file; a game begins with a line 'Game 1'")
    add_game(games, reader.record())
    return tuple(games)


class _Reader:
    """One game, row by row. The first to move is player 0."""

    def __init__(self, start: str) -> None:
        self.game = str(Name("backgammon", {} if start == "standard" else {"start": start}))
        self.players = ("?", "?")
        self._state: BackgammonState = first_state(GameText(self.game, ()))  # type: ignore[assignment]
        self._actions: list[int] = []
        self._swapped = False  # the second column moved first
        self._turns = 0
        self._rolled: int | None = None  # the line of a roll without a move
        self._doubles: list[Double] = []
        self._offered: int | None = None  # the line of a double without an answer
        self._cube, self._owner = 1, None  # type: int, int | None

    def record(self) -> GameText:
        """What has been read."""
        players = (self.players[1], self.players[0]) if self._swapped else self.players
        return GameText(self.game, tuple(self._actions), players, doubles=tuple(self._doubles))

    def read(self, line: str, number: int) -> None:
        row = _ROW.fullmatch(line)
        if row is None:
            if re.match(r"\s*(wins|loses)\b", line, re.IGNORECASE):
                return
            what = f"{quote(line.strip())} is no row of moves such as '1) 31: 8/5 6/5'"
            raise NotationError(f"line {number}: {what}")
        moves = row[1]
        events = list(_EVENT.finditer(moves))
        if self._turns == 0 and events and events[0].start() >= _COLUMN // 2:
            self._swapped = True
        for at, event in enumerate(events):
            end = events[at + 1].start() if at + 1 < len(events) else len(moves)
            if self._doubles and not self._doubles[-1].taken:
                raise NotationError(f"line {number}: the double was passed, and the game goes on")
            if event["beaver"]:
                raise NotationError(f"line {number}: {quote(event[0])} is not played here; save it without")
            if event["value"]:
                self._double(int(event["value"]), number)
            elif event["answer"]:
                self._answer(event["answer"].lower() == "takes", number)
            else:
                self._play(int(event["one"]), int(event["other"]), moves[event.end() : end].strip(), number)

    def _double(self, value: int, number: int) -> None:
        player = self._state.turn
        wrong = (
            "the game is over before it"
            if self._state.is_terminal()
            else "nobody doubles before the first roll"
            if not self._actions
            else "a roll or a double before it is open"
            if self._rolled or self._offered
            else f"the cube was {self._cube}, so it must be {2 * self._cube}"
            if value != 2 * self._cube
            else "the cube is the other player's"
            if self._owner not in (None, player)
            else ""
        )
        if wrong:
            raise NotationError(f"line {number}: Doubles => {value}: {wrong}")
        self._offered = number

    def _answer(self, taken: bool, number: int) -> None:
        if self._offered is None:
            raise NotationError(f"line {number}: an answer, and nobody has doubled")
        self._offered = None
        self._doubles.append(Double(len(self._actions), taken))
        if taken:
            self._cube, self._owner = 2 * self._cube, 1 - self._state.turn

    def _play(self, one: int, other: int, moves: str, number: int) -> None:
        state = self._state
        self._turns += 1
        if self._rolled is not None:
            raise NotationError(f"line {self._rolled}: a roll without its move, and the game goes on")
        if self._offered is not None:
            raise NotationError(f"line {self._offered}: a double without an answer, and the game goes on")
        if self._turns > _MOST_TURNS:
            raise NotationError(f"line {number}: a game of more than {_MOST_TURNS} turns")
        if state.is_terminal():
            raise NotationError(f"line {number}: the game is over before {quote(moves)}")
        name = f"roll {max(one, other)}{min(one, other)}"
        rolls = [o for o, _ in outcomes_of(state) if state.action_to_string(-1, o) == name]
        if not rolls:
            raise NotationError(f"line {number}: {one}{other} cannot be the roll that decides who begins")
        self._apply(rolls[0])
        moves = re.split(r"(?<=\s)wins\b", moves, flags=re.IGNORECASE)[0].strip()
        legs, hits = ([], []) if not moves or _NO_MOVE.fullmatch(moves) else _legs(moves, number)
        if not moves and not _passes(self._state):  # a game may end with a roll that is yet to be played
            self._rolled = number
            return
        for action in _actions(self._state, legs, hits, f"line {number}: {quote(moves or 'no move')}"):
            self._apply(action)

    def _apply(self, action: int) -> None:
        self._state.apply_action(action)
        self._actions.append(action)


def _names(line: str) -> tuple[str, str] | None:
    """Both players of ``left : 0  right : 0``; None where a line is another.

    By hand: an expression for it takes hours over a line of spaces.
    """
    score = _SCORE.search(line)
    if score is None:
        return None
    right, colon, points = line[score.end() :].rpartition(":")
    if not colon or not points.strip().isdecimal():
        return None
    return line[: score.start()].strip()[:80], right.strip()[:80]


def _passes(state: BackgammonState) -> bool:
    """Whether the roll leaves no move."""
    mover = state.current_player()
    return [state.action_to_string(mover, action) for action in state.legal_actions()] == ["pass"]


def _actions(state: BackgammonState, legs: Legs, hits: list[int], where: str) -> tuple[int, ...]:
    """The one or, for a double, two actions that leave the mover's checkers as the legs do.

    Two ways may differ in what is hit on the way; not every program marks that, so it decides last.
    """
    mover = state.current_player()
    mine, theirs = list(state.checkers(mover)), list(state.checkers(1 - mover))
    for source, end in legs:
        mine[source] -= 1
        mine[end] += 1
    for point in hits:
        theirs[_BAR - point] -= 1
        theirs[_BAR] += 1
    candidates: list[tuple[int, tuple[int, ...]]] = []
    for actions, after in _lines(state, mover):
        if list(after.checkers(mover)) == mine:
            other = after.checkers(1 - mover)
            candidates.append((sum(abs(a - b) for a, b in zip(other, theirs, strict=True)), actions))
    if not candidates:
        raise NotationError(f"{where} is no legal move")
    return min(candidates, key=lambda one: one[0])[1]


def _lines(state: BackgammonState, mover: int) -> Iterator[tuple[tuple[int, ...], BackgammonState]]:
    """Every way to play the turn: its actions, and the position after them."""
    for action in state.legal_actions():
        after = state.child(action)
        if after.current_player() == mover:
            for rest, end in _lines(after, mover):
                yield (action, *rest), end
        else:
            yield (action,), after


def _legs(words: str, number: int) -> tuple[Legs, list[int]]:
    """``24/18*/13 6/5(2)`` as (from, to) of whole moves, and the points hit; 25 is the bar, 0 is off."""
    legs: Legs = []
    hits: list[int] = []
    for word in words.split():
        match = _LEG.fullmatch(word)
        if match is None:
            raise NotationError(f"line {number}: {quote(word)} is no move such as 8/5, bar/22* or 6/off(2)")
        points = [_point(match[1]), *(_point(part.rstrip("*")) for part in match[2].split("/")[1:])]
        if not all(0 <= point <= _BAR for point in points) or points[0] == points[-1]:
            raise NotationError(f"line {number}: {quote(word)} leaves the board; points are 0..25")
        legs += [(points[0], points[-1])] * int(match[3] or 1)
        hits += [_point(part[:-1]) for part in match[2].split("/")[1:] if part.endswith("*")]
    return legs, hits


def _point(text: str) -> int:
    return int(text) if text.isdigit() else {"bar": _BAR, "off": _OFF}[text.lower()]


def _turns(record: GameText) -> tuple[list[str], float | None]:
    """``31: 8/5 6/5`` for each turn, the halves of a double together, and what player 0 got in the end."""
    state: BackgammonState = first_state(record)  # type: ignore[assignment]
    turns: list[str] = []
    doubles, cube = list(record.doubles), 1
    for number, action in enumerate((*record.actions, None)):
        if doubles and doubles[0].place == number:
            taken, doubler = doubles.pop(0).taken, state.turn
            turns += [f" Doubles => {2 * cube}", " Takes" if taken else " Drops"]
            if not taken:
                return turns, cube if doubler == 0 else -cube
            cube *= 2
        if action is None:
            break
        player = state.current_player()
        try:
            name = state.action_to_string(player, action)
            state.apply_action(action)
        except ValueError as error:
            raise NotationError(f"move {number + 1}: {error}") from None
        if player < 0:
            turns.append(f"{name.removeprefix('roll ')}:")
        elif name != "pass":
            turns[-1] += "".join(f" {leg}" for leg in _plain(name.split()))
    return turns, cube * state.returns()[0] if state.is_terminal() else None


def _plain(words: Sequence[str]) -> Iterator[str]:
    """Each checker's move by itself, the bar as 25 and off as 0, as every program reads them."""
    for word in words:
        move, _, times = word.partition("(")
        plain = move.replace("bar", str(_BAR)).replace("off", str(_OFF))
        yield from [plain] * int(times.rstrip(")") or 1)


def _start(variation: str, number: int) -> str:
    for start, name in _VARIATIONS.items():
        if name.lower() == variation.strip().lower():
            return start
    names = ", ".join(_VARIATIONS.values())
    raise NotationError(f"line {number}: variation {quote(variation)} is not known; known: {names}")
