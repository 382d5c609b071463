"""``dicezero play``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rich.console import Console
from rich.panel import Panel
from rich.text import Text
from tyro.conf import Positional

from dicezero.agents import make_agent
from dicezero.agents.base import Agent
from dicezero.cli.console import AgentName, working
from dicezero.cli.load import load
from dicezero.cli.position import action_strings, board, find_action
from dicezero.evaluation.arena import require_two_players
from dicezero.evaluation.streams import pick_outcome, stream_seed, stream_uniform
from dicezero.rules.protocol import Game, State

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
        require_two_players(game)
        with working(f"preparing {self.agent}", quiet=False):
            agent = make_agent(self.agent, game)
        Table(game, agent, seat=self.seat, seed=self.seed).play()
        return 0


@dataclass
class Table:
    """One game between a person and an agent, kept as the list of its actions: undo is a shorter list."""

    game: Game
    agent: Agent
    seat: int
    seed: int
    actions: list[int] = field(default_factory=list)
    console: Console = field(default_factory=lambda: Console(highlight=False))

    def position(self) -> State:
        """The state after the actions so far."""
        state = self.game.new_initial_state()
        for action in self.actions:
            state.apply_action(action)
        return state

    def play(self) -> None:
        """The loop: chance and the agent act, the person is asked."""
        self._say(f"You are player {self.seat} in {self.game}; {HELP}")
        while not (state := self.position()).is_terminal():
            if state.is_chance_node():
                self._roll(state)
            elif state.current_player() == self.seat:
                self._board(state)
                if not self._ask(state):
                    self._say("Bye.")
                    return
            else:
                self._answer(state)
        self._board(state)
        mine = state.returns()[self.seat]
        self._say("You win." if mine > 0 else "You lose." if mine < 0 else "A draw.")

    def _say(self, text: str) -> None:
        self.console.print(text, markup=False, soft_wrap=True)

    def _board(self, state: State) -> None:
        self.console.print(Panel(Text(board(state)), expand=False))

    def _roll(self, state: State) -> None:
        before = self._count_rolls()
        action = pick_outcome(state.chance_outcomes(), stream_uniform(self.seed, "dice", 0, before))
        self._say(f"dice: {action_strings(state)[action]}")
        self.actions.append(action)

    def _count_rolls(self) -> int:
        state, rolls = self.game.new_initial_state(), 0
        for action in self.actions:
            rolls += state.is_chance_node()
            state.apply_action(action)
        return rolls

    def _answer(self, state: State) -> None:
        result = self.agent.search(state, seed=stream_seed(self.seed, "agent", len(self.actions)))
        self._say(f"{self.agent.name}: {action_strings(state)[result.action]}")
        self.actions.append(result.action)

    def _ask(self, state: State) -> bool:
        """Asks until there is a move, an undo (both True) or the end of the input or of patience (False)."""
        names = action_strings(state)
        if len(names) == 1:
            (action,) = names
            self._say(f"your only move: {names[action]}")
            self.actions.append(action)
            return True
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
                if self._undo():
                    return True
                self._say("nothing to undo")
            elif text in ("hint", "h", "?"):
                result = self.agent.search(state, seed=stream_seed(self.seed, "hint", len(self.actions)))
                self._say(
                    f"{self.agent.name} would play {names[result.action]} (value {result.value:+.3f} for you)"
                )
            elif text.isascii() and text.isdigit() and len(text) < 6 and int(text) in numbered:
                self.actions.append(numbered[int(text)])
                return True
            elif text and (action_found := find_action(state, text)) is not None and not text.isdigit():
                self.actions.append(action_found)
                return True
            else:
                self._say(f"not a move here; give {HELP}")

    def _undo(self) -> bool:
        """Goes back to the person's last real decision; False where there is none."""
        state, decisions = self.game.new_initial_state(), []
        for index, action in enumerate(self.actions):
            if state.current_player() == self.seat and len(state.legal_actions()) > 1:
                decisions.append(index)
            state.apply_action(action)
        if not decisions:
            return False
        del self.actions[decisions[-1] :]
        return True
