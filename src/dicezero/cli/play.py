"""``dicezero play``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rich.console import Console
from rich.panel import Panel
from rich.text import Text
from tyro.conf import Positional

from dicezero.agents import make_agent
from dicezero.cli.console import AgentName, working
from dicezero.cli.load import load
from dicezero.evaluation.arena import check_two_players
from dicezero.rules.protocol import State
from dicezero.rules.reading import action_strings, board, find_action
from dicezero.rules.spec import spec_of
from dicezero.studio.table import Table

HELP = "a number or the name of a move; hint, undo, quit"


@dataclass(frozen=True)
class Play:
    """Play against an agent in the terminal.

    Answer with the number in front of a move or with its name; 'hint' asks what the agent would play for you,
    'undo' takes your last move back, 'quit' ends the game.

    Example: dicezero play optimal --game nannon --seat 0
    """

    agent: Positional[AgentName]
    """Your opponent."""
    game: str
    """A game for two: its name, or path/to/file.py:Name."""
    seat: Literal[0, 1] = 0
    """Which player you are; 0 moves first."""
    seed: int = 0
    """Of the dice and of the agent."""

    def run(self) -> int:
        """Plays until the end or 'quit'."""
        game = load(self.game)
        check_two_players(spec_of(game))
        with working(f"preparing {self.agent}", quiet=False):
            agent = make_agent(self.agent, game)
        Terminal(Table(game, agent, seat=self.seat, seed=self.seed)).play()
        return 0


class Terminal:
    """A table in the terminal: says what happens, asks when the person has to choose."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.console = Console(highlight=False)

    def play(self) -> None:
        """The loop: chance and the agent act, the person is asked."""
        table = self.table
        self._say(f"You are player {table.seat} in {table.game}; {HELP}")
        while True:
            state = table.position()
            if state.is_terminal():
                break
            mine = state.current_player() == table.seat
            if mine:
                self._board(state)
            event = table.advance()
            if event is not None:
                who = "dice" if event.kind == "roll" else "your only move" if mine else table.agent.name
                self._say(f"{who}: {event.text}")
            elif not self._ask(state):
                self._say("Bye.")
                return
        self._board(state)
        got = state.returns()[table.seat]
        self._say("You win." if got > 0 else "You lose." if got < 0 else "A draw.")

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
                found = self.table.hint()
                name = self.table.agent.name
                self._say(f"{name} would play {names[found.action]} (value {found.value:+.3f} for you)")
            elif text.isascii() and text.isdigit() and len(text) < 6 and int(text) in numbered:
                self.table.play(numbered[int(text)])
                return True
            elif text and (action := find_action(state, text)) is not None and not text.isdigit():
                self.table.play(action)
                return True
            else:
                self._say(f"not a move here; give {HELP}")
