"""Our agents in other people's chess programs: the Universal Chess Interface, line by line."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import ClassVar, TextIO

from dicezero import __version__
from dicezero.agents import make_agent
from dicezero.agents.base import Agent
from dicezero.cli.plain import one_line, short_lines
from dicezero.cli.uci_limits import Limits, limited, parse_limits
from dicezero.rules import load_game
from dicezero.rules.counting import perft
from dicezero.rules.errors import GameError
from dicezero.rules.names import parse_name, quote
from dicezero.rules.protocol import Game, State
from dicezero.search.result import SearchResult

_VARIANTS = {"chess": "chess", "gardner": "gardner_chess"}  # UCI_Variant: our game
_MOST_LINE = 100_000  # characters of a line that are looked at: long games come in one
_MATE_CENTIPAWNS = 10_000


class UciServer:
    """Answers lines; one search at a time runs beside, so that ``isready`` is answered meanwhile."""

    def __init__(self, agent: str, game: str, *, seed: int, out: TextIO) -> None:
        word = parse_name(game).word
        if word not in _VARIANTS.values():
            raise GameError(
                f"UCI is for {' and '.join(_VARIANTS.values())}, not {word}; for go: dicezero gtp AGENT"
            )
        self._spec, self._seed, self._out = agent, seed, out
        self._writing = threading.Lock()
        self._game: Game = load_game(game)
        self._agent: Agent = make_agent(agent, self._game)
        self._state: State = self._game.new_initial_state()
        self._search: threading.Thread | None = None
        self._stopped = threading.Event()

    def run(self, lines: TextIO) -> None:
        """Until ``quit`` or the end of the input; a search that runs then is finished first."""
        for line in short_lines(lines, _MOST_LINE):
            if not self.take(line):
                return
        self._finish()

    @property
    def searching(self) -> bool:
        """Whether a search is under way."""
        return self._search is not None and self._search.is_alive()

    def take(self, line: str) -> bool:
        """One line; False once it was ``quit``."""
        words = line[:_MOST_LINE].split()
        # The protocol passes over words it does not know in front of a command.
        while words and words[0] not in self._COMMANDS:
            words.pop(0)
        if not words:
            return True
        try:
            self._COMMANDS[words[0]](self, words[1:])
        except Exception as error:
            self._say(f"info string {one_line(str(error)) or type(error).__name__}")
        return words[0] != "quit"

    # ---- the commands ----

    def _uci(self, _: list[str]) -> None:
        default = next(key for key, value in _VARIANTS.items() if value == parse_name(str(self._game)).word)
        self._say(
            f"id name dicezero {__version__} {one_line(self._agent.name)}",
            "id author the dicezero developers",
            "option name Seed type spin default 0 min 0 max 2147483647",
            f"option name UCI_Variant type combo default {default} {' '.join(f'var {v}' for v in _VARIANTS)}",
            "uciok",
        )

    def _isready(self, _: list[str]) -> None:
        self._say("readyok")

    def _setoption(self, words: list[str]) -> None:
        text = " ".join(words)
        name, _, value = text.removeprefix("name ").partition(" value ")
        key = name.strip().lower()
        if key == "seed" and value.strip().isdigit() and len(value) < 12:
            self._seed = int(value)
        elif key == "uci_variant" and value.strip() in _VARIANTS:
            self._finish()
            game = load_game(_VARIANTS[value.strip()])
            self._agent = make_agent(self._spec, game)
            self._game, self._state = game, game.new_initial_state()
        else:
            raise ValueError(f"no such option or value: {quote(text)}")

    def _ucinewgame(self, _: list[str]) -> None:
        self._finish()
        self._state = self._game.new_initial_state()

    def _position(self, words: list[str]) -> None:
        self._finish()
        at = words.index("moves") if "moves" in words else len(words)
        if words[:1] == ["startpos"]:
            state = self._game.new_initial_state()
        elif words[:1] == ["fen"]:
            state = self._game.new_initial_state(" ".join(words[1:at]))  # type: ignore[call-arg]
        else:
            raise ValueError("position startpos or position fen FEN, then moves")
        for move in words[at + 1 :]:
            action = next((a for a in state.legal_actions() if state.uci(a) == move), None)  # type: ignore[attr-defined]
            if action is None:
                raise ValueError(f"illegal move {quote(move)}; the position is left as it was")
            state.apply_action(action)
        self._state = state

    def _go(self, words: list[str]) -> None:
        if self.searching:
            raise ValueError("a search is running; stop it first")
        limits = parse_limits(words, turn=max(0, self._state.current_player()))
        if limits.perft is not None:
            count = perft(self._game, limits.perft, self._state)[-1]
            self._say(f"Nodes searched: {count}")
            return
        if self._state.is_terminal():
            self._say("info depth 0 score " + self._end_score(), "bestmove (none)")
            return
        self._stopped.clear()
        self._search = threading.Thread(target=self._think, args=(self._state.clone(), limits))
        self._search.start()

    def _stop(self, _: list[str]) -> None:
        self._finish()

    def _ponderhit(self, _: list[str]) -> None:
        self._stopped.set()

    def _display(self, _: list[str]) -> None:
        self._say(repr(self._state), f"Fen: {self._state.position()}")  # type: ignore[attr-defined]

    def _quit(self, _: list[str]) -> None:
        self._stopped.set()

    def _nothing(self, _: list[str]) -> None:
        pass

    _COMMANDS: ClassVar[dict[str, Callable[[UciServer, list[str]], None]]] = {
        "uci": _uci,
        "isready": _isready,
        "setoption": _setoption,
        "ucinewgame": _ucinewgame,
        "position": _position,
        "go": _go,
        "stop": _stop,
        "ponderhit": _ponderhit,
        "d": _display,
        "debug": _nothing,
        "register": _nothing,
        "quit": _quit,
    }

    # ---- the search beside ----

    def _think(self, state: State, limits: Limits) -> None:
        try:
            agent = limited(self._agent, limits)
            result = agent.search(state, seed=self._seed + state.move_number())  # type: ignore[attr-defined]
            self._say(_info(state, result))
            move = state.uci(result.action)  # type: ignore[attr-defined]
        except Exception as error:  # the client waits for a move: it gets the first legal one, and the error
            self._say(f"info string {one_line(str(error)) or type(error).__name__}")
            move = state.uci(state.legal_actions()[0])  # type: ignore[attr-defined]
        if limits.infinite:
            self._stopped.wait()
        self._say(f"bestmove {move}")

    def _finish(self) -> None:
        """Lets a running search send its move."""
        self._stopped.set()
        if self._search is not None:
            self._search.join()
            self._search = None

    def _end_score(self) -> str:
        return "mate 0" if any(self._state.returns()) else "cp 0"

    def _say(self, *lines: str) -> None:
        with self._writing:
            self._out.write("".join(line + "\n" for line in lines))
            self._out.flush()


def _info(state: State, result: SearchResult) -> str:
    """The line about a search: depth, score for the mover, nodes, time, and the moves it expects."""
    moves, replay = [], state.clone()
    for action in result.principal_variation:
        if action not in replay.legal_actions():
            break
        moves.append(replay.uci(action))  # type: ignore[attr-defined]
        replay.apply_action(action)
    milliseconds = max(1, round(1000 * result.seconds))
    depth = int(result.details.get("depth", 0) or len(moves))
    return (
        f"info depth {depth} score cp {value_to_centipawns(result.value)} nodes {result.nodes} "
        f"nps {1000 * result.nodes // milliseconds} time {milliseconds} pv {' '.join(moves)}"
    )


def value_to_centipawns(value: float) -> int:
    """An expected result in [-1, 1] as hundredths of a pawn, by the logistic curve of Elo."""
    share = min(max((value + 1) / 2, 0.0), 1.0)
    if not 0.0 < share < 1.0:
        return round(math.copysign(_MATE_CENTIPAWNS, value))
    return round(400 * math.log10(share / (1 - share)))
