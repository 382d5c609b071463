"""``dicezero play``."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rich.panel import Panel
from rich.text import Text
from tyro.conf import Positional

from dicezero.agents import make_agent
from dicezero.cli.console import AgentName, GameName, SafeConsole
from dicezero.cli.film import Film
from dicezero.cli.load import load, load_run_game
from dicezero.cli.position import start
from dicezero.cli.progress import working
from dicezero.rules.protocol import State, is_chance
from dicezero.rules.reading import action_strings, board, find_action
from dicezero.studio.cube import MoneyCube
from dicezero.studio.table import Table

HELP = "a number or the name of a move; hint, undo, quit"


@dataclass(frozen=True)
class Play:
    """Play against an agent in the terminal; alone, with an agent to ask, where the game is for one.

    Answer with the number in front of a move or with its name; hint asks what the agent would play for you,
    undo takes your last move back, quit ends the game.

    Example: dicezero play optimal --game nannon --seat 0
    """

    agent: Positional[AgentName]
    """Your opponent; in a game for one, who gives hints."""
    game: GameName | None = None
    """What to play; by default what a run has learned."""
    seat: Literal[0, 1] = 0
    """Which player you are; 0 moves first. In a game for one, 1 watches the agent play."""
    position: str | None = None
    """Where to begin, in the game's own notation (FEN, position ID) or as a serialized state."""
    seed: int | None = None
    """Random seed of dice and agent; fresh dice each time by default."""
    gif: Path | None = None
    """Film the episode of an environment to this .gif file."""
    cube: bool = False
    """Play for money with a doubling cube: you are asked before each roll of yours that may be doubled."""
    trust: bool = False
    """Where the agent is a run of a game of somebody's own: run the code that lies in its folder."""

    def run(self) -> int:
        """Plays until the end or 'quit'."""
        game = load(self.game) if self.game else load_run_game(self.agent, trust=self.trust)
        begin = None if self.position is None else start(game, self.position)
        seed = secrets.randbelow(2**31) if self.seed is None else self.seed
        with working(f"preparing {self.agent}", quiet=False):
            agent = make_agent(self.agent, game)
        film = None if self.gif is None else Film(self.gif, game, seed)
        cube = MoneyCube(agent) if self.cube else None
        Terminal(Table(game, agent, seat=self.seat, seed=seed, start=begin), film, cube).play()
        return 0


class Terminal:
    """A table in the terminal: prints what happens, asks when the person has to choose."""

    def __init__(self, table: Table, film: Film | None = None, cube: MoneyCube | None = None) -> None:
        self.table, self.film, self.cube = table, film, cube
        self._rolled = 0  # actions there were when the cube was last decided on
        self.console = SafeConsole(highlight=False)

    def play(self) -> None:
        """The loop: chance and the agent act, the person is asked."""
        table = self.table
        self._say(self._welcome())
        while not table.over:
            state = table.position()
            self._film(state)
            if self.cube is not None and not self._cube(self.cube, state):
                return
            mine = state.current_player() == table.seat
            if mine or (table.watching and not is_chance(state)):
                self._board(state)
            with working(f"{table.agent.name} searches", quiet=False):
                event = table.advance()
            if event is not None:
                who = "dice" if event.kind == "roll" else "your only move" if mine else table.agent.name
                self._say(f"{who}: {event.text}")
            elif not self._ask(state):
                self._say("Bye.")
                return
        self._board(table.position())
        self._film(table.position(), last=True)
        self._say(self._farewell())

    def _cube(self, cube: MoneyCube, state: State) -> bool:
        """Decides on the cube before a roll; False where the game ends with it."""
        table, ply = self.table, len(self.table.actions)
        cube.back_to(ply)
        player = cube.may_double(state, ply=ply)
        if player is None or self._rolled == ply:
            return True
        self._rolled = ply
        mine, stake, name = player == table.seat, cube.value, table.agent.name
        if mine:
            self._board(state)
            answer = self._choose(f"the cube is {stake}: roll or double", ("roll", "double"), empty="roll")
            if answer == "double":
                answer = "take" if cube.decision(state).takes else "pass"
                self._say(f"you double to {2 * stake}: {name} {'takes' if answer == 'take' else 'passes'}")
        elif cube.decision(state).doubles:
            self._board(state)
            answer = self._choose(f"{name} doubles to {2 * stake}: take or pass", ("take", "pass"))
        else:
            answer = "roll"
        if answer == "take":
            cube.take(1 - player, ply=ply)
        elif answer == "pass":
            self._say(f"You {'win' if mine else 'lose'}: {stake if mine else -stake:+d}.")
        elif answer is None:
            self._say("Bye.")
        return answer in ("roll", "take")

    def _choose(self, question: str, answers: tuple[str, ...], *, empty: str = "") -> str | None:
        """One of the answers, in whole or by its first letter; None for 'quit' or where the input ends."""
        self._say(question)
        while True:
            try:
                text = self.console.input("> ").strip() or empty
            except EOFError:
                return None
            if text in ("quit", "q", "exit"):
                return None
            if matching := [answer for answer in answers if text in (answer, answer[0])]:
                return matching[0]
            self._say(f"answer {' or '.join(answers)}; quit ends the game")

    def _film(self, state: State, *, last: bool = False) -> None:
        """A picture for each ply; one that is taken back is cut out."""
        film, plies = self.film, len(self.table.actions)
        if film is not None:
            film.cut(plies)
            film.add(state)
            if last:
                self._say(film.save())

    def _welcome(self) -> str:
        table = self.table
        if table.watching:
            return f"{table.agent.name} plays {table.game}, seed {table.seed}"
        who = f"player {table.seat}" if table.spec.players == 2 else "alone"
        return f"You are {who} in {table.game}, seed {table.seed}; {HELP}"

    def _farewell(self) -> str:
        table = self.table
        returns = table.returns or (0.0,)
        if table.spec.players == 1:
            who = table.agent.name if table.watching else "You"
            return f"{who} got {returns[0]:g}."
        got = returns[table.seat] * (1 if self.cube is None else self.cube.value)
        words = "You win" if got > 0 else "You lose" if got < 0 else "A draw"
        return f"{words}." if abs(got) in (0.0, 1.0) else f"{words}: {got:+g}."

    def _say(self, text: str) -> None:
        self.console.print(text, markup=False, soft_wrap=True)

    def _board(self, state: State) -> None:
        self.console.print(Panel(Text(board(state)), expand=False))

    def _ask(self, state: State) -> bool:
        """Asks until there is a move, an undo (both True) or the end of the input or of patience (False)."""
        names = action_strings(state)
        numbered = dict(enumerate(names, 1))
        self._say("  ".join(f"{i}) {names[action]}" for i, action in numbered.items()))
        while True:
            try:
                text = self.console.input("> ").strip()
            except EOFError:
                return False
            if text in ("quit", "q", "exit"):
                return False
            if text in ("undo", "u"):
                if self.table.undo():
                    return True
                self._say("nothing to undo")
            elif text in ("hint", "h", "?"):
                name = self.table.agent.name
                with working(f"{name} searches", quiet=False):
                    hint = self.table.hint()
                self._say(f"{name} would play {names[hint.action]} (value {hint.value:+.3f} for you)")
            elif text.isascii() and text.isdigit() and len(text) < 6 and int(text) in numbered:
                self.table.play(numbered[int(text)])
                return True
            elif text and (action := find_action(state, text)) is not None and not text.isdigit():
                self.table.play(action)
                return True
            else:
                self._say(f"not a move here; give {HELP}")
